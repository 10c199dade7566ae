"""All files of a commit or of the work tree, some at a time, so that a large repository needs little memory."""

from collections.abc import Iterator
from pathlib import Path

from rulec.host import git
from rulec.host.changes import LARGEST
from rulec.model.change import FileChange

FILES, BYTES = 1_000, 8_000_000  # of one part


def parts(top: Path, revision: str = "") -> Iterator[tuple[FileChange, ...]]:
    """The files of a commit, or without one those of the work tree; without a content where one is not looked at."""
    return _committed(top, revision) if revision else _at_hand(top)


def _committed(top: Path, revision: str) -> Iterator[tuple[FileChange, ...]]:
    entries = (entry.split("\t", 1) for entry in git.must(top, "ls-tree", "-r", "-l", "-z", revision).split("\0"))
    files = [(path[0], *meta.split()) for meta, *path in entries if path]
    sized = [
        (path, name, int(size)) for path, mode, kind, name, size in files if kind == "blob" and mode.startswith("100")
    ]
    for part in _parted(sized):
        contents = git.blobs(top, [name for _, name, _ in part], LARGEST)
        yield tuple(FileChange(path=path, content=data) for (path, _, _), data in zip(part, contents, strict=True))


def _at_hand(top: Path) -> Iterator[tuple[FileChange, ...]]:
    paths = ((path, top / path) for path in git.tracked(top))
    plain = [(path, path, full.stat().st_size) for path, full in paths if full.is_file() and not full.is_symlink()]
    for part in _parted(plain):
        yield tuple(
            FileChange(path=path, content=(top / path).read_bytes() if size <= LARGEST else None)
            for path, _, size in part
        )


def _parted(files: list[tuple[str, str, int]]) -> Iterator[list[tuple[str, str, int]]]:
    part: list[tuple[str, str, int]] = []
    held = 0
    for file in files:
        held += min(file[2], LARGEST)
        if part and (held > BYTES or len(part) == FILES):
            yield part
            part, held = [], min(file[2], LARGEST)
        part.append(file)
    if part:
        yield part
