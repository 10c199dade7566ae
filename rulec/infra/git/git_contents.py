"""The contents of commits and of the index: blobs, trees, text files, tracked paths."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from rulec.infra.git import git_session
from rulec.infra.git.git_objects import TreeEntry, look_up_objects, read_objects, read_trees
from rulec.infra.git.git_session import file_stamp, find_commit, git_output, git_path


def edited_paths(top: Path, *paths: str) -> list[str]:
    """The paths below the given ones that differ from HEAD in the work tree or the index."""
    entries = git_output(
        top, "status", "--porcelain", "-z", "--no-renames", "--untracked-files=all", "--", *paths
    ).split("\0")
    return [entry[3:] for entry in entries if entry]


def differing_paths(top: Path, first: str, last: str, folder: str) -> list[str]:
    """The paths below a folder that differ between two commits; for a ``last`` of "" all that may, in the work tree."""
    how = ("diff-tree", "-r") if last else ("diff-index",)
    out = git_output(top, *how, "-z", "--name-only", "--no-renames", first, *filter(None, [last]), "--", folder)
    out += "" if last else git_output(top, "ls-files", "-z", "--others", "--", folder)
    return [path for path in out.split("\0") if path]


def paths_at_commit(top: Path, revision: str, *prefixes: str) -> list[str]:
    """The paths at and below some paths as a commit or tree holds them."""
    return [path for path, _ in _entries_at(top, find_commit(top, revision) or revision, prefixes)]


def tracked_paths(top: Path) -> tuple[str, ...]:
    """Tracked paths, and new ones that are not ignored."""
    out = git_output(top, "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--deduplicate")
    return tuple(path for path in out.split("\0") if path)


def read_blobs(top: Path, names: Sequence[str], largest: int | None = None) -> list[bytes | None]:
    """The contents of blobs, in order; None for those that are missing, no blobs, or larger than ``largest`` bytes."""
    wanted = [name for name, size in zip(names, blob_sizes(top, names), strict=True) if 0 <= size <= (largest or size)]
    contents = dict(zip(wanted, read_objects(top, wanted, _index_stamp(top, wanted)), strict=True))
    return [contents.get(name) for name in names]


def blob_sizes(top: Path, names: Sequence[str]) -> list[int]:
    """The lengths of blobs in bytes, in order; -1 for those that are missing or no blobs."""
    found = look_up_objects(top, names, _index_stamp(top, names))
    return [one.size if one and one.kind == "blob" else -1 for one in found]


def _index_stamp(top: Path, names: Sequence[str]) -> tuple[int, ...]:
    """The stamp of the index where a name is that of a file in it."""
    return file_stamp(git_path(top, "index")) if any(name.startswith(":") for name in names) else ()


def tree_ids(top: Path, names: Sequence[str]) -> list[str]:
    """The ids of trees that some names stand for, in order; "" for those that stand for none."""
    return [found.id if found and found.kind == "tree" else "" for found in look_up_objects(top, names)]


def files_at_commit(top: Path, revision: str, *prefixes: str) -> dict[str, str]:
    """Text files at and below some paths as a commit or tree holds them; links and submodules are left out."""
    start = find_commit(top, revision) or revision
    kept = {path: entry.id for path, entry in _entries_at(top, start, prefixes) if entry.mode.startswith("100")}
    contents = read_blobs(top, list(kept.values()))
    return {path: (data or b"").decode("utf-8", "replace") for path, data in zip(kept, contents, strict=True)}


def _entries_at(top: Path, commit: str, prefixes: Sequence[str]) -> list[tuple[str, TreeEntry]]:
    """Each path at and below some paths with its entry, sorted: walked by the ids of trees, which are read once."""
    (root,) = read_trees(top, [f"{commit}^{{tree}}"])
    found: dict[str, TreeEntry] = {}
    waiting = [(path, entry) for path in prefixes if (entry := _entry_at(top, root, path))]
    while waiting:
        found.update((path, entry) for path, entry in waiting if not entry.is_tree)
        folders = [(path, entry) for path, entry in waiting if entry.is_tree]
        inside = read_trees(top, [entry.id for _, entry in folders])
        pairs = zip(folders, inside, strict=True)
        waiting = [(f"{path}/{entry.name}", entry) for (path, _), entries in pairs for entry in entries]
    return sorted(found.items())


def _entry_at(top: Path, root: Sequence[TreeEntry], path: str) -> TreeEntry | None:
    folder, _, rest = path.partition("/")
    entry = next((entry for entry in root if entry.name == folder), None)
    if entry is None or not rest:
        return entry
    return _entry_at(top, read_trees(top, [entry.id])[0], rest) if entry.is_tree else None


def files_in_index(top: Path, *prefixes: str) -> dict[str, str]:
    """Text files at and below some paths as the index holds them."""
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
    """The index entries at and below some paths; listed once until the index is written."""
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


def hidden_paths(top: Path, paths: Sequence[str]) -> dict[str, list[str]]:
    """The paths that git was told to ignore in the work tree, by the option that told it so."""
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
    """Tracked text files of the work tree that contain a text."""
    out = git_session.run_git(top, "grep", "-l", "-z", "-I", "-F", "-e", text, "--").text
    return [path for path in out.split("\0") if path]
