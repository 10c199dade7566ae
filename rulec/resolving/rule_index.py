"""The rules of a rulebook by the values of their checks, by their sentences and by their words."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from rulec.domain.rule import Check, Rule
from rulec.reminders.words import task_words
from rulec.resolving.check_values import index_keys
from rulec.rulebook.rulebook import Rulebook

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
