"""The actions of a change as events for the guard, each with what the session had done before it."""

import json
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Any

from rulec.model.change import Change
from rulec.model.transcript import Action
from rulec.runtime.call import join
from rulec.runtime.effects import effects
from rulec.runtime.globs import match
from rulec.runtime.shell import parse

Event = dict[str, Any]
DELEGATES = ("Task", "Agent")  # tools behind which another agent works, unseen
_DONE = ("write", "edit", "delete", "read", "tool", "says", "stop", "reply")


def in_order(change: Change) -> list[Event]:
    """An event for each action that is judged."""
    there = {file.path: file.status not in ("A", "R") for file in change.files}
    past = [event for action in change.earlier if (event := _past(action))]
    seen = {event["path"] for event in past if event.get("path")}
    found = []
    for action in change.actions:
        exists = (
            True
            if join("", action.path) in seen or "has been updated" in action.output
            else there.get(join("", action.path))
        )
        left = {"files": _left(past)} if action.kind == "stop" else {}
        known = {"agent": change.agent, "environment": change.environment}
        found.append({**_event(action), **left, **known, "exists": exists, "history": list(past)})
        if event := _past(action):
            past.append(event)
            seen.add(action.path)
    return found


def _left(past: Iterable[Event]) -> list[Event]:
    """The files that came into being and are still there, as the end of a turn finds them in the work tree."""
    known: set[str] = set()
    files: dict[str, Event] = {}
    for event in past:
        for path, gone, text in _touched(event):
            if gone:
                files = {other: file for other, file in files.items() if not match([path], other)}
            elif path not in known and event["kind"] in ("write", "command"):
                files[path] = {
                    "kind": "write",
                    "path": path,
                    "new": text,
                    "content": text,
                    "exists": False,
                    "left": True,
                }
            known.add(path)
    return list(files.values())


def _touched(event: Event) -> Iterator[tuple[str, bool, str]]:
    """Paths that an act looked at, changed or removed, whether they are gone, and what was put there."""
    if event["kind"] == "command":
        for effect in effects(parse(event["command"])):
            yield effect.path, effect.delete, effect.content
    elif event.get("path"):
        yield event["path"], event["kind"] == "delete", event["new"]


@lru_cache(maxsize=2_048)
def _past(action: Action) -> Event | None:
    """What is left of an action for those after it: nothing, where it did not happen."""
    if action.rejected or (action.ok is False and action.kind != "command"):
        return None
    if action.kind == "command" or action.kind in _DONE:
        return _event(action)
    if action.tool in DELEGATES:
        return {"kind": "gap", "tool": action.tool, "ok": action.ok}
    return {**_event(action), "kind": "tool"} if action.tool else None


def _event(action: Action) -> Event:
    return {
        "kind": action.kind,
        "command": action.command,
        "ok": action.ok,
        "path": join("", action.path),
        "text": action.new,
        "old": action.old,
        "new": action.new,
        "content": action.new if action.kind == "write" else None,
        "tool": action.tool,
        "args": _arguments(action.args),
    }


def _arguments(text: str) -> Event:
    try:
        given = json.loads(text) if text else {}
    except ValueError:
        return {}
    return given if isinstance(given, dict) else {}
