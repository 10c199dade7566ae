"""How likely a turn holds for next time too: its signs, each with its weight, and the wishes in it."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from rulec.language._sign_weights import AUTO, BASE, REVIEW, WEIGHTS
from rulec.language._turn_signs import Around, document, signs
from rulec.language.clause import Clause

__all__ = ["AUTO", "REVIEW", "Around", "Odds", "asking", "momentary", "odds_of", "plain", "signs_of", "wishes_in"]

MARKED = 12.0  # log odds of "rule: ...": a person who says so means it
TELLING, MOST = 0.3, 5  # a sign that weighs less, or comes later, is not worth a person's reading
PLAIN = 250  # characters; in a longer text too much else speaks for something to act on it alone
_MARKED = "is marked as a rule"


class Odds(NamedTuple):
    """The log odds that a turn is a lasting wish, and the signs that speak for it, the weightiest first."""

    value: float
    reasons: tuple[str, ...]


def odds_of(text: str, read: Sequence[Clause], around: Around) -> Odds:
    """What the words of a turn and what stood before them say."""
    found = {name: WEIGHTS.get(name, 0.0) for name in signs_of(text, read, around)}
    if any(clause.marked for clause in read):
        found[_MARKED] = MARKED
    telling = sorted((weight, name) for name, weight in found.items() if weight >= TELLING)
    reasons = dict.fromkeys(name.removeprefix("wish: ") for _, name in reversed(telling))
    return Odds(BASE + sum(found.values()), tuple(reasons)[:MOST])


def signs_of(text: str, read: Sequence[Clause], around: Around) -> list[str]:
    """The names of all signs that hold of a turn; what a model of them is trained on."""
    return list(signs(text, _asked(read) if wishes_in(read) else [], around))


def plain(text: str, read: Sequence[Clause]) -> bool:
    """Whether the turn is a wish and little else, so that it may be acted on alone where its odds are high."""
    marked = any(clause.marked for clause in read)
    return marked or (bool(wishes_in(read)) and len(text) <= PLAIN and not document(text))


def wishes_in(read: Sequence[Clause]) -> list[Clause]:
    """The clauses that ask something of the agent's work, and of more than this moment."""
    return [clause for clause in _asked(read) if clause.marked or not momentary(clause)]


def _asked(read: Sequence[Clause]) -> list[Clause]:
    return [clause for clause in read if clause.marked or (clause.polarity != "none" and clause.addressed == "work")]


_MOMENT = re.compile(
    r"\b(?:yet|for now|(?:right|just) now|this (?:time|once|one time)|at the moment|for the moment|today|tonight)\W*$",
    re.IGNORECASE,
)


_QUESTION = re.compile(
    r"\W*(?:\w+,? )?(?:why|how come|what|who|where|when(?= (?:did|do|does|is|are|was|were|will|would|can|should)\b))\b",
    re.IGNORECASE,
)


def asking(clause: Clause) -> bool:
    """Whether the clause only asks why something was done; what is wanted instead makes a wish of it."""
    return bool(_QUESTION.match(clause.text)) and clause.polarity != "require" and not clause.preferred


def momentary(clause: Clause) -> bool:
    """Whether the clause speaks of this moment alone: "don't commit yet"."""
    return bool(_MOMENT.search(clause.text)) and not clause.lasting
