"""All that differs from HEAD in a work tree, file by file and as the change that is yet to be committed."""

from __future__ import annotations

import os

from rulec.checkout.pending_change import (
    MOST_FILES,
    SLACK,
    changed_paths,
    is_merge_under_way,
    known_paths,
    texts_at_head,
)
from rulec.shell.action_events import Event, FileOfChange, MovedFile

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rulec.checkout.worktree import Worktree


RULES = ".rules/"  # rule files and artifacts quote what they forbid
HALF = 0.5  # of its lines that a file which moved keeps at least
MOST_PAIRS = 2_500  # of files gone and files come that are compared


class PendingChange:
    """What differs from HEAD or another commit; ``since`` separates this session's changes from earlier ones."""

    def __init__(self, world: Worktree, agent: str, since: float, base: str = "HEAD") -> None:
        self.world, self.agent, self.since, self.base = world, agent, since, base
        changed = changed_paths(world.root, base)
        self.cut = len(changed) >= MOST_FILES
        kept = [path for path, kind in changed if kind != "delete"]
        old = texts_at_head(world.root, kept, base) if kept else {}
        self.files = [self._file(path, kind, old) for path, kind in changed]
        self._sources: dict[str, MovedFile] | None = None

    def _file(self, path: str, kind: str, old: dict[str, str]) -> Event:
        now = self.world.read(path) if kind != "delete" else None
        return Event(
            kind=kind,
            path=path,
            also=self.world.also(path),
            agent=self.agent,
            environment="local",
            left=True,
            exists=path in old,
            old=old.get(path, ""),
            new=now or "",
            content=now,
        )

    def recent(self) -> list[Event]:
        """The files that were changed since the session began."""
        return [file for file in self.files if self.changed(file.path)]

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

    def whole(self) -> Event | None:
        """All of it as one change event; None where a commit would hold something else."""
        if self.cut or is_merge_under_way(self.world.root):
            return None
        sources = self.sources()
        if sources is None:
            return None
        files = [file for file in self.files if not file.path.startswith(RULES)]
        seen = [_as_changed(file, sources.get(file.path)) for file in files if file.kind != "delete"]
        moved = {source.path for source in sources.values()}
        gone = [file.path for file in files if file.kind == "delete" and file.path not in moved]
        before = texts_at_head(self.world.root, gone) if gone else {}
        seen += [FileOfChange(path=path, how="delete", old=before.get(path, "")) for path in gone]
        world = self.world
        change = Event(kind="change", changes=seen, tree=self, environment="local", agent=self.agent)
        return change.but(root=world.root, world=world)

    def sources(self) -> dict[str, MovedFile] | None:
        """Of each file that was moved here the path and text that it had, found once; None where there are too many."""
        if self._sources is None:
            files = [file for file in self.files if not file.path.startswith(RULES)]
            gone = [file.path for file in files if file.kind == "delete"]
            come = [file for file in files if file.kind != "delete" and not file.exists]
            if len(gone) * len(come) > MOST_PAIRS:  # nobody can tell in time what only moved
                return None
            before = texts_at_head(self.world.root, gone, self.base) if gone and come else {}
            found = {file.path: _source(file.new or "", file.path, before) for file in come}
            self._sources = {path: MovedFile(path=old, text=before[old]) for path, old in found.items() if old}
        return self._sources

    def source_of(self, path: str) -> MovedFile | None:
        """The path and text that a file had before it was moved here; None of one that was not."""
        return (self.sources() or {}).get(path)

    def paths(self) -> frozenset[str]:
        """Every path of the work tree as it is now."""
        return known_paths(self.world.root)

    def read(self, path: str) -> str | None:
        """The text of a file as it is now."""
        return self.world.read(path)


def _as_changed(file: Event, source: MovedFile | None) -> FileOfChange:
    """An existing file as part of the change: created, changed, or moved here."""
    new = file.new or ""
    if source is None:
        how = "change" if file.exists else "create"
        return FileOfChange(path=file.path, how=how, old=file.old or "", new=new)
    how = "move" if source.text == new else "change"
    return FileOfChange(path=file.path, how=how, old=source.text, new=new, old_path=source.path)


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
