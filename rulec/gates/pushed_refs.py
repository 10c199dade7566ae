"""The refs that git is about to push, as a pre-push hook gets them, and the commit that each leads to."""

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from rulec.gates import passed_changes
from rulec.infra.git import git_session

_FRAMEWORK = ("PRE_COMMIT_REMOTE_BRANCH", "PRE_COMMIT_TO_REF", "PRE_COMMIT_FROM_REF", "PRE_COMMIT_REMOTE_NAME")
_PARTS = 4  # local ref, its id, remote ref, its id


@dataclass(frozen=True, slots=True, kw_only=True)
class PushedRef:
    """One pushed ref; ``old`` is the remote's commit, zeros where it has none; ``new`` is zeros for a deletion."""

    ref: str
    new: str
    old: str
    remote: str


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
