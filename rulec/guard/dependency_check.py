"""Dependencies: whether a rule forbids a package that a command installs or a manifest declares."""

from __future__ import annotations

from rulec.domain.compiled_rule import EventFinding
from rulec.guard import manifests, packages, scopes
from rulec.guard.packages import DeclaredPackage, installed_packages, names_package, normalised_name
from rulec.shell import action_events

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rulec.domain.compiled_rule import DependencyCheck, Facts, RuleScope, SessionCheck
    from rulec.shell.action_events import Event


_OF = {"image": "images", "action": "actions"}
MOST_FOUND = 20


def check_install(facts: Facts, check: DependencyCheck, event: Event) -> list[EventFinding]:
    """Findings on the packages that a command brings along."""
    found = []
    for call in scopes.judged_calls(event):
        wrong = [one for one in installed_packages(call) if _wrong(check, one)]
        if wrong and scopes.holds_folder(facts.scope, event, call):
            cure = _cure(check, wrong[0])
            text = action_events.command_line(call.argv)
            found.append(EventFinding(facts=facts, text=text, program=call.program, cure=cure))
    return found


def check_manifest(facts: Facts, check: DependencyCheck, event: Event) -> list[EventFinding]:
    """Findings on what a manifest declares now and did not before."""
    if event.kind == "delete" or event.unsure:
        return []
    for path in event.names:
        if manifests.kind_of(path) and scopes.holds_path(facts.scope, path):
            wrong = [one for one in _added(path, event, pin=bool(check.pin)) if _wrong(check, one)]
            return [
                EventFinding(facts=facts, path=path, line=one.line, text=_describe(one), cure=_cure(check, one))
                for one in wrong[:MOST_FOUND]
            ]
    return []


def brought_packages(scope: RuleScope, event: Event) -> list[tuple[DeclaredPackage, str]]:
    """The packages that a command, an edit of a manifest or a changed manifest brings in, each with its place."""
    files, found = [event], []
    if event.kind == "command":
        calls = [call for call in scopes.judged_calls(event) if scopes.holds_folder(scope, event, call)]
        found = [(one, action_events.command_line(call.argv)) for call in calls for one in installed_packages(call)]
        world = event.world
        files = action_events.file_events(event, action_events.touched_paths(event))
        files = [file.but(old=(world.read(file.path) if world else None) or "") for file in files]
    for file in files:
        if file.kind in ("write", "edit") and manifests.kind_of(file.path) and scopes.holds_path(scope, file.path):
            found += [(one, file.path) for one in _added(file.path, file, pin=False)]
    return [(one, place) for one, place in found if one.family not in _OF]


def _added(path: str, event: Event, *, pin: bool) -> list[DeclaredPackage]:
    """What is new: a name for rules on names, a name with its version for rules on versions."""
    whole = event.content is not None
    before = event.disk if whole and event.kind == "edit" and event.disk is not None else event.old
    new = manifests.declared_packages(path, (event.content if whole else event.new) or "")
    old = {_key(one, pin=pin) for one in manifests.declared_packages(path, before or "")}
    return [one for one in new if _key(one, pin=pin) not in old]


def _key(one: DeclaredPackage, *, pin: bool) -> tuple[str, ...]:
    name = normalised_name(one.family, one.name)
    return (name, one.spec) if pin else (name,)


def _wrong(check: DependencyCheck, one: DeclaredPackage) -> bool:
    if any(names_package(name, one.family, one.name) for name in check.except_):
        return False
    if check.pin:
        return _OF.get(one.family, "packages") in check.pin and packages.is_unpinned(one, digest=check.digest)
    return one.family not in _OF and any(names_package(name, one.family, one.name) for name in check.forbid)


def _describe(one: DeclaredPackage) -> str:
    shown = f"{one.name} {one.spec}".strip()
    return " ".join(shown.split())[: action_events.LONGEST_SHOWN]


def _cure(check: DependencyCheck, one: DeclaredPackage) -> str:
    if check.pin:
        fixed = {"image": "a tag of one version, or its digest", "action": "the commit of one version"}
        return f"give {one.name} {fixed.get(one.family, 'one exact version')}"
    instead = check.instead
    return f"use {instead} instead of {one.name}" if instead else f"do without {one.name}"


MOST_MANIFESTS = 60
BRINGING = ("command", "write", "edit")  # the kinds of act by which a package may come


def check_packages(facts: Facts, check: SessionCheck, event: Event) -> list[EventFinding]:
    """A finding on the first package that is new to the project, and that no tool call brought in before."""
    wanted, free = check.before_packages, check.except_
    brought = [
        (one, place)
        for one, place in brought_packages(facts.scope, event)
        if any(names_package(name, one.family, one.name) for name in wanted)
        and not any(names_package(name, one.family, one.name) for name in free)
    ]
    known = _known_names(event) | _asked_names(facts.scope, event) if brought else set()
    for one, place in brought:
        if normalised_name(one.family, one.name) in known:
            continue
        path = place if event.kind != "command" or manifests.kind_of(place) else ""
        text, line = f"add {one.name} ({place})", one.line if path else 0
        return [EventFinding(facts=facts, path=path, line=line, text=text, unsure=event.unsure)]
    return []


def _known_names(event: Event) -> set[str]:
    """The packages that the manifests of the project declare: before the change that is judged, else now."""
    world = event.world
    if not world:
        return set()
    from rulec.checkout import pending_change  # noqa: PLC0415 (only where a package is brought in)

    paths = sorted(path for path in pending_change.known_paths(world.root) if manifests.kind_of(path))[:MOST_MANIFESTS]
    texts = (
        pending_change.texts_at_head(world.root, paths, event.base)
        if event.base
        else {path: world.read(path) for path in paths}
    )
    declared = [one for path, text in texts.items() for one in manifests.declared_packages(path, text or "")]
    return {normalised_name(one.family, one.name) for one in declared}


def _asked_names(scope: RuleScope, event: Event) -> set[str]:
    """Of a file that was found changed: the packages of the tool calls that went through, which were asked about."""
    if event.base is None:
        return set()
    return {
        normalised_name(one.family, one.name)
        for past in event.history or ()
        if past.kind in BRINGING and past.ok is not False
        for one, _ in brought_packages(scope, past)
    }
