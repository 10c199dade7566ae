"""What of the work tree differs from HEAD, and what HEAD holds, as git says it."""

import os
import subprocess

MOST_FILES = 500
SECONDS = 20
OURS = (".rules/compiled/", ".rules/.cache/")  # generated: no rule speaks of them
EMPTY_TREE = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"
OFF = ["-c", "core.fsmonitor=false", "-c", "core.quotepath=off", "-c", "core.hooksPath=/dev/null"]


def changed_paths(root: str) -> "list[tuple[str, str]]":
    """Paths that differ from HEAD, and new ones, as (path from the root, write or delete); bounded."""
    base = "HEAD" if _git(root, ["rev-parse", "--verify", "-q", "HEAD"]) else EMPTY_TREE
    listed = _git(
        root, ["diff", "--name-status", "--no-renames", "--no-ext-diff", "--relative", "-z", base, "--"]
    ).split("\0")
    pairs = zip(listed[::2], listed[1::2])  # noqa: B905 (Python 3.9; what follows the last NUL is empty)
    found = [(path, "delete" if kind.startswith("D") else "write") for kind, path in pairs]
    fresh = _git(root, ["ls-files", "--others", "--exclude-standard", "-z"]).split("\0")
    found += [(path, "write") for path in fresh if path]
    return [(path, kind) for path, kind in found if not path.startswith(OURS)][:MOST_FILES]


def known_paths(root: str) -> "frozenset[str]":
    """Every path of the work tree that git knows or would take."""
    names = _git(root, ["ls-files", "--cached", "--others", "--exclude-standard", "-z"]).split("\0")
    return frozenset(name for name in names if name)


def texts_at_head(root: str, paths: "list[str]") -> "dict[str, str]":
    """The texts of the files as HEAD has them."""
    asked = "".join(f"HEAD:./{path}\n" for path in paths if "\n" not in path)
    try:
        data = _run(root, ["cat-file", "--batch"], asked.encode("utf-8", "surrogateescape"))
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
            found[path] = data[at : at + size].decode("utf-8", "replace")
            at += size + 1
    return found


def is_at_head(root: str, path: str) -> bool:
    """Whether HEAD holds the path, or something below it; where there is no commit, nothing is held."""
    return bool(_git(root, ["ls-tree", "--name-only", "HEAD", "--", f"./{path.rstrip('/')}"]))


def _git(root: str, arguments: "list[str]") -> str:
    return _run(root, arguments, b"").decode("utf-8", "surrogateescape")


def _run(root: str, arguments: "list[str]", given: bytes) -> bytes:
    environment = {**os.environ, "GIT_OPTIONAL_LOCKS": "0", "LC_ALL": "C"}
    try:
        done = subprocess.run(
            ["git", *OFF, *arguments],
            cwd=root, env=environment, input=given, capture_output=True, timeout=SECONDS, check=False,
        )  # fmt: skip
    except (OSError, ValueError, subprocess.SubprocessError):  # a path may hold what no path can
        return b""
    return done.stdout if done.returncode == 0 else b""
