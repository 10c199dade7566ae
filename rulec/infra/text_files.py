"""Files read as UTF-8, written whole in one step, and digested."""

import hashlib
import os
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path

from rulec.errors import RulecError


def write_atomically(path: Path, data: bytes, *, mode: int) -> None:
    """Put a file in its place in one step."""
    beside = path.with_name(f".{path.name}.rulec-new")  # always the same name: what a kill leaves, the redo replaces
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with open(beside, "wb", opener=lambda name, flags: os.open(name, flags | os.O_NONBLOCK, mode)) as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(beside, path)  # noqa: PTH105 - its twin below is os.open
    except OSError as error:
        with suppress(OSError):
            beside.unlink(missing_ok=True)
        raise RulecError(
            f"cannot be written: {error.strerror}", where=str(path), hint="see its permissions and the disk"
        ) from None


def read_text(path: Path) -> str:
    """A file's text; RulecError where it is no UTF-8."""
    try:
        return path.read_bytes().decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError:
        raise RulecError("is not UTF-8", where=str(path), hint="save it as UTF-8") from None
    except OSError as error:
        raise RulecError(
            f"cannot be read: {error.strerror}", where=str(path), hint="see the path and its rights"
        ) from None


def read_existing(top: Path, paths: Iterable[str]) -> dict[str, str]:
    """The texts of those of some files that exist, their line ends and all."""
    found = {}
    for path in paths:
        if (top / path).is_file():
            try:
                found[path] = (top / path).read_bytes().decode("utf-8")
            except UnicodeDecodeError:
                raise RulecError("is not UTF-8", where=path, hint="save it as UTF-8") from None
    return found


_HOW = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW  # a change may bring a link of that name


def write_report(path: str, text: str) -> None:
    """Write a report where it was asked for; RulecError where that cannot be."""
    try:
        with os.fdopen(os.open(path, _HOW, 0o644), "wb") as file:
            file.write(f"{text.removesuffix(chr(10))}\n".encode("utf-8", "backslashreplace"))
    except OSError as error:
        hint = "name a plain file in a folder that exists and can be written"
        raise RulecError(f"cannot be written: {error.strerror}", where=path, hint=hint) from None


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
