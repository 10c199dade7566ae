"""What a rule's checks refuse and want, in words, and what a statement without a check says of these.

The words come from the values of the checks and from what only the invalid or only the valid examples have, so that
every template is read alike, also one that refuses what is missing.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal

from rulec.domain.rule import Example, Rule
from rulec.language.semantics.senses import MARKS, sense_tokens
from rulec.language.words import WEIGHTLESS
from rulec.resolving.sense_index import values_of
from rulec.resolving.statement_likeness import said_by_clause

Answer = Literal["agrees", "opposes", "open", "silent"]


@dataclass(frozen=True, slots=True)
class CheckPoint:
    """The words for what a rule's checks refuse, and for what they want in its place."""

    refused: frozenset[str]
    wanted: frozenset[str]


def point_of(rule: Rule) -> CheckPoint:
    """The point of a rule's checks; nothing of a rule without any."""
    checks = [check for check in rule.checks if check.kind != "judge"]
    if not checks:
        return CheckPoint(frozenset(), frozenset())
    values = [found for check in checks if (found := values_of(check))]
    told = frozenset(words_of(f"{rule.statement} {rule.do}")) | frozenset(
        word for check in checks for text in _texts(check.parameters) for word in words_of(text)
    )
    bad, good = (_words_of_examples(side) for side in (rule.invalid, rule.valid))
    mostly = frozenset(word for word in bad if _share(word, rule.invalid) >= _MOST > _share(word, rule.valid))
    forbidden = {word for one in values for text in one.forbidden for word in _telling(text, good)}
    preferred = {word for one in values for text in one.wanted for word in words_of(text)}
    refused = frozenset(_told(mostly, told) | (forbidden - preferred))
    wanted = frozenset(_told(good - bad, told) | (preferred - forbidden))
    return CheckPoint(refused - wanted, wanted - refused)


def answer_to(point: CheckPoint, statement: str) -> Answer:
    """What a statement says of the point of another rule's checks.

    agrees: it refuses what they refuse, says that what they want is to be used, or names that alone. opposes: the other
    way round. open: it names what they refuse and does not say what it thinks of it. silent: it names nothing of it.
    """
    said = said_by_clause(statement)
    refusing, stating, using = ({*_canonical(words)} for words in (said.refusing, said.stating, said.using))
    if using & point.refused or refusing & point.wanted:
        return "opposes"
    named = (refusing | stating) & point.refused
    if (refusing - stating) & point.refused or using & point.wanted or (stating & point.wanted and not named):
        return "agrees"
    return "open" if named else "silent"


_MOST = 0.5  # share of the examples of one side


def _share(word: str, examples: Sequence[Example]) -> float:
    """The share of the examples that hold a word."""
    return sum(word in _words_of_examples([one]) for one in examples) / len(examples) if examples else 0.0


def _telling(text: str, good: frozenset[str]) -> Iterable[str]:
    """The words of a refused value that no valid example has, all of them where each has one: a near miss."""
    words = tuple(words_of(text))
    return [word for word in words if word not in good] or words


def _told(words: frozenset[str], told: frozenset[str]) -> frozenset[str]:
    """Those words of examples that the rule itself says, be it in a longer form: log of logger."""
    return frozenset(word for word in words if word in told or any(_begins(one, word) for one in told))


def _begins(one: str, other: str) -> bool:
    return min(len(one), len(other)) >= _LETTERS and (one.startswith(other) or other.startswith(one))


_LETTERS = 3


def _words_of_examples(examples: Iterable[Example]) -> frozenset[str]:
    return frozenset(word for one in examples for text in _example_texts(one) for word in words_of(text))


def _example_texts(one: Example) -> Iterator[str]:
    yield from (one.text, one.path, one.args)
    for path, text in (*one.files, *one.moved):
        yield from (path, text)
    for step in one.steps:
        yield from _example_texts(step)


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for item in value.values():
            yield from _texts(item)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from _texts(item)


_WORD = re.compile(r"--?[A-Za-z][\w-]*|[A-Za-z][\w-]*")


def words_of(text: str) -> Iterator[str]:
    """The telling words of code, a path or a sentence, each under the name that its sense has."""
    return _canonical(_WORD.findall(text.lower()))


def _canonical(words: Iterable[str]) -> Iterator[str]:
    for word in words:
        for part in (word, *(word.split("_") if "_" in word else ())):
            named = _sense(part.rstrip("-"))
            if named and named not in WEIGHTLESS:
                yield named


@lru_cache(maxsize=8192)
def _sense(word: str) -> str:
    found = [sense for sense in sense_tokens(word) if sense not in MARKS] if len(word) > 1 else []
    return found[0] if len(found) == 1 else "" if not found else word
