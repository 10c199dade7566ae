"""The actions of a change as events for the guard, each with what the session had done before it."""

from functools import lru_cache
from typing import Any

from rulec.model.change import Change
from rulec.model.transcript import Action

Event = dict[str, Any]
DELEGATES = ("Task", "Agent")  # tools behind which another agent works, unseen
_DONE = ("write", "edit", "delete", "read", "says", "stop")


def in_order(change: Change) -> list[Event]:
    """An event for each action that is judged."""
    there = {file.path: file.status not in ("A", "R") for file in change.files}
    past = [event for action in change.earlier if (event := _past(action))]
    seen = {event["path"] for event in past if event.get("path")}
    found = []
    for action in change.actions:
        exists = True if action.path in seen or "has been updated" in action.output else there.get(action.path)
        found.append({**_event(action), "exists": exists, "history": list(past)})
        if event := _past(action):
            past.append(event)
            seen.add(action.path)
    return found


@lru_cache(maxsize=2_048)
def _past(action: Action) -> Event | None:
    """What is left of an action for those after it: nothing, where it did not happen."""
    if action.rejected or (action.ok is False and action.kind != "command"):
        return None
    if action.kind == "command" or action.kind in _DONE:
        return _event(action)
    return {"kind": "gap"} if action.tool in DELEGATES else None


def _event(action: Action) -> Event:
    return {
        "kind": action.kind,
        "command": action.command,
        "ok": action.ok,
        "path": action.path,
        "text": action.new,
        "old": action.old,
        "new": action.new,
        "content": action.new if action.kind == "write" else None,
    }
