"""Dependencies: whether a rule forbids a package that a command installs or a manifest declares."""

from __future__ import annotations

from rulec.guard import declared_package, manifests, scopes
from rulec.guard.declared_package import DeclaredPackage, names_package, normalised_name
from rulec.guard.installs import installed_packages
from rulec.shell import action_events

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


_OF = {"image": "images", "action": "actions"}
MOST_FOUND = 20


def check_install(rule: dict[str, Any], event: dict[str, Any]) -> list[dict[str, Any]]:
    """Findings on the packages that a command brings along."""
    found = []
    for call in scopes.judged_calls(event):
        wrong = [one for one in installed_packages(call) if _wrong(rule["check"], one)]
        if wrong and scopes.holds_folder(rule["facts"].get("scope", {}), event, call):
            cure = _cure(rule["check"], wrong[0])
            text = action_events.command_line(call.argv)
            found.append(action_events.finding_of(rule["facts"]["slug"], text=text, program=call.program, cure=cure))
    return found


def check_manifest(rule: dict[str, Any], event: dict[str, Any]) -> list[dict[str, Any]]:
    """Findings on what a manifest declares now and did not before."""
    if event["kind"] == "delete" or event.get("unsure"):
        return []
    scope, check = rule["facts"].get("scope", {}), rule["check"]
    for path in (event["path"], *event.get("also", ())):
        if manifests.kind_of(path) and scopes.holds_path(scope, path):
            wrong = [one for one in _added(check, path, event) if _wrong(check, one)]
            return [
                action_events.finding_of(
                    rule["facts"]["slug"], path=path, line=one.line, text=_describe(one), cure=_cure(check, one)
                )
                for one in wrong[:MOST_FOUND]
            ]
    return []


def brought_packages(rule: dict[str, Any], event: dict[str, Any]) -> list[tuple[DeclaredPackage, str]]:
    """The packages that a command, an edit of a manifest or a changed manifest brings in, each with its place."""
    scope, files, found = rule["facts"].get("scope", {}), [event], []
    if event["kind"] == "command":
        calls = [call for call in scopes.judged_calls(event) if scopes.holds_folder(scope, event, call)]
        found = [(one, action_events.command_line(call.argv)) for call in calls for one in installed_packages(call)]
        world = event.get("world")
        files = action_events.file_events(event, action_events.touched_paths(event))
        files = [{**file, "old": (world.read(file["path"]) if world else None) or ""} for file in files]
    for file in files:
        if (
            file["kind"] in ("write", "edit")
            and manifests.kind_of(file["path"])
            and scopes.holds_path(scope, file["path"])
        ):
            found += [(one, file["path"]) for one in _added({}, file["path"], file)]
    return [(one, place) for one, place in found if one.family not in _OF]


def _added(check: dict[str, Any], path: str, event: dict[str, Any]) -> list[DeclaredPackage]:
    """What is new: a name for rules on names, a name with its version for rules on versions."""
    content = event.get("content")
    whole = isinstance(content, str)
    before = event.get("disk") if whole and event["kind"] == "edit" and "disk" in event else event.get("old")
    new = manifests.declared_packages(path, content if isinstance(content, str) else event.get("new") or "")
    old = {_key(check, one) for one in manifests.declared_packages(path, before or "")}
    return [one for one in new if _key(check, one) not in old]


def _key(check: dict[str, Any], one: DeclaredPackage) -> tuple[str, ...]:
    name = normalised_name(one.family, one.name)
    return (name, one.spec) if check.get("pin") else (name,)


def _wrong(check: dict[str, Any], one: DeclaredPackage) -> bool:
    if any(names_package(name, one.family, one.name) for name in check.get("except", [])):
        return False
    if check.get("pin"):
        return _OF.get(one.family, "packages") in check["pin"] and declared_package.is_unpinned(
            one, digest=bool(check.get("digest"))
        )
    return one.family not in _OF and any(names_package(name, one.family, one.name) for name in check["forbid"])


def _describe(one: DeclaredPackage) -> str:
    shown = f"{one.name} {one.spec}".strip()
    return " ".join(shown.split())[: action_events.LONGEST_SHOWN]


def _cure(check: dict[str, Any], one: DeclaredPackage) -> str:
    if check.get("pin"):
        fixed = {"image": "a tag of one version, or its digest", "action": "the commit of one version"}
        return f"give {one.name} {fixed.get(one.family, 'one exact version')}"
    instead = check.get("instead", "")
    return f"use {instead} instead of {one.name}" if instead else f"do without {one.name}"
