"""What of the work tree differs from HEAD: paths, texts, and all of it as the change that is yet to be committed."""

from __future__ import annotations

import os

from rulec.checkout.git_call import ask_git, git_text
from rulec.checkout.worktree import git_directory, open_regular

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from rulec.checkout.worktree import Worktree


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


RULES = ".rules/"  # rule files and artifacts quote what they forbid
HALF = 0.5  # of its lines that a file which moved keeps at least
MOST_PAIRS = 2_500  # of files gone and files come that are compared
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


class PendingChange:
    """What differs from HEAD or another commit; ``since`` separates this session's changes from earlier ones."""

    def __init__(self, world: Worktree, agent: str, since: float, base: str = "HEAD") -> None:
        self.world, self.agent, self.since, self.base = world, agent, since, base
        changed = changed_paths(world.root, base)
        self.cut = len(changed) >= MOST_FILES
        kept = [path for path, kind in changed if kind != "delete"]
        old = texts_at_head(world.root, kept, base) if kept else {}
        self.files = [self._file(path, kind, old) for path, kind in changed]
        self._sources: dict[str, dict[str, str]] | None = None

    def _file(self, path: str, kind: str, old: dict[str, str]) -> dict[str, Any]:
        now = self.world.read(path) if kind != "delete" else None
        event: dict[str, Any] = {"kind": kind, "path": path, "also": self.world.also(path), "agent": self.agent}
        event.update(environment="local", left=True, exists=path in old, old=old.get(path, ""), new=now or "")
        return {**event, "content": now}

    def recent(self) -> list[dict[str, Any]]:
        """The files that were changed since the session began."""
        return [file for file in self.files if self.changed(file["path"])]

    def changed(self, path: str) -> bool:
        """Whether the path was changed since the session began; for a deleted file its folder tells."""
        place = self.world.absolute(path)
        while self.since and place:
            try:
                seen = os.lstat(place)
            except (OSError, ValueError):
                above = os.path.dirname(place)
                place = above if above != place else ""
                continue
            return max(seen.st_mtime, seen.st_ctime) >= self.since - SLACK
        return True

    def whole(self) -> dict[str, Any] | None:
        """All of it as one change event; None where a commit would hold something else."""
        if self.cut or is_merge_under_way(self.world.root):
            return None
        sources = self.sources()
        if sources is None:
            return None
        files = [file for file in self.files if not file["path"].startswith(RULES)]
        seen = [_file_event(file, sources.get(file["path"])) for file in files if file["kind"] != "delete"]
        moved = {source["path"] for source in sources.values()}
        gone = [file["path"] for file in files if file["kind"] == "delete" and file["path"] not in moved]
        before = texts_at_head(self.world.root, gone) if gone else {}
        seen += [_named(path, "delete", before.get(path, ""), "") for path in gone]
        return {
            "kind": "change", "files": seen, "tree": self, "environment": "local", "agent": self.agent,
            "root": self.world.root, "world": self.world,
        }  # fmt: skip

    def sources(self) -> dict[str, dict[str, str]] | None:
        """Of each file that was moved here the path and text that it had, found once; None where there are too many."""
        if self._sources is None:
            files = [file for file in self.files if not file["path"].startswith(RULES)]
            gone = [file["path"] for file in files if file["kind"] == "delete"]
            come = [file for file in files if file["kind"] != "delete" and not file["exists"]]
            if len(gone) * len(come) > MOST_PAIRS:  # nobody can tell in time what only moved
                return None
            before = texts_at_head(self.world.root, gone, self.base) if gone and come else {}
            found = {file["path"]: _source(file["new"], file["path"], before) for file in come}
            self._sources = {path: {"path": old, "text": before[old]} for path, old in found.items() if old}
        return self._sources

    def source_of(self, path: str) -> dict[str, str] | None:
        """The path and text that a file had before it was moved here; None of one that was not."""
        return (self.sources() or {}).get(path)

    def paths(self) -> frozenset[str]:
        """Every path of the work tree as it is now."""
        return known_paths(self.world.root)

    def read(self, path: str) -> str | None:
        """The text of a file as it is now."""
        return self.world.read(path)


def _file_event(file: dict[str, Any], source: dict[str, str] | None) -> dict[str, Any]:
    """An existing file as part of the change: created, changed, or moved here."""
    if source is None:
        return _named(file["path"], "change" if file["exists"] else "create", file["old"], file["new"])
    how = "move" if source["text"] == file["new"] else "change"
    return {**_named(file["path"], how, source["text"], file["new"]), "old_path": source["path"]}


def _named(path: str, how: str, old: str, new: str) -> dict[str, Any]:
    return {"path": path, "old_path": "", "how": how, "old": old, "new": new}


def _source(text: str, path: str, before: dict[str, str]) -> str:
    """The deleted file that this one was made from; "" where there is none."""
    lines = set(text.splitlines())
    best, most = "", HALF
    for name, old in before.items():
        was = set(old.splitlines())
        share = len(lines & was) / max(len(lines), len(was), 1)
        if old == text or share >= most:
            best, most = name, share
        if old == text and name.rpartition("/")[2] == path.rpartition("/")[2]:
            break
    return best
