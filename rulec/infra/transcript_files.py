"""Transcripts on disk: finds them, and reads them in a stream."""

import atexit
import json
import sys
import tempfile
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from pathlib import Path

from rulec.errors import RulecError

HEAD_BYTES = 65_536
CHUNK_BYTES = 1 << 18  # bytes that are read at once


def transcript_file(name: str) -> Path:
    """The file that a person named; standard input ("-") goes to a scratch file, because it is read twice."""
    if name == "-":
        with tempfile.NamedTemporaryFile(prefix="rulec-", suffix=".transcript", delete=False) as file:
            while chunk := sys.stdin.buffer.read(1 << 20):
                file.write(chunk)
        atexit.register(Path(file.name).unlink, missing_ok=True)
        return Path(file.name)
    path = Path(name)
    if path.is_dir():
        raise RulecError("is a folder", where=name, hint="name one transcript in it")
    if not path.is_file():
        what = "is not a plain file" if path.exists() else "no such file"
        raise RulecError(what, where=name, hint="name a transcript that exists")
    return path


def find_transcripts(top: Path, roots: Iterable[str], *, since: float = 0.0) -> list[Path]:
    """Transcripts of sessions in this repository, newest first: below it, or in the home folder.

    A file in the home folder belongs to the repository if its beginning names the folder. ``since`` is a time before
    which those that are wanted were not written last.
    """
    name = json.dumps(str(top))[1:-1].encode()
    found: dict[Path, float] = {}
    for root in roots:
        for folder in (top, Path.home()):
            for path in folder.glob(root):
                if path.is_file() and path.stat().st_mtime > since and (folder == top or _names(path, name)):
                    found[path] = path.stat().st_mtime
    return sorted(found, key=lambda path: -found[path])


def every_transcript(roots: Iterable[str]) -> list[Path]:
    """The transcripts of all sessions in the home folder, newest first."""
    found = {path: path.stat().st_mtime for root in roots for path in Path.home().glob(root) if path.is_file()}
    return sorted(found, key=lambda path: -found[path])


def _names(path: Path, name: bytes) -> bool:
    try:
        with path.open("rb") as file:
            start = file.read(HEAD_BYTES)
    except OSError:
        return False
    return any(name + end in start for end in (b'"', b"/", b"\\"))


def transcript_stamp(path: Path) -> list[int]:
    """What changes when a transcript grows."""
    stat = path.stat()
    return [stat.st_mtime_ns, stat.st_size]


def read_head(path: Path, size: int = HEAD_BYTES) -> bytes:
    """The first 64 KiB, by which a format is recognised; RulecError where the file is empty or unreadable."""
    try:
        with path.open("rb") as file:
            start = file.read(size)
    except OSError as error:
        raise RulecError(f"cannot be read: {error.strerror}", where=str(path), hint="see its rights") from None
    if not start.strip():
        raise RulecError("is empty", where=str(path), hint="name a transcript that holds a session")
    return start


def read_lines(path: Path) -> Iterator[bytes]:
    """The lines with their line ends."""
    with path.open("rb", buffering=CHUNK_BYTES) as file:
        yield from file


def day_written(path: Path) -> str:
    """The day of its last change, ISO 8601."""
    return datetime.fromtimestamp(path.stat().st_mtime, UTC).date().isoformat()
