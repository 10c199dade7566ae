"""Two sentences -> how alike they are, and whether they contradict each other."""

from functools import lru_cache
from typing import NamedTuple

from rulec.language._overlap import weight
from rulec.language.meaning import Meaning, meaning
from rulec.language.relation import Relation, relate

SAME = 0.85  # LexSona 4.3: from here on the same preference, or its contrary
_TELLING = 0.5  # what a sense weighs that two sentences must share before they are compared at all
_PART = 3  # of the telling senses of the shorter one they share at least one in so many


def alike(one: str, other: str) -> float:
    """How sure it is that both ask for the same and neither for more, 0 to 1."""
    if _strange(one, other):
        return 0.0
    there = _same(relate(meaning(one), meaning(other)))
    return min(there, _same(relate(meaning(other), meaning(one)))) if there else 0.0


def contrary(one: str, other: str) -> bool:
    """Whether one forbids what the other asks for, or prefers what the other avoids."""
    if _strange(one, other):
        return False
    mine, theirs = meaning(one), meaning(other)
    return any(
        found.kind == "contrary" and found.score >= SAME for found in (relate(mine, theirs), relate(theirs, mine))
    )


def _same(found: Relation) -> float:
    return found.score if found.kind == "same" else 0.0


class _Read(NamedTuple):
    senses: frozenset[str]
    few: int


@lru_cache(maxsize=4096)  # every candidate is compared with every other
def _read(text: str) -> _Read:
    said: Meaning = meaning(text)
    telling = frozenset(sense for sense in said.senses if sense[0] == "~" or weight(sense) >= _TELLING)
    return _Read(telling or said.senses, max(1, len(telling) // _PART))


def _strange(one: str, other: str) -> bool:
    """Whether they share so little that nothing more needs to be looked at."""
    mine, theirs = _read(one), _read(other)
    return len(mine.senses & theirs.senses) < min(mine.few, theirs.few)
