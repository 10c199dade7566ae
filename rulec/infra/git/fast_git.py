"""git without a library, for a commit that no rule can touch: a quick command, and what git lists as changed."""

import hashlib
import os

from rulec.domain.quiet_git import QUIET_GIT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Literal

PIPE_BYTES = 60_000  # bytes that a pipe takes in before anybody reads
MOST_OUTPUT = 64_000_000  # bytes
_ELSEWHERE = ("GIT_WORK_TREE", "GIT_COMMON_DIR", "GIT_NAMESPACE")


def plain_git_folder() -> str:
    """The git folder of the current directory, "" where only git can tell, as in a linked worktree."""
    folder = os.path.abspath(".git") if os.path.isdir(".git") else ""
    said = os.environ.get("GIT_DIR")
    if not folder or os.path.islink(folder) or not os.path.isfile(os.path.join(folder, "HEAD")):
        return ""
    if any(name in os.environ for name in _ELSEWHERE) or (said and os.path.abspath(said) != folder):
        return ""
    return folder


def run_git_fast(*arguments: str, given: bytes = b"", most: int = MOST_OUTPUT) -> "bytes | None":
    """The output of a git command in the current directory; None where it failed, or input or output is too long."""
    if len(given) > PIPE_BYTES:
        return None
    ends = [*os.pipe(), *os.pipe()]
    read, write, out, told = ends
    try:
        os.write(write, given)
        os.close(ends.pop(1))
        actions = [(os.POSIX_SPAWN_DUP2, read, 0), (os.POSIX_SPAWN_DUP2, told, 1)]
        silent = (os.POSIX_SPAWN_OPEN, 2, os.devnull, os.O_WRONLY, 0)
        process = os.posix_spawnp(
            "git", ["git", *arguments], {**os.environ, **QUIET_GIT}, file_actions=[*actions, silent]
        )
        os.close(ends.pop())
        with open(out, "rb", closefd=False) as file:
            text = file.read(most + 1)
        if len(text) > most:
            os.kill(process, 9)
        return text if os.waitpid(process, 0)[1] == 0 else None
    except OSError:
        return None
    finally:
        for end in ends:
            os.close(end)


LARGEST_FILE = 2_000_000  # bytes; a larger file is counted, not read


class RawDiffEntry:
    """One line of git's raw diff."""

    __slots__ = ("before", "mode", "new", "old", "old_path", "path", "status")

    def __init__(self, meta: str, paths: list[str]) -> None:
        self.before, self.mode, self.old, self.new, status = meta.split(" ")
        self.old_path, self.path = paths[0], paths[-1]
        self.status: Literal["A", "M", "D", "R", "T"] = _STATUS.get(status[0], "A")


# A copy is a new file, too.
_STATUS: "dict[str, Literal['M', 'D', 'R', 'T']]" = {"M": "M", "D": "D", "R": "R", "T": "T"}


def change_mark(entries: "Sequence[RawDiffEntry]") -> str:
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
