"""What a check forbids and wants instead, so that two rules can be compared by value."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from rulec.domain.rule import Check
from rulec.language.words import word_table

ComparisonKind = Literal["same", "wider", "contrary", "strangers"]

# Templates that forbid a list of things, and those that name what stands in its place: (what is forbidden, instead).
_LISTS: dict[str, tuple[str, str]] = {
    "forbid-command": ("commands", "instead"),
    "prefer-command": ("from", "to"),
    "forbid-flag": ("flags", ""),
    "forbid-call": ("functions", ""),
    "prefer-call": ("from", "to"),
    "forbid-import": ("modules", ""),
    "prefer-import": ("from", "to"),
    "forbid-dependency": ("names", "instead"),
    "forbid-decorator": ("names", ""),
    "forbid-annotation": ("types", ""),
    "forbid-construct": ("types", ""),
    "forbid-push-to": ("branches", ""),
    "forbid-path": ("globs", ""),
    "protect-path": ("globs", ""),
    "leftover-files": ("what", ""),
}
# One value of several that exclude each other, or a limit.
_CHOICES: dict[str, str] = {
    "spelling": "variety",
    "name-files": "style",
    "name-pattern": "style",
    "max-file-lines": "lines",
    "max-function-lines": "lines",
    "max-returns": "most",
    "branch-name": "pattern",
}
_FAMILY = {
    **dict.fromkeys(("forbid-command", "prefer-command"), "command"),
    **dict.fromkeys(("forbid-call", "prefer-call"), "call"),
    **dict.fromkeys(("forbid-import", "prefer-import", "forbid-dependency"), "package"),
}
_BESIDE = word_table("instead to aliases unless except language")  # what may differ without another wish


@dataclass(frozen=True, slots=True)
class CheckValues:
    """What one check is about."""

    family: str
    forbidden: frozenset[str]
    wanted: frozenset[str]
    choice: str
    others: str  # every other parameter, which must be equal


@dataclass(frozen=True, slots=True)
class ValueComparison:
    """How the second check stands to the first, and by which values one sees it."""

    kind: ComparisonKind
    values: tuple[str, ...] = ()


def values_of(check: Check) -> CheckValues | None:
    """What the check forbids and wants; None where its template says no values that could be compared."""
    given, template = check.parameters, check.template
    if key := _CHOICES.get(template):
        chosen = str(given.get(key, ""))
        return CheckValues(template, frozenset(), frozenset(), chosen, _other_values(given, (key,))) if chosen else None
    if keys := _LISTS.get(template):
        forbidden, wanted = _texts(given.get(keys[0])), _texts(given.get(keys[1])) if keys[1] else frozenset()
        return CheckValues(_FAMILY.get(template, template), forbidden, wanted, "", _other_values(given, keys))
    return None


def _texts(given: Any) -> frozenset[str]:
    some = given if isinstance(given, Sequence) and not isinstance(given, str) else [given] if given else []
    return frozenset(" ".join(str(one).split()) for one in some)


def _other_values(given: Mapping[str, Any], known: Sequence[str]) -> str:
    return repr(sorted((key, repr(value)) for key, value in given.items() if key not in known and key not in _BESIDE))


def compare_values(one: Check, other: Check) -> ValueComparison:
    """How the second stands to the first."""
    mine, theirs = values_of(one), values_of(other)
    if mine is None or theirs is None or (mine.family, mine.others) != (theirs.family, theirs.others):
        return ValueComparison("strangers")
    if mine.choice or theirs.choice:
        return ValueComparison("contrary" if mine.choice != theirs.choice else "same", (theirs.choice, mine.choice))
    crossed = (
        _program_values(mine.wanted) & _program_values(theirs.forbidden),
        _program_values(mine.forbidden) & _program_values(theirs.wanted),
    )
    if all(crossed):
        return ValueComparison("contrary", tuple(sorted(theirs.wanted)))
    if not mine.forbidden & theirs.forbidden:
        return ValueComparison("strangers")
    added = theirs.forbidden - mine.forbidden
    return (
        ValueComparison("wider", tuple(sorted(added)))
        if added
        else ValueComparison("same", tuple(sorted(theirs.forbidden)))
    )


def _program_values(commands: frozenset[str]) -> frozenset[str]:
    return frozenset(command.split()[0] for command in commands if command)


def index_keys(check: Check) -> tuple[str, ...]:
    """By what a rulebook's index knows the check: each value it speaks of, or itself."""
    said = values_of(check)
    if said is None:
        return (f"{check.template} {sorted(check.parameters.items(), key=repr)!r}",)
    if said.choice:
        return (f"{said.family} {said.others}",)
    return tuple(f"{said.family} {value}" for value in (*said.forbidden, *_program_values(said.wanted)))
