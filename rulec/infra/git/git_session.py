"""One session with git: its commands, and the layout, settings and names of a repository, asked for once."""

import hashlib
import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from rulec.checkout import git_call, head, worktree
from rulec.domain.quiet_git import QUIET_GIT
from rulec.errors import RulecError
from rulec.infra.processes import ToolResult, open_conversation, run_tool

_WORDS_OF_OBJECT = 3  # id, kind and size
_CHUNK = 1_000_000  # bytes that are passed over at a time
_TURN = 4_000  # characters of names that are asked for at once
HEAD_BYTES = 8_000  # that are read of an object that is too large


@dataclass(frozen=True, slots=True)
class GitObject:
    """The object that a name stands for."""

    id: str
    kind: str
    size: int
    data: bytes = b""  # of one that is too large only what it begins with

    @property
    def is_whole(self) -> bool:
        """Whether all of it was read."""
        return len(self.data) == self.size


def run_git(root: Path, *args: str, stdin: bytes = b"", environment: Mapping[str, str] | None = None) -> ToolResult:
    """Run one git command in the repository; its exit code is left to the caller."""
    return run_tool(["git", *args], cwd=root, stdin=stdin, environment={**QUIET_GIT, **(environment or {})})


def git_output(root: Path, *args: str, stdin: bytes = b"", environment: Mapping[str, str] | None = None) -> str:
    """The output of a git command; RulecError where it fails."""
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
_GIT_PATHS = (
    *_UNSETTLED, "index", "index.lock", "HEAD", "shallow", "objects", "config.worktree", "info/sparse-checkout",
    "COMMIT_EDITMSG", "MERGE_MSG",
)  # fmt: skip
_BRANCH = "ref: refs/heads/"
_ID = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")


@dataclass(frozen=True, slots=True)
class _Layout:
    """The folders and files of a repository, asked of git once."""

    top: Path
    common: Path  # the git folder that all worktrees share
    hash_name: str  # sha1 or sha256
    paths: Mapping[str, Path]  # by name
    seen: tuple[object, ...]

    @property
    def stands(self) -> bool:
        """Whether the same repository is still there."""
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
    """The layout of the repository around a folder; None outside of a work tree."""
    known = _LAYOUTS.get(str(start))
    if known and not anew and known.stands:
        return known
    asked = [part for name in _GIT_PATHS for part in ("--git-path", name)]
    done = run_git(start, "rev-parse", "--show-toplevel", "--show-object-format", "--git-common-dir", *asked)
    lines = done.text.splitlines()
    if done.code or len(lines) != len(_GIT_PATHS) + 3 or not lines[0]:
        return None
    common, *paths = [place.parent.resolve() / place.name for place in (start / line for line in lines[2:])]
    top, hash_name = Path(lines[0]), "sha256" if lines[1] == "sha256" else "sha1"
    found = _Layout(top, common.resolve(), hash_name, dict(zip(_GIT_PATHS, paths, strict=True)), _layout_stamp(top))
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
        raise _no_work_tree(start)
    return Path(done.text.rstrip("\n"))


def _no_work_tree(start: Path) -> RulecError:
    """Why git gives no work tree here: in its own words, unless there is none."""
    there = worktree.tree_top(os.path.realpath(start))
    why = git_call.why_refused(str(start))
    if not why:
        return RulecError("is in git's own folder, not in a work tree", where=str(start), hint="cd into the work tree")
    cure = git_call.cure_of_refusal(why, there or str(start))
    if cure:
        return RulecError(f"git refuses it: {why}", where=there or str(start), hint=f"run {cure}")
    if there or not why.startswith("not a git repository"):
        return RulecError(
            f"git refuses it: {why}", where=there or str(start), hint="settle that in git, then try again"
        )
    hint = "run git init, or cd into a repository"
    return RulecError("is not inside a git work tree", where=str(start), hint=hint)


def common_dir(top: Path) -> Path:
    """The git folder that all worktrees share: where local state lives."""
    found = _layout(top)
    return found.common if found else (top / git_output(top, "rev-parse", "--git-common-dir").rstrip("\n")).resolve()


def git_path(top: Path, name: str) -> Path:
    """The path of a file in the git folder of a work tree."""
    found = _layout(top)
    return found.paths[name] if found else top / git_output(top, "rev-parse", "--git-path", name).rstrip("\n")


def hooks_dir(top: Path) -> Path:
    """The folder in which git looks for hooks."""
    return (top / git_output(top, "rev-parse", "--git-path", "hooks").rstrip("\n")).resolve()


def object_format(top: Path) -> str:
    """The hash of a repository's object ids: sha1 or sha256."""
    found = _layout(top)
    return found.hash_name if found else git_output(top, "rev-parse", "--show-object-format").strip()


def empty_tree_id(top: Path) -> str:
    """The id of a tree without files."""
    return hashlib.new(object_format(top), b"tree 0\0").hexdigest()


def shallow_boundary(top: Path) -> frozenset[str]:
    """The commits whose parents a shallow clone lacks."""
    path = git_path(top, "shallow")
    return frozenset(path.read_text("ascii").split()) if path.is_file() else frozenset()


def current_branch(top: Path) -> str:
    """The full name of the branch that HEAD is on, "" where HEAD names a commit."""
    head = git_path(top, "HEAD")
    text = "" if head.is_symlink() else head.read_text("utf-8", "surrogateescape").strip()
    if text.startswith(_BRANCH) and not text.endswith(".invalid"):  # so it stands where refs are kept in tables
        return text.removeprefix("ref: ")
    return "" if _ID.fullmatch(text) else run_git(top, "symbolic-ref", "-q", "HEAD").text.strip()


def head_commit(top: Path) -> str | None:
    """The commit at HEAD; None in a repository without commits. Where it is plain to read git is not started."""
    known = "" if "GIT_DIR" in os.environ else head.head_commit(str(top))
    return known or find_commit(top, "HEAD")


def find_commit(top: Path, name: str) -> str | None:
    """The id of the commit that a revision names; None where it names none."""
    return run_git(top, "rev-parse", "-q", "--verify", "--end-of-options", f"{name}^{{commit}}").text.strip() or None


def require_commit(top: Path, revision: str) -> str:
    """The id of the commit that a person named; RulecError where there is none."""
    found = find_commit(top, revision)
    if not found:
        hint = "git log shows them; a shallow clone lacks some"
        raise RulecError(f"{revision!r} is not a commit here", where=str(top), hint=hint)
    return found


def commit_parents(top: Path, names: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """The parents of commits, of which a shallow clone lacks some; names of no commit are left out."""
    edge = shallow_boundary(top)
    found = zip(names, read_objects(top, [f"{name}^{{commit}}" for name in names]), strict=True)
    return {name: () if name in edge else _parse_parents(one.data) for name, one in found if one}


def _parse_parents(data: bytes) -> tuple[str, ...]:
    head = data.partition(b"\n\n")[0].decode("ascii", "replace").split("\n")
    return tuple(line.removeprefix("parent ") for line in head if line.startswith("parent "))


def git_config(top: Path, key: str) -> str:
    """A setting of git's, "" where there is none."""
    return run_git(top, "config", "--get", key).text.strip()


def is_git_config_on(top: Path, key: str) -> bool:
    """Whether a setting of git's is on, as git itself reads it."""
    return run_git(top, "config", "--type=bool", "--get", key).text.strip() == "true"


def git_settings(top: Path) -> dict[str, str]:
    """All settings of git's, by their names in small letters."""
    entries = (entry.partition("\n") for entry in run_git(top, "config", "--list", "-z").text.split("\0") if entry)
    return {key: value for key, _, value in entries}


def is_sparse_checkout(top: Path) -> bool:
    """Whether a sparse checkout may leave tracked files out of the work tree."""
    return git_path(top, "info/sparse-checkout").is_file() and is_git_config_on(top, "core.sparseCheckout")


def file_stamp(path: Path) -> tuple[int, ...]:
    """What changes when a file is written; () where there is none."""
    try:
        found = path.stat()
    except OSError:
        return ()
    return found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns


def operation_under_way(top: Path) -> str:
    """The git operation that is not finished, such as "merge", or ""."""
    return next((what for name, what in _UNSETTLED.items() if git_path(top, name).exists()), "")


def is_index_locked(top: Path) -> bool:
    """Whether the index is locked: by a running git, or by one that was killed."""
    return git_path(top, "index.lock").exists()


def merge_heads(top: Path) -> tuple[str, ...]:
    """The commits that are being merged into HEAD, () where no merge is under way."""
    # of the worktree whose index it is; rev-parse MERGE_HEAD would tell the first alone
    path = git_path(top, "MERGE_HEAD")
    return tuple(path.read_text("ascii", "replace").split()) if path.is_file() else ()


def look_up_objects(top: Path, names: Sequence[str]) -> list[GitObject | None]:
    """The objects without their contents, in order; None where a name stands for none."""
    asked = _requests(names)
    if not asked:
        return [None for _ in names]
    done = run_tool(["git", "cat-file", "--batch-check"], cwd=top, stdin=_lines(asked), environment=QUIET_GIT)
    answers = [_parse_header(line) for line in done.out.split(b"\n")[:-1]]
    return _in_order(top, names, asked, answers)


ReadObjects = Callable[[Sequence[str], int | None], list[GitObject | None]]


@contextmanager
def object_reader(top: Path) -> Iterator[ReadObjects]:
    """What reads objects with their contents, in one process for all that is asked within ``with``.

    They come in order, None where a name stands for none; of those that have more than ``largest`` bytes only the first
    are read.
    """
    with open_conversation(["git", "cat-file", "--batch"], cwd=top, environment=QUIET_GIT) as (ask, answers):

        def read(names: Sequence[str], largest: int | None = None) -> list[GitObject | None]:
            asked = _requests(names)
            found: list[GitObject | None] = []
            with suppress(BrokenPipeError):  # git ended: fewer answers than questions
                for some in _in_turns(asked):
                    ask.write(_lines(some))
                    ask.flush()
                    found += _read_answers(answers, len(some), largest)
            return _in_order(top, names, asked, found)

        yield read


def read_objects(top: Path, names: Sequence[str], largest: int | None = None) -> list[GitObject | None]:
    """The same for those who ask once."""
    if not _requests(names):
        return [None for _ in names]
    with object_reader(top) as read:
        return read(names, largest)


@dataclass(frozen=True, slots=True)
class TreeEntry:
    """One entry of a tree, with its path from the root."""

    mode: str
    path: str
    id: str

    @property
    def is_file(self) -> bool:
        """Whether it is a file, not a link, a folder or a submodule."""
        return self.mode.startswith("100")

    @property
    def is_folder(self) -> bool:
        """Whether it is a folder."""
        return self.mode == "40000"


def list_tree(top: Path, read: ReadObjects, revision: str, *paths: str) -> list[TreeEntry]:
    """The entries at and below some paths as a commit or tree holds them, folders among them; none without a commit."""
    (root,) = read([f"{revision}^{{tree}}"], None)
    if root is None and not find_commit(top, revision):
        return []
    wanted = set(paths)
    above = {path[:at] for path in paths for at, sign in enumerate(path) if sign == "/"}
    found: list[TreeEntry] = []
    below = [("", root)]
    while below:
        folders = []
        for path, tree in below:
            if tree is None:
                hint = "run git fsck there, then try again"
                raise RulecError(f"{path or 'its tree'} cannot be read at {revision}", where=str(top), hint=hint)
            for one in _tree_entries(path, tree):
                if path in wanted or one.path in wanted:
                    wanted |= {one.path} if one.is_folder else set()
                    found.append(one)
                if one.is_folder and (one.path in wanted or one.path in above):
                    folders.append(one)
        trees = read([one.id for one in folders], None)
        below = [(one.path, tree) for one, tree in zip(folders, trees, strict=True)]
    return sorted(found, key=lambda one: one.path)


def _tree_entries(path: str, tree: GitObject) -> Iterator[TreeEntry]:
    at, of_id = 0, len(tree.id) // 2
    while at < len(tree.data):
        end = tree.data.index(b"\0", at)
        mode, _, name = tree.data[at:end].decode("utf-8", "surrogateescape").partition(" ")
        at = end + 1 + of_id
        yield TreeEntry(mode, f"{path}/{name}" if path else name, tree.data[end + 1 : at].hex())


def _in_turns(names: Sequence[str]) -> Iterator[list[str]]:
    """The names in parts that fit into a pipe while git still answers the part before."""
    turn: list[str] = []
    size = 0
    for name in names:
        size += len(name) + 1
        if turn and size > _TURN:
            yield turn
            turn, size = [], len(name) + 1
        turn.append(name)
    if turn:
        yield turn


def _requests(names: Sequence[str]) -> list[str]:
    """The names to ask for, each once; a request is a line, and zeros stand for nothing."""
    return [name for name in dict.fromkeys(names) if "\n" not in name and name.strip("0")]


def _lines(names: Sequence[str]) -> bytes:
    return "".join(f"{name}\n" for name in names).encode("utf-8", "surrogateescape")


def _in_order(
    top: Path, names: Sequence[str], asked: Sequence[str], answers: Sequence[GitObject | None]
) -> list[GitObject | None]:
    if len(answers) != len(asked):
        raise RulecError("git cat-file does not answer", where=str(top), hint="run git fsck there, then try again")
    known = dict(zip(asked, answers, strict=True))
    return [known.get(name) for name in names]


def _parse_header(line: bytes) -> GitObject | None:
    words = line.decode("utf-8", "surrogateescape").split(" ")
    if len(words) != _WORDS_OF_OBJECT or not words[2].isdigit():
        return None  # "NAME missing", "NAME ambiguous"
    return GitObject(words[0], words[1], int(words[2]))


def _read_answers(out: BinaryIO, many: int, largest: int | None) -> Iterator[GitObject | None]:
    """Git's next answers; where it ends in the middle of an object the rest is missing."""
    for _ in range(many):
        if not (line := out.readline()):
            return
        found = _parse_header(line.rstrip(b"\n"))
        if found is None:
            yield None
            continue
        kept = found.size if largest is None or found.size <= largest else min(found.size, HEAD_BYTES)
        data, left = out.read(kept), found.size - kept + 1
        while left and (passed := out.read(min(left, _CHUNK))):
            left -= len(passed)
        if left or len(data) != kept:
            return
        yield GitObject(found.id, found.kind, found.size, data)
