"""git's branches: which there are, where they are checked out, and what becomes of a commit on one."""

from pathlib import Path

from rulec.errors import RulecError
from rulec.host import git

_HEADS = "refs/heads/"
_REMOTES = "refs/remotes/"


def ref(branch: str) -> str:
    """What a change of a branch moves; "" is HEAD, and so the branch or the detached HEAD that the person is on."""
    return f"{_HEADS}{branch}" if branch else "HEAD"


def tip(top: Path, name: str) -> str | None:
    """The commit that a ref names; None where there is no such ref."""
    return git.commit_at(top, name)


def detached(top: Path) -> bool:
    """Whether HEAD names a commit and no branch."""
    return git.git(top, "symbolic-ref", "-q", "HEAD").code != 0


def fit(top: Path, branch: str) -> None:
    """Refuse a branch that cannot be committed to behind somebody's back: bad names, and those checked out."""
    done = git.git(top, "check-ref-format", "--branch", branch)
    if done.code or done.text.strip() != branch or branch.startswith("refs/") or branch == "HEAD":
        raise RulecError(f"{branch!r} is no name for a branch", hint="such as rules/use-pnpm")
    here = git.git(top, "symbolic-ref", "-q", "HEAD").text.strip()
    if here == ref(branch):
        raise RulecError(f"{branch} is checked out here", where=str(top), hint="leave --branch out to commit on it")
    place = _checked_out(top, branch)
    if place:
        raise RulecError(f"{branch} is checked out in another work tree", where=place, hint="run rulec there instead")
    if not tip(top, ref(branch)):
        _new(top, branch)


def _new(top: Path, branch: str) -> None:
    if git.head(top) is None:
        raise RulecError("there is no commit that a branch could begin at", where=str(top), hint="commit first")
    names = git.must(top, "for-each-ref", "--format=%(refname)", _REMOTES).splitlines()
    theirs = next((name for name in names if name.removeprefix(_REMOTES).partition("/")[2] == branch), "")
    if theirs:
        name = theirs.removeprefix(_REMOTES)
        raise RulecError(f"{name} is not here yet", where=str(top), hint=f"git branch {branch} {name}, then again")


def _checked_out(top: Path, branch: str) -> str:
    """The work tree that is on a branch, or the git folder of one whose rebase or bisect will come back to it."""
    place = git.must(top, "for-each-ref", "--format=%(worktreepath)", ref(branch)).strip()
    if place:
        return place
    common = git.common_dir(top)
    for folder in (common, *sorted(common.glob("worktrees/*"))):
        for name in ("rebase-merge/head-name", "rebase-apply/head-name", "BISECT_START"):
            path = folder / name
            if path.is_file() and path.read_text("utf-8", "replace").strip() in (branch, ref(branch)):
                return str(folder)
    return ""


def remote(top: Path) -> str:
    """The remote that a branch would be pushed to: origin, or the first there is; "" where there is none."""
    names = git.must(top, "remote").split()
    return "origin" if "origin" in names else next(iter(names), "")
