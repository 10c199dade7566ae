"""Transcripts as files: streamed, never held whole."""

import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from rulec.errors import RulecError

HEAD = 65_536


def source(name: str) -> Path:
    """The file that a person named; standard input ("-") is kept in a scratch file first, for it is read twice."""
    if name == "-":
        with tempfile.NamedTemporaryFile(prefix="rulec-", suffix=".transcript", delete=False) as file:
            while chunk := sys.stdin.buffer.read(1 << 20):
                file.write(chunk)
        return Path(file.name)
    path = Path(name)
    if path.is_dir():
        raise RulecError("is a folder", where=name, hint="name one transcript in it")
    if not path.is_file():
        raise RulecError("no such file", where=name, hint="name a transcript that exists")
    return path


def head(path: Path) -> bytes:
    """The first 64 KiB, by which a format is recognised; RulecError where the file is empty or may not be read."""
    try:
        with path.open("rb") as file:
            start = file.read(HEAD)
    except OSError as error:
        raise RulecError(f"cannot be read: {error.strerror}", where=str(path), hint="see its rights") from None
    if not start.strip():
        raise RulecError("is empty", where=str(path), hint="name a transcript that holds a session")
    return start


def lines(path: Path) -> Iterator[bytes]:
    """The lines with their ends."""
    with path.open("rb") as file:
        yield from file
