"""``rulec check``: artifacts + change -> verdicts."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from rulec import registry
from rulec.commands._observe import by_kind, in_base, observe
from rulec.commands._outcome import FINDINGS, Outcome
from rulec.errors import RulecError
from rulec.host import changes, git, worktree
from rulec.model.artifact import COMPILED, Artifact, of_changes, of_files
from rulec.model.change import Change
from rulec.model.finding import Fault, Finding, Verdict
from rulec.model.plan import Facts
from rulec.stages.gate import gate
from rulec.stages.message import message as git_makes


def staged(top: Path, form: str) -> Outcome:
    """The index, judged by the rules of HEAD: a commit cannot weaken the gate it has to pass.

    What belongs together came with the commits that a merge joins.
    """
    return _judge(_trusted(top), changes.staged(top), form, whole=not git.merging(top))


def _trusted(top: Path) -> Mapping[str, str]:
    """The artifacts of HEAD; where it has none (a first commit, an orphan branch), those that are about to be."""
    head = git.head(top)
    return (worktree.compiled_at(top, head) if head else {}) or git.files_in_index(top, COMPILED)


def since(top: Path, base: str, form: str) -> Outcome:
    """What HEAD adds to a base revision, judged by the rules of the base."""
    revision = git.commit_of(top, base)
    return _judge(worktree.compiled_at(top, revision), changes.since(top, revision), form)


def at_hand(top: Path, paths: Sequence[str], form: str) -> Outcome:
    """Files as they stand in the work tree, judged by the work tree's rules."""
    return _judge(worktree.compiled_at_hand(top), changes.at_hand(top, paths), form, whole=False)


def message(top: Path, path: str, form: str) -> Outcome:
    """A commit message, judged by the rules of HEAD."""
    text = git_makes(worktree.text(Path(path)), edited=git.cleans_messages(top), comment=git.comment_char(top))
    return _judge(_trusted(top), replace(changes.staged(top), message=text), form, only_message=True)


def _judge(
    trusted: Mapping[str, str], change: Change, form: str, *, only_message: bool = False, whole: bool = True
) -> Outcome:
    """The verdicts as a person reads them; files that are no ``whole`` change lack what they came with."""
    compiled = worktree.compiled(trusted)
    actions = f"{COMPILED}/guard/"  # what guards say of files, other kinds of check say here, but for these two
    artifacts = [a for a in compiled if not a.path.startswith(actions) or of_files(a) or (whole and of_changes(a))]
    looked_at = replace(change, files=tuple(f for f in change.files if not _ours(f.path)))
    verdicts = judge(artifacts, looked_at, only_message=only_message)
    unread = sum(f.content is None and f.status != "D" for f in looked_at.files)
    counts = {"files": len(looked_at.files), "rules": len(facts_of(artifacts)), "unread": unread}
    text = registry.reporter(form).report(verdicts, counts)
    return Outcome(text, FINDINGS if any(verdict.outcome == "block" for verdict in verdicts) else 0)


def _ours(path: str) -> bool:
    """Rule files and artifacts quote what they forbid; they are proved instead of checked."""
    return path.startswith(f"{worktree.RULES}/")


def _in_our_block(item: Finding | Fault, change: Change) -> bool:
    """Whether a finding lies in the part of AGENTS.md that rulec wrote: it says what the rules forbid."""
    if isinstance(item, Fault) or item.path != "AGENTS.md" or not item.line:
        return False
    content = next((file.content or b"" for file in change.files if file.path == item.path), b"")
    lines = content.decode("utf-8", "replace").splitlines()
    begins = [n for n, line in enumerate(lines, 1) if line.startswith("<!-- rulec:begin ")]
    ends = [n for n, line in enumerate(lines, 1) if line.startswith("<!-- rulec:end ")]
    return len(begins) == len(ends) == 1 and begins[0] < item.line < ends[0]


def facts_of(artifacts: Sequence[Artifact]) -> dict[str, Facts]:
    """What artifacts say of their rules, by slug; RulecError where one of them is damaged."""
    found: dict[str, Facts] = {}
    for checker, own in by_kind(artifacts):
        for artifact in own:
            try:
                facts = checker.facts(artifact.text or "")
            except (ValueError, KeyError, TypeError, RulecError) as error:
                cure = "run rulec compile and commit what it writes"
                raise RulecError(f"is no artifact of rulec: {error}", where=artifact.path, hint=cure) from None
            found[facts.slug] = facts
    return found


def judge(artifacts: Sequence[Artifact], change: Change, *, only_message: bool = False) -> list[Verdict]:
    """All verdicts on a change, those that block first."""
    facts = facts_of(artifacts)
    if only_message:
        artifacts = [artifact for artifact in artifacts if artifact.path.startswith(f"{COMPILED}/shell/")]
    seen: list[Finding | Fault] = [item for item in observe(artifacts, change) if not _in_our_block(item, change)]
    if only_message:
        seen = [item for item in seen if isinstance(item, Fault) or not item.path]
    wholes = [item for item in seen if isinstance(item, Finding)]
    old = in_base(artifacts, change, wholes)
    verdicts = [replace(v, outcome="old") if v.finding in old else v for v in gate(seen, facts, change)]
    order = {"block": 0, "warn": 1, "audit": 2, "old": 3}
    return sorted(verdicts, key=lambda v: (order[v.outcome], v.facts.slug))
