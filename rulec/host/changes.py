"""git's view of what is being judged, as a Change: staged content, a range of commits, or files at hand."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from itertools import pairwise
from pathlib import Path

from rulec.errors import RulecError
from rulec.host import bases, git, rawdiff
from rulec.host.rawdiff import Entry, mark_of, read_raw
from rulec.model.change import Change, FileChange, Tree
from rulec.runtime import filekinds

LARGEST = rawdiff.LARGEST
LARGEST_CODE = 4 * LARGEST
_HEAD = 8_000  # bytes by which git tells what is binary
_HUNK = re.compile(rb"^@@ -\S+ \+(\d+)(?:,(\d+))? @@", re.MULTILINE)
_SECTION = re.compile(rb"^diff --git ", re.MULTILINE)
_PLAIN = ("100644", "100755")
_INDEX = ("diff-index", "--cached", "--ita-invisible-in-index")  # `git add -N` stages no content yet
SHAPE = (
    "-z", "--raw", "-p", "-U0", "-M", "--text", "--no-color", "--no-ext-diff", "--no-textconv", "--full-index",
)  # fmt: skip


def staged(top: Path) -> Change:
    """What the next commit would change, as the index holds it; the work tree is not looked at."""
    change = _diff(top, [*_INDEX, git.head(top) or git.empty_tree(top)])
    merging = git.merging(top)
    for theirs in merging:
        change = own(change, _diff(top, [*_INDEX, theirs]))
    # what a merge only passes on was not looked at here: its mark is not that of the same change made in one commit
    mark = rawdiff.judged(change.mark, " ".join(sorted(merging)))
    return replace(change, mark=mark, tree=_tree(top, "", ["ls-files", "-z", "--cached"]))


def own(change: Change, other: Change) -> Change:
    """What a merge adds to both sides: what either brings was judged where it was committed, and is in CI."""
    known = {file.path: file.added for file in other.files}
    return replace(
        change,
        files=tuple(
            replace(file, added=_both(file.added, known[file.path])) for file in change.files if file.path in known
        ),
    )


def _both(
    ours: tuple[tuple[int, int], ...] | None, theirs: tuple[tuple[int, int], ...] | None
) -> tuple[tuple[int, int], ...] | None:
    if ours is None or theirs is None:
        return theirs if ours is None else ours
    lines = {number for first, last in theirs for number in range(first, last + 1)}
    return tuple((n, n) for first, last in ours for n in range(first, last + 1) if n in lines)


def since(top: Path, base: str) -> Change:
    """What HEAD changed since it left a base revision."""
    return between(top, bases.start(top, bases.commit(top, base)), "HEAD")


def between(top: Path, start: str, end: str) -> Change:
    """What one commit or tree holds that another does not."""
    change = _diff(top, ["diff-tree", "-r", start, end])
    return replace(change, tree=tree_at(top, end))


def tree_of_head(top: Path) -> Tree | None:
    """What the last commit holds."""
    return tree_at(top, "HEAD") if git.head(top) else None


def tree_at(top: Path, revision: str) -> Tree:
    """What a commit holds."""
    return _tree(top, revision, ["ls-tree", "-r", "-z", "--name-only", revision])


def _tree(top: Path, revision: str, listing: Sequence[str]) -> Tree:
    """Everything that stands there, listed once and read file by file."""

    @cache
    def paths() -> frozenset[str]:
        return frozenset(path for path in git.must(top, *listing).split("\0") if path)

    @cache
    def read(path: str) -> str | None:
        content = git.blobs(top, [f"{revision}:{path}"], LARGEST)[0] if "\n" not in path else None
        return None if content is None else content.decode("utf-8", "replace")

    return Tree(paths, read)


def _diff(top: Path, how: Sequence[str]) -> Change:
    command, *revisions = how
    out = git.git(top, command, *SHAPE, *revisions)
    if out.code:
        raise RulecError(f"git {command} failed: {out.said}", where=str(top), hint="settle that in git, then try again")
    entries, end = read_raw(out.out)
    new, old = (_read(top, entries, [getattr(e, side) for e in entries]) for side in ("new", "old"))
    change = with_contents(entries, out.out[end + 1 :], new, old)
    return replace(change, files=tuple(_sized(top, *pair) for pair in zip(change.files, entries, strict=True)))


def _read(top: Path, entries: Sequence[Entry], names: Sequence[str]) -> list[bytes | None]:
    """The contents; large ones of code too, which has lines to judge, where pictures and data have none."""
    found = git.blobs(top, names, LARGEST)
    code = [
        n for n, data in enumerate(found) if data is None and names[n].strip("0") and filekinds.code(entries[n].path)
    ]
    for n, data in zip(code, git.blobs(top, [names[n] for n in code], LARGEST_CODE), strict=True):
        found[n] = None if data is None or binary(data) else data
    return found


def _sized(top: Path, file: FileChange, entry: Entry) -> FileChange:
    """The file, marked where its code is new and too much to be read; what is binary has no lines to judge."""
    plain = file.content is None and entry.mode in _PLAIN and entry.new != entry.old
    large = plain and filekinds.code(file.path) and not binary(git.git(top, "cat-file", "blob", entry.new).out)
    return replace(file, large=True) if large else file


def binary(content: bytes) -> bool:
    """Whether git would call it binary."""
    return b"\0" in content[:_HEAD]


def with_contents(
    entries: Sequence[Entry], patch: bytes, new: Sequence[bytes | None], old: Sequence[bytes | None]
) -> Change:
    """What git lists as changed, with the contents after and before, and the lines that a patch adds."""
    sections = _sections(patch)
    files = []
    for entry, content, base in zip(entries, new, old, strict=True):
        hunks = next(sections, b"")
        if entry.status == "T":  # git shows a change of type as a removal and an addition
            hunks = next(sections, b"")
        files.append(
            FileChange(
                path=entry.path,
                status=entry.status,
                content=content if entry.mode in _PLAIN else None,
                # A renamed file has rules of its new name: all of it is looked at as new.
                added=tuple(_added(hunks)) if entry.status == "M" else None,
                base=base,
                old_path=entry.old_path,
                stilled=(entry.before, entry.mode) == ("100755", "100644"),
            )
        )
    return Change(files=tuple(files), mark=mark_of(entries))


def _sections(patch: bytes) -> Iterator[bytes]:
    starts = [match.start() for match in _SECTION.finditer(patch)]
    return iter([patch[a:b] for a, b in pairwise([*starts, len(patch)])])


def _added(hunks: bytes) -> Iterator[tuple[int, int]]:
    for match in _HUNK.finditer(hunks):
        first, count = int(match[1]), int(match[2]) if match[2] is not None else 1
        if count:
            yield first, first + count - 1


def at_work(top: Path, paths: Sequence[str]) -> Change:
    """What some files of the work tree hold beyond the last commit; of one that git does not know every line is new."""
    named = ["--", *dict.fromkeys(paths)]
    out = git.git(top, "diff-index", *SHAPE, git.head(top) or git.empty_tree(top), *named)
    if out.code:
        raise RulecError(
            f"git diff-index failed: {out.said}", where=str(top), hint="settle that in git, then try again"
        )
    entries, end = read_raw(out.out)
    old = _read(top, entries, [entry.old for entry in entries])
    known = with_contents(entries, out.out[end + 1 :], [_content(top / entry.path) for entry in entries], old)
    new = [
        path for path in git.must(top, "ls-files", "-z", "--others", "--exclude-standard", *named).split("\0") if path
    ]
    return Change(files=(*known.files, *(_found(top, path) for path in new)))


def at_hand(top: Path, paths: Sequence[str]) -> Change:
    """Files as they stand in the work tree, every line of them new; folders give the files git knows below them."""
    known = git.tracked(top)
    wanted: list[str] = []
    for path in paths:
        full = (Path.cwd() / path).resolve() if not Path(path).is_absolute() else Path(path)
        if not full.is_relative_to(top):
            raise RulecError("lies outside the repository", where=path, hint=f"name files below {top}")
        inside = full.relative_to(top).as_posix()
        if full.is_dir():
            wanted += [p for p in known if inside == "." or p.startswith(f"{inside}/")]
        elif full.is_file():
            wanted.append(inside)
        else:
            raise RulecError("no such file", where=path, hint="name files or folders that exist, or use --all")
    files = (_found(top, path) for path in dict.fromkeys(wanted))
    return Change(files=tuple(files))


def _found(top: Path, path: str) -> FileChange:
    full = top / path
    content = _content(full)
    if content is None and filekinds.code(path) and full.is_file() and not full.is_symlink():
        with full.open("rb") as file:
            data = file.read(LARGEST_CODE + 1)
        large = len(data) > LARGEST_CODE
        return FileChange(path=path, content=None if large or binary(data) else data, large=large and not binary(data))
    return FileChange(path=path, content=content)


def _content(path: Path) -> bytes | None:
    plain = path.is_file() and not path.is_symlink() and path.stat().st_size <= LARGEST
    return path.read_bytes() if plain else None
