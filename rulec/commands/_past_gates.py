"""Commits that no gate has seen -> verdicts on what they leave, by the rules of where they go."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from rulec import registry
from rulec.commands import _approved, _suppressed
from rulec.commands._concerned import concerned
from rulec.commands._outcome import FINDINGS, Outcome
from rulec.commands._verdicts import at_commit, facts_of, judge, theirs
from rulec.host import changes, commits, git, seen, worktree
from rulec.model.artifact import Artifact
from rulec.model.change import Change
from rulec.model.finding import Verdict

_SHOWN = 5  # commits that are named
_LONGEST = 80  # characters of a subject


def judged(top: Path, ref: str, ends: tuple[str, str], unseen: seen.Touched) -> Outcome:
    """What lies between a base and a tip, as far as such commits touched it; what holds is seen from then on."""
    base, tip = ends
    texts = (worktree.compiled_at(top, base) if base else {}) or worktree.compiled_at(top, tip)  # a first push
    change = _touched(changes.between(top, base or git.empty_tree(top), tip), unseen)
    artifacts, made = at_commit(worktree.compiled(texts)), commits.named(top, list(unseen))
    verdicts = [*_of_files(artifacts, change, texts), *_of_messages(artifacts, made)]
    if base and concerned(change):
        verdicts += _approved.between(top, base, (base, tip), change)
    counts = {"files": len(change.files), "rules": len(facts_of(artifacts)), "unread": 0}
    report = registry.reporter("text").report(verdicts, counts)
    refused = any(verdict.outcome == "block" for verdict in verdicts)
    if not refused:
        seen.note(top, seen.marks(top, list(unseen)), seen.rules_at(top, base) if base else "")
    return Outcome(f"{_head(ref, made)}\n{report}", FINDINGS if refused else 0)


def _touched(change: Change, unseen: seen.Touched) -> Change:
    """What commits that a gate has seen brought was judged where it was committed."""
    paths = frozenset(path for touched in unseen.values() for path in touched)
    return replace(change, files=tuple(f for f in change.files if {f.path, f.old_path} & paths))


def _of_files(artifacts: Sequence[Artifact], change: Change, texts: Mapping[str, str]) -> list[Verdict]:
    looked_at = replace(theirs(change), environment="local")
    return _suppressed.heeded(judge(artifacts, looked_at), looked_at, texts)


def _of_messages(artifacts: Sequence[Artifact], made: Sequence[commits.Made]) -> Iterator[Verdict]:
    for commit in made:
        change = Change(message=commit.message, environment="local")
        verdicts = judge(artifacts, change, only_message=True)
        yield from (verdict for verdict in verdicts if verdict.finding or verdict.outcome == "block")


def _head(ref: str, made: Sequence[commits.Made]) -> str:
    lines = [f"{ref}: {len(made)} commit{'s' * (len(made) != 1)} that no gate has seen by these rules"]
    lines += [f"  {commit.id[:10]} {commit.subject[:_LONGEST]}" for commit in made[:_SHOWN]]
    lines += [f"  … and {len(made) - _SHOWN} more"] * (len(made) > _SHOWN)
    return "\n".join(lines)
