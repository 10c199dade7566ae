"""How two checks stand to each other by the values of their parameters, and an index of rules by these values."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any, Literal

from rulec.checks.template_library import open_library
from rulec.domain.rule import Check, Rule
from rulec.domain.template import ComparedParameters
from rulec.reminders.words import task_words
from rulec.rulebook.rulebook import Rulebook

CheckRelation = Literal["same", "narrower", "wider", "overlap", "looser", "contrary", "strangers"]

_ADVICE = ("instead", "prefer")  # what is told, and decides nothing
_WITHIN = ("inside", "globs", "on_branch", "push_to", "flags")  # where a check holds alone
_SPARES = ("unless", "except", "outside")  # what a check leaves alone


@dataclass(frozen=True, slots=True)
class CheckValues:
    """What one check is about."""

    family: str
    forbidden: frozenset[str]
    wanted: frozenset[str]
    choice: str
    within: frozenset[str]
    spared: frozenset[str]
    others: str  # every other parameter, which must be equal


@dataclass(frozen=True, slots=True)
class ValueComparison:
    """How the second check relates to the first, and by which values."""

    kind: CheckRelation
    values: tuple[str, ...] = ()


def values_of(check: Check) -> CheckValues | None:
    """The values that the check forbids and wants; None where its template has none to compare."""
    given, by = check.parameters, _compared_parameters(check.template)
    known = {by.forbidden, *by.wanted, by.choice}
    chosen = str(given.get(by.choice, "")) if by.choice else ""
    if not (chosen or by.forbidden):
        return None
    bounds = [key for key in (*_WITHIN, *_SPARES) if key not in known]
    others = sorted((key, repr(value)) for key, value in given.items() if key not in {*known, *bounds, *_ADVICE})
    return CheckValues(
        family=by.family or check.template,
        forbidden=_texts(given.get(by.forbidden)) if by.forbidden else frozenset(),
        wanted=frozenset(text for name in by.wanted for text in _texts(given.get(name))),
        choice=chosen,
        within=frozenset(f"{key} {text}" for key in _WITHIN if key in bounds for text in _texts(given.get(key))),
        spared=frozenset(f"{key} {text}" for key in _SPARES if key in bounds for text in _texts(given.get(key))),
        others=repr(others),
    )


@cache
def _compared_parameters(template: str) -> ComparedParameters:
    """What the header of rulec's own template of this name says; nothing of one that only a team has."""
    library = open_library()
    return library.template(template).compares if library.has(template) else ComparedParameters()


def _texts(given: Any) -> frozenset[str]:
    some = given if isinstance(given, Sequence) and not isinstance(given, str) else [given] if given else []
    return frozenset(" ".join(str(one).split()) for one in some)


def compare_checks(one: Check, other: Check) -> ValueComparison:
    """How the second stands to the first.

    Narrower refuses nothing that the first does not refuse, wider refuses all of it and more. Looser is a narrower one
    that names what it leaves alone: somebody wants less.
    """
    if "judge" in (one.kind, other.kind):
        return ValueComparison("strangers")
    mine, theirs = values_of(one), values_of(other)
    if (one.template, one.parameters) == (other.template, other.parameters):
        return ValueComparison("same", tuple(sorted(mine.forbidden)) if mine else ())
    if _limits_differ(one, other):
        return ValueComparison("contrary")
    if mine is None or theirs is None or (mine.family, mine.others) != (theirs.family, theirs.others):
        return ValueComparison("strangers")
    if mine.within and theirs.within and mine.within.isdisjoint(theirs.within):
        return ValueComparison("strangers")
    if mine.choice != theirs.choice:
        return ValueComparison("contrary", tuple(filter(None, (theirs.choice, mine.choice))))
    return _compare_refused(mine, theirs)


def _compare_refused(mine: CheckValues, theirs: CheckValues) -> ValueComparison:
    if _refused_by(mine, theirs.wanted) or _refused_by(theirs, mine.wanted):
        return ValueComparison("contrary", tuple(sorted(theirs.wanted)))
    shared, back = _refused_by(mine, theirs.forbidden), _refused_by(theirs, mine.forbidden)
    if not (shared or back or mine.choice):
        return ValueComparison("strangers")
    wanted = [{word for text in some.wanted for word in text.split()} for some in (mine, theirs)]
    if all(wanted) and wanted[0].isdisjoint(wanted[1]):
        return ValueComparison("contrary", tuple(sorted(theirs.wanted)))
    added = theirs.forbidden - shared
    covers = not added and _holds_wherever(mine, theirs)
    covered = not mine.forbidden - back and _holds_wherever(theirs, mine)
    if covers and covered:
        return ValueComparison("same", tuple(sorted(theirs.forbidden)))
    if covers:
        more = theirs.spared - mine.spared
        return ValueComparison("looser" if more else "narrower", tuple(sorted(more)))
    places = {text.partition(" ")[2] for text in theirs.within - mine.within}
    return ValueComparison("wider" if covered else "overlap", tuple(sorted(added or places)))


def _refused_by(check: CheckValues, values: Iterable[str]) -> frozenset[str]:
    """Those of the values that the check refuses: a command with all that may follow it."""
    return frozenset(
        value for value in values if any(value == one or value.startswith(f"{one} ") for one in check.forbidden)
    )


def _holds_wherever(wide: CheckValues, narrow: CheckValues) -> bool:
    """Whether the first holds wherever the second does."""
    within = not wide.within or (bool(narrow.within) and narrow.within <= wide.within)
    return within and wide.spared <= narrow.spared


def _limits_differ(one: Check, other: Check) -> bool:
    """Whether they are one check with another number."""
    if one.template != other.template:
        return False
    mine, theirs = one.parameters, other.parameters
    apart = {key for key in {*mine, *theirs} if mine.get(key) != theirs.get(key)}
    return bool(apart) and all(_is_number(mine.get(key)) and _is_number(theirs.get(key)) for key in apart)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def index_keys(check: Check) -> tuple[str, ...]:
    """The keys under which an index files the check: the first word of each of its values, or the check itself."""
    said = values_of(check)
    if said is None:
        return (f"{check.template} {sorted(check.parameters.items(), key=repr)!r}",)
    if said.choice:
        return (f"{said.family} {said.others}",)
    words = {value.split(maxsplit=1)[0] for value in (*said.forbidden, *said.wanted) if value}
    return tuple(f"{said.family} {word}" for word in sorted(words))


SIMILAR = 0.3  # of the words of two statements, from which on they are shown as similar


def plain_sentence(text: str) -> str:
    """A sentence without what makes no difference to it: capitals, blanks, markup and the marks at its end."""
    return " ".join(re.sub(r"[`*]", "", text).casefold().split()).rstrip(" .!")


@lru_cache(maxsize=8_192)
def telling_words(text: str) -> frozenset[str]:
    """The stems of the words that a sentence does not share with most others."""
    return frozenset(task_words(text))


def likeness(one: str, other: str) -> float:
    """The common share of the words of two sentences, 0 to 1."""
    mine, theirs = telling_words(one), telling_words(other)
    return len(mine & theirs) / len(mine | theirs) if mine and theirs else 0.0


@dataclass(frozen=True, slots=True, eq=False)
class RuleIndex:
    """Finds rules without comparing each."""

    rules: tuple[Rule, ...]
    by_key: dict[str, list[int]]
    by_word: dict[str, list[int]]

    def with_values(self, checks: Iterable[Check]) -> list[Rule]:
        """The rules that share a value with one of the checks, in their order."""
        return self._found(key for check in checks for key in index_keys(check))

    def with_sentence(self, statement: str) -> list[Rule]:
        """The rules that say this very sentence."""
        return self._found([_sentence_key(statement)])

    def alike(self, statement: str) -> list[Rule]:
        """The rules that share a telling word with a sentence, the most alike first."""
        places = {at for word in telling_words(statement) for at in self.by_word.get(word, ())}
        found = sorted(places, key=lambda at: (-likeness(statement, self.rules[at].statement), at))
        return [self.rules[at] for at in found]

    def similar(self, statement: str) -> list[Rule]:
        """The rules whose words are so much alike that a person should see them."""
        return [rule for rule in self.alike(statement) if likeness(statement, rule.statement) >= SIMILAR]

    def _found(self, keys: Iterable[str]) -> list[Rule]:
        return [self.rules[at] for at in sorted({at for key in keys for at in self.by_key.get(key, ())})]


def _sentence_key(statement: str) -> str:
    return f"sentence {plain_sentence(statement)}"


@dataclass(frozen=True, slots=True, eq=False)
class _Rules:
    """Rules compared by identity: they hold mappings, which have no hash."""

    rules: tuple[Rule, ...]

    def __hash__(self) -> int:
        return id(self.rules)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Rules) and self.rules is other.rules


def index_rules(book: Rulebook) -> RuleIndex:
    """The index of a rulebook, made once for the same rules."""
    return _build_index(_Rules(book.rules))


@lru_cache(maxsize=4)  # the team's rulebook, and those of a few layers
def _build_index(book: _Rules) -> RuleIndex:
    by_key: dict[str, list[int]] = {}
    by_word: dict[str, list[int]] = {}
    for number, rule in enumerate(book.rules):
        for key in {_sentence_key(rule.statement), *(key for check in rule.checks for key in index_keys(check))}:
            by_key.setdefault(key, []).append(number)
        for word in telling_words(rule.statement):
            by_word.setdefault(word, []).append(number)
    return RuleIndex(book.rules, by_key, by_word)
