"""Calls of agents' own plan and todo tools -> changes of a session's plan.

A plan may have several lists, such as a plan that a person approved and the todo list that the agent keeps as it works.
A call that gives a whole list replaces the steps of that list alone.
"""

from __future__ import annotations

from rulec.agents.protocol.agent_spec import (
    ADD_STEP,
    APPROVE_PLAN,
    CHANGE_STEP,
    WHOLE_LIST,
    as_mapping,
    as_text,
    decode_arguments,
    has_failed,
)
from rulec.plans import plan_store
from rulec.plans.plan import ACTIVE, DONE, DROPPED, MOST_STEPS, PENDING, PlanItem
from rulec.plans.step_ids import free_id, steps_of_items, with_known_ids
from rulec.plans.texts import json_plan, plan_text
from rulec.plans.texts.step_names import paths_named

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from rulec.plans.plan import Plan, Step


SOURCES = {WHOLE_LIST: "todo", ADD_STEP: "tasks", CHANGE_STEP: "tasks", APPROVE_PLAN: "plan"}


class PlanCall:
    """A call of a tool of the agent's plan: what it does, its arguments, its result, and when."""

    __slots__ = ("at", "given", "kind", "result", "source")

    def __init__(self, kind: str, given: object, at: float, result: object = None) -> None:
        self.kind, self.at = kind, at
        self.given, self.result = as_mapping(decode_arguments(given)), as_mapping(result)
        self.source = SOURCES.get(kind, "")


def apply_call(plan: Plan, call: PlanCall) -> bool:
    """Change the plan as the call changed the agent's list; whether there was anything to change."""
    if has_failed(call.result):
        return False
    if call.kind == WHOLE_LIST:
        items = _listed(plan, call)
        return items is not None and _replace_list(plan, call, items)
    if call.kind == ADD_STEP:
        return _add_step(plan, call)
    return call.kind == CHANGE_STEP and _change_step(plan, call)


def open_plan_text(plan: Plan, text: str, at: float) -> bool:
    """Make the steps of a text those of the session's plan, as when a person approved it."""
    items = plan_text.read_plan(text)
    return bool(items) and _replace_list(plan, PlanCall(APPROVE_PLAN, {}, at), items)


def _listed(plan: Plan, call: PlanCall) -> list[PlanItem] | None:
    """The items of a whole list, a part of one that is to be merged, or a checklist; None where there is none."""
    listed = next((call.given[name] for name in json_plan.LISTS if name in call.given), None)
    if isinstance(listed, str):
        return plan_text.read_plan(listed)
    if not isinstance(listed, list):
        return None
    if call.given.get("merge") is True:
        return _merged([step for step in plan.steps if step.source == call.source], listed)
    return json_plan.items_of(listed)


def _merged(before: Sequence[Step], listed: Sequence[object]) -> list[PlanItem]:
    """The items of a list of which some are changed by their key, and others added."""
    found = {step.key or step.id: PlanItem(step.text, -1, step.status, step.key) for step in before}
    for one in map(as_mapping, listed):
        text, key = json_plan.text_of(one), json_plan.key_of(one)
        known = found.get(key)
        if known is not None:
            known.text = text or known.text
            known.status = json_plan.status_of(one) if "status" in one else known.status
        elif text:
            found[key or text] = json_plan.items_of([one])[0]
    return list(found.values())


def _replace_list(plan: Plan, call: PlanCall, items: Sequence[PlanItem]) -> bool:
    """Put the steps in the place of those on the list so far; what is known of those that stay is kept.

    A list of which all was done is followed by another one: then only steps with the very same text are the same.
    """
    steps = steps_of_items(items)
    before = [step for step in plan.steps if step.source == call.source]
    finished = all(step.status == DONE for step in before)
    same = {step.id for step in steps}
    known = [step for step in plan.steps if step.id in same or (step in before and not finished)]
    statuses = {step.id: step.status for step in known}
    new = with_known_ids(steps, known)
    for step in new:
        step.source = call.source
        if call.kind == APPROVE_PLAN and step.status == PENDING:  # a text does not say how far its steps are
            step.status = statuses.get(step.id, PENDING)
    taken = {step.id for step in new}
    left = [step for step in plan.steps if step.id not in taken]
    kept = [step for step in left if step.source != call.source or _is_left_as_done(step)]
    dropped = [step for step in new if step.status == DROPPED]
    plan.steps = [step for step in new if step not in dropped or _is_left_as_done(step)] + kept
    plan.steps, plan.source = plan.steps[:MOST_STEPS], call.source
    for step in plan.steps:
        if step.source == call.source:
            _begin_by_status(step, call)
    return True


def _is_left_as_done(step: Step) -> bool:
    """Whether a step that is on no list any more stays: it was done, or files were edited in it, whose work it is."""
    if step.edits:
        step.status = DONE
    return step.status == DONE


def _begin_by_status(step: Step, call: PlanCall) -> None:
    if step.status in (ACTIVE, DONE):
        plan_store.begin_step(step, "status", call.at)


def _add_step(plan: Plan, call: PlanCall) -> bool:
    """Add a task that the agent's program made, under the id that it gave it."""
    made = as_mapping(call.result.get("task"))
    text, key = as_text(made.get("subject")) or as_text(call.given.get("subject")), json_plan.key_of(made)
    if not text.strip():
        return False
    if key and any(step.key == key and step.source == call.source for step in plan.steps):
        return True  # the very same call once more
    item = PlanItem(text, key=key)
    item.paths = paths_named(as_text(call.given.get("description")))
    (step,) = steps_of_items([item])
    step.id, step.source = free_id(step.text, "", {one.id for one in plan.steps}), call.source
    if len(plan.steps) < MOST_STEPS:
        plan.steps.append(step)
    plan.source = call.source
    return True


def _change_step(plan: Plan, call: PlanCall) -> bool:
    """Change the status or the text of a task; one that is deleted leaves the list."""
    key = json_plan.key_of(call.given) or json_plan.key_of(call.result)
    listed = [one for one in plan.steps if one.source == call.source]
    step = next((one for one in reversed(listed) if key and one.key == key), None)
    if step is None:
        return False
    subject = as_text(call.given.get("subject"))
    if subject.strip():
        step = _reworded(plan, step, subject)
    if "status" in call.given:
        status = json_plan.status_of(call.given)
        if status == DROPPED:
            if not _is_left_as_done(step):
                plan.steps.remove(step)
            return True
        if not (status == PENDING and step.by == "edit"):  # an edit showed that it began
            step.status = status
    _begin_by_status(step, call)
    return True


def _reworded(plan: Plan, step: Step, subject: str) -> Step:
    """The step with another text, in its place; what was done in the old one stays a step of its own."""
    (new,) = with_known_ids(steps_of_items([PlanItem(subject, status=step.status, key=step.key)]), [step])
    new.source, step.key = step.source, "" if new.id != step.id else step.key
    stays = new.id != step.id and _is_left_as_done(step)
    at = plan.steps.index(step)
    plan.steps[at : at + 1] = [new, *([step] if stays else [])]
    return new
