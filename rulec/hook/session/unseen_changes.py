"""Files that did change in a session without an edit that its record shows: as edits at the time of their change."""

import os
from datetime import datetime

from rulec.checkout import pending_change
from rulec.guard.session import acts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from rulec.checkout.worktree import Worktree

    Event = dict[str, Any]


ACTING = ("command", "edit", "write", "delete")


def with_changes(events: "list[Event]", world: "Worktree", begun: float) -> "list[Event]":
    """The session's events and, each at its time, the changes of files that differ from HEAD.

    A deleted file has no time. Where the record or the session's beginning has none, nothing is added.
    """
    times = _times(events)
    if not begun or not times:
        return events
    found = list(zip(times, range(len(events)), events))  # noqa: B905 (Python 3.9; they are as long)
    for path, kind in pending_change.changed_paths(world.root):
        changed = _changed_at(world.absolute(path)) - pending_change.SLACK if kind != "delete" else 0.0
        if changed > begun:
            found.append((changed, -1, {"kind": "edit", "path": path, "root": world.root, "world": world}))
            _confirm(next((event for event, at in zip(events, times) if at >= changed), {}), path)  # noqa: B905 (as above)
    return [event for _, _, event in sorted(found, key=lambda one: one[:2])]


def _confirm(event: "Event", path: str) -> None:
    """An edit that the command's text shows only perhaps did happen, where a file there changed while it ran."""
    for act in acts.acts_of(event) if event.get("kind") == "command" else ():
        if act.kind == "edit" and not act.sure and f"{path}/".startswith(act.path.rstrip("/") + "/"):
            act.path, act.sure = path, True


def _times(events: "list[Event]") -> "list[float]":
    """When each was over, at the latest; [] where that is not known of one that may matter."""
    times: "list[float]" = []
    last = 0.0
    for event in events:
        try:
            at = datetime.fromisoformat(event.get("at", "").replace("Z", "+00:00")).timestamp()  # noqa: FURB162 (Python 3.9)
        except ValueError:
            if event["kind"] in ACTING and not event.get("pending"):
                return []
            at = last
        last = max(last, at)
        times.append(last)
    return times


def _changed_at(path: str) -> float:
    try:
        seen = os.lstat(path)
    except (OSError, ValueError):
        return 0.0
    return max(seen.st_mtime, seen.st_ctime)
