"""New packages that a person is asked about: what an act brings in and the project does not have yet."""

from __future__ import annotations

from rulec.domain.compiled_rule import EventFinding
from rulec.guard import dependency_check, manifests
from rulec.guard.declared_package import names_package, normalised_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rulec.domain.compiled_rule import Facts, RuleScope, SessionCheck
    from rulec.shell.action_events import Event


MOST_MANIFESTS = 60
BRINGING = ("command", "write", "edit")  # the kinds of act by which a package may come


def check_packages(facts: Facts, check: SessionCheck, event: Event) -> list[EventFinding]:
    """A finding on the first package that is new to the project, and that no tool call brought in before."""
    wanted, free = check.before_packages, check.except_
    brought = [
        (one, place)
        for one, place in dependency_check.brought_packages(facts.scope, event)
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
        for one, _ in dependency_check.brought_packages(scope, past)
    }
