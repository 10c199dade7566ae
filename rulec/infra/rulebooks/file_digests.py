"""What files hold, as digests: whether anything has changed since somebody looked."""

import hashlib
import os
from collections.abc import Iterable, Iterator
from pathlib import Path

_PASSED_OVER = (".cache", "__pycache__")


def digest_files(top: Path, folder: str, paths: Iterable[str]) -> dict[str, str]:
    """Every file below a folder, and these, each with a digest of what it holds; links with where they lead."""
    listed = [*_below(top / folder), *(top / path for path in paths)]
    return {path.relative_to(top).as_posix(): _digest(path) for path in listed if path.is_symlink() or path.is_file()}


def _below(folder: Path) -> Iterator[Path]:
    for here, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if name not in _PASSED_OVER]
        yield from (Path(here, name) for name in names)


def _digest(path: Path) -> str:
    if path.is_symlink():
        return f"-> {path.readlink()}"
    return hashlib.sha256(path.read_bytes()).hexdigest()


def digest_of_digests(digests: dict[str, str]) -> str:
    """One digest of many."""
    return hashlib.sha256(repr(sorted(digests.items())).encode()).hexdigest()


def digest_program(*folders: Path) -> str:
    """What changes when a file of ours does: name, size and time of each."""
    seen = {path.as_posix(): path.stat() for folder in folders for path in _below(folder)}
    said = sorted((name, file.st_size, file.st_mtime_ns) for name, file in seen.items())
    return hashlib.sha256(repr(said).encode()).hexdigest()
