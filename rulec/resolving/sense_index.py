"""An index of what each rule forbids and wants, to find the few rules that a wish may be about."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from heapq import nlargest
from typing import Any, Literal

from rulec.checks.template_library import open_library
from rulec.domain.rule import Check, Rule
from rulec.domain.template import ComparedParameters
from rulec.language.semantics.meaning import Meaning, meaning_of
from rulec.language.semantics.relation import sense_weight
from rulec.language.words import word_table
from rulec.rulebook.rulebook import Rulebook

ComparisonKind = Literal["same", "wider", "contrary", "strangers"]

_BESIDE = word_table("instead prefer aliases unless except language")  # what may differ without another wish


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
    """How the second check relates to the first, and by which values."""

    kind: ComparisonKind
    values: tuple[str, ...] = ()


def values_of(check: Check) -> CheckValues | None:
    """The values that the check forbids and wants; None where its template has none to compare."""
    given, by = check.parameters, _compared_parameters(check.template)
    family, others = by.family or check.template, _other_values(given, (by.forbidden, *by.wanted, by.choice))
    if by.choice:
        chosen = str(given.get(by.choice, ""))
        return CheckValues(family, frozenset(), frozenset(), chosen, others) if chosen else None
    if by.forbidden:
        wanted = [text for name in by.wanted for text in _texts(given.get(name))]
        return CheckValues(family, _texts(given.get(by.forbidden)), frozenset(wanted), "", others)
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
    """The keys under which an index files the check: each of its values, or the check itself."""
    said = values_of(check)
    if said is None:
        return (f"{check.template} {sorted(check.parameters.items(), key=repr)!r}",)
    if said.choice:
        return (f"{said.family} {said.others}",)
    return tuple(f"{said.family} {value}" for value in (*said.forbidden, *_program_values(said.wanted)))


MOST_COMPARED = 48  # rules that are compared sense by sense; all others have less in common with the wish


@dataclass(frozen=True, slots=True, eq=False)
class SenseIndex:
    """The rules of a rulebook by what they speak of."""

    rules: tuple[Rule, ...]
    weights: tuple[float, ...]  # of all that each rule says
    by_sense: dict[str, list[int]]
    by_value: dict[str, list[int]]


@dataclass(frozen=True, slots=True, eq=False)
class _Rules:
    """Rules compared by identity: they hold mappings, which have no hash."""

    rules: tuple[Rule, ...]

    def __hash__(self) -> int:
        return id(self.rules)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Rules) and self.rules is other.rules


def index_rules(book: Rulebook) -> SenseIndex:
    """The index of a rulebook, made once for the same rules."""
    return _build_index(_Rules(book.rules))


def meaning_of_rule(rule: Rule) -> Meaning:
    """What a rule says, with what it leaves alone."""
    spared = (text for one in rule.exceptions for text in (one.when, *one.scope.include) if text != "**")
    return meaning_of(rule.statement, rule.when, ", ".join(text.removesuffix("**") for text in spared))


@lru_cache(maxsize=4)  # the team's rulebook, and those of a few layers
def _build_index(book: _Rules) -> SenseIndex:
    by_sense: dict[str, list[int]] = {}
    by_value: dict[str, list[int]] = {}
    weights: list[float] = []
    for number, rule in enumerate(book.rules):
        senses = meaning_of_rule(rule).senses
        weights.append(sum(map(sense_weight, senses)))
        for sense in senses:
            by_sense.setdefault(sense, []).append(number)
        for key in {key for check in rule.checks for key in index_keys(check)}:
            by_value.setdefault(key, []).append(number)
    return SenseIndex(book.rules, tuple(weights), by_sense, by_value)


def nearest_rules(index: SenseIndex, said: Meaning, checks: Iterable[Check]) -> Sequence[Rule]:
    """The rules that share most with the wish, the nearest first; those with the same values come in any case."""
    shared: dict[int, float] = {}
    for sense in said.senses:
        gain = sense_weight(sense)
        for number in index.by_sense.get(sense, ()):
            shared[number] = shared.get(number, 0.0) + gain
    whole = sum(map(sense_weight, said.senses))
    ranked = nlargest(
        MOST_COMPARED, shared, key=lambda at: (shared[at] / (whole + index.weights[at] - shared[at] or 1), -at)
    )
    values = {key for check in checks for key in index_keys(check)}
    counted: dict[int, int] = {}
    for key in values:
        for number in index.by_value.get(key, ()):
            counted[number] = counted.get(number, 0) + 1
    same = nlargest(MOST_COMPARED, counted, key=lambda at: (counted[at], -at))
    return [index.rules[number] for number in dict.fromkeys((*ranked, *same))]
