"""The objects of a repository: read by one `git cat-file` that keeps running, and remembered by their ids."""

import atexit
import os
import re
import threading
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Literal

from rulec.domain.quiet_git import QUIET_GIT
from rulec.errors import RulecError
from rulec.infra.processes import StandingProcess

_MOST_READERS = 4  # repositories whose process keeps running
_MOST_WAITING = 200  # requests that are written before their answers are read,
_MOST_WAITING_BYTES = 32_000  # and their bytes: a pipe holds 64 kB
_MOST_REMEMBERED = 16_000_000  # bytes of contents
_LARGEST_REMEMBERED = 250_000  # bytes of one content
_MOST_TREES = 5_000
_UNKNOWN_OPTION = 129  # git's exit code for it
_WORDS_OF_OBJECT = 3  # id, kind and size
# What an id begins never changes its meaning; a branch does.
_FIXED_NAME = re.compile(r"(?:[0-9a-f]{40}|[0-9a-f]{64})(?:[\^:].*)?", re.DOTALL)
Stamp = tuple[int, ...]
_REPOSITORY_VARIABLES = (
    "GIT_DIR", "GIT_COMMON_DIR", "GIT_OBJECT_DIRECTORY", "GIT_ALTERNATE_OBJECT_DIRECTORIES", "PATH",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class ObjectInfo:
    """The object that a name stands for."""

    id: str
    kind: str
    size: int


@dataclass(frozen=True, slots=True)
class TreeEntry:
    """One entry of a tree."""

    mode: str
    name: str
    id: str

    @property
    def is_tree(self) -> bool:
        """Whether it is a folder."""
        return self.mode == "40000"


def look_up_objects(top: Path, names: Sequence[str], index: Stamp = ()) -> list[ObjectInfo | None]:
    """Id, kind and size of the objects that names stand for, in order; None where a name stands for none.

    ``index`` is the stamp of the index where names such as ``:path`` are among them: one git reads it once.
    """
    return [found and found[0] for found in _ask(top, "info", names, index)]


def read_objects(top: Path, names: Sequence[str], index: Stamp = ()) -> list[bytes | None]:
    """The contents of the objects that names stand for, in order; None where a name stands for none."""
    return [found and found[1] for found in _ask(top, "contents", names, index)]


def read_trees(top: Path, names: Sequence[str]) -> list[tuple[TreeEntry, ...]]:
    """The entries of the trees that names stand for, in order; () where a name stands for no tree."""
    return [_parse_tree(found) if found and found[0].kind == "tree" else () for found in _ask(top, "contents", names)]


@dataclass(slots=True)
class _ObjectReader:
    """The process that reads the objects of one repository, and what it has read."""

    top: Path
    processes: dict[str, StandingProcess] = field(default_factory=dict)
    separate: bool = False  # git before 2.36 needs a process for each kind of question
    remembered: OrderedDict[str, "_Found"] = field(default_factory=OrderedDict)
    room: int = _MOST_REMEMBERED

    def ask(self, question: "_Question", names: Sequence[str]) -> list["_Found | None"]:
        known: dict[str, _Found | None] = {name: self.remembered[name] for name in names if name in self.remembered}
        asked = [name for name in dict.fromkeys(names) if name not in known and "\n" not in name]  # a request is a line
        for part in _split_requests(asked):
            for name, found in zip(part, self._answers(question, part), strict=True):
                known[name] = found
                if found and question == "contents":
                    self._remember(name, found)
        return [known.get(name) for name in names]

    def _answers(self, question: "_Question", names: Sequence[str]) -> "list[_Found | None]":
        process = self._process(question)
        start = "" if self.separate else f"{question} "
        process.write("".join(f"{start}{name}\n" for name in names).encode("utf-8", "surrogateescape"))
        try:
            return [_read_answer(process, question) for _ in names]
        except EOFError:
            if self.end() != _UNKNOWN_OPTION or self.separate:
                raise
            self.separate = True
            return self._answers(question, names)

    def _process(self, question: "_Question") -> StandingProcess:
        how = {"info": "--batch-check", "contents": "--batch"}[question] if self.separate else "--batch-command"
        if how not in self.processes:
            self.processes[how] = StandingProcess(["git", "cat-file", how], cwd=self.top, environment=QUIET_GIT)
        return self.processes[how]

    def _remember(self, name: str, found: "_Found") -> None:
        if not _FIXED_NAME.fullmatch(name) or found[0].size > _LARGEST_REMEMBERED:
            return
        self.remembered[name] = found
        self.room -= found[0].size
        while self.room < 0:
            self.room += self.remembered.popitem(last=False)[1][0].size

    def end(self) -> int:
        """End the processes; the exit code of the last."""
        codes = [process.end() for process in self.processes.values()]
        self.processes.clear()
        return codes[-1] if codes else 0


_Question = Literal["info", "contents"]
_Found = tuple[ObjectInfo, bytes]
_READERS: OrderedDict[tuple[object, ...], _ObjectReader] = OrderedDict()
_LOCK = threading.RLock()


def _split_requests(names: Sequence[str]) -> Iterator[list[str]]:
    """The names in parts that git takes in before anybody reads its answers."""
    part, size = list[str](), 0
    for name in names:
        size += 4 * len(name)  # bytes at most
        if part and (len(part) == _MOST_WAITING or size > _MOST_WAITING_BYTES):
            yield part
            part, size = [], 4 * len(name)
        part.append(name)
    if part:
        yield part


def _read_answer(process: StandingProcess, question: _Question) -> _Found | None:
    line = process.line()
    if not line:
        raise EOFError
    words = line.decode("utf-8", "surrogateescape").split(" ")
    if len(words) != _WORDS_OF_OBJECT or not words[2].rstrip("\n").isdigit():
        return None  # "NAME missing", "NAME ambiguous"
    info = ObjectInfo(words[0], words[1], int(words[2]))
    if question == "info":
        return info, b""
    data = process.more(info.size + 1)
    if len(data) != info.size + 1:
        raise EOFError
    return info, data[:-1]


def _parse_tree(found: _Found) -> tuple[TreeEntry, ...]:
    return _parse_entries(found[1], len(found[0].id) // 2)


@lru_cache(maxsize=_MOST_TREES)
def _parse_entries(data: bytes, width: int) -> tuple[TreeEntry, ...]:
    entries, at = [], 0
    while at < len(data):
        end = data.index(b"\0", at)
        mode, _, name = data[at:end].partition(b" ")
        at = end + 1 + width
        entries.append(TreeEntry(mode.decode(), name.decode("utf-8", "surrogateescape"), data[end + 1 : at].hex()))
    return tuple(entries)


def _ask(top: Path, question: _Question, names: Sequence[str], index: Stamp = ()) -> list[_Found | None]:
    """Ask the repository's reader; a process that was ended meanwhile is started once more."""
    if not names:
        return []
    with _LOCK:
        key = (*repository_key(top), *index)
        for _ in range(2):
            reader = _READERS.pop(key, None) or _ObjectReader(top)
            try:
                found = reader.ask(question, names)
            except (EOFError, OSError):
                reader.end()
                continue
            except BaseException:  # in the middle of an answer: what it would say next belongs to no question
                reader.end()
                raise
            _READERS[key] = reader
            while len(_READERS) > _MOST_READERS:
                _READERS.popitem(last=False)[1].end()
            return found
    raise RulecError("git cat-file does not answer", where=str(top), hint="run git fsck there, then try again")


def repository_key(top: Path) -> tuple[object, ...]:
    """What tells two repositories apart that stand at the same place one after the other."""
    variables = tuple(os.environ.get(name) for name in _REPOSITORY_VARIABLES)
    try:
        seen = (top / ".git").stat()
        made = (top / ".git/config").stat().st_ctime_ns if (top / ".git").is_dir() else seen.st_ctime_ns
    except OSError:
        return str(top), *variables
    return str(top), seen.st_dev, seen.st_ino, made, *variables


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_READERS.clear)  # the processes are our parent's, which asks them still


@atexit.register
def close_readers() -> None:
    """End all processes that read objects."""
    with _LOCK:
        while _READERS:
            _READERS.popitem()[1].end()
