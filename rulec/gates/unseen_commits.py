"""Judges pushed commits that no gate has seen, by the rules of where they are pushed."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from rulec.domain.change import Change
from rulec.domain.enforcement import refuses
from rulec.domain.finding import Verdict
from rulec.domain.outcome import Outcome
from rulec.gates import passed_changes, trusted_checks
from rulec.gates.findings.verdicts import verdicts_on
from rulec.gates.gate import GateRun
from rulec.gates.gate_names import touches_gate
from rulec.gates.trusted_checks import TrustedChecks
from rulec.gates.weakening import loosening, protected_paths
from rulec.infra.git import commit_changes, git_changes, git_session

_SHOWN = 5  # commits that are named
_SHORT = 10  # digits of a commit's name that are shown
_LONGEST = 80  # characters of a subject


def judge_unseen(top: Path, ref: str, ends: tuple[str, str], unseen: passed_changes.TouchedPaths) -> Outcome:
    """The verdicts on what unseen commits changed between a base and a tip; passed commits are noted as seen."""
    base, tip = ends
    texts = trusted_checks.texts_at_commit(top, base) if base else {}
    trusted = TrustedChecks(texts or trusted_checks.texts_at_commit(top, tip))  # a first push has no base
    change = _touched_paths(git_changes.change_between(top, base or git_session.empty_tree_id(top), tip), unseen)
    made = commit_changes.commits_by_id(top, list(unseen))
    extra = [*_judge_messages(trusted, made)]
    if base:  # else every file is new
        approval = f"rulec approve {base[:_SHORT]}..{tip[:_SHORT]}"
        extra += protected_paths.path_verdicts(top, trusted.artifacts(), change, trusted.texts, approval=approval)
    if base and touches_gate(change):
        extra += loosening.weakened_between(top, base, (base, tip), change)
    outcome = GateRun(form="text", extra_verdicts=extra).judge(trusted, change)
    if not outcome.code:
        passed_changes.note_passed(
            top, passed_changes.commit_marks(top, list(unseen)), passed_changes.rules_tree(top, base) if base else ""
        )
    return replace(outcome, text=f"{_cut_sections(ref, made)}\n{outcome.text}")


def _touched_paths(change: Change, unseen: passed_changes.TouchedPaths) -> Change:
    """The change limited to the paths of unseen commits: seen ones were judged where they were committed."""
    paths = frozenset(path for touched in unseen.values() for path in touched)
    return replace(change, files=tuple(f for f in change.files if {f.path, f.old_path} & paths))


def _judge_messages(trusted: TrustedChecks, made: Sequence[commit_changes.PastCommit]) -> Iterator[Verdict]:
    artifacts = trusted.artifacts()
    for commit in made:
        change = Change(message=commit.message, environment="local")
        verdicts = verdicts_on(artifacts, change, only_message=True)
        yield from (verdict for verdict in verdicts if verdict.finding or refuses(verdict.outcome))


def _cut_sections(ref: str, made: Sequence[commit_changes.PastCommit]) -> str:
    lines = [f"{ref}: {len(made)} commit{'s' * (len(made) != 1)} that no gate has seen by these rules"]
    lines += [f"  {commit.id[:_SHORT]} {commit.subject[:_LONGEST]}" for commit in made[:_SHOWN]]
    lines += [f"  … and {len(made) - _SHOWN} more"] * (len(made) > _SHOWN)
    return "\n".join(lines)
