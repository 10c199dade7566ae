"""What a check forbids and wants instead, so that two rules can be compared by value."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal

from rulec.checks.template_library import open_library
from rulec.domain.rule import Check
from rulec.domain.template import ComparedParameters
from rulec.language.words import word_table

ComparisonKind = Literal["same", "wider", "contrary", "strangers"]

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
    given, by = check.parameters, _compared_parameters(check.template)
    family, others = by.family or check.template, _other_values(given, (by.forbidden, by.wanted, by.choice))
    if by.choice:
        chosen = str(given.get(by.choice, ""))
        return CheckValues(family, frozenset(), frozenset(), chosen, others) if chosen else None
    if by.forbidden:
        return CheckValues(family, _texts(given.get(by.forbidden)), _texts(given.get(by.wanted)), "", others)
    return None


@cache
def _compared_parameters(template: str) -> ComparedParameters:
    """What the header of rulec's own template of this name says; nothing of one that only a team has."""
    library = open_library()
    return library.template(template).compares if library.has(template) else ComparedParameters()


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
