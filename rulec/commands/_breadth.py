"""Checks that would speak of more than the sentence they were drafted from: of a file nobody reads them one by one."""

import re
from collections.abc import Callable, Mapping
from typing import Any

from rulec.model.rule import Check

_LED = re.compile(
    r"(?:when(?:ever)?|if|for|in|on|unless|while|where|inside|within|at|with|until)\b[^,]{2,90},\s",
    re.IGNORECASE,
)
_TRAILED = re.compile(r",\s+(?:for|when|if|unless|where|while|as long as)\b[^,]{3,90}$", re.IGNORECASE)
_TIMED = ("require-before", "require-companion", "ask-before", "run-whole")
_ALL = re.compile(
    r"\b(?:any|every|all|code|files?|anything|edit(?:ing)?|work|chang(?:e|ing) (?:code|things)|start)\b",
    re.IGNORECASE,
)
_EACH_TIME = re.compile(
    r"\b(?:every|each|all|any|whenever|when|after|before|with|along|alongside|if|once|end|done|finish\w*)\b",
    re.IGNORECASE,
)
_NONE_AT_ALL = re.compile(
    r"\b(?:any|new|more|extra|additional|third[- ]party|external)\b.{0,30}\b(?:dependenc|librar|packag|modul)",
    re.IGNORECASE,
)
_KIND_OF_TESTS = re.compile(r"^(?:always )?(?:write|use|prefer) [a-z-]+ tests\W*$", re.IGNORECASE)


def conditional(text: str) -> bool:
    """Whether the sentence holds under a condition only: "for large files, use X", "use X, if it is there"."""
    return bool(_LED.match(text) or _TRAILED.search(text.rstrip(" .!")))


def timed(check: Check) -> bool:
    """Whether the check knows of a time or an occasion."""
    return check.template in _TIMED


def broad(check: Check, text: str) -> bool:
    """Whether a check speaks of more than its sentence does."""
    found = _BROAD.get(check.template)
    return found is not None and found(check.parameters, text)


def _before(given: Mapping[str, Any], text: str) -> bool:
    """Before every edit, although the sentence names something; at each end of a turn, although it names no time."""
    if list(given.get("before_edits", ())) == ["**"]:
        return not _ALL.search(text)
    return bool(given.get("before_stop")) and not _EACH_TIME.search(text)


def _companion(given: Mapping[str, Any], text: str) -> bool:
    """With every change of code, although the sentence is of no change or of a kind of tests."""
    if list(given.get("needs", ())) == ["@tests"]:
        return bool(_KIND_OF_TESTS.match(text))
    of_all = list(given.get("when", ())) == ["@code"] and not given.get("added") and not given.get("defines")
    return of_all and not _EACH_TIME.search(text)


def _command(given: Mapping[str, Any], text: str) -> bool:
    """A command that the sentence names further than the check does."""
    return any(f"`{command} " in text for command in given.get("commands", ()) if " " in str(command))


def _dependency(given: Mapping[str, Any], text: str) -> bool:
    return list(given.get("names", ())) == ["*"] and not _NONE_AT_ALL.search(text)


def _shape(given: Mapping[str, Any], text: str) -> bool:
    return given.get("shape") == "print" and "print" not in text.lower()


_BROAD: Mapping[str, Callable[[Mapping[str, Any], str], bool]] = {
    "require-before": _before,
    "require-companion": _companion,
    "forbid-command": _command,
    "forbid-dependency": _dependency,
    "forbid-shape": _shape,
}
