"""Branches and bases: names, where branches are checked out, where HEAD left its base."""

import re
from dataclasses import dataclass
from pathlib import Path

from rulec.errors import RulecError
from rulec.infra.git import git_session

_HEADS = "refs/heads/"
_REMOTES = "refs/remotes/"


def branch_ref(branch: str) -> str:
    """The ref that a change of a branch moves; for "" HEAD, with the branch that it is on."""
    return f"{_HEADS}{branch}" if branch else "HEAD"


def require_free_branch(top: Path, branch: str) -> None:
    """RulecError unless rulec may commit to the branch: for bad names, and for branches that are checked out."""
    done = git_session.run_git(top, "check-ref-format", "--branch", branch)
    if done.code or done.text.strip() != branch or branch.startswith("refs/") or branch == "HEAD":
        raise RulecError(f"{branch!r} is not a branch name", hint="such as rules/use-pnpm")
    if git_session.current_branch(top) == branch_ref(branch):
        raise RulecError(f"{branch} is checked out here", where=str(top), hint="leave --branch out to commit on it")
    place = _checked_out(top, branch)
    if place:
        raise RulecError(f"{branch} is checked out in another work tree", where=place, hint="run rulec there instead")
    if not git_session.find_commit(top, branch_ref(branch)):
        _require_startable(top, branch)


def _require_startable(top: Path, branch: str) -> None:
    if git_session.head_commit(top) is None:
        raise RulecError("there is no commit to start a branch from", where=str(top), hint="commit first")
    names = git_session.git_output(top, "for-each-ref", "--format=%(refname)", _REMOTES).splitlines()
    theirs = next((name for name in names if name.removeprefix(_REMOTES).partition("/")[2] == branch), "")
    if theirs:
        name = theirs.removeprefix(_REMOTES)
        raise RulecError(f"{name} is not here yet", where=str(top), hint=f"git branch {branch} {name}, then again")


def _checked_out(top: Path, branch: str) -> str:
    """The work tree that is on a branch, or the git folder of a rebase or bisect that will return to it; else ""."""
    place = git_session.git_output(top, "for-each-ref", "--format=%(worktreepath)", branch_ref(branch)).strip()
    if place:
        return place
    common = git_session.common_dir(top)
    for folder in (common, *sorted(common.glob("worktrees/*"))):
        for name in ("rebase-merge/head-name", "rebase-apply/head-name", "BISECT_START"):
            path = folder / name
            if path.is_file() and path.read_text("utf-8", "replace").strip() in (branch, branch_ref(branch)):
                return str(folder)
    return ""


def default_remote(top: Path) -> str:
    """The remote to which a branch would be pushed: origin, or the first one; "" for none."""
    names = git_session.git_output(top, "remote").split()
    return "origin" if "origin" in names else next(iter(names), "")


_NO_COMMIT = re.compile(r"0{40}|0{64}")
_COMMIT_ID = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")
_DEEPER = "fetch more of the history: fetch-depth: 0 (GitHub), GIT_DEPTH: 0 (GitLab), or git fetch --unshallow"


def resolve_base(top: Path, name: str) -> str:
    """The id of a base that a person or a CI job named; RulecError that says why there is none."""
    if _NO_COMMIT.fullmatch(name):
        hint = "name the branch that it left, or leave the check out for a branch's first push"
        raise RulecError("a new branch has no base", where="--base", hint=hint)
    found = git_session.find_commit(top, name)
    if found:
        return found
    hint = f"run git fetch origin; where the branch {name} is gone, name the commit that it had"
    if _COMMIT_ID.fullmatch(name):
        hint = f"it may have been dropped by a forced push: run git fetch origin {name}, or name another base"
    if git_session.shallow_boundary(top):
        hint = f"the clone is shallow; {_DEEPER}"
    raise RulecError(f"{name!r} is not a commit here", where="--base", hint=hint)


@dataclass(frozen=True, slots=True)
class Range:
    """The commits since a base: its id, by whose rules they are judged, and the commit where HEAD left it."""

    base: str
    start: str


def resolve_range(top: Path, name: str) -> Range:
    """The commits since the base that a person or a CI job named."""
    base = resolve_base(top, name)
    return Range(base, fork_point(top, base))


def fork_point(top: Path, base: str) -> str:
    """The commit where HEAD left the base; the base itself where they share no history."""
    if git_session.head_commit(top) is None:
        raise RulecError("there is no commit yet", where=str(top), hint="commit first, or use --staged")
    found = git_session.run_git(top, "merge-base", base, "HEAD").text.strip()
    if not found and git_session.shallow_boundary(top):
        raise RulecError("this shallow clone does not show where HEAD left its base", where="--base", hint=_DEEPER)
    return found or base
