"""Files of the git folder without a library: read, added to, and pieces of what a gate knows kept as marshalled data."""

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


def is_file(path: str) -> bool:
    """Whether a file is there."""
    return os.path.isfile(path)


append_lines = private_files.append_lines
_MAGIC = b"rulec-pressed-1 "
PACKAGE_FOLDER = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def load_piece(place: str, key: str) -> "Any":
    """The piece, where it was kept for the same key by the same rulec; else None."""
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
    """Keep a piece for its owner's eyes; where that fails there is none."""
    body = marshal.dumps((_state(key), value))
    private_files.store_file(place, _MAGIC + f"{zlib.crc32(body):08x}".encode() + b"\n" + body)


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
