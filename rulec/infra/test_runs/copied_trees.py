"""Copies of the repository as a commit has it, with some files laid over: outside of it, and gone afterwards."""

import os
import shutil
import stat
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from rulec.errors import RulecError
from rulec.infra.git import git_session
from rulec.infra.scratch_repositories import scratch_repository
from rulec.infra.test_runs.run_folders import run_folder

# Folders of what was installed: a copy without them could run nothing, and no change of the repository is in them.
INSTALLED = frozenset(["node_modules", ".venv", "venv", ".virtualenv", "vendor", ".tox", ".nox", ".pnp.cjs", ".yarn"])
_MOST_LISTED = 20_000


@dataclass(frozen=True, slots=True)
class LaidFile:
    """What a path holds in the work tree: its bytes, or where its link leads; neither where it is gone."""

    path: str
    data: bytes | None = None
    link: str = ""
    runs: bool = False


@contextmanager
def copied_tree(top: Path, commit: str, laid: Iterable[LaidFile]) -> Iterator[Path]:
    """The files of a commit in a folder of their own, with others laid over; deleted afterwards."""
    with run_folder() as folder, scratch_repository(top, within=folder) as made:
        made.git("update-ref", "HEAD", git_session.require_commit(top, commit))
        made.git("read-tree", "--reset", "-u", "HEAD")
        for one in laid:
            _lay(made.top, one)
        _link_installed(top, made.top)
        yield made.top


def read_laid(top: Path, path: str) -> LaidFile:
    """What the work tree holds at a path."""
    place = top / path
    try:
        seen = place.lstat()
        if stat.S_ISLNK(seen.st_mode):
            return LaidFile(path, link=str(place.readlink()))
        if not stat.S_ISREG(seen.st_mode):
            return LaidFile(path)
        return LaidFile(path, place.read_bytes(), runs=bool(seen.st_mode & stat.S_IXUSR))
    except OSError:
        return LaidFile(path)


def _lay(tree: Path, one: LaidFile) -> None:
    place = tree / one.path
    if not place.parent.resolve().is_relative_to(tree):
        raise RulecError(
            f"{one.path!r} leads outside", where=str(tree), hint="a link of the repository stands in its way"
        )
    if place.is_symlink() or place.is_file():
        place.unlink()
    elif place.is_dir() and (one.data is not None or one.link):
        shutil.rmtree(place)
    if one.data is None and not one.link:
        return
    place.parent.mkdir(parents=True, exist_ok=True)
    if one.link:
        place.symlink_to(one.link)
        return
    place.write_bytes(one.data or b"")
    place.chmod(0o755 if one.runs else 0o644)


def _link_installed(top: Path, tree: Path) -> None:
    """Link what was installed into the copy, as far as git ignores it."""
    listed = git_session.git_output(
        top, "ls-files", "-z", "--others", "--ignored", "--exclude-standard", "--directory"
    ).split("\0")[:_MOST_LISTED]
    for path in filter(None, listed):
        place = tree / path.rstrip("/")
        if place.name in INSTALLED and place.parent.is_dir() and not os.path.lexists(place):
            place.symlink_to(top / path.rstrip("/"))
