"""The rules of a plan's steps: what a model is asked about them, and its answer read."""

import json
from collections.abc import Mapping
from typing import Any

from rulec.domain.prompt import DataBlock, Prompt
from rulec.domain.template import Render
from rulec.domain.text.redaction import redact
from rulec.plans.plan import Plan
from rulec.plans.step_rules import EVERYTHING, MOST, RulesOfSteps
from rulec.reminders.rule_text import one_line

VERSION = 2
STEP = "plan"
MOST_RULES = 120  # of one question; more are left to rulec's own choice
MOST_ASKED = 100  # steps of one question; those beyond keep rulec's own choice
_TOKENS = (400, 60)  # of an answer: at least, and for each step
_NAMES = {"type": "array", "maxItems": 500, "items": {"type": "string"}}
SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "additionalProperties": False,
    "required": ["steps"],
    "properties": {
        "steps": {
            "type": "array",
            "maxItems": 1000,
            "items": {
                "type": "object",
                "additionalProperties": False,
                "required": ["step", "rules"],
                "properties": {"step": {"type": "integer"}, "rules": _NAMES},
            },
        },
    },
}


def write_plan_prompt(rules: RulesOfSteps, plan: Plan, render: Render) -> Prompt:
    """One question about the steps of a plan, with the rules that may apply."""
    numbers = {step.id: number for number, step in enumerate(plan.steps, 1)}
    listed = [
        {"step": number, "text": step.text, "files": step.paths, "below": numbers.get(step.parent)}
        for number, step in enumerate(plan.steps[:MOST_ASKED], 1)
    ]
    plain = [{key: value for key, value in one.items() if value} for one in listed]
    least, each = _TOKENS
    return Prompt(
        step=STEP,
        version=VERSION,
        instructions=render("ask/plan.md.j2", {"most": MOST}),
        data=(
            DataBlock(name="plan", text=json.dumps(plain, ensure_ascii=False, indent=1), named=True),
            *(DataBlock(name="rule", text=_rule_text(rules.rules[slug])) for slug in asked_about(rules, plan)),
        ),
        schema=SCHEMA,
        most=least + each * len(listed),
    )


def asked_about(rules: RulesOfSteps, plan: Plan) -> list[str]:
    """The rules that a model is shown: those that rulec chose, then others that some step may need."""
    chosen = [slug for step in plan.steps for slug, _ in step.rules]
    others = [slug for slug in rules.rules if any(rules.may_hold(slug, step) for step in plan.steps)]
    return list(dict.fromkeys([*chosen, *others]))[:MOST_RULES]


def read_plan_answer(data: Mapping[str, Any], rules: RulesOfSteps, plan: Plan) -> tuple[str, ...]:
    """Give the steps the rules that a model chose; what did not count, in a line each.

    Names that were not asked about and what a scope excludes go.
    """
    known, dropped = set(asked_about(rules, plan)), list[str]()
    for step in plan.steps[:MOST_ASKED]:
        step.rules = []
    for one in data["steps"]:
        number = one["step"]
        if not 0 < number <= min(len(plan.steps), MOST_ASKED):
            dropped.append(f"there is no step {str(number)[:20]}")
            continue
        step = plan.steps[number - 1]
        for slug in dict.fromkeys(one["rules"]):
            if slug not in known:
                dropped.append(f"step {number}: no rule {redact(one_line(slug))[:80]!r} was asked about")
            elif not rules.may_hold(slug, step):
                dropped.append(f"step {number}: {slug} is not for its files")
            elif len(step.rules) < MOST:
                step.rules.append(rules.pair(plan, step, slug))
    return tuple(dropped)


def _rule_text(rule: Mapping[str, Any]) -> str:
    """A rule as JSON, in which no text can pretend to be another key; what says nothing is left out."""
    scope = rule.get("scope") or {}
    told = {
        "rule": rule["slug"],
        "statement": rule["says"],
        "do": rule.get("do"),
        "severity": rule.get("severity"),
        "for": [glob for glob in scope.get("include") or () if glob != EVERYTHING],
        "not for": scope.get("exclude"),
        "about": scope.get("tags"),
    }
    return json.dumps({key: value for key, value in told.items() if value}, ensure_ascii=False, indent=1)
