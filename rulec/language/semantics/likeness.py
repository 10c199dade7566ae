"""How alike two sentences are, and whether they contradict each other."""

from functools import lru_cache
from typing import NamedTuple

from rulec.language.semantics.meaning import Meaning, meaning_of
from rulec.language.semantics.overlap import sense_weight
from rulec.language.semantics.relation import Relation, relate

SAME_WISH = 0.85  # LexSona 4.3: from here on the same preference, or its contrary
_TELLING = 0.5  # what a sense weighs that two sentences must share before they are compared at all
_PART = 3  # of the telling senses of the shorter one they share at least one in so many


def how_alike(one: str, other: str) -> float:
    """How sure it is that both ask for the same and neither for more, 0 to 1."""
    if _are_strangers(one, other):
        return 0.0
    there = _agree(relate(meaning_of(one), meaning_of(other)))
    return min(there, _agree(relate(meaning_of(other), meaning_of(one)))) if there else 0.0


def contradicts(one: str, other: str) -> bool:
    """Whether one forbids what the other asks for, or prefers what the other avoids."""
    if _are_strangers(one, other):
        return False
    mine, theirs = meaning_of(one), meaning_of(other)
    return any(
        found.kind == "contrary" and found.score >= SAME_WISH for found in (relate(mine, theirs), relate(theirs, mine))
    )


def _agree(found: Relation) -> float:
    return found.score if found.kind == "same" else 0.0


class _ReadStatement(NamedTuple):
    senses: frozenset[str]
    few: int


@lru_cache(maxsize=4096)  # every candidate is compared with every other
def _read_statement(text: str) -> _ReadStatement:
    said: Meaning = meaning_of(text)
    telling = frozenset(sense for sense in said.senses if sense[0] == "~" or sense_weight(sense) >= _TELLING)
    return _ReadStatement(telling or said.senses, max(1, len(telling) // _PART))


def _are_strangers(one: str, other: str) -> bool:
    """Whether they share so little that nothing more needs to be looked at."""
    mine, theirs = _read_statement(one), _read_statement(other)
    return len(mine.senses & theirs.senses) < min(mine.few, theirs.few)
