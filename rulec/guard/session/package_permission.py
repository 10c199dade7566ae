"""New packages that need a person's word: what an act brings in, what the project has, and who spoke of it."""

from __future__ import annotations

import re

from rulec.guard import dependency_check, manifests
from rulec.guard.declared_package import DeclaredPackage, names_package, normalised_name
from rulec.guard.session import permissions
from rulec.guard.session.acts import Act
from rulec.shell.action_events import finding_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


MOST_MANIFESTS = 60
_AFFIXES = re.compile(
    r"^(?:python|py|node|ruby|rust|go|php)[-_.](?=\w{3})|(?<=\w{3})[-_.](?:js|py|rb|rs|go)$", re.IGNORECASE
)
SHORTEST_PART = 3  # letters of a name's last part by which people call the package


def check_packages(rule: dict[str, Any], event: dict[str, Any]) -> list[dict[str, Any]]:
    """A finding on the first package that is new to the project and that no person asked for or allowed."""
    check = rule["check"]
    wanted, free = check["before_packages"], check.get("except") or ()
    brought = [
        (one, place)
        for one, place in dependency_check.brought_packages(rule, event)
        if any(names_package(name, one.family, one.name) for name in wanted)
        and not any(names_package(name, one.family, one.name) for name in free)
    ]
    known = _known_names(event) if brought else set()
    for one, place in brought:
        if normalised_name(one.family, one.name) in known or _allowed(
            check, event.get("history") or [], one, str(event.get("command") or event.get("new") or "")
        ):
            continue
        unread = event.get("unread") if event.get("history") is None else ""
        path = place if event["kind"] != "command" or manifests.kind_of(place) else ""
        text = f"add {one.name} ({place}), without a word of the person for it before it"
        found = finding_of(rule["facts"]["slug"], path=path, line=one.line if path else 0, text=text)
        unsure = unread or event.get("unsure") or _begins_unseen(event)
        cure = f"first ask the person about {one.name}, and wait for their word"
        return [{**found, "cure": cure, "unsure": unsure, "held": bool(unsure and event.get("held"))}]
    return []


def _begins_unseen(event: dict[str, Any]) -> bool | str:
    """Why nobody knows what was said at the beginning, where only the session's end can be read."""
    history = event.get("history") or [{}]
    return "what the session began with is not there to read" if history[0].get("kind") == "gap" else False


def _known_names(event: dict[str, Any]) -> set[str]:
    """The packages that the manifests of the project declare: before the change that is judged, else now."""
    world = event.get("world")
    if not world:
        return set()
    from rulec.checkout import pending_change  # noqa: PLC0415 (only where a package is brought in)

    base = event.get("base", "")
    paths = sorted(path for path in pending_change.known_paths(world.root) if manifests.kind_of(path))[:MOST_MANIFESTS]
    texts = (
        pending_change.texts_at_head(world.root, paths, base) if base else {path: world.read(path) for path in paths}
    )
    declared = [one for path, text in texts.items() for one in manifests.declared_packages(path, text or "")]
    return {normalised_name(one.family, one.name) for one in declared}


def _allowed(check: dict[str, Any], history: list[dict[str, Any]], one: DeclaredPackage, done: str) -> bool:
    """Whether a person asked for this package or allowed it, and did not take that back; or asked for any just now."""
    name, general, first = name_pattern(one.name), check.get("first_said") or "", True
    for at in range(len(history) - 1, -1, -1):
        if history[at]["kind"] != "says":
            continue
        told = Act("says", history[at], text=str(history[at].get("text") or ""))
        told.asked = str(history[at - 1].get("text") or "") if at and history[at - 1]["kind"] == "stop" else ""
        free = check.get("unless_said")
        if free and re.search(free, told.text[: permissions.LONGEST], re.IGNORECASE):
            return True
        if permissions.revokes(name, told.text):
            return False
        if permissions.permits(name, told, of_thing=True, done=done) or (
            general and first and permissions.permits(general, told)
        ):
            return True
        first = bool(check.get("lasting"))
    return False


def name_pattern(name: str) -> str:
    """What a person may call the package: its name, or the last part of a longer one."""
    last = name.rpartition("/")[2]
    names = [name, *(one for one in (last, _AFFIXES.sub("", last)) if len(one) >= SHORTEST_PART)]
    spelt = ["[-_. ]?".join(map(re.escape, re.split(r"[-_.]+", one))) for one in dict.fromkeys(names)]
    return rf"(?<![\w@/-])(?:{'|'.join(spelt)})(?![\w/-])"
