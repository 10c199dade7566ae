"""Files that did change in a session, whatever the record shows: by whose doing, and since which of its acts."""

import os
import time
from datetime import datetime

from rulec.checkout import pending_change
from rulec.guard.session import acts
from rulec.shell import action_events

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from rulec.checkout.pending_change import PendingChange
    from rulec.checkout.worktree import Worktree

    Event = dict[str, Any]


ACTING = ("command", "edit", "write", "delete")
CLOCKS = 0.1  # seconds by which the times of a call and of the file that it wrote may differ
LATE = 3_600.0  # seconds after which a record that ends before now was kept by another clock
BY_OTHERS = "it changed while no call of the agent ran: a person, or a program in the background, may have done it"
BY_PROGRAM = "`{}` changed it, which runs what the repository had before"


def with_changes(events: "list[Event]", world: "Worktree", begun: float) -> "list[Event]":
    """The session's events and, each at its time, the changes of files that differ from HEAD.

    A deleted file has no time. Where the record or the session's beginning has none, nothing is added.
    """
    times = _times(events)
    if not begun or not times:
        return events
    found = [(at, float(number), event) for number, (at, event) in enumerate(zip(times, events))]  # noqa: B905 (Python 3.9)
    for path, kind in pending_change.changed_paths(world.root):
        changed = _changed_at(world.absolute(path)) if kind != "delete" else 0.0
        number = _call_at(events, changed)
        if changed <= begun or (number is None and changed - pending_change.SLACK <= begun):
            continue
        at = changed - pending_change.SLACK if number is None else times[number]
        edit = {"kind": "edit", "path": path, "root": world.root, "world": world}
        edit["unsure"] = number is None and _has_spans(events)
        found.append((at, -1.0 if number is None else number - 0.5, edit))
        _confirm(next((event for event, other in zip(events, times) if other >= at), {}), path)  # noqa: B905 (as above)
    return [event for _, _, event in sorted(found, key=lambda one: one[:2])]


def mark_doers(pending: "PendingChange", events: "list[Event]") -> None:
    """Say of each changed file, under ``by``, where it is not plain that the agent itself changed it.

    Without the times of its calls nothing is said: then all that changed in the session counts as its work.
    """
    if not _times(events) or not _has_spans(events):
        return
    changed = {file["path"] for file in pending.files}
    for file in pending.files:
        if file["kind"] == "delete":
            continue
        number = _call_at(events, _changed_at(pending.world.absolute(file["path"])))
        if number is None:
            file["by"] = BY_OTHERS
        elif events[number]["kind"] == "command":
            program = _standing_program(events[number], pending.world, changed)
            file["by"] = BY_PROGRAM.format(program) if program else ""


def _standing_program(event: "Event", world: "Worktree", changed: "set[str]") -> str:
    """What the command runs from a script or a recipe that is as the last commit has it; "" where it runs none."""
    from rulec.tamper import script_files  # noqa: PLC0415 (few files are changed by what runs from a file)

    view = {**event, "_read": {}, "world": _Unchanged(world, changed)}
    for call in action_events.parsed_command(event).calls:
        runs = call.program in script_files.RECIPES or call.program not in script_files.READERS
        texts = script_files.texts_of_scripts(view, call) if runs and script_files.runs_files(call) else ()
        if any(script.text and script.program != "diff" for script in texts):  # a patch is no program of theirs
            return action_events.command_line(call.argv)
    return ""


class _Unchanged:
    """Stands for the work tree where scripts are read: only the files that are as the last commit has them."""

    def __init__(self, world: "Worktree", changed: "set[str]") -> None:
        self.world, self.changed = world, changed

    def read(self, path: str) -> "str | None":
        """The text of such a file."""
        return None if path in self.changed else self.world.read(path)


def _confirm(event: "Event", path: str) -> None:
    """An edit that the command's text shows only perhaps did happen, where a file there changed while it ran."""
    for act in acts.acts_of(event) if event.get("kind") == "command" else ():
        if act.kind == "edit" and not act.sure and f"{path}/".startswith(act.path.rstrip("/") + "/"):
            act.path, act.sure = path, True


def _has_spans(events: "list[Event]") -> bool:
    return any(event.get("began") for event in events)


def _call_at(events: "list[Event]", changed: float) -> "int | None":
    """Which call was under way at that time; None where none was."""
    for number, event in enumerate(events):
        began, ended = _seconds(event.get("began")), _seconds(event.get("at"))
        if began and began - CLOCKS <= changed and (event.get("pending") or changed <= ended + CLOCKS):
            return number
    return None


def _times(events: "list[Event]") -> "list[float]":
    """When each was over, at the latest; [] where that is not known of one that may matter, or not by this clock."""
    times: "list[float]" = []
    last = 0.0
    for event in events:
        at = _seconds(event.get("at"))
        if not at and event["kind"] in ACTING and not event.get("pending"):
            return []
        last = max(last, at)
        times.append(last)
    return times if abs(time.time() - max(last, *(_seconds(one.get("began")) for one in events), 0.0)) < LATE else []


def _seconds(stamp: object) -> float:
    """A record's time as seconds; 0 where it has none."""
    try:
        return datetime.fromisoformat(str(stamp or "").replace("Z", "+00:00")).timestamp()  # noqa: FURB162 (Python 3.9)
    except ValueError:
        return 0.0


def _changed_at(path: str) -> float:
    try:
        seen = os.lstat(path)
    except (OSError, ValueError):
        return 0.0
    return max(seen.st_mtime, seen.st_ctime)
