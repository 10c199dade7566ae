"""The actions of a change as events for the guard, each with what the session had done before it."""

import json
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache, partial
from typing import Any

from rulec.domain.change import Change, FileChange
from rulec.domain.files.globs import match
from rulec.domain.transcript import Action
from rulec.shell import action_events
from rulec.shell.file_effects import file_effects
from rulec.shell.parsing.call import join_path
from rulec.shell.parsing.parser import parse_shell


def event_of_change(change: Change) -> dict[str, Any]:
    """A whole change as the runtime judges it."""
    return {
        "kind": "change",
        "files": [_seen(file) for file in change.files],
        "tree": change.tree,
        "environment": change.environment,
    }


def _seen(file: FileChange) -> dict[str, Any]:
    moved = file.status == "R" and file.content == file.base
    return {
        "path": file.path,
        "old_path": file.old_path if file.old_path != file.path else "",  # git names the path of each file twice
        "how": "move" if moved else _HOW.get(file.status, "change"),
        "old": (file.base or b"").decode("utf-8", "replace"),
        "new": (file.content or b"").decode("utf-8", "replace"),
    }


_HOW = {"A": "create", "D": "delete"}

Event = dict[str, Any]
DELEGATES = ("Task", "Agent")  # tools behind which another agent works, unseen
_DONE = ("write", "edit", "delete", "read", "tool", "says", "stop", "reply")


def events_in_order(change: Change) -> list[Event]:
    """An event for each action that is judged."""
    past: list[Event] = []
    seen: dict[str, bool] = {}  # paths that the session touched -> whether they are there
    found = []
    earlier = len(change.earlier)
    for number, action in enumerate([*change.earlier, *change.actions]):
        judged = number >= earlier
        updated = "has been updated" in action.output
        exists = True if updated else _there(change, seen, join_path("", action.path), judged=judged)
        if judged:
            more: Event = {"agent": change.agent, "environment": change.environment, "exists": exists}
            more["example"] = change.example
            if action.kind == "stop":
                more["files"] = _left(past)
            elif action.kind == "command":
                more["there"] = partial(_there, change, dict(seen))
            elif action.kind == "edit":
                more |= _surroundings(change, action)
            found.append({**_event(action), **more, "history": list(past), "past": list(past)})
        if event := _past(action):
            past.append({**event, "exists": exists} if event["kind"] == "write" else event)
            seen.update(_leaves(action))
    return found


def _surroundings(change: Change, action: Action) -> Event:
    """The whole file before and after an edit, where the change knows what stood there."""
    path = join_path("", action.path)
    base = next((file.base for file in change.files if file.path == path and file.base is not None), None)
    before = "" if base is None else base.decode("utf-8", "replace")
    if not action.old or action.old not in before:
        return {}
    return {"disk": before, "content": before.replace(action.old, action.new, 1)}


def _there(change: Change, seen: Mapping[str, bool], path: str, *, judged: bool = True) -> bool | None:
    """Whether a file exists at some point of a session; None where nothing shows it."""
    if path in seen:
        return seen[path]
    files = change.files if judged else ()  # they say how it was right before what is judged
    known = {file.path: file.status not in ("A", "R") for file in files}.get(path)
    if known is None and change.example:
        return change.tree is not None and path in change.tree.paths()
    return known


@lru_cache(maxsize=2_048)
def _leaves(action: Action) -> tuple[tuple[str, bool], ...]:
    """The paths that an action touches, and whether they are there after it."""
    if action.kind == "command":
        event = _event(action)
        done = [(effect.path, not effect.delete) for effect in file_effects(action_events.parsed_command(event))]
        return (*done, *((path, True) for path in action_events.new_folders(event)))
    return ((join_path("", action.path), action.kind != "delete"),) if action.path else ()


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
        yield from _effects(event["command"])
    elif event.get("path"):
        yield event["path"], event["kind"] == "delete", event["new"]


@lru_cache(maxsize=2_048)  # every end of a turn looks back at all commands before it
def _effects(command: str) -> tuple[tuple[str, bool, str], ...]:
    return tuple((effect.path, effect.delete, effect.content) for effect in file_effects(parse_shell(command)))


@lru_cache(maxsize=2_048)
def _past(action: Action) -> Event | None:
    """What an action leaves for later ones: nothing where it did not happen."""
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
        "path": join_path("", action.path),
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
