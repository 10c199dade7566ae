"""Changes that a session took back: an edit and its reverse, and files that are again as the last commit has them."""

from __future__ import annotations

import os
import time

from rulec.guard.acts import is_above, seconds_of
from rulec.shell.command_matching import git_subcommand

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from rulec.checkout.worktree import Worktree
    from rulec.shell.action_events import Act, Event


CHANGES = ("edit", "delete")
CLOCKS = 1.0  # seconds by which the clocks of a record and of this machine may differ
# git's verbs after which a file that is as HEAD has it may be changed nevertheless: HEAD or the index has the change.
KEEPS = frozenset([
    "add", "am", "apply", "cherry-pick", "commit", "merge", "mv", "pull", "rebase", "revert", "rm", "stage", "stash",
    "update-index", "write-tree",
])  # fmt: skip
Texts = list[tuple[str, str]]


class NetChanges:
    """Tells of the changes of one session, as they stand before one act that is judged, which were taken back."""

    __slots__ = ("_changed", "judged", "world")

    def __init__(self, judged: Event) -> None:
        self.judged = judged
        self.world = judged.world
        self._changed: frozenset[str] | None = None

    def is_put_back(self, act: Act, later: Iterable[Act]) -> bool:
        """Whether the file that the act changed is again as the last commit has it, which is none that came later."""
        if act.event is self.judged:
            return False
        if not self.world:
            return _shows_putting_back(act, later)
        since = seconds_of(act.event.began)
        moved = _head_moved_after(self.world, since) if since else not _shows_putting_back(act, later)
        return not moved and self._is_as_committed(act.path)

    def _is_as_committed(self, path: str) -> bool:
        """Whether neither the work tree nor the index has the file otherwise than HEAD."""
        from rulec.checkout import pending_change  # noqa: PLC0415 (it needs subprocess; only where a rule is broken)

        world = self.world
        if not world:
            return False
        if self._changed is None:
            listed = [name for name, _ in pending_change.changed_paths(world.root)]
            if len(listed) >= pending_change.MOST_FILES:
                return False
            self._changed = frozenset(listed) | pending_change.staged_paths(world.root)
        if path in self._changed or world.is_folder(path):
            return False
        return pending_change.is_at_head(world.root, path) is bool(world.exists(path))


def texts_of(act: Act) -> Texts:
    """What an edit replaced by what; [] where that is not known."""
    event = act.event
    if act.kind != "edit" or act.whole or event.kind != "edit" or event.everywhere:
        return []  # what was replaced everywhere may take more back than it put there
    if event.old is not None and event.new is not None:
        return [(event.old, event.new)] if event.old or event.new else []
    return [(old, new) for old, new in event.edits if old or new]


def takes_back(texts: Texts, before: Texts) -> bool:
    """Whether an edit with these texts is the reverse of the one before it."""
    return bool(texts) and texts == [(new, old) for old, new in reversed(before)]


def reversed_edits(found: Iterable[Act]) -> set[Act]:
    """The edits of one file each that take each other back; ``found`` are all acts, the first first."""
    gone: set[Act] = set()
    standing: dict[str, list[Act]] = {}
    for act in found:
        if act.kind not in CHANGES:
            continue
        before = standing.setdefault(act.path, [])
        if before and takes_back(texts_of(act), texts_of(before[-1])):
            gone |= {act, before.pop()}
        else:
            before.append(act)
    return gone


def _shows_putting_back(act: Act, later: Iterable[Act]) -> bool:
    """Whether the session's acts show that the file was put back: by git, or by deleting what it had created."""
    back = act.undoes
    for one in later:
        if not back and (one.kind == "gap" or (one.kind == "run" and _keeps(one))):
            return False
        if one.kind in CHANGES and is_above(one.path, act.path):
            created = act.whole and act.event.exists is False
            back = one.sure and (one.undoes or (one.kind == "delete" and created))
        elif one.kind == "run" and one.ok is not False and one.call.program == "git":
            back = back or _resets_all(one)
    return back


def _keeps(run: Act) -> bool:
    return run.call.program == "git" and git_subcommand(run.call.argv)[1] in KEEPS


def _resets_all(run: Act) -> bool:
    """Whether git puts every file back."""
    at, verb = git_subcommand(run.call.argv)
    words = run.call.argv[at + 1 :]
    return verb == "reset" and "--hard" in words and set(words) <= {"--hard", "-q", "--quiet", "HEAD", "@"}


def _head_moved_after(world: Worktree, since: float) -> bool:
    """Whether HEAD may have moved since that time, so that what was changed then may be in a commit."""
    from rulec.checkout.worktree import git_directory  # noqa: PLC0415 (as above)

    try:
        moved = os.stat(os.path.join(git_directory(world.root), "logs", "HEAD")).st_mtime
    except OSError:
        return True
    return not moved < since <= time.time() + CLOCKS
