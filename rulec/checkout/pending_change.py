"""What of the work tree differs from HEAD: paths and texts."""

from __future__ import annotations

import os

from rulec.checkout.git_call import ask_git, git_text
from rulec.checkout.worktree import git_directory, open_regular

MOST_FILES = 500
GENERATED = (".rules/compiled/", ".rules/.cache/")  # generated: no rule speaks of them
EMPTY_TREE = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"


def changed_paths(root: str, base: str = "HEAD") -> list[tuple[str, str]]:
    """The paths that differ from a commit or are new, as (path from the root, write or delete); bounded."""
    base = base if git_text(root, ["rev-parse", "--verify", "-q", base]) else EMPTY_TREE
    listed = git_text(
        root, ["diff", "--name-status", "--no-renames", "--no-ext-diff", "--relative", "-z", base, "--"]
    ).split("\0")
    pairs = zip(listed[::2], listed[1::2], strict=False)
    found = [(path, "delete" if kind.startswith("D") else "write") for kind, path in pairs]
    fresh = git_text(root, ["ls-files", "--others", "--exclude-standard", "-z"]).split("\0")
    found += [(path, "write") for path in fresh if path]
    return [(path, kind) for path, kind in found if not path.startswith(GENERATED)][:MOST_FILES]


def staged_paths(root: str) -> frozenset[str]:
    """The paths that the index has otherwise than HEAD."""
    names = git_text(root, ["diff", "--cached", "--name-only", "--no-renames", "--no-ext-diff", "--relative", "-z"])
    return frozenset(name for name in names.split("\0") if name)


def known_paths(root: str) -> frozenset[str]:
    """Every path of the work tree that git tracks or would add."""
    names = git_text(root, ["ls-files", "--cached", "--others", "--exclude-standard", "-z"]).split("\0")
    return frozenset(name for name in names if name)


def unsent_paths(root: str) -> tuple[str, frozenset[str]]:
    """The commit on which the commits build that no remote has yet, and the paths that those change; merges aside."""
    unsent = ["HEAD", "--not", "--remotes"]
    first = git_text(root, ["rev-list", "--topo-order", *unsent]).split()[-1:]
    listing = ["log", "--no-merges", "--name-only", "--format=", "--no-renames", "--relative", "-z"]
    names = git_text(root, [*listing, *unsent])
    return f"{''.join(first)}^", frozenset(name for name in names.split("\0") if name)


def texts_at_head(root: str, paths: list[str], base: str = "HEAD", *, errors: str = "replace") -> dict[str, str]:
    """The texts of the files as HEAD, or another commit, has them; ``errors`` is for bytes that are no UTF-8."""
    asked = "".join(f"{base}:./{path}\n" for path in paths if "\n" not in path)
    try:
        data = ask_git(root, ["cat-file", "--batch"], asked.encode("utf-8", "surrogateescape")) or b""
    except UnicodeEncodeError:  # half a sign, which no path holds
        return {}
    found, at = {}, 0
    for path in (path for path in paths if "\n" not in path):
        end = data.find(b"\n", at)
        if end < 0:
            break
        head = data[at:end].split(b" ")
        at = end + 1
        if head[-1].isdigit() and head[-2:-1] == [b"blob"]:
            size = int(head[-1])
            found[path] = data[at : at + size].decode("utf-8", errors)
            at += size + 1
    return found


def is_at_head(root: str, path: str) -> bool:
    """Whether HEAD has the path, or something below it; never where there is no commit."""
    return bool(git_text(root, ["ls-tree", "--name-only", "HEAD", "--", f"./{path.rstrip('/')}"]))


def is_ignored(root: str, path: str) -> bool:
    """Whether git does not track the path, and ignores it."""
    return ask_git(root, ["check-ignore", "-q", "--", f"./{path}"]) is not None


SLACK = 2.0  # seconds by which clocks of files and of processes differ
UNFINISHED = ("MERGE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD", "rebase-merge", "rebase-apply")


def is_merge_under_way(root: str) -> bool:
    """Whether a merge, a rebase or the like is under way, whose files are not this session's alone."""
    folder = git_directory(root)
    return any(os.path.lexists(os.path.join(folder, name)) for name in UNFINISHED)


def merge_heads(root: str) -> list[str]:
    """The commits that a merge under way brings in; [] where none is."""
    try:
        with open(os.path.join(git_directory(root), "MERGE_HEAD"), encoding="utf-8", opener=open_regular) as file:
            return [name for name in file.read(4096).split() if name.isalnum()]
    except (OSError, ValueError):
        return []
