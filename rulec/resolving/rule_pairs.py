"""How two rules in force stand to each other: one wish twice, one within the other, contraries, or two wishes.

The values of their checks decide, and what each one's checks catch of the other's examples. Two rules whose words are
alike are only called similar: no sentence is read here.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from rulec.domain.rule import Example, Rule
from rulec.resolving.check_values import compare_checks, values_of
from rulec.resolving.rule_index import SIMILAR, likeness, plain_sentence, telling_words

PairKind = Literal["same", "overlap", "similar", "contrary", "other"]
KINDS: tuple[PairKind, ...] = ("same", "overlap", "contrary", "similar", "other")  # in the order of a list
MERGED: tuple[PairKind, ...] = ("same", "overlap")  # what is proposed as one rule


@dataclass(frozen=True, slots=True, kw_only=True)
class CrossedExamples:
    """What the checks of one rule catch of the other's examples."""

    invalid: tuple[Example, ...] = ()
    of: int = 0  # invalid examples there are
    valid: tuple[Example, ...] = ()  # what the other rule wants to pass

    @property
    def all(self) -> bool:
        """Whether they catch every invalid example of the other rule."""
        return 0 < self.of == len(self.invalid)


@dataclass(frozen=True, slots=True, kw_only=True)
class PairRelation:
    """How the second rule stands to the first, and by what one sees it."""

    kind: PairKind
    because: str
    contained: str = ""  # of overlap: the slug of the rule that the other one refuses all of
    witness: Example | None = None  # of a contrary: an action that one wants and the other refuses
    statement: str = ""  # of one rule in place of both, as a model words it
    by_model: bool = False


def relate_rules(
    one: Rule, other: Rule, theirs: CrossedExamples | None = None, mine: CrossedExamples | None = None
) -> PairRelation:
    """How two rules in force stand to each other; ``theirs`` is what the first's checks catch of the second's examples.

    ``mine`` is what the second's checks catch of the first's.
    """
    theirs, mine = theirs or CrossedExamples(), mine or CrossedExamples()
    values = frozenset(_value_kinds(one, other))
    if against := _contrary(one, other, theirs, mine, values):
        return against
    if apart := _apart(one, other):
        return PairRelation(kind="other", because=apart)
    if not (one.checks or other.checks) and _plain(one) == _plain(other):
        return PairRelation(kind="same", because="both say the same sentence, and neither has a check")
    told = "; ".join(_told(one, other, theirs, mine, values))
    if values == {"same"} or (theirs.all and mine.all):
        return PairRelation(kind="same", because=told)
    if values:
        contained = {frozenset(["narrower"]): other.slug, frozenset(["wider"]): one.slug}.get(values, "")
        return PairRelation(kind="overlap", because=told, contained=contained)
    if (theirs.all or mine.all) and _families(one) & _families(other):
        return PairRelation(kind="overlap", because=told, contained=other.slug if theirs.all else one.slug)
    if theirs.invalid or mine.invalid:
        return PairRelation(kind="similar", because=told)
    if shared := _shared_words(one, other):
        return PairRelation(kind="similar", because=f"both say {', '.join(shared)}; words alone decide nothing")
    return PairRelation(kind="other", because="nothing in common")


def contrary_values(one: Rule, other: Rule) -> bool:
    """Whether a check of either asks for another value than one of the other's, and both may hold for one action."""
    return "contrary" in _value_kinds(one, other) and not _apart(one, other)


def _contrary(
    one: Rule, other: Rule, theirs: CrossedExamples, mine: CrossedExamples, values: frozenset[str]
) -> PairRelation | None:
    """The two as contraries, where an action or a value shows that one rule could not stand for both."""
    for wanting, refusing, crossed in ((other, one, theirs), (one, other, mine)):
        if crossed.valid:
            because = f"{refusing.slug} refuses what {wanting.slug} wants to pass"
            return PairRelation(kind="contrary", because=because, witness=crossed.valid[0])
    if "contrary" in values:
        return PairRelation(kind="contrary", because="their checks ask for different values")
    return None


def _apart(one: Rule, other: Rule) -> str:
    """Why the two never hold for the same action, "" where they may."""
    for what in ("agents", "projects", "environments"):
        mine, theirs = getattr(one.scope, what), getattr(other.scope, what)
        if mine and theirs and not set(mine) & set(theirs):
            return f"they hold for different {what}"
    places = [set(rule.scope.include) - {"**"} for rule in (one, other)]
    if all(places) and not any(_within(a, b) for a in places[0] for b in places[1]):
        return "they hold in different places"
    return ""


def _within(one: str, other: str) -> bool:
    """Whether one glob may match what the other matches, as far as their folders tell."""
    a, b = (glob.split("*")[0] for glob in (one, other))
    return a.startswith(b) or b.startswith(a)


def _value_kinds(one: Rule, other: Rule) -> Iterator[str]:
    """How each check of the other compares with each of the one: same, wider, narrower, overlap, contrary."""
    for mine in one.checks:
        for theirs in other.checks:
            kind = compare_checks(mine, theirs).kind
            if kind != "strangers":
                yield "narrower" if kind == "looser" else kind


def _families(rule: Rule) -> frozenset[str]:
    """What kinds of values a rule's checks refuse."""
    return frozenset(said.family for check in rule.checks if (said := values_of(check)))


def _told(
    one: Rule, other: Rule, theirs: CrossedExamples, mine: CrossedExamples, values: frozenset[str]
) -> Iterator[str]:
    """What speaks for one wish."""
    for catching, tested, crossed in ((one, other, theirs), (other, one, mine)):
        if crossed.of:
            caught = f"{len(crossed.invalid)} of {crossed.of} invalid examples of {tested.slug}"
            yield f"{catching.slug} catches {caught}"
    if values:
        yield "their checks have the same values" if values == {"same"} else "their checks have values in common"


def _plain(rule: Rule) -> tuple[str, str]:
    return plain_sentence(rule.statement), plain_sentence(rule.when)


def _shared_words(one: Rule, other: Rule) -> list[str]:
    """The stems that both statements hold, [] where they are few among all."""
    shared = telling_words(one.statement) & telling_words(other.statement)
    return sorted(shared) if likeness(one.statement, other.statement) >= SIMILAR else []
