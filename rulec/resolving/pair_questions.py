"""What a reader is asked about the rules of a rulebook, and which pairs of them it answers are one wish."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from rulec.domain.prompt import DataBlock, Prompt
from rulec.domain.rule import LONGEST_STATEMENT, Rule
from rulec.domain.template import Render
from rulec.domain.text.one_line import spell_out
from rulec.domain.text.redaction import redact
from rulec.resolving.match_questions import LONGEST_REASON, MODEL_SAYS
from rulec.resolving.rule_pairs import MERGED, PairRelation

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
