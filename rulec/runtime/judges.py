"""The three kinds of guard check: on commands, on paths, on the text that is put into files."""

import re

from . import branches, events, globs, places, texts
from .call import Call
from .match import keys, matches, without
from .narrow import named

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def on_command(rule: "dict[str, Any]", event: "dict[str, Any]") -> "list[dict[str, Any]]":
    check = rule["check"]
    patterns = check["patterns"]
    reading = events.parsed(event)
    found = []
    for call in reading.calls:
        pattern = named(check, call, branches.current(event, reading.calls, call) if "pushes" in check else "")
        if pattern is None:
            continue
        if places.in_folders(rule["facts"].get("scope", {}), event, call):
            text, cure = events.shown(call.argv), _cure(check, call, pattern)
            found.append(events.finding_of(rule["facts"]["slug"], text=text, program=call.program, cure=cure))
    if not found and reading.unsure == "the text nests too deeply":
        words = set(re.findall(r"[\w.-]+", event.get("command", "")))
        if any(name in words for pattern in patterns for name in keys(pattern) or ()):
            text = f"not certain ({reading.unsure}): {event['command']}"[: events.LONGEST_TEXT]
            found.append(events.finding_of(rule["facts"]["slug"], text=text, unsure=True))
    return found


def _cure(check: "dict[str, Any]", call: Call, pattern: str) -> str:
    """What to run instead, computed from the very command where the rule says how."""
    for old, new in check.get("rewrite", {}).items():
        if matches(old, call):
            return f"run `{events.shown([*new.split(), *without(old, call)])}`"
    instead = check.get("instead", "")
    return f"use `{instead}` instead of `{pattern}`" if instead else ""


def on_path(rule: "dict[str, Any]", event: "dict[str, Any]") -> "list[dict[str, Any]]":
    check = rule["check"]
    scope = rule["facts"].get("scope", {})
    how = check.get("how") or ["create", "change", "delete"]
    deletes = event["kind"] == "delete"
    exists = True if event["kind"] == "edit" else event.get("exists")
    acts = ["delete"] if deletes else ["change"] if exists else ["create"] if exists is False else ["create", "change"]
    meant = [act for act in acts if act in how]
    if not meant:
        return []
    for path in (event["path"], *event.get("also", ())):
        sure = places.protects(check["globs"], path, deletes=deletes)
        if sure is None or globs.match(check.get("except", []), path) or not places.in_scope(scope, path):
            continue
        certain = sure and len(meant) == len(acts) and not event.get("unsure")
        return [
            events.finding_of(rule["facts"]["slug"], path=path, text=f"{' or '.join(meant)} {path}", unsure=not certain)
        ]
    return []


def on_text(rule: "dict[str, Any]", event: "dict[str, Any]") -> "list[dict[str, Any]]":
    check = rule["check"]
    if event["kind"] == "delete" or event.get("unsure"):
        return []
    scope = rule["facts"].get("scope", {})
    for path in (event["path"], *event.get("also", ())):
        wanted = not check.get("globs") or globs.match(check["globs"], path)
        if wanted and not globs.match(check.get("except", []), path) and places.in_scope(scope, path):
            return [
                events.finding_of(rule["facts"]["slug"], path=path, line=line, text=text)
                for line, text in texts.seen(check, event)
            ]
    return []
