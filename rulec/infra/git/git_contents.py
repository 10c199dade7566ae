"""What a commit and the index hold: blobs, trees, text files, the paths that git knows."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from rulec.infra.git import git_session
from rulec.infra.git.git_session import GIT_ENVIRONMENT, common_dir, find_commit, git_output, git_path


def edited_paths(top: Path, *paths: str) -> list[str]:
    """Those paths below the given ones whose work tree or index differs from HEAD."""
    entries = git_output(
        top, "status", "--porcelain", "-z", "--no-renames", "--untracked-files=all", "--", *paths
    ).split("\0")
    return [entry[3:] for entry in entries if entry]


def tracked_paths(top: Path) -> tuple[str, ...]:
    """Tracked paths and new ones that are not ignored."""
    out = git_output(top, "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--deduplicate")
    return tuple(path for path in out.split("\0") if path)


def empty_tree_id(top: Path) -> str:
    """The id of a tree without files, in the repository's own hash."""
    return git_output(top, "hash-object", "-t", "tree", "--stdin").strip()


def read_blobs(top: Path, ids: Sequence[str], largest: int | None = None) -> list[bytes | None]:
    """The contents of objects, in order; None for those that are missing, no blobs, or larger than asked for."""
    if not ids:
        return []
    wanted = [size >= 0 and (largest is None or size <= largest) for size in blob_sizes(top, ids)]
    names = [name for name, yes in zip(ids, wanted, strict=True) if yes]
    contents = iter(_read_known_blobs(top, names))
    return [next(contents) if yes else None for yes in wanted]


def blob_sizes(top: Path, ids: Sequence[str]) -> list[int]:
    """The lengths of blobs in bytes, in order; -1 for those that are missing or no blobs."""
    if not ids:
        return []
    found = git_session.look_up_objects(top, ids, GIT_ENVIRONMENT) if len(ids) <= git_session.FEW_OBJECTS else None
    if found is not None:
        return [one.size if one and one.kind == "blob" else -1 for one in found]
    asked = "".join(f"{name}\n" for name in ids).encode()
    heads = (
        line.split(b" ") for line in git_session.run_git(top, "cat-file", "--batch-check", stdin=asked).out.splitlines()
    )
    return [int(head[2]) if head[1:2] == [b"blob"] else -1 for head in heads]


def tree_ids(top: Path, names: Sequence[str]) -> list[str]:
    """The ids of trees that some names stand for, in order; "" for those that stand for none."""
    found = git_session.look_up_objects(top, names, GIT_ENVIRONMENT) if len(names) <= git_session.FEW_OBJECTS else None
    if found is not None:
        return [one.id if one and one.kind == "tree" else "" for one in found]
    asked = "".join(f"{name}\n" for name in names).encode()
    heads = (
        line.split() for line in git_session.run_git(top, "cat-file", "--batch-check", stdin=asked).text.splitlines()
    )
    return [head[0] if head[1:2] == ["tree"] else "" for head in heads]


def _read_known_blobs(top: Path, ids: Sequence[str]) -> Iterator[bytes]:
    known = git_session.read_objects(top, ids, GIT_ENVIRONMENT) if len(ids) <= git_session.FEW_OBJECTS else None
    if known is not None:
        yield from (data or b"" for data in known)
        return
    out = (
        git_session.run_git(top, "cat-file", "--batch", stdin="".join(f"{name}\n" for name in ids).encode()).out
        if ids
        else b""
    )
    at = 0
    for _ in ids:
        end = out.index(b"\n", at)
        size = int(out[at:end].rsplit(b" ", 1)[-1])
        yield out[end + 1 : end + 1 + size]
        at = end + 1 + size + 1


def files_at_commit(top: Path, revision: str, *prefixes: str) -> dict[str, str]:
    """Text files below some paths as a commit holds them; links and submodules are left out."""
    start = find_commit(top, revision) or revision
    kept = [(name, path) for mode, name, path in _listed_at(top, start, prefixes) if mode.startswith("100")]
    contents = read_blobs(top, [name for name, _ in kept])
    return {path: (data or b"").decode("utf-8", "replace") for (_, path), data in zip(kept, contents, strict=True)}


_Listed = list[tuple[str, str, str]]  # mode, id and path
_LISTINGS: dict[tuple[Path, str, tuple[str, ...]], _Listed] = {}  # of folders in commits, which never change
_MOST_LISTINGS = 8


def _listed_at(top: Path, commit: str, prefixes: Sequence[str]) -> _Listed:
    """What a commit holds below some paths: single files out of their trees, folders as git lists them."""
    found, folders = _Listed(), list[str]()
    for path in prefixes:
        above, _, name = path.rpartition("/")
        lines = git_session.read_tree(top, f"{commit}:{above}", GIT_ENVIRONMENT) if name else None
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
    entries = git_output(top, "ls-tree", "-r", "-z", commit, "--", *paths).split("\0")
    split = [entry.split("\t", 1) for entry in entries if entry]
    return [(meta.split()[0], meta.split()[2], path) for meta, path in split]


def files_in_index(top: Path, *prefixes: str) -> dict[str, str]:
    """Text files below some paths as the index holds them."""
    if not prefixes:
        return {}
    kept = [one for one in _index_entries(top, prefixes) if one.mode.startswith("100")]
    contents = read_blobs(top, [one.id for one in kept])
    return {one.path: (data or b"").decode("utf-8", "replace") for one, data in zip(kept, contents, strict=True)}


@dataclass(frozen=True, slots=True)
class IndexEntry:
    """One entry of the index."""

    tag: str  # "S" is left out of a sparse checkout; in lower case git was told not to look at it
    mode: str
    id: str
    path: str


_INDEXES: dict[Path, tuple[tuple[int, ...], dict[str, list[IndexEntry]]]] = {}  # index -> its stamp, what was listed


def _parse_index_entry(line: str) -> IndexEntry:
    meta, _, path = line.partition("\t")
    tag, mode, blob = meta.split()[:3]
    return IndexEntry(tag, mode, blob, path)


def _index_entries(top: Path, prefixes: Sequence[str]) -> list[IndexEntry]:
    """What the index holds at and below some paths; asked of git once for as long as nobody writes it."""
    index = git_path(top, "index")
    stamp = file_stamp(index)
    then, known = _INDEXES.get(index, ((), {}))
    if then != stamp or not stamp:
        known = {}
    asked = [path for path in prefixes if not any(_is_below(path, above) for above in known)]
    if asked:
        entries = git_output(top, "ls-files", "-v", "-s", "-z", "--", *asked).split("\0")
        listed = [_parse_index_entry(entry) for entry in entries if entry]
        known |= {above: [one for one in listed if _is_below(one.path, above)] for above in asked}
        _INDEXES.clear()
        _INDEXES[index] = stamp, known
    found = [one for path in prefixes for one in _covering(path, known) if _is_below(one.path, path)]
    return list(dict.fromkeys(sorted(found, key=lambda one: one.path)))


def _covering(path: str, known: Mapping[str, list[IndexEntry]]) -> list[IndexEntry]:
    return next((listed for above, listed in known.items() if _is_below(path, above)), [])


def _is_below(path: str, above: str) -> bool:
    return path == above or path.startswith(f"{above}/")


def file_stamp(path: Path) -> tuple[int, ...]:
    try:
        found = path.stat()
    except OSError:
        return ()
    return found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns


def hidden_paths(top: Path, paths: Sequence[str]) -> dict[str, list[str]]:
    """Which of some paths git was told not to look at in the work tree, by the option that says so."""
    found: dict[str, list[str]] = {"--skip-worktree": [], "--assume-unchanged": []}
    for entry in _index_entries(top, paths):
        if entry.tag in ("S", "s"):
            found["--skip-worktree"].append(entry.path)
        if entry.tag.islower():
            found["--assume-unchanged"].append(entry.path)
    return {flag: names for flag, names in found.items() if names}


def sparse_paths(top: Path, *prefixes: str) -> list[str]:
    """Tracked paths that a sparse checkout leaves out of the work tree."""
    left_out = (entry.path for entry in _index_entries(top, prefixes) if entry.tag in ("S", "s"))
    return [path for path in left_out if not (top / path).exists()]


def files_holding(top: Path, text: str) -> list[str]:
    """Tracked text files of the work tree that hold a text."""
    out = git_session.run_git(top, "grep", "-l", "-z", "-I", "-F", "-e", text, "--").text
    return [path for path in out.split("\0") if path]
