"""Files read as UTF-8, written whole in one step, and digested."""

import hashlib
import os
import stat
from collections.abc import Iterable, Iterator
from pathlib import Path

from rulec.checkout import private_files
from rulec.errors import RulecError


def write_atomically(path: Path, data: bytes, *, mode: int, beside: str = "", sync: bool = True) -> None:
    """Write a file in one step; ``beside`` names its temporary file, else each writer has one to itself.

    Without ``sync`` the caller sees to it that the disk has it.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        temporary = str(path.with_name(beside)) if beside else ""
        private_files.replace_file(str(path), data, mode=mode, beside=temporary, sync=sync)
    except OSError as error:
        raise RulecError(
            f"cannot be written: {error.strerror}", where=str(path), hint="see its permissions and the disk"
        ) from None


def read_text(path: Path) -> str:
    """The text of a file; RulecError where it is not UTF-8."""
    try:
        return path.read_bytes().decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError:
        raise RulecError("is not UTF-8", where=str(path), hint="save it as UTF-8") from None
    except OSError as error:
        raise RulecError(
            f"cannot be read: {error.strerror}", where=str(path), hint="see the path and its rights"
        ) from None


def read_existing(top: Path, paths: Iterable[str]) -> dict[str, str]:
    """The texts of those files that exist, with their line ends."""
    found = {}
    for path in paths:
        if (top / path).is_file():
            try:
                found[path] = (top / path).read_bytes().decode("utf-8")
            except UnicodeDecodeError:
                raise RulecError("is not UTF-8", where=path, hint="save it as UTF-8") from None
    return found


_HOW = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW  # a change may bring a link of that name


def read_start(folder: Path, path: str) -> str:
    """The first bytes of a file of a folder, or of the home folder; "" where it cannot be read."""
    try:
        whole = Path(path).expanduser() if path.startswith("~") else folder / path
        if not whole.is_file():
            return ""
        with whole.open("rb") as file:
            return file.read(LARGEST_START).decode("utf-8", "replace")
    except (OSError, ValueError, RuntimeError):
        return ""


def write_report(path: str, text: str) -> None:
    """Write a report to the file that a person named; RulecError where that fails."""
    try:
        with os.fdopen(os.open(path, _HOW, 0o644), "wb") as file:
            file.write(f"{text.removesuffix(chr(10))}\n".encode("utf-8", "backslashreplace"))
    except OSError as error:
        hint = "name a plain file in a folder that exists and can be written"
        raise RulecError(f"cannot be written: {error.strerror}", where=path, hint=hint) from None


LARGEST_START = 200_000  # bytes of a file of settings that are read
_PASSED_OVER = (".cache", "__pycache__")


def digest_files(top: Path, folder: str, paths: Iterable[str]) -> dict[str, str]:
    """The digests of all files below a folder and of the given ones; for a link, its target."""
    listed = [*_below(os.path.join(top, folder)), *(os.path.join(top, path) for path in paths)]
    start = len(os.path.join(top, ""))
    return {path[start:]: digest for path in listed if (digest := _digest(path))}


def _below(folder: str) -> Iterator[str]:
    for here, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if name not in _PASSED_OVER]
        yield from (os.path.join(here, name) for name in names)


def _digest(path: str) -> str:
    """The digest of a regular file, where a link leads, "" where there is neither."""
    try:
        mode = os.lstat(path).st_mode
    except OSError:
        return ""
    if stat.S_ISLNK(mode):
        return f"-> {os.readlink(path)}"
    if not stat.S_ISREG(mode):
        return ""
    with open(path, "rb", buffering=0) as file:
        return hashlib.sha256(file.read()).hexdigest()


def digest_of_digests(digests: dict[str, str]) -> str:
    """One digest of many."""
    return hashlib.sha256(repr(sorted(digests.items())).encode()).hexdigest()


def digest_program(*folders: Path) -> str:
    """A digest that changes when a file in the folders does: by names, sizes and times."""
    seen = {path: os.stat(path) for folder in folders for path in _below(str(folder))}
    said = sorted((name, file.st_size, file.st_mtime_ns) for name, file in seen.items())
    return hashlib.sha256(repr(said).encode()).hexdigest()
