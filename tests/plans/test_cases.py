"""Tables of plans: what a text or a call says, which steps come of it, and which rules come to a step."""

from pathlib import Path
from typing import Any

import pytest
import yaml

from rulec.plans import plan_store, step_rules
from rulec.plans.native import native_calls
from rulec.plans.native.native_calls import PlanCall
from rulec.plans.plan import Plan, PlanItem
from rulec.plans.step_ids import steps_of_items
from rulec.plans.texts import plan_text
from rulec.reminders.rule_records import parse_record, ranked_record

CASES = Path(__file__).parents[1] / "cases/plans"
LINE = "rule use-pnpm (strict)"
FORMS: list[dict[str, Any]] = yaml.safe_load((CASES / "forms.yaml").read_text())
LISTS: list[dict[str, Any]] = yaml.safe_load((CASES / "lists.yaml").read_text())
RULES: dict[str, Any] = yaml.safe_load((CASES / "rules.yaml").read_text())


@pytest.mark.parametrize("case", FORMS, ids=lambda case: case["name"])
def test_a_text_has_its_steps_and_takes_its_rules(case: dict[str, Any]) -> None:
    items = plan_text.read_plan(case["text"])
    assert [[item.text, item.status, item.key, item.parent] for item in items] == case["steps"]
    steps = steps_of_items(items)
    assert {at: steps[at].paths for at in case.get("paths", {})} == case.get("paths", {})
    assert {at: steps[at].named for at in case.get("named", {})} == case.get("named", {})
    if "written" in case:
        lines = {at: [LINE] for at in case["at"]}
        written = plan_text.write_plan(case["text"], lines)
        assert written == case["written"]
        assert plan_text.write_plan(written, lines) == written
        assert [item.text for item in plan_text.read_plan(written)] == [item.text for item in items]
        assert all("use-pnpm" in plan_text.read_plan(written)[at].named for at in case["at"])


@pytest.mark.parametrize("case", LISTS, ids=lambda case: case["name"])
def test_calls_of_an_agents_own_tools_leave_these_steps(case: dict[str, Any]) -> None:
    plan = Plan("s")
    for at, call in enumerate(case["calls"], 1):
        if isinstance(call, list):
            kind, given, result = [*call, None][:3]
            native_calls.apply_call(plan, PlanCall(kind, given, float(at), result))
        elif "edit" in call:
            plan_store.record_edit(plan, call["edit"], float(at))
        else:
            native_calls.open_plan_text(plan, call["approved"], float(at))
    assert [[step.text, step.status] for step in plan.steps] == case["steps"]
    assert all(step.started for step in plan.steps if step.status != "pending")
    assert len({step.id for step in plan.steps}) == len(plan.steps)


def _records() -> list[dict[str, Any]]:
    found = []
    for rule in RULES["rules"]:
        scope = {"include": ["**"], "exclude": [], **rule.get("scope", {})}
        record = parse_record({"rule": {"category": "process", **rule, "scope": scope}})
        assert record is not None
        found.append(ranked_record(record, []))
    return found


@pytest.mark.parametrize(("text", "wanted"), RULES["steps"], ids=lambda one: one if isinstance(one, str) else "")
def test_these_rules_come_to_a_step(text: str, wanted: list[str]) -> None:
    plan = Plan("s")
    plan.steps = steps_of_items([PlanItem(text)])
    step_rules.attach_rules(plan, _records(), agent="claude-code")
    assert [f"{slug} ({level})" for slug, level in plan.steps[0].rules] == wanted


def test_a_step_has_the_rules_that_the_one_above_it_names() -> None:
    plan = Plan("s")
    plan.steps = steps_of_items([PlanItem("Work by be-kind"), PlanItem("A part of it", 0)])
    step_rules.attach_rules(plan, _records())
    assert plan.steps[1].rules == [["be-kind", "strict"]]
