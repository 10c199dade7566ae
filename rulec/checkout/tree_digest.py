"""Which files of the work tree differ from a commit, each with a digest, so that two moments can be compared."""

import os
import stat

from rulec.checkout import pending_change
from rulec.checkout.git_call import ask_git

MOST_FILES = 5_000
GONE, FOLDER = "gone", "folder"
MODE_OF_LINK, MODE_OF_SUBMODULE = "120000", "160000"
BY_PRODUCTS = frozenset(  # folders that programs fill by themselves, as long as git tracks nothing in them
    ["__pycache__", ".pytest_cache", ".mypy_cache", ".ruff_cache", ".hypothesis", ".nyc_output", ".rulec"]
)
BY_PRODUCT_FILES = frozenset([".coverage"])
HIDDEN_TAGS = "hsmrck"  # of `git ls-files -v`: small letters are assume-unchanged; S is skip-worktree


def changed_digests(root: str, base: str) -> "tuple[dict[str, str], frozenset[str]] | None":
    """A digest for each path that differs from the commit or is new, and which of them git does not track.

    None where git cannot say, or it is too much.

    Covered is what git tracks, whatever the index says to leave out of sight, and what it would add; not what is
    ignored, by-products of programs, what rulec generates, and what lies within submodules.
    """
    tracked = _git(root, ["diff", "--name-only", "--no-renames", "--no-ext-diff", "--relative", "-z", base, "--"])
    fresh = _git(root, ["ls-files", "--others", "--exclude-standard", "-z"])
    listed = _git(root, ["ls-files", "-v", "-z"])
    if tracked is None or fresh is None or listed is None:
        return None
    paths = {path for path in tracked.split("\0") if path}
    paths.update(line[2:] for line in listed.split("\0") if _is_hidden(root, line))
    untracked = frozenset(path for path in fresh.split("\0") if path and not is_by_product(path))
    paths.update(untracked)
    paths = {path for path in paths if not path.startswith(pending_change.GENERATED)}
    if len(paths) > MOST_FILES:
        return None
    return _digests(root, sorted(paths)), untracked


def staged_digests(root: str, base: str) -> "dict[str, str] | None":
    """The same digests of what the index has otherwise than the commit; None where git cannot say.

    By-products that were staged with the rest are left out, as they are where git does not track them yet.
    """
    how = ["diff-index", "--cached", "--raw", "--no-renames", "--full-index", "--ita-invisible-in-index", "-z", base]
    listed = _git(root, [*how, "--"])
    if listed is None:
        return None
    parts = listed.split("\0")
    found: dict[str, str] = {}
    for head, path in zip(parts[::2], parts[1::2], strict=False):
        _, mode, _, blob, kind = head.split(" ")
        if not path.startswith(pending_change.GENERATED) and not (kind == "A" and is_by_product(path)):
            found[path] = GONE if kind == "D" else _named(mode, blob)
    return found


def _named(mode: str, blob: str) -> str:
    return FOLDER if mode == MODE_OF_SUBMODULE else f"{mode} {blob}"


def _digests(root: str, paths: "list[str]") -> "dict[str, str]":
    """What each path is: its mode and the id that git gives to its content, which is that of a commit of it."""
    found: dict[str, str] = {}
    asked: dict[str, str] = {}
    for path in paths:
        mode = _mode(os.path.join(root, path))
        if mode in (GONE, FOLDER):
            found[path] = mode
        elif mode == MODE_OF_LINK or "\n" in path or path.startswith('"'):
            found[path] = _named(mode, _id_of_one(root, path, link=mode == MODE_OF_LINK))
        else:
            asked[path] = mode
    given = "".join(f"{path}\n" for path in asked).encode("utf-8", "surrogateescape")
    ids = (_git(root, ["hash-object", "--stdin-paths"], given) or "").split() if asked else []
    if len(ids) != len(asked):  # one of them cannot be read, or is gone by now
        ids = [_id_of_one(root, path, link=False) for path in asked]
    found.update((path, _named(mode, name)) for (path, mode), name in zip(asked.items(), ids, strict=False))
    return found


def _id_of_one(root: str, path: str, *, link: bool) -> str:
    if not link:
        return (_git(root, ["hash-object", "--", path]) or "unreadable").strip()
    try:
        target = os.fsencode(os.readlink(os.path.join(root, path)))
    except OSError:
        return "unreadable"
    return (_git(root, ["hash-object", "--stdin"], target) or "unreadable").strip()


def _mode(path: str) -> str:
    """The mode that git would give to what is there."""
    try:
        seen = os.lstat(path).st_mode
    except (OSError, ValueError):
        return GONE
    if stat.S_ISLNK(seen):
        return MODE_OF_LINK
    if not stat.S_ISREG(seen):
        return FOLDER
    return "100755" if seen & 0o100 else "100644"


def is_by_product(path: str) -> bool:
    """Whether an untracked path lies where programs put what they make by themselves."""
    folders, _, name = path.rpartition("/")
    return name in BY_PRODUCT_FILES or not BY_PRODUCTS.isdisjoint(folders.split("/"))


def half_staged(root: str) -> "frozenset[str]":
    """The paths whose staged text is not the one on the disk: a commit would hold what nobody ran."""
    staged = pending_change.staged_paths(root)
    if not staged:
        return staged
    names = _git(root, ["diff", "--name-only", "--no-renames", "--no-ext-diff", "--relative", "-z"])
    return staged if names is None else staged.intersection(names.split("\0"))


def blob_at_head(root: str, path: str) -> str:
    """The id of a file's text in HEAD, "" where it is not there."""
    return (_git(root, ["rev-parse", "--verify", "-q", f"HEAD:./{path}"]) or "").strip()


def _is_hidden(root: str, line: str) -> bool:
    return bool(line) and (line[0] in HIDDEN_TAGS or line[0] == "S") and os.path.lexists(os.path.join(root, line[2:]))


def _git(root: str, arguments: "list[str]", given: bytes = b"") -> "str | None":
    told = ask_git(root, arguments, given)
    return None if told is None else told.decode("utf-8", "surrogateescape")
