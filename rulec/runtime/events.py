"""An action of an agent as an event: parsed once, and the findings that speak of it."""

from rulec.runtime.effect import Effect
from rulec.runtime.effects import effects
from rulec.runtime.shell import Parse, parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

FILES = ("write", "edit", "delete")
LONGEST_TEXT = 200
THEIRS = "ask the person: this command is theirs to run"  # what mends a command that only a person may give


def finding_of(slug: str, **values: object) -> "dict[str, Any]":
    """A finding with all its keys."""
    empty = {"slug": slug, "path": "", "line": 0, "text": "", "program": "", "cure": "", "unsure": False, "fault": ""}
    return {**empty, **values}


def parsed(event: "dict[str, Any]") -> Parse:
    """The event's command, parsed once."""
    known = event.get("_parse")
    if not isinstance(known, Parse):
        known = event["_parse"] = parse(str(event.get("command") or ""))
    return known


def touched(event: "dict[str, Any]") -> "list[Effect]":
    """What the event's command does to files, found once."""
    known: "list[Effect] | None" = event.get("_effects")
    if known is None:
        known = event["_effects"] = effects(parsed(event))
    return known


def shown(argv: "list[str]") -> str:
    """The words as one line that a shell would take."""
    words = []
    for word in argv:
        plain = word and not any(sign in word for sign in " \t\n\"'\\$`;&|<>()*?[]{}#!~")
        words.append(word if plain else "'" + word.replace("'", "'\\''") + "'")
    line = " ".join(" ".join(words).split())
    return line if len(line) <= LONGEST_TEXT else line[: LONGEST_TEXT - 1] + "…"
