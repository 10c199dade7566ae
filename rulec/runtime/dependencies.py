"""What an edit, a command or a commit brings into a project's dependencies, and what a rule says of it."""

from rulec.runtime import events, installs, manifests, pins, places
from rulec.runtime.declared import Declared, covers, plain

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_OF = {"image": "images", "action": "actions"}
MOST_FOUND = 20


def on_command(rule: "dict[str, Any]", event: "dict[str, Any]") -> "list[dict[str, Any]]":
    """Findings on the packages that a command brings along."""
    found = []
    for call in events.parsed(event).calls:
        wrong = [one for one in installs.installed(call) if _wrong(rule["check"], one)]
        if wrong and places.in_folders(rule["facts"].get("scope", {}), event, call):
            cure = _cure(rule["check"], wrong[0])
            text = events.shown(call.argv)
            found.append(events.finding_of(rule["facts"]["slug"], text=text, program=call.program, cure=cure))
    return found


def on_file(rule: "dict[str, Any]", event: "dict[str, Any]") -> "list[dict[str, Any]]":
    """Findings on what a manifest declares now and did not before."""
    if event["kind"] == "delete" or event.get("unsure"):
        return []
    scope, check = rule["facts"].get("scope", {}), rule["check"]
    for path in (event["path"], *event.get("also", ())):
        if manifests.kind_of(path) and places.in_scope(scope, path):
            wrong = [one for one in _added(check, path, event) if _wrong(check, one)]
            return [
                events.finding_of(
                    rule["facts"]["slug"], path=path, line=one.line, text=_told(one), cure=_cure(check, one)
                )
                for one in wrong[:MOST_FOUND]
            ]
    return []


def brought(event: "dict[str, Any]") -> "list[str]":
    """The names of all packages that an action brings into a project."""
    return [one.name for one in _brought({"forbid": ["*"]}, event) if one.family not in _OF]


def concerns(check: "dict[str, Any]", event: "dict[str, Any]") -> bool:
    """Whether the check finds anything in an action."""
    return any(_wrong(check, one) for one in _brought(check, event))


def _brought(check: "dict[str, Any]", event: "dict[str, Any]") -> "list[Declared]":
    if event["kind"] == "command":
        return [one for call in events.parsed(event).calls for one in installs.installed(call)]
    return _added(check, event["path"], event) if manifests.kind_of(event["path"]) else []


def _added(check: "dict[str, Any]", path: str, event: "dict[str, Any]") -> "list[Declared]":
    """What is new: a name for rules on names, a name with its version for rules on versions."""
    content = event.get("content")
    whole = isinstance(content, str)
    before = event.get("disk") if whole and event["kind"] == "edit" and "disk" in event else event.get("old")
    new = manifests.declared(path, content if isinstance(content, str) else event.get("new") or "")
    old = {_key(check, one) for one in manifests.declared(path, before or "")}
    return [one for one in new if _key(check, one) not in old]


def _key(check: "dict[str, Any]", one: Declared) -> "tuple[str, ...]":
    name = plain(one.family, one.name)
    return (name, one.spec) if check.get("pin") else (name,)


def _wrong(check: "dict[str, Any]", one: Declared) -> bool:
    if any(covers(name, one.family, one.name) for name in check.get("except", [])):
        return False
    if check.get("pin"):
        return _OF.get(one.family, "packages") in check["pin"] and pins.floats(one, digest=bool(check.get("digest")))
    return one.family not in _OF and any(covers(name, one.family, one.name) for name in check["forbid"])


def _told(one: Declared) -> str:
    shown = f"{one.name} {one.spec}".strip()
    return " ".join(shown.split())[: events.LONGEST_TEXT]


def _cure(check: "dict[str, Any]", one: Declared) -> str:
    if check.get("pin"):
        fixed = {"image": "a tag of one version, or its digest", "action": "the commit of one version"}
        return f"give {one.name} {fixed.get(one.family, 'one exact version')}"
    instead = check.get("instead", "")
    return f"use {instead} instead of {one.name}" if instead else f"do without {one.name}"
