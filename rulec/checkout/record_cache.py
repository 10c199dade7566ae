"""Records that are slow to make, cached in the git directory until their sources change."""

from __future__ import annotations

import _imp
import marshal
import os
import time

from rulec.checkout import private_files
from rulec.checkout.worktree import state_directory

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any


VERSION = 7
SUM = 8  # bytes of the check sum that stands before what is kept
_FORMAT = 2  # of marshal: the same bytes for equal values, in every Python
_SMALL = 4  # of marshal: parts that are the same once, which is read three times as fast, in every Python from 3.11 on
RACY = 2_000_000_000  # nanoseconds; what changed less long ago may change again within one tick of its clock
_FACTOR, _MASK = 1_099_511_628_211, (1 << 64) - 1


class SourceStamp:
    """A value that changes when one of some files and folders does, and the time of the last change."""

    __slots__ = ("newest", "value")

    def __init__(self) -> None:
        self.newest, self.value = 0, 0

    def add(self, seen: os.stat_result) -> None:
        """Add one file or folder; their order matters."""
        changed = seen.st_ctime_ns  # no tool can set it back
        self.newest = max(self.newest, changed)
        self.value = ((self.value * _FACTOR + changed) * _FACTOR + seen.st_ino) & _MASK


def stamp_of(paths: Iterable[str]) -> SourceStamp:
    """The stamp of some paths; a missing one counts as missing."""
    stamp = SourceStamp()
    for path in paths:
        try:
            stamp.add(os.lstat(path))
        except OSError:
            stamp.value = (stamp.value * _FACTOR + 1) & _MASK
    return stamp


def load_records(root: str, name: str, stamp: SourceStamp) -> list[Any] | None:
    """The cached records of that stamp; None where there are none, they are damaged, or somebody else's."""
    found: list[Any] | None = load_cached(os.path.join(state_directory(root), name), b"%d" % stamp.value)
    return found


def save_records(root: str, name: str, stamp: SourceStamp, records: list[Any]) -> None:
    """Cache records, unless their sources are so new that a later change could have the same stamp."""
    if time.time_ns() - stamp.newest > RACY:
        save_cached(os.path.join(state_directory(root), name), b"%d" % stamp.value, records)


def load_cached(path: str, key: bytes) -> Any:
    """What a file holds under that key; None where there is none, it is damaged, or somebody else's."""
    data = private_files.read_file(path, private=True) or b""
    if data[:SUM] != _check_sum(key, data[SUM:]):
        return None
    return marshal.loads(data[SUM:])  # noqa: S302 (who writes there may run hooks anyway)


def save_cached(path: str, key: bytes, value: Any) -> None:
    """Cache what marshal can store under a key; where that fails there is none."""
    data = marshal.dumps(value, _SMALL)
    private_files.store_file(path, _check_sum(key, data) + data)


def to_bytes(records: Any) -> bytes:
    """Records as marshalled bytes, equal for equal records."""
    return marshal.dumps(records, _FORMAT)


def _check_sum(key: bytes, data: bytes) -> bytes:
    """The sum of what is kept with its key and the version, so that what is out of date does not match it either."""
    return _imp.source_hash(VERSION, b"%b %b" % (key, data))
