"""One session with git: a command, the repository's layout, and one process that reads its objects for as long as we run."""

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
from rulec.infra.processes import StandingProcess, ToolResult, run_tool


def shallow_boundary(top: Path) -> frozenset[str]:
    """The commits whose parents a shallow clone lacks."""
    path = top / git_output(top, "rev-parse", "--git-path", "shallow").rstrip("\n")
    return frozenset(path.read_text().split()) if path.is_file() else frozenset()


FEW_OBJECTS = 200  # objects that are asked for one by one; for more than that a process of their own is faster
_MOST_READERS = 2  # repositories whose processes stay
_OF_OBJECT = 3  # words that git says of an object: its id, kind and size
_READERS_LOCK = threading.RLock()
_READERS: "OrderedDict[tuple[object, ...], _ObjectReader]" = OrderedDict()
ReaderAnswer = TypeVar("ReaderAnswer")


@dataclass(frozen=True, slots=True)
class ObjectInfo:
    """What stands under a name."""

    id: str
    kind: str
    size: int


@dataclass(frozen=True, slots=True)
class TreeEntry:
    """One line of a tree."""

    mode: str
    name: str
    id: str


@dataclass(slots=True)
class _ObjectReader:
    """The processes that look into one repository, each begun when it is first needed."""

    top: Path
    quiet: Mapping[str, str]
    looks: StandingProcess | None = None
    reads: StandingProcess | None = None

    def found(self, name: str) -> ObjectInfo | None:
        self.looks = self.looks or self._begun("--batch-check")
        return _parse_header(self.looks.ask(_request_line(name)))

    def content(self, name: str) -> tuple[ObjectInfo, bytes] | None:
        self.reads = self.reads or self._begun("--batch")
        head = _parse_header(self.reads.ask(_request_line(name)))
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

    def _begun(self, how: str) -> StandingProcess:
        return StandingProcess(["git", "cat-file", how], cwd=self.top, environment=self.quiet)


def _request_line(name: str) -> bytes:
    return name.encode("utf-8", "surrogateescape")


def _parse_header(line: bytes) -> ObjectInfo | None:
    if not line:
        raise EOFError
    words = line.decode("utf-8", "surrogateescape").split(" ")
    plain = len(words) == _OF_OBJECT and words[2].rstrip("\n").isdigit()
    return ObjectInfo(words[0], words[1], int(words[2])) if plain else None


def look_up_objects(top: Path, names: Sequence[str], quiet: Mapping[str, str]) -> list[ObjectInfo | None] | None:
    """What stands under some names, in their order; None where git itself has to be asked, and may complain."""
    if any("\n" in name for name in names):
        return None
    return _ask_reader(top, quiet, lambda reading: [reading.found(name) for name in names])


def read_objects(top: Path, names: Sequence[str], quiet: Mapping[str, str]) -> list[bytes | None] | None:
    """The contents of some objects, in their order; None as above."""
    if any("\n" in name for name in names):
        return None
    return _ask_reader(top, quiet, lambda reading: [one and one[1] for one in map(reading.content, names)])


def read_tree(top: Path, name: str, quiet: Mapping[str, str]) -> tuple[TreeEntry, ...] | None:
    """The lines of a tree, () where there is none of that name; None as above."""
    found = look_up_objects(top, [name], quiet)
    if found is None or found[0] is None:
        return None if found is None else ()
    if found[0].kind != "tree":
        return ()
    data = _ask_reader(top, quiet, lambda reading: reading.content(found[0].id if found[0] else ""))
    return _parse_tree(data[1], len(found[0].id) // 2) if data else None


@lru_cache(maxsize=256)
def _parse_tree(data: bytes, width: int) -> tuple[TreeEntry, ...]:
    entries, at = [], 0
    while at < len(data):
        end = data.index(b"\0", at)
        mode, _, name = data[at:end].partition(b" ")
        at = end + 1 + width
        entries.append(TreeEntry(mode.decode(), name.decode("utf-8", "surrogateescape"), data[end + 1 : at].hex()))
    return tuple(entries)


def _ask_reader(
    top: Path, quiet: Mapping[str, str], ask: Callable[[_ObjectReader], ReaderAnswer]
) -> ReaderAnswer | None:
    """What a standing process says; it is let go where it was interrupted, or is gone."""
    with _READERS_LOCK:
        key = _reader_key(top)
        if key is None:
            return None
        try:
            reading = _READERS.pop(key, None) or _ObjectReader(top, quiet)
            told = ask(reading)
        except (EOFError, RulecError, OSError):
            reading.end()
            return None
        except BaseException:
            reading.end()
            raise
        _READERS[key] = reading
        while len(_READERS) > _MOST_READERS:
            _READERS.popitem(last=False)[1].end()
        return told


def _reader_key(top: Path) -> tuple[object, ...] | None:
    """What makes two repositories different, although they stand at the same place one after the other."""
    try:
        seen = (top / ".git").stat()
        made = (top / ".git/config").stat().st_ctime_ns if (top / ".git").is_dir() else seen.st_ctime_ns
    except OSError:
        return None
    return str(top), seen.st_dev, seen.st_ino, made, *(os.environ.get(name) for name in _OF_REPOSITORY)


_OF_REPOSITORY = ("GIT_DIR", "GIT_COMMON_DIR", "GIT_OBJECT_DIRECTORY", "GIT_ALTERNATE_OBJECT_DIRECTORIES", "PATH")


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_READERS.clear)  # they are our parent's, who asks them still


@atexit.register
def close_readers() -> None:
    """Let all of them go."""
    with _READERS_LOCK:
        while _READERS:
            _READERS.popitem()[1].end()


# A hook runs with git's own variables set for the hook's repository; they must not lead us to another one.
# Replaced objects would show us another content than the one that is committed.
GIT_ENVIRONMENT = {
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_NO_REPLACE_OBJECTS": "1",
    "LC_ALL": "C.UTF-8",
    "GIT_LITERAL_PATHSPECS": "1",
}


def run_git(root: Path, *args: str, stdin: bytes = b"", environment: Mapping[str, str] | None = None) -> ToolResult:
    """One git command in the repository, its exit code left to the caller."""
    return run_tool(["git", *args], cwd=root, stdin=stdin, environment={**GIT_ENVIRONMENT, **(environment or {})})


def git_output(root: Path, *args: str, stdin: bytes = b"", environment: Mapping[str, str] | None = None) -> str:
    """The output of a git command that has to succeed."""
    done = run_git(root, *args, stdin=stdin, environment=environment)
    if done.code:
        raise RulecError(
            f"git {args[0]} failed: {done.said}", where=str(root), hint="settle that in git, then try again"
        )
    return done.text


_UNSETTLED = {  # in the order that tells most: a stopped rebase may have left a cherry-pick, too
    "MERGE_HEAD": "merge",
    "rebase-merge": "rebase",
    "rebase-apply/applying": "git am",
    "rebase-apply": "rebase",
    "CHERRY_PICK_HEAD": "cherry-pick",
    "REVERT_HEAD": "revert",
    "sequencer/todo": "cherry-pick or revert",
    "BISECT_LOG": "bisect",
}
_GIT_PATHS = (*_UNSETTLED, "index", "index.lock")  # of files in the git folder, which are a work tree's own


@dataclass(frozen=True, slots=True)
class _Layout:
    """Where a repository keeps what: asked of git once, for it stays as it is."""

    top: Path
    common: Path  # the git folder that all worktrees share
    paths: Mapping[str, Path]  # by name
    seen: tuple[object, ...]

    @property
    def stands(self) -> bool:
        """Whether it is still the repository that was asked about."""
        return self.common.is_dir() and self.seen == _layout_stamp(self.top)


_LAYOUTS: dict[str, _Layout] = {}


def _layout_stamp(top: Path) -> tuple[object, ...]:
    try:
        found = (top / ".git").stat()
    except OSError:
        return ()
    return (
        found.st_dev,
        found.st_ino,
        *(os.environ.get(name) for name in ("GIT_DIR", "GIT_INDEX_FILE", "GIT_WORK_TREE")),
    )


def _layout(start: Path, *, anew: bool = False) -> _Layout | None:
    """That of the repository around a folder; None where there is none with a work tree."""
    known = _LAYOUTS.get(str(start))
    if known and not anew and known.stands:
        return known
    asked = [part for name in _GIT_PATHS for part in ("--git-path", name)]
    done = run_git(start, "rev-parse", "--show-toplevel", "--git-common-dir", *asked)
    told = done.text.splitlines()
    if done.code or len(told) != len(_GIT_PATHS) + 2 or not told[0]:
        return None
    top, (common, *paths) = Path(told[0]), [(start / line).resolve() for line in told[1:]]
    found = _Layout(top, common, dict(zip(_GIT_PATHS, paths, strict=True)), _layout_stamp(top))
    if found.seen:
        _LAYOUTS[str(top)] = found
        if start.resolve() == top.resolve():
            _LAYOUTS[str(start)] = found
    return found


def work_tree_root(start: Path) -> Path:
    """The top of the work tree that holds a folder."""
    found = _layout(start, anew=True)
    if found:
        return found.top
    done = run_git(start, "rev-parse", "--show-toplevel")
    if done.code or not done.text.strip():
        raise RulecError(
            "is not inside a git work tree", where=str(start), hint="run git init, or cd into a repository"
        )
    return Path(done.text.rstrip("\n"))


def common_dir(top: Path) -> Path:
    """The git folder that all worktrees share: where local state lives."""
    found = _layout(top)
    return found.common if found else (top / git_output(top, "rev-parse", "--git-common-dir").rstrip("\n")).resolve()


def git_path(top: Path, name: str) -> Path:
    """A file in the git folder of a work tree."""
    found = _layout(top)
    return found.paths[name] if found else top / git_output(top, "rev-parse", "--git-path", name).rstrip("\n")


def hooks_dir(top: Path) -> Path:
    """Where git looks for hooks."""
    return (top / git_output(top, "rev-parse", "--git-path", "hooks").rstrip("\n")).resolve()


def head_commit(top: Path) -> str | None:
    """The commit at HEAD; None in a repository without commits."""
    return find_commit(top, "HEAD")


def find_commit(top: Path, name: str) -> str | None:
    """The commit that a ref or an id names; None where it names none."""
    found = look_up_objects(top, [f"{name}^{{commit}}"], GIT_ENVIRONMENT)
    if found is not None:
        return found[0].id if found[0] else None
    return run_git(top, "rev-parse", "--verify", "-q", f"{name}^{{commit}}").text.strip() or None


def git_config(top: Path, key: str) -> str:
    """A setting of git's, "" where there is none."""
    return run_git(top, "config", "--get", key).text.strip()


def require_commit(top: Path, revision: str) -> str:
    """The full id of a revision that a person named."""
    done = run_git(top, "rev-parse", "--verify", "-q", "--end-of-options", f"{revision}^{{commit}}")
    if done.code:
        raise RulecError(
            f"{revision!r} is no commit here", where=str(top), hint="git log shows them; a shallow clone lacks some"
        )
    return done.text.strip()


def operation_under_way(top: Path) -> str:
    """The operation that is under way, such as "merge", or ""."""
    return next((what for name, what in _UNSETTLED.items() if git_path(top, name).exists()), "")


def is_index_locked(top: Path) -> bool:
    """Whether another git writes the index, or a killed one left its lock."""
    return git_path(top, "index.lock").exists()


def merge_heads(top: Path) -> tuple[str, ...]:
    """The commits that are being merged into HEAD: several where an octopus is made, none where no merge is."""
    # of the worktree whose index it is; rev-parse MERGE_HEAD would tell the first alone
    path = git_path(top, "MERGE_HEAD")
    return tuple(path.read_text("ascii", "replace").split()) if path.is_file() else ()
