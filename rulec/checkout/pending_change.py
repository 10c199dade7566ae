"""The change that stands in the work tree and that no commit holds yet, as events of files and as one event."""

import os

from rulec.checkout import head
from rulec.checkout.worktree import git_directory

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from rulec.checkout.worktree import Worktree


RULES = ".rules/"  # rule files and artifacts quote what they forbid
HALF = 0.5  # of its lines that a file which moved keeps at least
MOST_PAIRS = 2_500  # of files gone and files come that are compared
SLACK = 2.0  # seconds by which clocks of files and of processes differ
UNFINISHED = ("MERGE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD", "rebase-merge", "rebase-apply")


class PendingChange:
    """What stands changed; ``since`` tells what was changed in this session from what lay there before."""

    def __init__(self, world: "Worktree", agent: str, since: float) -> None:
        self.world, self.agent, self.since = world, agent, since
        changed = head.changed_paths(world.root)
        self.cut = len(changed) >= head.MOST_FILES
        old = head.texts_at_head(world.root, [path for path, kind in changed if kind != "delete"]) if changed else {}
        self.files = [self._file(path, kind, old) for path, kind in changed]

    def _file(self, path: str, kind: str, old: "dict[str, str]") -> "dict[str, Any]":
        now = self.world.read(path) if kind != "delete" else None
        event: "dict[str, Any]" = {"kind": kind, "path": path, "also": self.world.also(path), "agent": self.agent}
        event.update(environment="local", left=True, exists=path in old, old=old.get(path, ""), new=now or "")
        return {**event, "content": now}

    def recent(self) -> "list[dict[str, Any]]":
        """The files that were changed since the session began."""
        return [file for file in self.files if self.changed(file["path"])]

    def changed(self, path: str) -> bool:
        """Whether the path was touched since the session began; of a file that is gone its folder tells."""
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

    def whole(self) -> "dict[str, Any] | None":
        """All of it as one change; None where it is not all that a commit would hold."""
        folder = git_directory(self.world.root)
        if self.cut or any(os.path.lexists(os.path.join(folder, name)) for name in UNFINISHED):
            return None
        files = [file for file in self.files if not file["path"].startswith(RULES)]
        gone = [file["path"] for file in files if file["kind"] == "delete"]
        come = [file for file in files if file["kind"] != "delete" and not file["exists"]]
        if len(gone) * len(come) > MOST_PAIRS:  # nobody can tell in time what only moved
            return None
        before = head.texts_at_head(self.world.root, gone) if gone else {}
        sources = {file["path"]: _source(file["new"], file["path"], before) for file in come}
        seen = [_file_event(file, sources.get(file["path"], ""), before) for file in files if file["kind"] != "delete"]
        left = [path for path in gone if path not in sources.values()]
        seen += [_named(path, "delete", before.get(path, ""), "") for path in left]
        return {
            "kind": "change", "files": seen, "tree": self, "environment": "local", "agent": self.agent,
            "root": self.world.root, "world": self.world,
        }  # fmt: skip

    def paths(self) -> "frozenset[str]":
        """Every path of the repository as it stands."""
        return head.known_paths(self.world.root)

    def read(self, path: str) -> "str | None":
        """The text of a file as it stands."""
        return self.world.read(path)


def _file_event(file: "dict[str, Any]", source: str, before: "dict[str, str]") -> "dict[str, Any]":
    """A file that stands there: created, changed, or moved here with or without a change."""
    if not source:
        return _named(file["path"], "change" if file["exists"] else "create", file["old"], file["new"])
    old = before[source]
    return {**_named(file["path"], "move" if old == file["new"] else "change", old, file["new"]), "old_path": source}


def _named(path: str, how: str, old: str, new: str) -> "dict[str, Any]":
    return {"path": path, "old_path": "", "how": how, "old": old, "new": new}


def _source(text: str, path: str, before: "dict[str, str]") -> str:
    """The file that is gone and from which this one was made; "" where there is none."""
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
