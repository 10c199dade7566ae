"""Changes of protected paths: refused at the commit and the push whoever made them, until a person approves."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from rulec.domain.artifact import Artifact, protects_paths
from rulec.domain.change import Change, FileChange
from rulec.domain.enforcement import at_most, refuses
from rulec.domain.finding import Finding, Verdict
from rulec.gates.findings import excepted
from rulec.gates.findings.verdicts import verdicts_on, without_rulebook
from rulec.gates.weakening import approvals
from rulec.infra.git import git_session


def path_verdicts(
    top: Path, artifacts: Sequence[Artifact], change: Change, texts: Mapping[str, str],
    *, merging: bool = False, approval: str = "rulec approve",
) -> list[Verdict]:  # fmt: skip
    """Verdicts on the protected paths that a local change touches, excepted where a person approved just that.

    ``merging``: the change is a merge, whose files git merged by itself. ``approval``: the command that approves it.
    """
    verdicts = _verdicts(artifacts, change, texts, "local", f"they run {approval}", merging=merging)
    known = approvals.approved(top) if verdicts else {}
    return [_approved(verdict, known.get(_digest(top, change, verdict), "")) for verdict in verdicts]


def path_verdicts_in_ci(
    top: Path, base: str, artifacts: Sequence[Artifact], change: Change, texts: Mapping[str, str]
) -> list[Verdict]:
    """The same in CI, where the review approves them: they warn, unless the base's settings say that they block."""
    verdicts = _verdicts(artifacts, change, texts, "ci", "in the review")
    most = approvals.enforcement_in_review(top, base) if verdicts else "block"
    return [
        replace(verdict, outcome=at_most(verdict.outcome, most)) if refuses(verdict.outcome) else verdict
        for verdict in verdicts
    ]


def unapproved_paths(
    top: Path, artifacts: Sequence[Artifact], change: Change, texts: Mapping[str, str]
) -> list[Verdict]:
    """The verdicts that refuse the staged change and that nobody has approved yet."""
    merging = bool(git_session.merge_heads(top))
    found = path_verdicts(top, artifacts, change, texts, merging=merging)
    return [verdict for verdict in found if refuses(verdict.outcome)]


def approval_digests(top: Path, change: Change, verdicts: Sequence[Verdict]) -> list[str]:
    """The names under which a person's approval of these verdicts is kept."""
    return [_digest(top, change, verdict) for verdict in verdicts]


def _verdicts(
    artifacts: Sequence[Artifact], change: Change, texts: Mapping[str, str], environment: str, how: str,
    *, merging: bool = False,
) -> list[Verdict]:  # fmt: skip
    guards = [artifact for artifact in artifacts if protects_paths(artifact)]
    if not guards:
        return []
    files = tuple(file for file in change.files if not (merging and _is_merged_by_git(file)))
    looked_at = without_rulebook(replace(change, files=files, message=None, environment=environment))
    found = [_with_cure(verdict, how) for verdict in verdicts_on(guards, looked_at)]
    return excepted.mark_excepted(found, looked_at, texts) if found else []


def _is_merged_by_git(file: FileChange) -> bool:
    """Whether each line of the file stands on one side of the merge, so that each was judged where it was committed."""
    return file.status == "M" and file.added == ()


def _with_cure(verdict: Verdict, how: str) -> Verdict:
    if verdict.finding is None:
        return verdict
    cure = f"{verdict.facts.do or 'take the change back'}, or let a person approve it: {how}"
    return replace(verdict, finding=replace(verdict.finding, cure=cure))


def _approved(verdict: Verdict, by: str) -> Verdict:
    return replace(verdict, outcome="excepted", because=by) if by else verdict


def _digest(top: Path, change: Change, verdict: Verdict) -> str:
    """A name for exactly this change of the path on this commit: the next commit ends it."""
    finding = verdict.finding or Finding(slug=verdict.facts.slug)
    on = git_session.head_commit(top) or ""
    what = [on, change.mark, finding.slug, finding.path, finding.text]
    return hashlib.sha256(json.dumps(what).encode("utf-8", "surrogatepass")).hexdigest()
