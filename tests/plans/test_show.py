"""What rulec plan and rulec prove show: steps, rules, how each was proved or what is missing, and what strays."""

import json
import sys
import time
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from rulec.errors import RulecError
from rulec.plans import plan_store
from rulec.plans.plan import ACTIVE, DONE, Plan, PlanItem
from rulec.plans.proofs import signed_records
from rulec.plans.step_ids import steps_of_items
from rulec.services.plans.show import follow_plans, show_missing, show_plans
from tests.conftest import Run
from tests.support.terminal import on_terminal

ITEMS = [
    PlanItem("Add the parser in src/parser.py", status=DONE),
    PlanItem("Write down how it works"),
    PlanItem("Call the parser in src/app.py", status=ACTIVE),
    PlanItem("Take the old one out of src/app.py", parent=2),
    PlanItem("Release it"),
]
RULES = ([["use-pnpm", "remind"]], [], [["no-stash", "remind"], ["plain-words", "strict"]], [], [["gone", "strict"]])
SHOWN = """\
claude-code, session 3f2a91c0, from its todo list: 1 of 5 steps done
  1. done    Add the parser in src/parser.py
     use-pnpm (remind): checked
     files: src/parser.py
  2. pending Write down how it works
> 3. active  Call the parser in src/app.py
     no-stash (remind): checked
     plain-words (strict): a commit would be refused: no check, run or approval shows that it was kept
     files: src/app.py, docs/how.md
    4. pending Take the old one out of src/app.py
  5. pending Release it
  to look at:
    step 2 was not begun, but a later one was
    docs/how.md was edited in step 3, which names other files"""

WAYS = "write a test that is red without the change, then rulec run SUITE; or a person runs git add, then rulec approve"


def open_plan(top: Path, session: str = "3f2a91c0-55aa", items: list[PlanItem] = ITEMS, **more: Any) -> Plan:
    """Store a plan whose third step is worked on."""
    now = time.time()

    def change(plan: Plan) -> Plan:
        plan.agent, plan.source = "claude-code", "todo"
        plan.steps = steps_of_items(items)
        if items is ITEMS:
            for step, rules in zip(plan.steps, RULES, strict=True):
                step.rules = rules
            done, active = plan.steps[0], plan.steps[2]
            done.started, done.edits = now - 3600, {"src/parser.py": now - 2400}
            active.started, active.edits = now - 1800, {"src/app.py": now - 1500, "docs/how.md": now - 1200}
        for name, value in more.items():
            setattr(plan, name, value)
        return plan

    plan = plan_store.update_plan(str(top), session, change)
    assert plan is not None
    return plan


@pytest.fixture
def planned(ruled: Path, rulec: Run) -> Path:
    """The small rulebook with a rule that no check sees, and two files that the plan speaks of."""
    words = ruled / ".rules/plain-words.yaml"
    words.write_text(words.read_text().replace("enforcement: auto", "enforcement: warn\nlevel: strict"))
    rulec("compile")
    for name in ("src/parser.py", "src/app.py"):
        (ruled / name).parent.mkdir(exist_ok=True)
        (ruled / name).write_text("def parse():\n    return 1\n")
    return ruled


def test_a_plan_is_shown_with_its_rules_and_what_is_missing(planned: Path) -> None:
    open_plan(planned)
    shown = show_plans(planned)
    assert shown.text == SHOWN
    (data,) = shown.data
    assert data["current"] == data["steps"][2]["id"]
    assert [(rule["slug"], rule["open"]) for rule in data["steps"][2]["rules"]] == [
        ("no-stash", False),
        ("plain-words", True),
    ]


def test_only_one_session_is_shown_where_it_is_named(planned: Path) -> None:
    open_plan(planned)
    open_plan(planned, "other", [PlanItem("Look around")])
    assert len(show_plans(planned).data) == 2
    assert [one["session"] for one in show_plans(planned, "oth").data] == ["other"]
    assert "No plan is open here" in show_plans(planned, "none").text


def test_records_that_rulec_did_not_write_are_told(planned: Path) -> None:
    open_plan(planned)
    (planned / ".git/rulec" / signed_records.NAME).write_text('{"records": [{"kind": "approval"}]}')
    assert "1 record of a run or approval was not written by rulec here and proves nothing" in show_plans(planned).text


def test_the_plan_is_shown_anew_when_something_changed(planned: Path) -> None:
    open_plan(planned)
    looks = 0

    def pause() -> None:
        nonlocal looks
        looks += 1
        if looks == 3:
            open_plan(planned, items=[PlanItem("Something new", status=ACTIVE)])

    first, second = (outcome.text for outcome in islice(follow_plans(planned, "", pause), 2))
    assert ("Call the parser" in first, "Something new" in second, looks) == (True, True, 3)


def test_prove_says_what_is_missing_and_takes_no_evidence(planned: Path, rulec: Run) -> None:
    open_plan(planned)
    told = show_missing(planned, "3")
    assert told.code == 1
    assert told.text.splitlines() == [
        "step 3, plain-words (strict): no check, run or approval shows that it was kept",
        f"to prove it: {WAYS}",
    ]
    assert show_missing(planned, "3", "no-stash").code == 0
    assert "nothing is missing" in show_missing(planned, "1").text
    with pytest.raises(RulecError, match="is no step of an open plan"):
        show_missing(planned, "9")
    assert "no such option" in rulec("prove", "3", "plain-words", "--said", "yes", code=2).stderr.lower()
    (one,) = json.loads(rulec("prove", "3", "--format", "json", code=1).stdout)
    assert (one["rule"], one["open"], one["paths"]) == ("plain-words", True, ["src/app.py"])


def test_prove_without_a_plan_says_so(ruled: Path) -> None:
    with pytest.raises(RulecError, match="no plan is open here"):
        show_missing(ruled)


@pytest.mark.e2e
def test_at_a_terminal_it_is_shown_until_ctrl_c(planned: Path) -> None:
    open_plan(planned)
    code, seen = on_terminal(planned, [sys.executable, "-m", "rulec", "plan"], [("Release it", "\x03")])
    assert (code, "Call the parser" in seen) == (0, True)
