"""Judges each ref that is pushed by the rules on branches: never push to main, no force push, names of new branches."""

import hashlib
import json
import os
import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from rulec import registry
from rulec.domain.artifact import Artifact, acts_at_commit, acts_at_tool_call, compiled_checks
from rulec.domain.change import Change
from rulec.domain.enforcement import refuses
from rulec.domain.finding import Verdict
from rulec.domain.outcome import FINDINGS, Outcome
from rulec.domain.transcript import Action
from rulec.gates import passed_changes
from rulec.gates.findings.verdicts import facts_by_slug, verdicts_on
from rulec.gates.weakening import approvals
from rulec.infra.git import git_session
from rulec.infra.rulebooks import rulebook_files

_FRAMEWORK = ("PRE_COMMIT_REMOTE_BRANCH", "PRE_COMMIT_TO_REF", "PRE_COMMIT_FROM_REF", "PRE_COMMIT_REMOTE_NAME")
_PARTS = 4  # local ref, its id, remote ref, its id


@dataclass(frozen=True, slots=True, kw_only=True)
class PushedRef:
    """One pushed ref; ``old`` is the remote's commit, zeros where it has none; ``new`` is zeros for a deletion."""

    ref: str
    new: str
    old: str
    remote: str


_WHERE, _NAMES = '"pushes": [', '"new_branch": "'  # in a guard: where a push may not go, how a new branch is called
FORCING = ("--force", "--force-with-lease")
_SHORT = 10  # digits of a commit's name that are shown


def judge_branch(top: Path, push: PushedRef) -> Outcome | None:
    """The verdicts on where a push goes and whether it rewrites what is there; None where no rule minds."""
    artifacts = _rules_on_pushes(top)
    verdicts = [
        _settled(top, push, verdict)
        for verdict in branch_verdicts(artifacts, push, rewrites=_rewrites(top, push), makes=makes_branch(top, push))
    ]
    if not verdicts:
        return None
    report = registry.reporter("text").report(
        verdicts, {"files": 0, "rules": len(facts_by_slug(artifacts)), "unread": 0}
    )
    return Outcome(report, FINDINGS * any(refuses(verdict.outcome) for verdict in verdicts))


def branch_verdicts(artifacts: Sequence[Artifact], push: PushedRef, *, rewrites: bool, makes: bool) -> list[Verdict]:
    """What the rules say about the branch that the ref updates, about its name where it ``makes`` it, and about force
    where it ``rewrites`` commits.

    The ref does not tell by which flag it was forced: a rule refuses it if it refuses every flag that forces, and the
    force is what it refuses. A rule against all pushes is one on the command, and not judged here.
    """
    found = _found(
        [one for one in artifacts if _WHERE in (one.text or "") or (makes and _NAMES in (one.text or ""))], push
    )
    if rewrites:
        plain, *forced = (_found(artifacts, push, flag) for flag in ("", *FORCING))
        slugs = set.intersection(*({one.facts.slug for one in own} for own in forced))
        found += [one for one in forced[0] if one.facts.slug in slugs - {one.facts.slug for one in plain}]
    return found


def approval_digests(top: Path, push: PushedRef, verdicts: Sequence[Verdict]) -> list[str]:
    """The names under which a person's approval of these verdicts on the push is kept; the next commit ends it."""
    on = git_session.head_commit(top) or ""
    what = ([on, one.facts.slug, _commit(top, push), push.ref] for one in verdicts)
    return [hashlib.sha256(json.dumps(one).encode()).hexdigest() for one in what]


def approvable(top: Path, push: PushedRef) -> list[Verdict]:
    """What rules have against the push, also by force: what a person approves before git tells what is there."""
    return branch_verdicts(_rules_on_pushes(top), push, rewrites=bool(push.new), makes=bool(push.new))


def _rules_on_pushes(top: Path) -> list[Artifact]:
    """HEAD's guards of commands that speak of pushes."""
    checks = compiled_checks(rulebook_files.compiled_at_commit(top, "HEAD"))
    return [one for one in checks if one.kind == "guard" and _speaks_of_pushes(one.text or "")]


def _acts_at_push(artifact: Artifact) -> bool:
    """Whether the check judges pushes by whomever: by where they go, by the name of a new branch, or by force."""
    text = artifact.text or ""
    if artifact.kind != "guard" or not _speaks_of_pushes(text):
        return False
    if any(facts.scope.who for facts in facts_by_slug([artifact]).values()):
        return False
    some = PushedRef(ref="refs/heads/topic", new="1" * 40, old="2" * 40, remote="origin")
    return _WHERE in text or _NAMES in text or bool(branch_verdicts([artifact], some, rewrites=True, makes=False))


def gates_of_checks(artifacts: Sequence[Artifact]) -> list[str]:
    """Where checks act: "tool" at agents' tool calls, "commit" at commits and in CI, "push" where anybody pushes."""
    acting = {"tool": acts_at_tool_call, "commit": acts_at_commit, "push": _acts_at_push}
    return [gate for gate, acts in acting.items() if any(map(acts, artifacts))]


def _speaks_of_pushes(text: str) -> bool:
    return '"on": "command"' in text and "push" in text


def _found(artifacts: Sequence[Artifact], push: PushedRef, flag: str = "") -> list[Verdict]:
    words = ["git", "push", *([flag] if flag else []), push.remote or "origin", _refspec(push)]
    return verdicts_on(
        artifacts, Change(actions=(Action(kind="command", command=shlex.join(words)),), environment="local")
    )


def _refspec(push: PushedRef) -> str:
    return f"{push.new[:_SHORT] if push.new.strip('0') else ''}:{push.ref}"


def _commit(top: Path, push: PushedRef) -> str:
    """The commit that is pushed; "" where the ref is deleted."""
    return git_session.find_commit(top, push.new) or push.new if push.new.strip("0") else ""


def _rewrites(top: Path, push: PushedRef) -> bool:
    """Whether the remote loses commits at that ref: git hands on only what it will push, so one not here is lost."""
    if not (push.old.strip("0") and push.new.strip("0")):
        return False
    return bool(git_session.run_git(top, "merge-base", "--is-ancestor", push.old, push.new).code)


def _settled(top: Path, push: PushedRef, verdict: Verdict) -> Verdict:
    """The verdict with how a person approves the push, or as approved."""
    by = approvals.approved(top).get(approval_digests(top, push, [verdict])[0], "")
    if by:
        return replace(verdict, outcome="excepted", because=by)
    if verdict.finding is None:
        return verdict
    own = verdict.finding.cure or "push something else"
    cure = f"{own}, or let a person approve it: they run rulec approve {_refspec(push)}"
    return replace(verdict, finding=replace(verdict.finding, path=push.ref, cure=cure))


def parse_pushed_refs(remote: str, text: str) -> list[PushedRef]:
    """The pushed refs that git writes to the hook's standard input."""
    lines = [line.split(" ") for line in text.splitlines()]
    return [
        PushedRef(ref=parts[2], new=parts[1], old=parts[3], remote=remote) for parts in lines if len(parts) == _PARTS
    ]


def pushed_refs_of_framework() -> list[PushedRef]:
    """The pushed ref that pre-commit and prek put into the environment of their hooks."""
    ref, new, old, remote = (os.environ.get(name, "") for name in _FRAMEWORK)
    return [PushedRef(ref=ref or "HEAD", new=new or "HEAD", old=old, remote=remote)]


def makes_branch(top: Path, push: PushedRef) -> bool:
    """Whether the remote gets a branch that it did not have.

    Git's hook is told so; the frameworks name an ancestor in place of a commit that is not there, and then the branches
    count that this clone has seen at the remote.
    """
    branch = push.ref.removeprefix("refs/heads/")
    if branch == push.ref or not push.new.strip("0") or (push.old.strip("0") and not os.environ.get(_FRAMEWORK[0])):
        return False
    return not git_session.find_commit(top, f"refs/remotes/{push.remote}/{branch}")


def pushed_commit(top: Path, name: str) -> str:
    """The id of the pushed commit, also of a tag of one; "" where a tag names something else."""
    return git_session.find_commit(top, name) or ""


def new_commits(top: Path, push: PushedRef, tip: str) -> list[str]:
    """The commits that no remote has yet, newest first, without those from before the gate."""
    known = [f"^{old}"] if (old := _remote_commit(top, push)) else []
    # by standard input, for there may be more of them than a command line holds
    asked = "".join(f"{name}\n" for name in (tip, *known, *passed_changes.exclude_before(top)))
    how = ("--ignore-missing", f"-n{passed_changes.MOST_COMMITS}", "--stdin", "--not", "--remotes")
    return git_session.git_output(top, "rev-list", *how, stdin=asked.encode()).split()


def push_base(top: Path, push: PushedRef, tip: str, names: Sequence[str]) -> str:
    """The commit whose rules apply: where the pushed history leaves the remote's; "" where it has no base."""
    for name in _remote_bases(top, push):
        found = git_session.run_git(top, "merge-base", name, tip).text.strip()
        if found:
            return found
    oldest = names[-1] if names else tip
    return git_session.find_commit(top, f"{oldest}^") or ""


def _remote_bases(top: Path, push: PushedRef) -> Iterator[str]:
    if old := _remote_commit(top, push):
        yield old
    branch = push.ref.removeprefix("refs/heads/")
    wanted = [f"{branch}@{{upstream}}", *(f"refs/remotes/{push.remote}/{name}" for name in ("HEAD", "main", "master"))]
    yield from (found for name in wanted if (found := git_session.find_commit(top, name)))


def _remote_commit(top: Path, push: PushedRef) -> str:
    """The remote's commit at that ref, as far as this clone has it."""
    return git_session.find_commit(top, push.old) or "" if push.old.strip("0") else ""
