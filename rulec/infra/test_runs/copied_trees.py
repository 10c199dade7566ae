"""Copies of the repository as a commit has it, with some files of the work tree laid over; gone afterwards."""

import os
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from rulec.infra.git import git_session
from rulec.infra.scratch_repositories import scratch_repository

# Folders of what was installed: a copy without them could run nothing, and no change of the repository is in them.
INSTALLED = frozenset(["node_modules", ".venv", "venv", ".virtualenv", "vendor", ".tox", ".nox", ".pnp.cjs", ".yarn"])
_MOST_LISTED = 20_000


@contextmanager
def copied_tree(top: Path, commit: str, laid: Collection[str]) -> Iterator[Path]:
    """The files of a commit in a folder of their own, with what the work tree holds at some paths laid over."""
    with scratch_repository(top) as made:
        made.git("update-ref", "HEAD", git_session.require_commit(top, commit))
        made.git("read-tree", "HEAD")
        there = [path for path in laid if _is_there(top.resolve(), path)]
        _update_index(made.top, top, set(laid).difference(there), "--force-remove")
        _update_index(made.top, top, there, "--add", "--replace")
        made.git("checkout-index", "--all", "--force")
        _link_installed(top, made.top)
        yield made.top


def _is_there(top: Path, path: str) -> bool:
    """Whether the work tree holds something at the path itself, not behind a link to another folder."""
    place = top / path
    return os.path.lexists(place) and place.parent.resolve() == place.parent


def _update_index(tree: Path, top: Path, paths: Iterable[str], *how: str) -> None:
    """Change the index of a copy by what the work tree holds."""
    where = {"GIT_DIR": str(tree / ".git"), "GIT_WORK_TREE": str(top)}
    listed = "".join(f"{path}\0" for path in paths).encode("utf-8", "surrogateescape")
    git_session.git_output(top, "update-index", *how, "-z", "--stdin", stdin=listed, environment=where)


def _link_installed(top: Path, tree: Path) -> None:
    """Link what was installed into the copy, as far as git ignores it."""
    listed = git_session.git_output(
        top, "ls-files", "-z", "--others", "--ignored", "--exclude-standard", "--directory"
    ).split("\0")[:_MOST_LISTED]
    for path in filter(None, listed):
        place = tree / path.rstrip("/")
        if place.name in INSTALLED and place.parent.is_dir() and not os.path.lexists(place):
            place.symlink_to(top / path.rstrip("/"))
