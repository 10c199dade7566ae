"""Calls of agents' own plan and todo tools -> changes of a session's plan.

A plan may have several lists, such as a plan that a person approved and the todo list that the agent keeps as it works.
``notes["lists"]`` says which steps are on which; a call that gives a whole list replaces that list alone.
"""

import json

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
from rulec.steps import plan_store, rule_lines
from rulec.steps.forms import plan_json, plan_text
from rulec.steps.step import ACTIVE, DONE, DROPPED, MOST_STEPS, PENDING, PlanItem
from rulec.steps.step_details import words_of_steps
from rulec.steps.step_ids import step_id, steps_of_items, with_known_ids
from rulec.steps.step_paths import paths_named

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from rulec.steps.step import Plan, Step


LISTS = ("todos", "plan", "todoList", "todo_list", "items", "tasks")  # arguments that hold a whole list
KEYS = ("id", "taskId", "key")
SOURCES = {WHOLE_LIST: "todo", ADD_STEP: "tasks", CHANGE_STEP: "tasks", APPROVE_PLAN: "plan"}


class PlanCall:
    """A call of a tool of the agent's plan: what it does, its arguments, its result, when, and at which commit."""

    __slots__ = ("at", "commit", "given", "kind", "result", "source")

    def __init__(self, kind: str, given: object, at: float, commit: str, result: object = None) -> None:
        self.kind, self.at, self.commit = kind, at, commit
        self.given, self.result = as_mapping(decode_arguments(given)), as_mapping(result)
        self.source = SOURCES.get(kind, "")


def apply_call(plan: "Plan", call: PlanCall) -> bool:
    """Change the plan as the call changed the agent's list; whether there was anything to change."""
    if has_failed(call.result):
        return False
    if call.kind == WHOLE_LIST:
        items = _listed(plan, call)
        return items is not None and _replace_list(plan, call, steps_of_items(items))
    if call.kind == ADD_STEP:
        return _add_step(plan, call)
    if call.kind == CHANGE_STEP:
        return _change_step(plan, call)
    return False


def open_plan_text(plan: "Plan", text: str, at: float, commit: str) -> bool:
    """Make the steps of a text those of the session's plan, as when a person approved it."""
    items = plan_text.read_plan(text)[1]
    for item, words in zip(items, words_of_steps(text, items)):  # noqa: B905 (Python 3.9)
        item.named = rule_lines.words_like_rules(words)
    return bool(items) and _replace_list(plan, PlanCall(APPROVE_PLAN, {}, at, commit), steps_of_items(items))


def _listed(plan: "Plan", call: PlanCall) -> "list[PlanItem] | None":
    """The items of a whole list, a part of one that is to be merged, or a checklist; None where there is none."""
    listed = next((call.given[name] for name in LISTS if name in call.given), None)
    if isinstance(listed, str):
        return list(plan_text.read_plan(listed)[1])
    if not isinstance(listed, list):
        return None
    if call.given.get("merge") is True:
        return _merged(_on_list(plan, call.source), listed)
    return _read(listed)


def _read(listed: "Sequence[object]") -> "list[PlanItem]":
    return list(plan_json.read_json(json.dumps([*listed][:MOST_STEPS]))[1])


def _key(known: "dict[str, Any]") -> str:
    named = next((known[name] for name in KEYS if name in known), "")
    return str(named) if isinstance(named, (str, int)) and not isinstance(named, bool) else ""


def _merged(before: "Sequence[Step]", listed: "Sequence[object]") -> "list[PlanItem]":
    """The items of a list of which some are changed by their key, and others added."""
    found = {step.key or step.id: PlanItem(step.text, -1, step.status, 0, step.key) for step in before}
    for one in map(as_mapping, listed):
        new, key = next(iter(_read([one])), None), _key(one)
        known = found.get(key)
        if known is None and new is not None:
            found[key or new.text] = new
        elif known is not None:
            known.text = new.text if new is not None else known.text
            known.status = plan_json.status_of(one) if "status" in one else known.status
    return list(found.values())


def _lists(plan: "Plan") -> "dict[str, list[str]]":
    """The ids of the steps on each list."""
    known = plan.notes.get("lists")
    if not isinstance(known, dict):
        known = {plan.source: [step.id for step in plan.steps]} if plan.source else {}
    return {str(name): [str(one) for one in ids] for name, ids in known.items() if isinstance(ids, list)}


def _on_list(plan: "Plan", source: str) -> "list[Step]":
    named = set(_lists(plan).get(source, ()))
    return [step for step in plan.steps if step.id in named]


def _replace_list(plan: "Plan", call: PlanCall, steps: "list[Step]") -> bool:
    """Put the steps in the place of those on the list so far; what is known of those that stay is kept.

    A list of which all was done is followed by another one: then only steps with the very same text are the same.
    """
    lists = _lists(plan)
    before = _on_list(plan, call.source)
    told = {step.id for step in steps}
    finished = all(step.status in (DONE, DROPPED) for step in before)
    known = [step for step in plan.steps if step.id in told or (step in before and not finished)]
    statuses = {step.id: step.status for step in known}
    new = with_known_ids(steps, known)
    if call.kind == APPROVE_PLAN:  # a text does not say how far its steps are
        for step in new:
            step.status = statuses.get(step.id, step.status) if step.status == PENDING else step.status
    lists[call.source] = [step.id for step in new]
    staying = {name for ids in lists.values() for name in ids}
    left = [step for step in plan.steps if step.id not in lists[call.source]]
    for step in left:
        if step.id not in staying:
            leave_step(step)
    left.sort(key=lambda step: step.status == DROPPED)
    plan.steps = [*new, *left][:MOST_STEPS]
    _keep(plan, call, lists)
    for step in new:
        _begin_by_status(step, call)
    return True


def leave_step(step: "Step") -> None:
    """The step is on no list any more: dropped, unless it is done, or files were edited in it, whose work it stays."""
    if step.status != DONE:
        step.status = DONE if step.edits else DROPPED


def _begin_by_status(step: "Step", call: PlanCall) -> None:
    if step.status in (ACTIVE, DONE):
        plan_store.begin_step(step, "status", call.commit, call.at)


def _keep(plan: "Plan", call: PlanCall, lists: "dict[str, list[str]]") -> None:
    there = {step.id for step in plan.steps}
    plan.notes["lists"] = {name: [one for one in ids if one in there] for name, ids in lists.items()}
    plan.source = call.source


def _add_step(plan: "Plan", call: PlanCall) -> bool:
    """Add a task that the agent's program made, under the id that it gave it."""
    made = as_mapping(call.result.get("task"))
    text, key = as_text(made.get("subject")) or as_text(call.given.get("subject")), _key(made)
    if not text.strip():
        return False
    item = PlanItem(text, key=key)
    item.paths = paths_named(as_text(call.given.get("description")))
    (step,) = steps_of_items([item])
    if plan.step(step.id) is not None:
        step.id = step_id(f"{step.text} {key}", step.parent)
    lists = _lists(plan)
    old = plan.step(step.id)
    if old is not None:  # the very same call once more
        old.key = key
    elif len(plan.steps) < MOST_STEPS:
        last = max((at for at, one in enumerate(plan.steps) if one.id in lists.get(call.source, ())), default=-1)
        plan.steps.insert(last + 1, step)
    ids = lists.setdefault(call.source, [])
    ids += [] if step.id in ids else [step.id]
    _keep(plan, call, lists)
    return True


def _change_step(plan: "Plan", call: PlanCall) -> bool:
    """Change the status or the text of a task; one that is deleted leaves the list."""
    key = _key(call.given) or _key(call.result)
    step = next((one for one in reversed(_on_list(plan, call.source)) if key and one.key == key), None)
    if step is None:
        return False
    lists = _lists(plan)
    subject = as_text(call.given.get("subject"))
    if subject.strip():
        step = _reworded(plan, step, subject, lists[call.source])
    if "status" in call.given:
        status = plan_json.status_of(call.given)
        if status == DROPPED:
            leave_step(step)
            lists[call.source].remove(step.id)
        elif not (status == PENDING and step.by == "edit"):  # an edit showed that it began
            step.status = status
    _keep(plan, call, lists)
    _begin_by_status(step, call)
    return True


def _reworded(plan: "Plan", step: "Step", subject: str, listed: "list[str]") -> "Step":
    """The step with another text: the same one where a word was changed, otherwise a new one in its place."""
    asked = steps_of_items([PlanItem(subject, status=step.status, key=step.key)])
    (new,) = with_known_ids(asked, [step])
    at = plan.steps.index(step)
    if new.id != step.id:
        listed[listed.index(step.id)] = new.id
        step.key = ""
        leave_step(step)
        plan.steps.insert(at, new)
        return new
    plan.steps[at] = new
    return new
