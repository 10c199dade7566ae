"""Private files of the git directory: read safely, written whole for their owner alone, changed under a lock."""

from __future__ import annotations

import os
import stat
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any


LARGEST = 256_000_000  # bytes of a file that are read
SECONDS_TO_LOCK = 1.0  # that one waits for another to finish its change
_PAUSE = 0.01
_NO_LINK = os.O_NOFOLLOW  # whoever can put a link there would have us read or write elsewhere
_NO_WAIT = os.O_NONBLOCK  # a pipe in the file's place would hold up whoever opens it


def read_file(path: str, most: int = LARGEST, *, private: bool = False, links: bool = False) -> bytes | None:
    """The content of a regular file; None where there is none or it is too large.

    None as well of a ``private`` one that others own or may read, and of a link unless ``links`` are followed.
    """
    try:
        handle = os.open(path, os.O_RDONLY | (0 if links else _NO_LINK) | _NO_WAIT)
    except (OSError, ValueError):
        return None
    seen = os.fstat(handle)
    odd = private and (seen.st_uid != os.geteuid() or seen.st_mode & 0o077)
    if odd or not stat.S_ISREG(seen.st_mode) or seen.st_size > most:
        os.close(handle)
        return None
    with open(handle, "rb") as file:
        return file.read()


def replace_file(path: str, data: bytes, *, mode: int = 0o600, beside: str = "", sync: bool = False) -> None:
    """Write a file in one step, so that a reader sees the old or the new one; OSError where that fails.

    ``beside`` is the temporary file: writers without a lock need one each, as they have where none is given.
    """
    folder, name = os.path.split(path)
    beside = beside or os.path.join(folder, f".{name}.{os.getpid()}.{time.time_ns()}")
    try:
        with open(beside, "wb", opener=lambda place, how: os.open(place, how | _NO_LINK | _NO_WAIT, mode)) as file:
            file.write(data)
            if sync:
                file.flush()
                os.fsync(file.fileno())
        os.replace(beside, path)
    except OSError:
        _remove(beside)
        raise


def store_file(path: str, data: bytes) -> bool:
    """Write a private file, and its folder where there is none; whether that could be done."""
    try:
        make_folder(os.path.dirname(path))
        replace_file(path, data)
    except (OSError, ValueError):
        return False
    return True


def make_folder(folder: str) -> None:
    """Make a private folder where there is none; OSError where that fails, or a link stands there."""
    os.makedirs(folder, mode=0o700, exist_ok=True)
    if os.path.islink(folder):
        raise NotADirectoryError(folder)


def append_lines(path: str, lines: Iterable[str]) -> None:
    """Add lines to a private file; OSError where that fails."""
    how = os.O_WRONLY | os.O_APPEND | os.O_CREAT | _NO_LINK | _NO_WAIT
    with open(os.open(path, how, 0o600), "ab") as file:
        mode = os.fstat(file.fileno()).st_mode
        if stat.S_ISREG(mode):
            if mode & 0o077:  # whatever it was made with
                os.chmod(path, 0o600)
            file.write("".join(f"{line}\n" for line in lines).encode())


def read_json(path: str, most: int = LARGEST) -> dict[str, Any]:
    """The JSON object that a file holds; empty where there is none or it is damaged."""
    import json  # noqa: PLC0415 (a gate that only reads pieces loads none of it)

    data = read_file(path, most)
    try:
        known = json.loads(data) if data else None
    except (ValueError, RecursionError):
        return {}
    return known if isinstance(known, dict) else {}


def json_lines(data: bytes) -> list[dict[str, Any]]:
    """The JSON objects on the lines of a file; torn and foreign lines are left out."""
    import json  # noqa: PLC0415 (as above)

    found: list[dict[str, Any]] = []
    for line in data.splitlines():
        try:
            one = json.loads(line)
        except (ValueError, RecursionError):
            continue
        if isinstance(one, dict):
            found.append(one)
    return found


def update_json(path: str, change: Callable[[dict[str, Any]], dict[str, Any]]) -> bool:
    """Change a JSON object while no other process does; whether that could be done. An empty one is deleted."""
    import json  # noqa: PLC0415 (as above)

    try:
        make_folder(os.path.dirname(path))
        with FolderLock(os.path.dirname(path)) as held:
            known = change(read_json(path))
            if known:
                return held and store_file(path, json.dumps(known).encode())
            _remove(path)
            return not os.path.lexists(path)
    except OSError:
        return False


def with_entry(known: dict[str, Any], key: str, entry: Any, most: int) -> dict[str, Any]:
    """The object with an entry as its last, or without it where that is empty; the ``most`` last ones stay."""
    rest = [(name, value) for name, value in known.items() if name != key]
    return dict([*rest, *([(key, entry)] if entry else [])][-most:])


class FolderLock:
    """Holds a folder's lock within ``with``, whose value is whether it could be had; OSError without the folder.

    Where the system has no such locks, the last one to write wins.
    """

    __slots__ = ("folder", "handle")

    def __init__(self, folder: str) -> None:
        self.folder, self.handle = folder, -1

    def __enter__(self) -> bool:
        self.handle = os.open(self.folder, os.O_RDONLY)
        try:
            return wait_for_lock(self.handle, SECONDS_TO_LOCK)
        except OSError:  # a file system without locks
            return True

    def __exit__(self, *_: object) -> None:
        if self.handle >= 0:
            os.close(self.handle)


def wait_for_lock(handle: int, seconds: float, waiting: Callable[[float], None] | None = None) -> bool:
    """Lock an open file or folder; whether it could be had within that time. ``waiting`` is told the time so far."""
    import fcntl  # noqa: PLC0415 (most who read need no lock)

    begun = time.monotonic()
    while True:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            waited = time.monotonic() - begun
        else:
            return True
        if waited >= seconds:
            return False
        if waiting is not None:
            waiting(waited)
        time.sleep(_PAUSE)


def _remove(path: str) -> None:
    try:
        os.unlink(path)
    except OSError:
        return
