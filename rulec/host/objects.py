"""git's objects, read from one process that stays for as long as ours: a start of git costs more than all it reads.

What it is asked for is looked up anew each time, so that a branch that moved or an object that was just made is seen.
"""

import atexit
import os
import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TypeVar

from rulec.errors import RulecError
from rulec.host.call import Standing

FEW = 200  # objects that are asked for one by one; for more than that a process of their own is faster
_MOST = 2  # repositories whose processes stay
_OF_OBJECT = 3  # words that git says of an object: its id, kind and size
_LOCK = threading.RLock()
_STANDING: "OrderedDict[tuple[object, ...], _Reading]" = OrderedDict()
Told = TypeVar("Told")


@dataclass(frozen=True, slots=True)
class Found:
    """What stands under a name."""

    id: str
    kind: str
    size: int


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of a tree."""

    mode: str
    name: str
    id: str


@dataclass(slots=True)
class _Reading:
    """The processes that look into one repository, each begun when it is first needed."""

    top: Path
    quiet: Mapping[str, str]
    looks: Standing | None = None
    reads: Standing | None = None

    def found(self, name: str) -> Found | None:
        self.looks = self.looks or self._begun("--batch-check")
        return _head(self.looks.ask(_line(name)))

    def content(self, name: str) -> tuple[Found, bytes] | None:
        self.reads = self.reads or self._begun("--batch")
        head = _head(self.reads.ask(_line(name)))
        if head is None:
            return None
        data = self.reads.more(head.size + 1)
        if len(data) != head.size + 1:
            raise EOFError
        return head, data[:-1]

    def end(self) -> None:
        for one in (self.looks, self.reads):
            if one:
                one.end()

    def _begun(self, how: str) -> Standing:
        return Standing(["git", "cat-file", how], cwd=self.top, environment=self.quiet)


def _line(name: str) -> bytes:
    return name.encode("utf-8", "surrogateescape")


def _head(line: bytes) -> Found | None:
    if not line:
        raise EOFError
    words = line.decode("utf-8", "surrogateescape").split(" ")
    plain = len(words) == _OF_OBJECT and words[2].rstrip("\n").isdigit()
    return Found(words[0], words[1], int(words[2])) if plain else None


def look(top: Path, names: Sequence[str], quiet: Mapping[str, str]) -> list[Found | None] | None:
    """What stands under some names, in their order; None where git itself has to be asked, and may complain."""
    if any("\n" in name for name in names):
        return None
    return _asked(top, quiet, lambda reading: [reading.found(name) for name in names])


def read(top: Path, names: Sequence[str], quiet: Mapping[str, str]) -> list[bytes | None] | None:
    """The contents of some objects, in their order; None as above."""
    if any("\n" in name for name in names):
        return None
    return _asked(top, quiet, lambda reading: [one and one[1] for one in map(reading.content, names)])


def tree(top: Path, name: str, quiet: Mapping[str, str]) -> tuple[Entry, ...] | None:
    """The lines of a tree, () where there is none of that name; None as above."""
    found = look(top, [name], quiet)
    if found is None or found[0] is None:
        return None if found is None else ()
    if found[0].kind != "tree":
        return ()
    data = _asked(top, quiet, lambda reading: reading.content(found[0].id if found[0] else ""))
    return _entries(data[1], len(found[0].id) // 2) if data else None


@lru_cache(maxsize=256)
def _entries(data: bytes, width: int) -> tuple[Entry, ...]:
    entries, at = [], 0
    while at < len(data):
        end = data.index(b"\0", at)
        mode, _, name = data[at:end].partition(b" ")
        at = end + 1 + width
        entries.append(Entry(mode.decode(), name.decode("utf-8", "surrogateescape"), data[end + 1 : at].hex()))
    return tuple(entries)


def _asked(top: Path, quiet: Mapping[str, str], ask: Callable[[_Reading], Told]) -> Told | None:
    """What a standing process says; it is let go where it was interrupted, or is gone."""
    with _LOCK:
        key = _key(top)
        if key is None:
            return None
        try:
            reading = _STANDING.pop(key, None) or _Reading(top, quiet)
            told = ask(reading)
        except (EOFError, RulecError, OSError):
            reading.end()
            return None
        except BaseException:
            reading.end()
            raise
        _STANDING[key] = reading
        while len(_STANDING) > _MOST:
            _STANDING.popitem(last=False)[1].end()
        return told


def _key(top: Path) -> tuple[object, ...] | None:
    """What makes two repositories different, although they stand at the same place one after the other."""
    try:
        seen = (top / ".git").stat()
        made = (top / ".git/config").stat().st_ctime_ns if (top / ".git").is_dir() else seen.st_ctime_ns
    except OSError:
        return None
    return str(top), seen.st_dev, seen.st_ino, made, *(os.environ.get(name) for name in _OF_REPOSITORY)


_OF_REPOSITORY = ("GIT_DIR", "GIT_COMMON_DIR", "GIT_OBJECT_DIRECTORY", "GIT_ALTERNATE_OBJECT_DIRECTORIES", "PATH")


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_STANDING.clear)  # they are our parent's, who asks them still


@atexit.register
def end() -> None:
    """Let all of them go."""
    with _LOCK:
        while _STANDING:
            _STANDING.popitem()[1].end()
