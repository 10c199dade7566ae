"""Files of the git folder without a library: read, added to, and pieces of what a gate knows kept as marshalled data."""

import marshal
import os
import stat
import sys
import zlib

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any


def read_plain_file(place: str) -> "bytes | None":
    """A file of the git folder; None where there is none: a pipe in its place would hold up whoever reads it."""
    try:
        handle = os.open(place, os.O_RDONLY | os.O_NONBLOCK)
    except OSError:
        return None
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        os.close(handle)
        return None
    with open(handle, "rb") as file:
        return file.read()


def is_file(path: str) -> bool:
    """Whether a file is there."""
    return os.path.isfile(path)


def append_lines(place: str, lines: "Iterable[str]") -> None:
    """Add lines to a file of the git folder, for its owner's eyes."""
    flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK
    with open(os.open(place, flags, 0o600), "ab") as file:
        if stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            file.write("".join(f"{line}\n" for line in lines).encode())


_MAGIC = b"rulec-pressed-1 "
_LARGEST = 256_000_000
PACKAGE_FOLDER = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def load_piece(place: str, key: str) -> "Any":
    """The piece, where it was kept for the same key by the same rulec; else None."""
    try:
        handle = os.open(place, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError:
        return None
    with open(handle, "rb") as file:
        seen = os.fstat(handle)
        if (
            not stat.S_ISREG(seen.st_mode)
            or seen.st_uid != os.geteuid()
            or seen.st_mode & 0o077
            or seen.st_size > _LARGEST
        ):
            return None
        data = file.read()
    head, _, body = data.partition(b"\n")
    if head != _MAGIC + f"{zlib.crc32(body):08x}".encode():
        return None
    try:
        known, value = marshal.loads(body)  # noqa: S302 - of the git folder, where who writes may run hooks anyway
    except (ValueError, EOFError, TypeError):
        return None
    return value if known == _state(key) else None


def store_piece(place: str, key: str, value: "Any") -> None:
    """Keep a piece for its owner's eyes; where that fails there is none."""
    body = marshal.dumps((_state(key), value))
    beside = f"{place}.{os.getpid()}"
    try:
        handle = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
        with open(handle, "wb") as file:
            file.write(_MAGIC + f"{zlib.crc32(body):08x}".encode() + b"\n" + body)
        os.replace(beside, place)
    except OSError:
        try:
            os.unlink(beside)
        except OSError:
            return


def _state(key: str) -> "tuple[Any, ...]":
    """What a piece depends on besides: Python's own form of it, and which rulec it was that knew it."""
    from rulec import __version__  # noqa: PLC0415 - a package's own name

    return key, sys.version, marshal.version, __version__, tuple(_program())


def _program() -> "list[int]":
    """When the program was installed; in a checkout, where files come and go, when each of its folders was changed."""
    folders = [PACKAGE_FOLDER]
    if os.path.lexists(os.path.join(os.path.dirname(PACKAGE_FOLDER), ".git")):
        folders = [folder for folder, _, _ in os.walk(PACKAGE_FOLDER) if not folder.endswith("__pycache__")]
    return [os.stat(folder).st_mtime_ns for folder in sorted(folders)]
