"""The remote's base: its compiled guards, for a work tree that has no rules."""

import os
import subprocess

from rulec.checkout.record_cache import stamp_of
from rulec.checkout.worktree import common_directory

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rulec.checkout.record_cache import SourceStamp


BASES = tuple(f"refs/remotes/origin/{name}" for name in ("HEAD", "main", "master"))  # the first that has what is asked
SECONDS = 5


def base_stamp(root: str, *paths: str) -> "SourceStamp":
    """A value that changes when a reference of the remote does, or one of the files."""
    folder = common_directory(root)
    names = ("packed-refs", "FETCH_HEAD", "refs/remotes/origin", *BASES)
    return stamp_of([*(os.path.join(folder, name) for name in names), *paths])


def texts_at_base(root: str, folder: str) -> "dict[str, str]":
    """The texts of a folder of compiled checks as the base has them, by name."""
    found: "dict[str, str]" = {}
    for base in BASES:
        listed = _git(root, "ls-tree", "-z", base, f"./{folder}/").decode("utf-8", "replace").split("\0")
        rows = [row.partition("\t") for row in listed if " blob " in row]
        ids = [(os.path.basename(path), about.split()[2]) for about, _, path in rows]
        data = _git(root, "cat-file", "--batch", given="".join(f"{one}\n" for _, one in ids)) if ids else b""
        at = 0
        for name, _ in ids:
            start = data.find(b"\n", at) + 1
            at = start + int(data[at:start].split()[-1]) + 1
            found[name] = data[start : at - 1].decode("utf-8", "replace")
        if found:
            break
    return found


def _git(root: str, *arguments: str, given: str = "") -> bytes:
    try:
        done = subprocess.run(
            ["git", *arguments], cwd=root, input=given.encode(), capture_output=True, timeout=SECONDS, check=False
        )
    except (OSError, ValueError, subprocess.SubprocessError):
        return b""
    return done.stdout if done.returncode == 0 else b""
