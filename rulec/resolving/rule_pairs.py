"""How two rules in force stand to each other: one wish twice, one within the other, contraries, or two wishes.

Checks tell more than words: what each rule's checks catch of the other's examples is what they would do to the same
actions. Statements decide where there is no check to ask, and then nothing is called sure that is not said outright.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from rulec.domain.rule import Check, Example, Rule
from rulec.resolving.check_points import Answer, answer_to, point_of, words_of
from rulec.resolving.sense_index import compare_values, values_of
from rulec.resolving.statement_likeness import Likeness, likeness_of

PairKind = Literal["same", "overlap", "perhaps", "contrary", "other"]
MERGED: tuple[PairKind, ...] = ("same", "overlap", "perhaps")  # what may be proposed as one rule
SURE_CONTRARY = 1.0  # score of contraries that an action, a value or plain words show

_SURE = 0.72  # likeness of two statements that one check may stand for
_ALIKE = 0.45  # from here on two statements may be one wish
_CHECKED = 0.3  # so alike they are at least, where checks agree


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
    score: float = 0.0
    contained: str = ""  # of overlap: the slug of the rule that the other one says all of
    witness: Example | None = None  # of a contrary: an action that one wants and the other refuses
    statement: str = ""  # of one rule in place of both, as a reader words it
    by_model: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class _Pair:
    one: Rule
    other: Rule
    theirs: CrossedExamples  # the second's examples before the first's checks
    mine: CrossedExamples  # the first's examples before the second's checks
    words: Likeness
    values: frozenset[str] = field(default_factory=frozenset)  # how the values of their checks compare


def relate_rules(
    one: Rule, other: Rule, theirs: CrossedExamples | None = None, mine: CrossedExamples | None = None
) -> PairRelation:
    """How two rules in force stand to each other; ``theirs`` is what the first's checks catch of the second's examples.

    ``mine`` is what the second's checks catch of the first's. Without them the values of the checks and the statements
    decide.
    """
    pair = _Pair(
        one=one,
        other=other,
        theirs=theirs or CrossedExamples(),
        mine=mine or CrossedExamples(),
        words=likeness_of(_in_words(one), _in_words(other)),
        values=frozenset(_value_kinds(one, other)),
    )
    answers = _answers(pair)
    against = _opposition(pair)
    if against and "agrees" in answers and against.score < SURE_CONTRARY:
        against = None  # of a statement beside a check, what it says of the check tells more than its other words
    if "opposes" in answers:
        because = "one says is to be used what the other's check refuses, or the other way round"
        against = against or PairRelation(kind="contrary", because=because, score=0.5)
    if against:
        return against
    if apart := _apart(one, other):
        return PairRelation(kind="other", because=apart, score=pair.words.score)
    if not (_has_machine(one) and _has_machine(other)):
        return _by_point(pair, answers) if answers else _by_words(pair)
    found = _by_checks(pair)
    return replace(found, kind="perhaps") if pair.words.against else found  # their words may mean something else


def _in_words(rule: Rule) -> str:
    return f"{rule.statement} When {rule.when}" if rule.when else rule.statement


def _has_machine(rule: Rule) -> bool:
    return any(check.kind != "judge" for check in rule.checks)


def _opposition(pair: _Pair) -> PairRelation | None:
    """The two as contraries, and why, where anything shows that one rule could not stand for both."""
    for wanting, refusing, crossed in ((pair.other, pair.one, pair.theirs), (pair.one, pair.other, pair.mine)):
        if crossed.valid:
            because = f"{refusing.slug} refuses what {wanting.slug} wants to pass"
            return PairRelation(kind="contrary", because=because, score=SURE_CONTRARY, witness=crossed.valid[0])
    if "contrary" in pair.values:
        return PairRelation(kind="contrary", because="their checks ask for different values", score=SURE_CONTRARY)
    if pair.words.against and not _checked_alike(pair):
        told = ", ".join(word.replace("-", " ") for word in pair.words.against[:_SHOWN])
        sure = SURE_CONTRARY if pair.words.contrary else 0.5
        return PairRelation(kind="contrary", because=f"they differ about {told}", score=sure)
    return None


_SHOWN = 4


def _checked_alike(pair: _Pair) -> bool:
    """Whether checks with values of one direction catch the same actions, which tells more than a doubtful reading."""
    return bool(pair.values) or bool(pair.theirs.invalid or pair.mine.invalid)


def _apart(one: Rule, other: Rule) -> str:
    """Why the two never hold for the same action, "" where they may."""
    for what, mine, theirs in (
        ("agents", one.scope.agents, other.scope.agents),
        ("projects", one.scope.projects, other.scope.projects),
        ("environments", one.scope.environments, other.scope.environments),
    ):
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
    """How each check of the one compares with each of the other: same, wider, narrower, contrary."""
    for mine in one.checks:
        for theirs in other.checks:
            if "judge" in (mine.kind, theirs.kind):
                continue
            found, back = compare_values(mine, theirs).kind, compare_values(theirs, mine).kind
            if "contrary" in (found, back) or _want_otherwise(mine, theirs) or _limits_differ(mine, theirs):
                yield "contrary"
            elif found == back == "same" or (mine.template, mine.parameters) == (theirs.template, theirs.parameters):
                yield "same"
            elif found != "strangers" or back != "strangers":
                yield "wider" if found == "wider" and back == "same" else "narrower" if found == "same" else "crossed"


def _want_otherwise(one: Check, other: Check) -> bool:
    """Whether both refuse one thing and name different things to use in its place."""
    mine, theirs = values_of(one), values_of(other)
    if mine is None or theirs is None or mine.family != theirs.family or not mine.forbidden & theirs.forbidden:
        return False
    wanted = [frozenset(word for text in some.wanted for word in words_of(text)) for some in (mine, theirs)]
    return all(wanted) and not wanted[0] & wanted[1]


def _limits_differ(one: Check, other: Check) -> bool:
    """Whether they are one check with another number, or another one of several words that exclude each other."""
    if one.template != other.template:
        return False
    mine, theirs = one.parameters, other.parameters
    apart = {key for key in {*mine, *theirs} if mine.get(key) != theirs.get(key)}
    return bool(apart) and all(_is_number(mine.get(key)) and _is_number(theirs.get(key)) for key in apart)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _by_checks(pair: _Pair) -> PairRelation:
    """Two rules with checks: what each catches of the other's examples, then their values, then their words."""
    one, other, words = pair.one.slug, pair.other.slug, pair.words.score
    told = _evidence_in_words(pair)
    if pair.theirs.all and pair.mine.all:
        kind: PairKind = "same" if words >= _CHECKED or "same" in pair.values else "perhaps"
        return PairRelation(kind=kind, because=told, score=max(words, 0.9))
    if pair.theirs.all or pair.mine.all:
        narrow = other if pair.theirs.all else one
        agreed = words >= _ALIKE or (words >= _CHECKED and pair.values)
        kind = "overlap" if agreed else "perhaps" if words >= _CHECKED or pair.values else "other"
        return PairRelation(kind=kind, because=told, score=max(words, 0.8), contained=narrow)
    met = bool(pair.theirs.invalid or pair.mine.invalid)
    if (met or pair.values) and words >= _CHECKED:
        kind = "overlap" if words >= _ALIKE else "perhaps"
        return PairRelation(kind=kind, because=told, score=words)
    # checks of different kinds never see each other's examples, so that this says nothing against one wish
    apart = {check.kind for check in pair.one.checks}.isdisjoint(check.kind for check in pair.other.checks)
    if words >= (_ALIKE if apart else _SURE):
        return PairRelation(kind="perhaps", because=told, score=words)
    return PairRelation(kind="other", because=told, score=words)


def _answers(pair: _Pair) -> frozenset[Answer]:
    """What the statement of the one without a check says of the point of the other's check; {} where both have one."""
    found: set[Answer] = set()
    for checked, said in ((pair.one, pair.other), (pair.other, pair.one)):
        if _has_machine(checked) and not _has_machine(said):
            point = point_of(checked)
            if point.refused or point.wanted:
                found.add(answer_to(point, _in_words(said)))
    return frozenset(found)


def _by_point(pair: _Pair, answers: frozenset[Answer]) -> PairRelation:
    """One of them has a check: the other's statement has to speak of what it refuses or wants."""
    told = _evidence_in_words(pair)
    if "agrees" in answers:
        because = f"one says in words what the other's check holds to; {told}; by words alone this is not sure"
        return PairRelation(kind="perhaps", because=because, score=max(pair.words.score, _ALIKE))
    if pair.words.score >= _SURE:
        return _by_words(pair)
    return PairRelation(kind="other", because=told, score=pair.words.score)


def _by_words(pair: _Pair) -> PairRelation:
    """At most one of them has a check, so that their statements decide."""
    words = pair.words
    told = _evidence_in_words(pair)
    if words.same and words.score >= _SURE:
        return PairRelation(kind="same", because=told, score=words.score)
    if words.score >= (_ALIKE if len(words.shared) >= _FEW else _OUTRIGHT):
        return PairRelation(kind="perhaps", because=f"{told}; by words alone this is not sure", score=words.score)
    return PairRelation(kind="other", because=told, score=words.score)


_OUTRIGHT = 0.6  # likeness from which on one shared sense is enough
_FEW = 2  # telling words that two statements share, before words alone make one wish of them


def _evidence_in_words(pair: _Pair) -> str:
    """What speaks for one wish, in a sentence."""
    parts = [
        f"{catching.slug} catches {len(crossed.invalid)} of {crossed.of} invalid examples of {other.slug}"
        for catching, other, crossed in ((pair.one, pair.other, pair.theirs), (pair.other, pair.one, pair.mine))
        if crossed.of
    ]
    if "same" in pair.values:
        parts.append("their checks have the same values")
    if pair.words.shared:
        parts.append(f"both say {', '.join(word.replace('-', ' ') for word in pair.words.shared[:_SHOWN])}")
    return "; ".join(parts) or "nothing in common"


def merge_rank(found: PairRelation) -> tuple[int, float]:
    """The order of a list: what is sure first, then what is most alike."""
    order: Mapping[PairKind, int] = {"same": 0, "overlap": 1, "perhaps": 2, "contrary": 3, "other": 4}
    return order[found.kind], -found.score
