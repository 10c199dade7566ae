"""Records that are slow to make, cached in the git directory until their sources change."""

import json
import os
import time

from rulec.checkout import private_files
from rulec.checkout.worktree import state_directory

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any


VERSION = 4
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


def stamp_of(paths: "Iterable[str]") -> SourceStamp:
    """The stamp of some paths; a missing one counts as missing."""
    stamp = SourceStamp()
    for path in paths:
        try:
            stamp.add(os.lstat(path))
        except OSError:
            stamp.value = (stamp.value * _FACTOR + 1) & _MASK
    return stamp


def load_records(root: str, name: str, stamp: SourceStamp) -> "list[dict[str, Any]] | None":
    """The cached records of that stamp; None where there are none."""
    known = private_files.read_json(os.path.join(state_directory(root), name))
    found = known.get("records") if (known.get("version"), known.get("stamp")) == (VERSION, stamp.value) else None
    return found if isinstance(found, list) else None


def save_records(root: str, name: str, stamp: SourceStamp, records: "list[dict[str, Any]]") -> None:
    """Cache records, unless their sources are so new that a later change could have the same stamp."""
    if time.time_ns() - stamp.newest > RACY:
        kept = {"version": VERSION, "stamp": stamp.value, "records": records}
        private_files.store_file(os.path.join(state_directory(root), name), json.dumps(kept).encode())
