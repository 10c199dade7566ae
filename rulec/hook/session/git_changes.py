"""Changes that git shows, added to what a session's record tells: each after the call that was under way then."""

from __future__ import annotations

from rulec.checkout import pending_change
from rulec.guard.session import acts
from rulec.hook.session import charging
from rulec.shell.action_events import FILE_KINDS, Event

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rulec.checkout.worktree import Worktree


def with_changes(events: list[Event], world: Worktree, begun: float) -> list[Event]:
    """The session's events and, each at its time, the changes of files that differ from HEAD.

    A deleted file has no time. Where the record or the session's beginning has none, nothing is added.
    """
    times = charging.times_of(events)
    if not begun or not times:
        return events
    found = [(at, float(number), event) for number, (at, event) in enumerate(zip(times, events, strict=False))]
    for path, kind in pending_change.changed_paths(world.root):
        changed = charging.changed_at(world.absolute(path)) if kind != "delete" else 0.0
        number = _call_at(events, changed)
        if changed <= begun or (number is None and changed - pending_change.SLACK <= begun):
            continue
        at = changed - pending_change.SLACK if number is None else times[number]
        edit = Event(kind="edit", path=path, root=world.root, world=world)
        edit.unsure = number is None and charging.has_spans(events)
        found.append((at, -1.0 if number is None else number - 0.5, edit))
        over = next((event for event, other in zip(events, times, strict=False) if other >= at), None)
        if over:
            _confirm(over, path)
    return [event for _, _, event in sorted(found, key=lambda one: one[:2])]


def _call_at(events: list[Event], changed: float) -> int | None:
    """Which call that may write was under way at that time; None where none was."""
    under_way = charging.events_at(events, changed) or []
    writing = [one for one in under_way if one.kind in FILE_KINDS or charging.may_have_written(one)]
    return next((number for number, event in enumerate(events) if any(event is one for one in writing)), None)


def _confirm(event: Event, path: str) -> None:
    """An edit that the command's text shows only perhaps did happen, where a file there changed while it ran."""
    for act in acts.acts_of(event) if event.kind == "command" else ():
        if act.kind == "edit" and not act.sure and f"{path}/".startswith(act.path.rstrip("/") + "/"):
            act.path, act.sure = path, True
