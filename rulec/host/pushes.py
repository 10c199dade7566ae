"""What git is about to push: the refs as a pre-push hook is told of them, and where each of them leads."""

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from rulec.host import git, refs, seen

_PARTS = 4  # local ref, its id, remote ref, its id


@dataclass(frozen=True, slots=True, kw_only=True)
class Push:
    """One ref that is pushed; ``old`` is what the remote has there, zeros where it has nothing."""

    ref: str
    new: str
    old: str
    remote: str


def told(remote: str, text: str) -> list[Push]:
    """The refs that git names on standard input, but for those that the push deletes."""
    lines = [line.split(" ") for line in text.splitlines()]
    return [
        Push(ref=parts[2], new=parts[1], old=parts[3], remote=remote)
        for parts in lines
        if len(parts) == _PARTS and parts[1].strip("0")
    ]


def of_framework() -> list[Push]:
    """The one ref that pre-commit and prek tell their hooks of, by the environment."""
    names = ("PRE_COMMIT_REMOTE_BRANCH", "PRE_COMMIT_TO_REF", "PRE_COMMIT_FROM_REF", "PRE_COMMIT_REMOTE_NAME")
    ref, new, old, remote = (os.environ.get(name, "") for name in names)
    return [Push(ref=ref or "HEAD", new=new or "HEAD", old=old, remote=remote)]


def commit(top: Path, name: str) -> str:
    """The commit that is pushed, also by a tag of it; "" where a tag names something else."""
    return refs.tip(top, name) or ""


def new(top: Path, push: Push, tip: str) -> list[str]:
    """The commits that no remote has yet, the newest first; those from before there was a gate are left out."""
    known = [f"^{old}"] if (old := _there(top, push)) else []
    # by standard input, for there may be more of them than a command line holds
    asked = "".join(f"{name}\n" for name in (tip, *known, *seen.before(top)))
    how = ("--ignore-missing", f"-n{seen.MOST}", "--stdin", "--not", "--remotes")
    return git.must(top, "rev-list", *how, stdin=asked.encode()).split()


def base(top: Path, push: Push, tip: str, names: Sequence[str]) -> str:
    """The commit whose rules hold: where the pushed history leaves that of the remote; "" where it begins there."""
    for name in _bases(top, push):
        found = git.git(top, "merge-base", name, tip).text.strip()
        if found:
            return found
    oldest = names[-1] if names else tip
    return refs.tip(top, f"{oldest}^") or ""


def _bases(top: Path, push: Push) -> Iterator[str]:
    if old := _there(top, push):
        yield old
    branch = push.ref.removeprefix("refs/heads/")
    wanted = [f"{branch}@{{upstream}}", *(f"refs/remotes/{push.remote}/{name}" for name in ("HEAD", "main", "master"))]
    yield from (found for name in wanted if (found := refs.tip(top, name)))


def _there(top: Path, push: Push) -> str:
    """What the remote has at that ref, as far as this clone has it, too."""
    return refs.tip(top, push.old) or "" if push.old.strip("0") else ""
