"""What git lists as changed, as `git diff --raw -z` prints it, and the mark that a change is known by."""

import hashlib
from collections.abc import Sequence
from typing import Literal


class RawDiffEntry:
    """One line of git's raw diff."""

    __slots__ = ("before", "mode", "new", "old", "old_path", "path", "status")

    def __init__(self, meta: str, paths: list[str]) -> None:
        self.before, self.mode, self.old, self.new, status = meta.split(" ")
        self.old_path, self.path = paths[0], paths[-1]
        self.status: Literal["A", "M", "D", "R", "T"] = _STATUS.get(status[0], "A")


# A copy is a new file, too.
_STATUS: dict[str, Literal["M", "D", "R", "T"]] = {"M": "M", "D": "D", "R": "R", "T": "T"}


def change_mark(entries: Sequence[RawDiffEntry]) -> str:
    """A digest of what changed, "" for nothing; the same whether git detected a rename or not."""
    sides = [
        *((e.old_path, "-", e.before, e.old) for e in entries if e.old.strip("0") and e.status != "A"),
        *((e.path, "+", e.mode, e.new) for e in entries if e.mode.strip("0")),
    ]
    return hashlib.sha256(repr(sorted(sides)).encode()).hexdigest()[:32] if sides else ""


def mark_under_rules(mark: str, rules: str) -> str:
    """The mark to note for a change judged by the rules of a tree; the mark alone where there were no rules."""
    return hashlib.sha256(f"{mark} {rules}".encode()).hexdigest()[:32] if mark and rules else mark


def read_raw_diff(out: bytes, at: int = 0) -> tuple[list[RawDiffEntry], int]:
    """The entries of a raw diff from an offset on, and the offset of their end: an empty line precedes the patch."""
    entries = []
    while out[at : at + 1] == b":":
        end = out.index(b"\0", at)
        meta, at = out[at + 1 : end].decode(), end + 1
        paths: list[str] = []
        for _ in range(2 if meta.rsplit(" ", 1)[-1][0] in "RC" else 1):
            end = out.index(b"\0", at)
            paths.append(out[at:end].decode("utf-8", "surrogateescape"))
            at = end + 1
        entries.append(RawDiffEntry(meta, paths))
    return entries, at
