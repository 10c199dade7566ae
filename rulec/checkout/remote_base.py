"""Commits whose compiled files stand for those of a work tree that has none on its disk."""

from __future__ import annotations

import os

from rulec.checkout.git_call import ask_git, git_text
from rulec.checkout.record_cache import stamp_of
from rulec.checkout.worktree import branch_of, common_directory, git_directory

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rulec.checkout.record_cache import SourceStamp


BASES = tuple(f"refs/remotes/origin/{name}" for name in ("HEAD", "main", "master"))  # the first that has what is asked
MAIN_TREE = "main-worktree/HEAD"  # a second work tree at an old commit is no way out of the rules of the main one
STANDING = ("HEAD", *BASES, MAIN_TREE)  # in this order


def name_of_base(root: str, base: str) -> str:
    """How a person calls the commit: HEAD, origin/main, or the branch of the main work tree."""
    if base == MAIN_TREE:
        return branch_of(common_directory(root)) or "the main work tree"
    return base.removeprefix("refs/remotes/")


def base_stamp(root: str, *paths: str) -> SourceStamp:
    """A value that changes when a reference of the remote does, or one of the files."""
    folder = common_directory(root)
    names = ("packed-refs", "FETCH_HEAD", "refs/heads", "refs/remotes/origin", *BASES)
    heads = [os.path.join(git_directory(root), name) for name in ("HEAD", "index")] + [os.path.join(folder, "HEAD")]
    return stamp_of([*(os.path.join(folder, name) for name in names), *heads, *paths])


def texts_at_base(root: str, folder: str, bases: tuple[str, ...] = BASES) -> tuple[str, dict[str, str]]:
    """The first of the commits that has a folder of compiled files, "" for none, and their texts by name."""
    for base in bases:
        found: dict[str, str] = {}
        listed = git_text(root, ["ls-tree", "-z", base, f"./{folder}/"]).split("\0")
        rows = [row.partition("\t") for row in listed if " blob " in row]
        ids = [(os.path.basename(path), about.split()[2]) for about, _, path in rows]
        data = ask_git(root, ["cat-file", "--batch"], "".join(f"{one}\n" for _, one in ids).encode()) or b""
        at = 0
        for name, _ in ids:
            start = data.find(b"\n", at) + 1
            at = start + int(data[at:start].split()[-1]) + 1
            found[name] = data[start : at - 1].decode("utf-8", "replace")
        if found:
            return base, found
    return "", {}
