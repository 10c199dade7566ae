"""The contents of commits and of the index: blobs, trees, text files, tracked paths."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from rulec.infra.git.git_session import (
    git_output,
    is_sparse_checkout,
    list_tree,
    look_up_objects,
    object_reader,
    read_objects,
    run_git,
)


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


def paths_at_commit(top: Path, revision: str, *paths: str) -> list[str]:
    """The paths of files at and below some paths as a commit or tree holds them, sorted."""
    with object_reader(top) as read:
        return [entry.path for entry in list_tree(top, read, revision, *paths) if not entry.is_folder]


def tracked_paths(top: Path) -> tuple[str, ...]:
    """Tracked paths, and new ones that are not ignored."""
    out = git_output(top, "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--deduplicate")
    return tuple(path for path in out.split("\0") if path)


def read_blobs(top: Path, names: Sequence[str], largest: int | None = None) -> list[bytes | None]:
    """The contents of blobs, in order; None for those that are missing, no blobs, or larger than ``largest`` bytes."""
    return [
        one.data if one and one.kind == "blob" and one.size <= (largest or one.size) else None
        for one in read_objects(top, names, largest)
    ]


def blob_sizes(top: Path, names: Sequence[str]) -> list[int]:
    """The lengths of blobs in bytes, in order; -1 for those that are missing or no blobs."""
    return [one.size if one and one.kind == "blob" else -1 for one in look_up_objects(top, names)]


def tree_ids(top: Path, names: Sequence[str]) -> list[str]:
    """The ids of trees that some names stand for, in order; "" for those that stand for none."""
    return [found.id if found and found.kind == "tree" else "" for found in look_up_objects(top, names)]


def files_at_commit(top: Path, revision: str, *paths: str) -> dict[str, str]:
    """Text files at and below some paths as a commit or tree holds them; links and submodules are left out."""
    if not paths:
        return {}
    with object_reader(top) as read:
        kept = [entry for entry in list_tree(top, read, revision, *paths) if entry.is_file]
        contents = read([entry.id for entry in kept], None)
    return {
        entry.path: (found.data if found else b"").decode("utf-8", "replace")
        for entry, found in zip(kept, contents, strict=True)
    }


def texts_of_commit(
    top: Path, revision: str | None, *prefixes: str
) -> tuple[dict[str, str], Callable[[Iterable[str]], dict[str, str]]]:
    """The text files of a commit at and below some paths, and what gives the texts of these and of other paths.

    Without a commit there are none.
    """
    asked = list(prefixes)
    known = files_at_commit(top, revision, *prefixes) if revision else {}

    def texts(paths: Iterable[str]) -> dict[str, str]:
        wanted = list(paths)
        new = [path for path in wanted if not any(path == one or path.startswith(f"{one}/") for one in asked)]
        if new and revision:
            known.update(files_at_commit(top, revision, *new))
            asked.extend(new)
        return {path: known[path] for path in wanted if path in known}

    return dict(known), texts


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


def _parse_index_entry(line: str) -> IndexEntry:
    meta, _, path = line.partition("\t")
    tag, mode, blob = meta.split()[:3]
    return IndexEntry(tag, mode, blob, path)


def _index_entries(top: Path, prefixes: Sequence[str]) -> list[IndexEntry]:
    """The index entries at and below some paths."""
    entries = git_output(top, "ls-files", "-v", "-s", "-z", "--", *prefixes).split("\0")
    return [_parse_index_entry(entry) for entry in entries if entry]


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
    if not is_sparse_checkout(top):
        return []
    left_out = (entry.path for entry in _index_entries(top, prefixes) if entry.tag in ("S", "s"))
    return [path for path in left_out if not (top / path).exists()]


def files_holding(top: Path, text: str) -> list[str]:
    """Tracked text files of the work tree that contain a text."""
    out = run_git(top, "grep", "-l", "-z", "-I", "-F", "-e", text, "--").text
    return [path for path in out.split("\0") if path]
