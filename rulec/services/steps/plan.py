"""rulec plan: the steps of the plans that are open in this work tree, with the rules of each."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from rulec.domain.outcome import Outcome
from rulec.domain.text.one_line import shorten
from rulec.services.steps.plan_states import PlanState, StepRule, StepState, plan_states
from rulec.steps.proofs import proof_store
from rulec.steps.step import plan_to_json

NONE = "No plan is open here. rulec follows the plans and todo lists of agents whose hooks it has."
SOURCES = {"plan": "its plan", "todo": "its todo list", "tasks": "its tasks", "codex": "its plan", "file": "a file"}
MOST_FILES = 5  # of a step that are named
_INDENT = "  "


def show_plans(top: Path, session: str = "") -> Outcome:
    """The open plans with their steps and rules, the one that was touched last first."""
    states = plan_states(top, session)
    text = "\n\n".join("\n".join([plan_heading(one), *plan_lines(one)]) for one in states)
    return Outcome("\n".join(filter(None, [text or NONE, foreign_line(top)])), data=[plan_data(one) for one in states])


def foreign_line(top: Path) -> str:
    """What to say of records that rulec did not write, "" where there are none."""
    count = proof_store.count_foreign(str(top))
    told = "1 record of a proof was" if count == 1 else f"{count} records of proofs were"
    return f"{told} not written by rulec here and proves nothing" * bool(count)


def plan_heading(state: PlanState) -> str:
    """Whose plan it is, and how far it is."""
    plan = state.plan
    source = f", from {SOURCES[plan.source]}" if plan.source in SOURCES else ""
    return f"{plan.agent or 'agent'}, session {plan.session[:8]}{source}: {state.done} of {len(state.steps)} steps done"


def plan_lines(state: PlanState) -> Iterator[str]:
    """The rules of every step, then each step with its own."""
    if state.always:
        yield f"{_INDENT}at every step: {', '.join(f'{rule.slug} ({rule.level})' for rule in state.always)}"
    width = len(str(len(state.steps)))
    for one in state.steps:
        yield from _step_lines(one, width, current=one.step is state.current)


def _step_lines(one: StepState, width: int, *, current: bool) -> Iterator[str]:
    step = one.step
    inner = _INDENT * (one.depth + 1)
    mark = ">" if current else " "
    yield f"{mark} {inner[2:]}{one.number:{width}}. {step.status:<7} {shorten(step.text)} ({step.id[:6]})"
    below = inner + " " * (width + 2)
    for rule in one.rules:
        yield f"{below}{rule.slug} ({rule.level}){rule_state(rule, one.name)}"
    if step.edits:
        names = [shorten(path) for path in step.edits][-MOST_FILES:]
        more = f" and {len(step.edits) - len(names)} more" * (len(step.edits) > len(names))
        yield f"{below}files: {', '.join(names)}{more}"


def rule_state(rule: StepRule, step: str) -> str:
    """How the rule is proved at the step of this name, or what is missing; "" where nothing was changed yet."""
    if rule.proof and not rule.open:
        return f": {rule.proof}{', at the commit' * rule.later}"
    if rule.accepted_until:
        return f": risk accepted until {rule.accepted_until}"
    if not rule.open:
        return ""
    why = f" ({'; '.join(map(shorten, rule.missing))})" if rule.missing else ""
    given = f"{rule.proof} is not enough" if rule.proof else "no proof"
    return f": {given}{why}; rulec prove {step} {rule.slug} says what would prove it"


def plan_data(state: PlanState) -> dict[str, Any]:
    """The plan as JSON, with what is known of its rules."""
    data = plan_to_json(state.plan)
    data["current"] = state.current.id if state.current else ""
    data["always"] = [rule_data(rule) for rule in state.always]
    for one, step in zip(state.steps, data["steps"], strict=True):
        step |= {"number": one.number, "depth": one.depth, "rules": [rule_data(rule) for rule in one.rules]}
    return data


def rule_data(rule: StepRule) -> dict[str, Any]:
    """A rule at a step as JSON."""
    return {
        "slug": rule.slug,
        "level": rule.level,
        "proof": rule.proof,
        "later": rule.later,
        "open": rule.open,
        "missing": list(rule.missing),
        "paths": list(rule.paths),
        "accepted_until": rule.accepted_until,
    }
