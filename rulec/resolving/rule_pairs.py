"""How two rules in force stand to each other: one wish twice, one within the other, contraries, or two wishes.

The values of their checks decide, and what each one's checks catch of the other's examples. Two rules whose words are
alike are only called similar: no sentence is read here.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from rulec.domain.prompt import DataBlock, Prompt
from rulec.domain.rule import LONGEST_STATEMENT, Example, Rule
from rulec.domain.template import Render
from rulec.domain.text.one_line import spell_out
from rulec.domain.text.redaction import redact
from rulec.resolving.check_values import SIMILAR, compare_checks, likeness, plain_sentence, telling_words, values_of
from rulec.resolving.match_questions import LONGEST_REASON, MODEL_SAYS

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


MOST_RULES = 40  # of one prompt
VERSION = 1
_SHOWN = 400  # characters of one text
_EXAMPLES = 3
_RELATIONS = ("same", "overlap", "contrary")


@dataclass(frozen=True, slots=True, kw_only=True)
class PairOpinion:
    """What a reader says of two rules."""

    relation: Literal["same", "overlap", "contrary"]
    because: str
    statement: str = ""  # of one rule in place of both


Opinions = Mapping[frozenset[str], PairOpinion]  # by the slugs of the two


def write_pair_prompts(rules: Sequence[Rule], render: Render) -> list[Prompt]:
    """The rules in groups, those of one category beside each other; one question a group."""
    ordered = sorted(rules, key=lambda rule: (rule.category, rule.slug))
    groups = [ordered[start : start + MOST_RULES] for start in range(0, len(ordered), MOST_RULES)]
    return [_prompt(group, render) for group in groups if len(group) > 1]


def _prompt(rules: Sequence[Rule], render: Render) -> Prompt:
    return Prompt(
        step="pairs",
        version=VERSION,
        instructions=render("ask/pairs.md.j2", {"longest": LONGEST_STATEMENT, "reason": LONGEST_REASON}),
        data=tuple(DataBlock(name=f"rule {rule.slug}", text=_json(rule)) for rule in rules),
        schema=SCHEMA,
        most=400 + 60 * len(rules),
    )


def _json(rule: Rule) -> str:
    data = {
        "statement": rule.statement[:_SHOWN],
        "when": rule.when[:_SHOWN],
        "instead": rule.do[:_SHOWN],
        "holds_in": list(rule.scope.include),
        "wrong": [one.text[:_SHOWN] for one in rule.invalid[:_EXAMPLES]],
        "right": [one.text[:_SHOWN] for one in rule.valid[:_EXAMPLES]],
    }
    return json.dumps({key: value for key, value in data.items() if value}, ensure_ascii=False)


SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "additionalProperties": False,
    "required": ["pairs"],
    "properties": {
        "pairs": {
            "type": "array",
            "maxItems": 200,
            "items": {
                "type": "object",
                "additionalProperties": False,
                "required": ["first", "second", "relation", "statement", "because"],
                "properties": {
                    "first": {"type": "integer"},
                    "second": {"type": "integer"},
                    "relation": {"enum": list(_RELATIONS)},
                    "statement": {"type": "string", "maxLength": LONGEST_STATEMENT},
                    "because": {"type": "string", "maxLength": LONGEST_REASON},
                },
            },
        }
    },
}


def read_pair_answer(data: Mapping[str, Any], prompt: Prompt) -> dict[frozenset[str], PairOpinion]:
    """The opinions of one answer; a pair that is named twice in different ways, or is none, counts for nothing."""
    slugs = [block.name.removeprefix("rule ") for block in prompt.data]
    found: dict[frozenset[str], PairOpinion] = {}
    unclear: set[frozenset[str]] = set()
    for one in data["pairs"]:
        numbers = (int(one["first"]), int(one["second"]))
        if not all(0 < number <= len(slugs) for number in numbers) or numbers[0] == numbers[1]:
            continue
        pair = frozenset(slugs[number - 1] for number in numbers)
        said = PairOpinion(
            relation=one["relation"],
            because=f"{MODEL_SAYS}{_one_line(one['because'])}",
            statement=_one_line(one["statement"]),
        )
        if pair in found and found[pair].relation != said.relation:
            unclear.add(pair)
        found.setdefault(pair, said)
    return {pair: said for pair, said in found.items() if pair not in unclear}


def _one_line(text: str) -> str:
    return redact(spell_out(" ".join(text.split())))


def with_opinion(found: PairRelation, said: PairOpinion | None) -> PairRelation:
    """How two rules stand, with a model's word: it settles what no value decides, and never what checks show."""
    if said is None or found.kind == "contrary":
        return found
    if said.relation == "contrary":
        checked = found.kind in MERGED  # their checks agree: a person sees both
        return found if checked else PairRelation(kind="contrary", because=said.because, by_model=True)
    because = f"{said.because}; {found.because}" if found.kind in MERGED else said.because
    return PairRelation(
        kind=said.relation, because=because, contained=found.contained, statement=said.statement, by_model=True
    )
