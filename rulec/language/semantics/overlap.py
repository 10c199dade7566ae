"""What the senses of two statements have in common, and how much each of them tells."""

from collections.abc import Iterable
from dataclasses import dataclass

from rulec.language.semantics.choices import TOPICS
from rulec.language.semantics.meaning import wider_sense
from rulec.language.words import word_table

CHOICE = 2.0  # what the value of a choice weighs: it is the point of a statement
_WEIGHTS = dict.fromkeys(
    word_table("repo repository project local file code folder entry clause block statement name time first"), 0.15
) | dict.fromkeys(
    word_table(
        "say new show separate plain end line call begin verify step existing implement at-most at-least plan done"
    ),
    0.4,
)
# Where both name one of these and they differ, it counts; else hardly.
_VERBS = {"write": "make", "edit": "make", "update": "make", "run": "run", "read": "read", "format": "format"}
_VERB, _OTHER_VERB = 0.15, 0.8
_ORDER = 0.6  # at least: what something must come before is said on purpose


def sense_weight(sense: str) -> float:
    """How much it tells about a statement that it has this sense."""
    bare = sense.lstrip("<!")
    found = CHOICE if bare in TOPICS else _VERB if bare in _VERBS else _WEIGHTS.get(bare, 1.0)
    return found if bare == sense else max(found, _ORDER)


def total_weight(senses: Iterable[str]) -> float:
    """How much they tell together."""
    return sum(map(sense_weight, senses))


@dataclass(frozen=True, slots=True)
class Overlap:
    """What two meanings share and what only one of them has; of a kind and its wider kind a half is shared."""

    shared: frozenset[str]
    mine: frozenset[str]
    theirs: frozenset[str]
    kin: frozenset[str]  # senses of the second that are kinds, or wider kinds, of senses of the first

    def alike(self) -> float:
        """The share of it that is common, 0 to 1."""
        same = total_weight(self.shared) + 0.5 * total_weight(self.kin)
        apart = total_weight(self.mine) + total_weight(self.theirs) + 0.5 * total_weight(self.kin)
        return same / (same + apart) if same else 0.0


def overlap_of(one: frozenset[str], other: frozenset[str]) -> Overlap:
    """What both have, what one has alone, and what is of one kind."""
    shared = one & other
    mine, theirs = (frozenset(sense for sense in alone if sense[0] != "!") for alone in (one - other, other - one))
    kin = frozenset(sense for sense in theirs if any(akin(sense, each) for each in mine))
    parents = frozenset(sense for sense in mine if any(akin(sense, each) for each in kin))
    return Overlap(shared, mine - parents, theirs - kin, kin)


def akin(one: str, other: str) -> bool:
    """Whether one is a kind of the other."""
    return other in wider_sense(one) or one in wider_sense(other)


def apart_in_act(found: Overlap) -> float:
    """What it weighs that the one wants something written which the other wants run."""
    mine, theirs, both = (
        {_VERBS[sense] for sense in senses if sense in _VERBS} for senses in (found.mine, found.theirs, found.shared)
    )
    return _OTHER_VERB if mine and theirs and not both and not mine & theirs else 0.0
