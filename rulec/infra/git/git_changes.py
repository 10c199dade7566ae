"""What is judged, as a Change: the staged content, a range of commits, files of the work tree, whole trees in parts."""

import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Literal

from rulec.domain.change import Change, FileChange, TreeAfterChange
from rulec.domain.files import file_kinds
from rulec.domain.rule import Example
from rulec.errors import RulecError
from rulec.infra.git import git_contents, git_session
from rulec.infra.git.git_refs import Range
from rulec.infra.git.git_session import GitObject, ReadObjects


class RawDiffEntry:
    """One line of git's raw diff."""

    __slots__ = ("before", "mode", "new", "old", "old_path", "path", "status")

    def __init__(self, meta: str, paths: list[str]) -> None:
        self.before, self.mode, self.old, self.new, status = meta.split(" ")
        self.old_path, self.path = paths[0], paths[-1]
        self.status: Literal["A", "M", "D", "R", "T"] = _STATUS.get(status[0], "A")


# A copy is a new file, too.
_STATUS: dict[str, Literal["M", "D", "R", "T"]] = {"M": "M", "D": "D", "R": "R", "T": "T"}


LARGEST_READ = 2_000_000  # bytes; a larger file is counted, not read, but for code,
LARGEST_CODE = 4 * LARGEST_READ  # which has lines to judge, where pictures and data have none
_HUNK = re.compile(rb"^@@ -\S+ \+(\d+)(?:,(\d+))? @@", re.MULTILINE)
_SECTION = re.compile(rb"^diff --git ", re.MULTILINE)
_PLAIN = ("100644", "100755")
_DIFF_OF_INDEX = ("diff-index", "--cached", "--ita-invisible-in-index")  # `git add -N` stages no content yet
Objects = Mapping[str, GitObject | None]
DIFF_OPTIONS = (
    "-z", "--raw", "-p", "-U0", "-M", "--text", "--no-color", "--no-ext-diff", "--no-textconv", "--full-index",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class FolderAtHead:
    """The text files of the last commit in a folder, and the id of its tree; "" where there is none."""

    tree: str
    files: Mapping[str, str]


def staged_beside(top: Path, folder: str) -> tuple[Change, FolderAtHead]:
    """What the next commit would change, and what HEAD has in a folder: read by one process."""
    with git_session.object_reader(top) as read:
        at_head = _folder_at_head(top, folder, read)
        return _staged(top, "HEAD" if at_head.tree else _head_or_empty(top), read), at_head


def _folder_at_head(top: Path, folder: str, read: ReadObjects) -> FolderAtHead:
    listed = git_session.list_tree(top, read, "HEAD", folder)
    tree = next((one.id for one in listed if one.path == folder and one.is_folder), "")
    kept = [one for one in listed if one.is_file]
    texts = zip(kept, read([one.id for one in kept], None), strict=True)
    return FolderAtHead(tree, {one.path: _text_of(found, one.path) for one, found in texts})


def _text_of(found: GitObject | None, path: str) -> str:
    if found is None:
        raise RulecError("cannot be read at HEAD", where=path, hint="run git fsck")
    return found.data.decode("utf-8", "replace")


def _staged(top: Path, head: str, read: ReadObjects) -> Change:
    """What the index changes of a commit."""
    change = _read_diff(top, [*_DIFF_OF_INDEX, head], read)
    merging = git_session.merge_heads(top)
    for theirs in merging:
        change = own_to_merge(change, _read_diff(top, [*_DIFF_OF_INDEX, theirs], read))
    # what a merge only passes on was not looked at here: its mark is not that of the same change made in one commit
    mark = mark_under_rules(change.mark, " ".join(sorted(merging)))
    return replace(change, mark=mark, tree=_lazy_tree(top, "", ["ls-files", "-z", "--cached"]))


def own_to_merge(change: Change, other: Change) -> Change:
    """What a merge adds to both sides: what either side brings was judged where it was committed."""
    known = {file.path: file.added for file in other.files}
    return replace(
        change,
        files=tuple(
            replace(file, added=_common_lines(file.added, known[file.path]))
            for file in change.files
            if file.path in known
        ),
    )


def _common_lines(
    ours: tuple[tuple[int, int], ...] | None, theirs: tuple[tuple[int, int], ...] | None
) -> tuple[tuple[int, int], ...] | None:
    if ours is None or theirs is None:
        return theirs if ours is None else ours
    lines = {number for first, last in theirs for number in range(first, last + 1)}
    return tuple((n, n) for first, last in ours for n in range(first, last + 1) if n in lines)


def change_since(top: Path, span: Range) -> Change:
    """What HEAD changed since it left a base."""
    return change_between(top, span.start, "HEAD")


def change_between(top: Path, start: str, end: str) -> Change:
    """What one commit or tree holds that another does not."""
    with git_session.object_reader(top) as read:
        change = _read_diff(top, ["diff-tree", "-r", start, end], read)
    return replace(change, tree=tree_at_commit(top, end))


def head_tree(top: Path) -> TreeAfterChange | None:
    """What the last commit holds."""
    return tree_at_commit(top, "HEAD") if git_session.head_commit(top) else None


def tree_at_commit(top: Path, revision: str) -> TreeAfterChange:
    """What a commit holds."""
    return _lazy_tree(top, revision, ["ls-tree", "-r", "-z", "--name-only", revision])


def _lazy_tree(top: Path, revision: str, listing: Sequence[str]) -> TreeAfterChange:
    """Everything that stands there, listed once and read file by file."""

    @cache
    def paths() -> frozenset[str]:
        return frozenset(path for path in git_session.git_output(top, *listing).split("\0") if path)

    @cache
    def read(path: str) -> str | None:
        content = git_contents.read_blobs(top, [f"{revision}:{path}"], LARGEST_READ)[0] if "\n" not in path else None
        return None if content is None else content.decode("utf-8", "replace")

    return TreeAfterChange(paths, read)


def _read_diff(top: Path, how: Sequence[str], read: ReadObjects) -> Change:
    entries, patch = _diff(top, how)
    names = list(dict.fromkeys(name for entry in entries for name in (entry.new, entry.old)))
    return _change_of(entries, patch, dict(zip(names, read(names, LARGEST_CODE), strict=True)))


def _change_of(entries: Sequence[RawDiffEntry], patch: bytes, objects: Objects) -> Change:
    new = [_content(objects[entry.new], entry.path) for entry in entries]
    old = [_content(objects[entry.old], entry.path) for entry in entries]
    change = build_change(entries, patch, new, old)
    marked = (_mark_large(file, e, objects[e.new]) for file, e in zip(change.files, entries, strict=True))
    return replace(change, files=tuple(marked))


def _diff(top: Path, how: Sequence[str]) -> tuple[list[RawDiffEntry], bytes]:
    """What git lists as changed, and the patch."""
    command, *revisions = how
    out = git_session.run_git(top, command, *DIFF_OPTIONS, *revisions)
    if out.code:
        raise RulecError(f"git {command} failed: {out.said}", where=str(top), hint="settle that in git, then try again")
    entries, end = read_raw_diff(out.out)
    return entries, out.out[end + 1 :]


def _content(found: GitObject | None, path: str) -> bytes | None:
    """The content of a file that is not too large to judge; large code has lines to judge, pictures and data none."""
    if found is None or found.kind != "blob" or not found.is_whole:
        return None
    judged = found.size <= LARGEST_READ or (file_kinds.is_code(path) and not is_binary(found.data))
    return found.data if judged else None


def _mark_large(file: FileChange, entry: RawDiffEntry, found: GitObject | None) -> FileChange:
    """The file, marked as large where it is new code that is too long to read; binary files have no lines to judge."""
    plain = file.content is None and entry.mode in _PLAIN and entry.new != entry.old
    large = plain and file_kinds.is_code(file.path) and not is_binary(found.data if found else b"")
    return replace(file, large=True) if large else file


def is_binary(content: bytes) -> bool:
    """Whether git would call it binary."""
    return b"\0" in content[: git_session.HEAD_BYTES]


def build_change(
    entries: Sequence[RawDiffEntry], patch: bytes, new: Sequence[bytes | None], old: Sequence[bytes | None]
) -> Change:
    """A Change from git's list of changes: contents after and before, and the lines that a patch adds."""
    sections = _patch_sections(patch)
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
                added=tuple(_added_lines(hunks)) if entry.status == "M" else None,
                base=base,
                old_path=entry.old_path,
                stilled=(entry.before, entry.mode) == ("100755", "100644"),
            )
        )
    return Change(files=tuple(files), mark=change_mark(entries))


def _patch_sections(patch: bytes) -> Iterator[bytes]:
    starts = [match.start() for match in _SECTION.finditer(patch)]
    return iter([patch[a:b] for a, b in pairwise([*starts, len(patch)])])


def _added_lines(hunks: bytes) -> Iterator[tuple[int, int]]:
    for match in _HUNK.finditer(hunks):
        first, count = int(match[1]), int(match[2]) if match[2] is not None else 1
        if count:
            yield first, first + count - 1


def uncommitted_change(top: Path, paths: Sequence[str]) -> Change:
    """What files of the work tree change since the last commit; in untracked files every line is new."""
    named = ["--", *dict.fromkeys(paths)]
    entries, patch = _diff(top, ["diff-index", _head_or_empty(top), *named])
    names = [entry.old for entry in entries]
    objects = dict(zip(names, git_session.read_objects(top, names, LARGEST_CODE), strict=True))
    old = [_content(objects[entry.old], entry.path) for entry in entries]
    known = build_change(entries, patch, [_read_plain_file(top / entry.path) for entry in entries], old)
    listed = git_session.git_output(top, "ls-files", "-z", "--others", "--exclude-standard", *named).split("\0")
    return Change(files=(*known.files, *(_file_at_hand(top, path) for path in filter(None, listed))))


def _head_or_empty(top: Path) -> str:
    """The last commit, or a tree without files where there is none."""
    return git_session.head_commit(top) or git_session.empty_tree_id(top)


def whole_files_change(top: Path, paths: Sequence[str]) -> Change:
    """Files of the work tree with every line as new; a folder stands for the files that git knows in it."""
    known = git_contents.tracked_paths(top)
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
    files = (_file_at_hand(top, path) for path in dict.fromkeys(wanted))
    return Change(files=tuple(files))


def _file_at_hand(top: Path, path: str) -> FileChange:
    full = top / path
    content = _read_plain_file(full)
    if content is None and file_kinds.is_code(path) and full.is_file() and not full.is_symlink():
        with full.open("rb") as file:
            data = file.read(LARGEST_CODE + 1)
        large = len(data) > LARGEST_CODE
        return FileChange(
            path=path, content=None if large or is_binary(data) else data, large=large and not is_binary(data)
        )
    return FileChange(path=path, content=content)


def _read_plain_file(path: Path) -> bytes | None:
    plain = path.is_file() and not path.is_symlink() and path.stat().st_size <= LARGEST_READ
    return path.read_bytes() if plain else None


LARGEST_CASE = 40_000  # bytes of an action that is kept in evidence or in a rule


def file_at_head(top: Path, path: str) -> Example | None:
    """A file as it is at HEAD; None where there is no text of a size to be kept."""
    (content,) = (
        git_contents.read_blobs(top, [f"HEAD:{path}"], LARGEST_CASE) if git_session.head_commit(top) else (None,)
    )
    if content is None or is_binary(content):
        return None
    return Example(kind="file", path=path, text=content.decode("utf-8", "replace"))


PART_FILES, PART_BYTES = 1_000, 8_000_000  # of one part


def files_in_parts(top: Path, revision: str = "") -> Iterator[tuple[FileChange, ...]]:
    """The files of a commit, or of the work tree, in parts; files that no check reads have no content."""
    return _parts_of_commit(top, revision) if revision else _parts_of_work_tree(top)


def _parts_of_commit(top: Path, revision: str) -> Iterator[tuple[FileChange, ...]]:
    entries = (
        entry.split("\t", 1) for entry in git_session.git_output(top, "ls-tree", "-r", "-l", "-z", revision).split("\0")
    )
    files = [(path[0], *meta.split()) for meta, *path in entries if path]
    sized = [
        (path, name, int(size)) for path, mode, kind, name, size in files if kind == "blob" and mode.startswith("100")
    ]
    for part in _split_in_parts(sized):
        contents = git_contents.read_blobs(top, [name for _, name, _ in part], LARGEST_READ)
        yield tuple(FileChange(path=path, content=data) for (path, _, _), data in zip(part, contents, strict=True))


def _parts_of_work_tree(top: Path) -> Iterator[tuple[FileChange, ...]]:
    paths = ((path, top / path) for path in git_contents.tracked_paths(top))
    plain = [(path, path, full.stat().st_size) for path, full in paths if full.is_file() and not full.is_symlink()]
    for part in _split_in_parts(plain):
        yield tuple(
            FileChange(path=path, content=(top / path).read_bytes() if size <= LARGEST_READ else None)
            for path, _, size in part
        )


def _split_in_parts(files: list[tuple[str, str, int]]) -> Iterator[list[tuple[str, str, int]]]:
    part: list[tuple[str, str, int]] = []
    held = 0
    for file in files:
        held += min(file[2], LARGEST_READ)
        if part and (held > PART_BYTES or len(part) == PART_FILES):
            yield part
            part, held = [], min(file[2], LARGEST_READ)
        part.append(file)
    if part:
        yield part


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
