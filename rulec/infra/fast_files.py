"""Files of the git folder without a library: plain ones, and marshalled data that a gate computed before."""

import marshal
import os
import sys
import zlib

from rulec.checkout import private_files

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def read_plain_file(place: str) -> "bytes | None":
    """The content of a regular file, links followed; None where there is none."""
    return private_files.read_file(place, links=True)


_MAGIC = b"rulec-pressed-1 "
PACKAGE_FOLDER = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def load_piece(place: str, key: str) -> "Any":
    """The data stored under that key by the same version of rulec and Python; else None."""
    data = private_files.read_file(place, private=True) or b""
    head, _, body = data.partition(b"\n")
    if head != _MAGIC + f"{zlib.crc32(body):08x}".encode():
        return None
    try:
        known, value = marshal.loads(body)  # noqa: S302 - of the git folder, where who writes may run hooks anyway
    except (ValueError, EOFError, TypeError):
        return None
    return value if known == _state(key) else None


def store_piece(place: str, key: str, value: "Any") -> None:
    """Store data under a key; where that fails there is none."""
    body = marshal.dumps((_state(key), value))
    private_files.store_file(place, _MAGIC + f"{zlib.crc32(body):08x}".encode() + b"\n" + body)


def _state(key: str) -> "tuple[Any, ...]":
    """What stored data depends on beside its key: the versions of Python and of rulec."""
    from rulec import __version__  # noqa: PLC0415 - a package's own name

    return key, sys.version, marshal.version, __version__, tuple(_program())


def _program() -> "list[int]":
    """When rulec was installed; in a checkout, when each of its folders changed."""
    folders = [PACKAGE_FOLDER]
    if os.path.lexists(os.path.join(os.path.dirname(PACKAGE_FOLDER), ".git")):
        folders = [folder for folder, _, _ in os.walk(PACKAGE_FOLDER) if not folder.endswith("__pycache__")]
    return [os.stat(folder).st_mtime_ns for folder in sorted(folders)]
