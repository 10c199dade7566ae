"""The rules of a plan's steps: what a reader is asked about them, and its answer read."""

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from rulec.domain.prompt import DataBlock, Prompt
from rulec.domain.template import Render
from rulec.domain.text.redaction import redact
from rulec.reminders.rule_text import one_line
from rulec.steps.scope_and_paths import EVERYTHING, bounds_of
from rulec.steps.step import Step
from rulec.steps.step_rules import LONGEST_SUBSTEP, MOST, MOST_SUBSTEPS, Attached, StepRuleRanking

VERSION = 1
STEP = "plan"
MOST_RULES = 120  # of one question; of more those to which the plan leads most
MOST_ASKED = 100  # steps of one question; those beyond get their rules offline
_TOKENS = (400, 60)  # of an answer: at least, and for each step


def rules_asked_about(index: StepRuleRanking, steps: Sequence[Step]) -> list[int]:
    """The rules that a reader is shown: all that some step may need, or the first of them."""
    some = [at for at in range(len(index.rules)) if index.may_hold(at, steps)]
    if len(some) <= MOST_RULES:
        return some
    best: dict[int, float] = {}
    for step in steps:
        for at, weight in index.evidence(step.text, step.paths).items():
            best[at] = max(best.get(at, 0.0), weight)
    return sorted(sorted(some, key=lambda at: (-best.get(at, 0.0), index.rank(at), at))[:MOST_RULES])


def write_plan_prompt(
    index: StepRuleRanking,
    asked: Sequence[int],
    steps: Sequence[Step],
    render: Render,
    said: tuple[str, Sequence[str]] = ("", ()),
) -> Prompt:
    """One question about the steps of a plan, with the rules that may apply.

    ``said`` is what the plan says before its first step, and below each.
    """
    before, details = redact(one_line(said[0])), [redact(one_line(one)) for one in said[1]]
    numbers = {step.id: number for number, step in enumerate(steps, 1)}
    listed = [
        _step_data(number, step, numbers, details[number - 1] if details else "")
        for number, step in enumerate(steps[:MOST_ASKED], 1)
    ]
    least, each = _TOKENS
    return Prompt(
        step=STEP,
        version=VERSION,
        instructions=render("ask/plan.md.j2", {"most": MOST, "substeps": MOST_SUBSTEPS}),
        data=(
            *([DataBlock(name="before the plan", text=before, named=True)] if before else []),
            DataBlock(name="plan", text=json.dumps(listed, ensure_ascii=False, indent=1), named=True),
            *(DataBlock(name="rule", text=_rule_text(index.rules[at])) for at in asked),
        ),
        schema=SCHEMA,
        most=least + each * len(listed),
    )


_NAME = {"type": "string"}
_NAMES = {"type": "array", "maxItems": 500, "items": _NAME}
SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "additionalProperties": False,
    "required": ["steps", "always"],
    "properties": {
        "steps": {
            "type": "array",
            "maxItems": 1000,
            "items": {
                "type": "object",
                "additionalProperties": False,
                "required": ["step", "rules"],
                "properties": {
                    "step": {"type": "integer"},
                    "rules": _NAMES,
                    "substeps": {
                        "type": "array",
                        "maxItems": 100,
                        "items": {
                            "type": "object",
                            "additionalProperties": False,
                            "required": ["rule", "text"],
                            "properties": {"rule": _NAME, "text": _NAME},
                        },
                    },
                },
            },
        },
        "always": _NAMES,
    },
}


@dataclass(frozen=True, slots=True)
class PlanAnswer:
    """A reader's answer as far as it counts."""

    attached: Attached
    dropped: tuple[str, ...] = field(default=())  # what did not count, in a line each


def read_plan_answer(
    data: Mapping[str, Any], index: StepRuleRanking, asked: Collection[int], steps: Sequence[Step]
) -> PlanAnswer:
    """The rules of each step as a reader chose them; names that were not asked about and what a scope excludes go."""
    known = {index.rules[at]["slug"]: at for at in asked}
    dropped: list[str] = []

    def chosen(slugs: Sequence[str], where: Sequence[Step], place: str) -> list[int]:
        found = []
        for slug in dict.fromkeys(slugs):
            at = known.get(slug)
            if at is None:
                dropped.append(f"{place}: no rule {redact(one_line(slug))[:80]!r} was asked about")
            elif not all(index.holds_at(at, step.paths) for step in where):
                dropped.append(f"{place}: {slug} is not for its files")
            else:
                found.append(at)
        return found[:MOST]

    above = chosen(data["always"], steps, "always")
    by_step: list[list[int]] = [[] for _ in steps]
    substeps: list[list[tuple[str, str]]] = [[] for _ in steps]
    for one in data["steps"]:
        number = one["step"]
        if not 0 < number <= min(len(steps), MOST_ASKED):
            dropped.append(f"there is no step {str(number)[:20]}")
            continue
        step, place = steps[number - 1], f"step {number}"
        own = [at for at in chosen(one["rules"], [step], place) if at not in above]
        by_step[number - 1] = own
        named = {index.rules[at]["slug"] for at in own}
        wanted = [(each["rule"], redact(one_line(each["text"]))[:LONGEST_SUBSTEP]) for each in one.get("substeps", ())]
        substeps[number - 1] = [(slug, text) for slug, text in wanted if slug in named and text][:MOST_SUBSTEPS]
    pairs = [[index.pair(at) for at in one] for one in by_step]
    return PlanAnswer(Attached([index.pair(at) for at in above], pairs, substeps), tuple(dropped))


def _step_data(number: int, step: Step, numbers: Mapping[str, int], details: str) -> dict[str, Any]:
    told = {
        "step": number,
        "text": step.text,
        "details": details,
        "files": step.paths,
        "below": numbers.get(step.parent),
    }
    return {key: value for key, value in told.items() if value}


def _rule_text(rule: Mapping[str, Any]) -> str:
    """A rule as JSON, in which no text can pretend to be another key; what says nothing is left out."""
    include, exclude = bounds_of(rule)
    told = {
        "rule": rule["slug"],
        "statement": rule["says"],
        "do": rule.get("do"),
        "severity": rule.get("severity"),
        "category": rule.get("category"),
        "for": [glob for glob in include if glob != EVERYTHING],
        "not for": list(exclude),
        "about": (rule.get("scope") or {}).get("tags"),
    }
    return json.dumps({key: value for key, value in told.items() if value}, ensure_ascii=False, indent=1)
