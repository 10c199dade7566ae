"""A rulebook's senses and values as an index, by which the few rules are found that a wish may be about."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from heapq import nlargest

from rulec.domain.rule import Check, Rule
from rulec.language.semantics.meaning import Meaning, meaning_of
from rulec.language.semantics.overlap import sense_weight
from rulec.resolving.check_values import index_keys
from rulec.rulebook.rulebook import Rulebook

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
    """Rules that are told from others by being these very ones: they hold mappings, which have no hash."""

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
