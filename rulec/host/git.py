"""git's plumbing: what is staged, what stands at a commit, and one commit that holds nothing else."""

import hashlib
import os
import tempfile
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from rulec.errors import RulecError
from rulec.host import objects
from rulec.host.call import Called, call

# A hook runs with git's own variables set for the hook's repository; they must not lead us to another one.
# Replaced objects would show us another content than the one that is committed.
_QUIET = {"GIT_OPTIONAL_LOCKS": "0", "GIT_NO_REPLACE_OBJECTS": "1", "LC_ALL": "C.UTF-8", "GIT_LITERAL_PATHSPECS": "1"}
_LONGEST = 300  # characters of what git says
_PATIENCE = 30  # tenths of a second that another git may hold the index


def git(root: Path, *args: str, stdin: bytes = b"", environment: Mapping[str, str] | None = None) -> Called:
    """One git command in the repository, its exit code left to the caller."""
    return call(["git", *args], cwd=root, stdin=stdin, environment={**_QUIET, **(environment or {})})


def must(root: Path, *args: str, stdin: bytes = b"", environment: Mapping[str, str] | None = None) -> str:
    """The output of a git command that has to succeed."""
    done = git(root, *args, stdin=stdin, environment=environment)
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
_NAMES = (*_UNSETTLED, "index", "index.lock")  # of files in the git folder, which are a work tree's own


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
        return self.common.is_dir() and self.seen == _seen(self.top)


_LAYOUTS: dict[str, _Layout] = {}


def _seen(top: Path) -> tuple[object, ...]:
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
    asked = [part for name in _NAMES for part in ("--git-path", name)]
    done = git(start, "rev-parse", "--show-toplevel", "--git-common-dir", *asked)
    told = done.text.splitlines()
    if done.code or len(told) != len(_NAMES) + 2 or not told[0]:
        return None
    top, (common, *paths) = Path(told[0]), [(start / line).resolve() for line in told[1:]]
    found = _Layout(top, common, dict(zip(_NAMES, paths, strict=True)), _seen(top))
    if found.seen:
        _LAYOUTS[str(top)] = found
        if start.resolve() == top.resolve():
            _LAYOUTS[str(start)] = found
    return found


def root(start: Path) -> Path:
    """The top of the work tree that holds a folder."""
    found = _layout(start, anew=True)
    if found:
        return found.top
    done = git(start, "rev-parse", "--show-toplevel")
    if done.code or not done.text.strip():
        raise RulecError(
            "is not inside a git work tree", where=str(start), hint="run git init, or cd into a repository"
        )
    return Path(done.text.rstrip("\n"))


def common_dir(top: Path) -> Path:
    """The git folder that all worktrees share: where local state lives."""
    found = _layout(top)
    return found.common if found else (top / must(top, "rev-parse", "--git-common-dir").rstrip("\n")).resolve()


def _path(top: Path, name: str) -> Path:
    """A file in the git folder of a work tree."""
    found = _layout(top)
    return found.paths[name] if found else top / must(top, "rev-parse", "--git-path", name).rstrip("\n")


def hooks_dir(top: Path) -> Path:
    """Where git looks for hooks."""
    return (top / must(top, "rev-parse", "--git-path", "hooks").rstrip("\n")).resolve()


def head(top: Path) -> str | None:
    """The commit at HEAD; None in a repository without commits."""
    return commit_at(top, "HEAD")


def commit_at(top: Path, name: str) -> str | None:
    """The commit that a ref or an id names; None where it names none."""
    found = objects.look(top, [f"{name}^{{commit}}"], _QUIET)
    if found is not None:
        return found[0].id if found[0] else None
    return git(top, "rev-parse", "--verify", "-q", f"{name}^{{commit}}").text.strip() or None


def config(top: Path, key: str) -> str:
    """A setting of git's, "" where there is none."""
    return git(top, "config", "--get", key).text.strip()


def commit_of(top: Path, revision: str) -> str:
    """The full id of a revision that a person named."""
    done = git(top, "rev-parse", "--verify", "-q", "--end-of-options", f"{revision}^{{commit}}")
    if done.code:
        raise RulecError(
            f"{revision!r} is no commit here", where=str(top), hint="git log shows them; a shallow clone lacks some"
        )
    return done.text.strip()


def edited(top: Path, *paths: str) -> list[str]:
    """Those paths below the given ones whose work tree or index differs from HEAD."""
    entries = must(top, "status", "--porcelain", "-z", "--no-renames", "--untracked-files=all", "--", *paths).split(
        "\0"
    )
    return [entry[3:] for entry in entries if entry]


def tracked(top: Path) -> tuple[str, ...]:
    """Tracked paths and new ones that are not ignored."""
    out = must(top, "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--deduplicate")
    return tuple(path for path in out.split("\0") if path)


def empty_tree(top: Path) -> str:
    """The id of a tree without files, in the repository's own hash."""
    return must(top, "hash-object", "-t", "tree", "--stdin").strip()


def blobs(top: Path, ids: Sequence[str], largest: int | None = None) -> list[bytes | None]:
    """The contents of objects, in order; None for those that are missing, no blobs, or larger than asked for."""
    if not ids:
        return []
    wanted = [size >= 0 and (largest is None or size <= largest) for size in sizes(top, ids)]
    names = [name for name, yes in zip(ids, wanted, strict=True) if yes]
    contents = iter(_contents(top, names))
    return [next(contents) if yes else None for yes in wanted]


def sizes(top: Path, ids: Sequence[str]) -> list[int]:
    """The lengths of blobs in bytes, in order; -1 for those that are missing or no blobs."""
    if not ids:
        return []
    found = objects.look(top, ids, _QUIET) if len(ids) <= objects.FEW else None
    if found is not None:
        return [one.size if one and one.kind == "blob" else -1 for one in found]
    asked = "".join(f"{name}\n" for name in ids).encode()
    heads = (line.split(b" ") for line in git(top, "cat-file", "--batch-check", stdin=asked).out.splitlines())
    return [int(head[2]) if head[1:2] == [b"blob"] else -1 for head in heads]


def trees(top: Path, names: Sequence[str]) -> list[str]:
    """The ids of trees that some names stand for, in order; "" for those that stand for none."""
    found = objects.look(top, names, _QUIET) if len(names) <= objects.FEW else None
    if found is not None:
        return [one.id if one and one.kind == "tree" else "" for one in found]
    asked = "".join(f"{name}\n" for name in names).encode()
    heads = (line.split() for line in git(top, "cat-file", "--batch-check", stdin=asked).text.splitlines())
    return [head[0] if head[1:2] == ["tree"] else "" for head in heads]


def _contents(top: Path, ids: Sequence[str]) -> Iterator[bytes]:
    known = objects.read(top, ids, _QUIET) if len(ids) <= objects.FEW else None
    if known is not None:
        yield from (data or b"" for data in known)
        return
    out = git(top, "cat-file", "--batch", stdin="".join(f"{name}\n" for name in ids).encode()).out if ids else b""
    at = 0
    for _ in ids:
        end = out.index(b"\n", at)
        size = int(out[at:end].rsplit(b" ", 1)[-1])
        yield out[end + 1 : end + 1 + size]
        at = end + 1 + size + 1


def files_at(top: Path, revision: str, *prefixes: str) -> dict[str, str]:
    """Text files below some paths as a commit holds them; links and submodules are left out."""
    start = commit_at(top, revision) or revision
    kept = [(name, path) for mode, name, path in _listed_at(top, start, prefixes) if mode.startswith("100")]
    contents = blobs(top, [name for name, _ in kept])
    return {path: (data or b"").decode("utf-8", "replace") for (_, path), data in zip(kept, contents, strict=True)}


_Listed = list[tuple[str, str, str]]  # mode, id and path
_LISTINGS: dict[tuple[Path, str, tuple[str, ...]], _Listed] = {}  # of folders in commits, which never change
_MOST_LISTINGS = 8


def _listed_at(top: Path, commit: str, prefixes: Sequence[str]) -> _Listed:
    """What a commit holds below some paths: single files out of their trees, folders as git lists them."""
    found, folders = _Listed(), list[str]()
    for path in prefixes:
        above, _, name = path.rpartition("/")
        lines = objects.tree(top, f"{commit}:{above}", _QUIET) if name else None
        one = None if lines is None else next((line for line in lines if line.name == name), None)
        if lines is None or (one and one.mode == "40000"):
            folders.append(path)
        elif one:
            found.append((one.mode, one.id, path))
    if folders or not prefixes:
        key = common_dir(top), commit, tuple(folders)
        if key not in _LISTINGS:
            while len(_LISTINGS) >= _MOST_LISTINGS:
                _LISTINGS.pop(next(iter(_LISTINGS)))
            _LISTINGS[key] = _ls_tree(top, commit, folders)
        found += _LISTINGS[key]
    return sorted(set(found), key=lambda one: one[2])


def _ls_tree(top: Path, commit: str, paths: Sequence[str]) -> _Listed:
    entries = must(top, "ls-tree", "-r", "-z", commit, "--", *paths).split("\0")
    split = [entry.split("\t", 1) for entry in entries if entry]
    return [(meta.split()[0], meta.split()[2], path) for meta, path in split]


def files_in_index(top: Path, *prefixes: str) -> dict[str, str]:
    """Text files below some paths as the index holds them."""
    if not prefixes:
        return {}
    kept = [one for one in _in_index(top, prefixes) if one.mode.startswith("100")]
    contents = blobs(top, [one.id for one in kept])
    return {one.path: (data or b"").decode("utf-8", "replace") for one, data in zip(kept, contents, strict=True)}


@dataclass(frozen=True, slots=True)
class _Indexed:
    """One entry of the index."""

    tag: str  # "S" is left out of a sparse checkout; in lower case git was told not to look at it
    mode: str
    id: str
    path: str


_INDEXES: dict[Path, tuple[tuple[int, ...], dict[str, list[_Indexed]]]] = {}  # index -> its stamp, what was listed


def _entry(line: str) -> _Indexed:
    meta, _, path = line.partition("\t")
    tag, mode, blob = meta.split()[:3]
    return _Indexed(tag, mode, blob, path)


def _in_index(top: Path, prefixes: Sequence[str]) -> list[_Indexed]:
    """What the index holds at and below some paths; asked of git once for as long as nobody writes it."""
    index = _path(top, "index")
    stamp = _stamp(index)
    then, known = _INDEXES.get(index, ((), {}))
    if then != stamp or not stamp:
        known = {}
    asked = [path for path in prefixes if not any(_below(path, above) for above in known)]
    if asked:
        entries = must(top, "ls-files", "-v", "-s", "-z", "--", *asked).split("\0")
        listed = [_entry(entry) for entry in entries if entry]
        known |= {above: [one for one in listed if _below(one.path, above)] for above in asked}
        _INDEXES.clear()
        _INDEXES[index] = stamp, known
    found = [one for path in prefixes for one in _covering(path, known) if _below(one.path, path)]
    return list(dict.fromkeys(sorted(found, key=lambda one: one.path)))


def _covering(path: str, known: Mapping[str, list[_Indexed]]) -> list[_Indexed]:
    return next((listed for above, listed in known.items() if _below(path, above)), [])


def _below(path: str, above: str) -> bool:
    return path == above or path.startswith(f"{above}/")


def _stamp(path: Path) -> tuple[int, ...]:
    try:
        found = path.stat()
    except OSError:
        return ()
    return found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns


def unsettled(top: Path) -> str:
    """The operation that is under way, such as "merge", or ""."""
    return next((what for name, what in _UNSETTLED.items() if _path(top, name).exists()), "")


def index_locked(top: Path) -> bool:
    """Whether another git writes the index, or a killed one left its lock."""
    return _path(top, "index.lock").exists()


def merging(top: Path) -> tuple[str, ...]:
    """The commits that are being merged into HEAD: several where an octopus is made, none where no merge is."""
    # of the worktree whose index it is; rev-parse MERGE_HEAD would tell the first alone
    path = _path(top, "MERGE_HEAD")
    return tuple(path.read_text("ascii", "replace").split()) if path.is_file() else ()


@dataclass(frozen=True, slots=True)
class Blob:
    """A file to be committed; ``data`` None removes it."""

    path: str
    data: bytes | None
    executable: bool = False


def make_commit(top: Path, files: Iterable[Blob], message: str, on: str = "HEAD") -> str:
    """A commit on top of another that changes these files and nothing else; no branch moves yet.

    It is built beside the person's index and work tree, so nothing of theirs can be swept in, and a kill leaves
    only loose objects behind. So no hook of theirs runs: pre-commit would judge the index, and what is committed here
    is what rulec itself has proved. It is signed where they sign all commits (commit.gpgsign).
    """
    parent = commit_at(top, on) or ""
    index = _state(common_dir(top)) / f"index.{os.getpid()}"
    environment = {"GIT_INDEX_FILE": str(index)}
    try:
        must(top, "read-tree", parent or empty_tree(top), environment=environment)
        must(top, "update-index", "-z", "--index-info", stdin=index_lines(top, files), environment=environment)
        tree = must(top, "write-tree", environment=environment).strip()
    finally:
        index.unlink(missing_ok=True)
    return _commit_tree(top, tree, parent, message)


def _commit_tree(top: Path, tree: str, parent: str, message: str) -> str:
    sign = ["-S"] if git(top, "config", "--type=bool", "commit.gpgsign").text.strip() == "true" else []
    parents = ["-p", parent] if parent else []
    argv = ("-c", "i18n.commitEncoding=UTF-8", "commit-tree", *sign, *parents, tree)
    done = git(top, *argv, stdin=message.encode("utf-8", "replace"))
    if done.code:
        cure = "see git config user.signingkey and gpg.format" if sign else "see git config user.name and user.email"
        whole = " ".join(done.err.decode("utf-8", "replace").split())  # who signs tells why before git does
        short = whole if len(whole) <= _LONGEST else f"{whole[:_LONGEST].rpartition(' ')[0]} ..."
        told = short if sign else done.said.removeprefix("fatal: ")
        raise RulecError(f"git made no {'signed ' * bool(sign)}commit: {told}", where=str(top), hint=cure)
    return done.text.strip()


def index_lines(top: Path, files: Iterable[Blob]) -> bytes:
    """What update-index --index-info reads, with the contents stored as objects."""
    files = list(files)
    names = iter(_store(top, [file.data for file in files if file.data is not None]))
    gone = "0" * len(empty_tree(top)) if any(file.data is None for file in files) else ""
    lines = []
    for file in files:
        mode = "0" if file.data is None else "100755" if file.executable else "100644"
        lines.append(f"{mode} {gone if file.data is None else next(names)}\t{file.path}\0")
    return "".join(lines).encode("utf-8", "surrogateescape")


# The ids of the last contents, by their repository: what is committed is what the index shall hold.
_STORED: dict[tuple[tuple[object, ...], bytes], str] = {}
_MOST_STORED = 10_000


def _store(top: Path, contents: Sequence[bytes]) -> list[str]:
    """The ids of contents as objects, in their order; those that are not stored yet are, by one process."""
    common = common_dir(top)
    here = (str(common), *_stamp(common / "config"))  # another repository may come to stand at the same place
    keys = [(here, hashlib.sha256(data).digest()) for data in contents]
    new = {key: data for key, data in zip(keys, contents, strict=True) if key not in _STORED}
    if len(_STORED) + len(new) > _MOST_STORED:
        _STORED.clear()
        new = dict(zip(keys, contents, strict=True))
    if new:
        _STORED.update(zip(new, _written(top, common, list(new.values())), strict=True))
    return [_STORED[key] for key in keys]


def _written(top: Path, common: Path, contents: Sequence[bytes]) -> list[str]:
    if len(contents) == 1 or "\n" in str(common):
        return [must(top, "hash-object", "-w", "--stdin", stdin=data).strip() for data in contents]
    with tempfile.TemporaryDirectory(prefix="objects-", dir=_state(common)) as folder:
        places = [Path(folder, str(number)) for number in range(len(contents))]
        for place, data in zip(places, contents, strict=True):
            place.write_bytes(data)
        asked = "".join(f"{place}\n" for place in places).encode("utf-8", "surrogateescape")
        return must(top, "hash-object", "-w", "--no-filters", "--stdin-paths", stdin=asked).split()


def _state(common: Path) -> Path:
    folder = common / "rulec"
    folder.mkdir(exist_ok=True)
    return folder


def move(top: Path, ref: str, new: str, old: str | None) -> None:
    """Let a branch, or HEAD and with it its branch, name the new commit, if nobody moved it meanwhile."""
    must(top, "update-ref", "-m", "rulec: rulebook", ref, new, old or "0" * len(new))


def stage(top: Path, files: Iterable[Blob]) -> None:
    """Make the person's index hold these files, so that git status is clean about them; all else in it stays."""
    blobs = list(files)
    if not blobs:
        return
    hidden = _hidden(top, [file.path for file in blobs])
    lines = index_lines(top, blobs)
    for _ in range(_PATIENCE):
        done = git(top, "update-index", "-z", "--index-info", stdin=lines)
        if not done.code or b"index.lock" not in done.err:
            break
        time.sleep(0.1)
    if done.code:
        hint = "let the other git end, then run rulec compile: it brings the index up to date"
        raise RulecError(f"committed, but the index could not be written: {done.said}", where=str(top), hint=hint)
    for flag, paths in hidden.items():
        git(top, "update-index", flag, "-z", "--stdin", stdin="".join(f"{path}\0" for path in paths).encode())
    git(top, "update-index", "-q", "--refresh")


def _hidden(top: Path, paths: Sequence[str]) -> dict[str, list[str]]:
    """Which of some paths git was told not to look at in the work tree, by the option that says so."""
    found: dict[str, list[str]] = {"--skip-worktree": [], "--assume-unchanged": []}
    for entry in _in_index(top, paths):
        if entry.tag in ("S", "s"):
            found["--skip-worktree"].append(entry.path)
        if entry.tag.islower():
            found["--assume-unchanged"].append(entry.path)
    return {flag: names for flag, names in found.items() if names}


def not_here(top: Path, *prefixes: str) -> list[str]:
    """Tracked paths that a sparse checkout leaves out of the work tree."""
    left_out = (entry.path for entry in _in_index(top, prefixes) if entry.tag in ("S", "s"))
    return [path for path in left_out if not (top / path).exists()]
