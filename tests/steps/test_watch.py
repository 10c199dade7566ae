"""What rulec plan and rulec watch show: steps, rules and their proofs, and what a person may want to look at."""

import json
import sys
import time
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from rulec.checkout import ledger
from rulec.checkout.worktree import plan_file
from rulec.errors import RulecError
from rulec.services.steps import watch
from rulec.services.steps.level import set_level_at_step
from rulec.services.steps.plan import show_plans
from rulec.services.steps.watch import watch_changes, watch_once
from rulec.steps import plan_store
from rulec.steps.proofs import proof_store
from rulec.steps.step import ACTIVE, DONE, PENDING, Plan, PlanItem
from rulec.steps.step_ids import steps_of_items
from tests.conftest import Run
from tests.support.session import ClaudeSession
from tests.support.terminal import on_terminal

GOLDEN = Path(__file__).parent / "golden"
RULEC = [sys.executable, "-m", "rulec"]
MINUTES = 60
ITEMS = [
    PlanItem("Add the parser in src/parser.py", status=DONE),
    PlanItem("Write down how it works"),
    PlanItem("Call the parser in src/app.py", status=ACTIVE),
    PlanItem("Take the old one out of src/app.py", parent=2),
    PlanItem("Release it"),
]
PATHS = (["src/parser.py"], [], ["src/app.py"], ["src/app.py"], [])
RULES = ([["use-pnpm", "remind"]], [], [["no-stash", "remind"], ["plain-words", "strict"]], [], [["gone", "strict"]])


def open_plan(top: Path, session: str = "3f2a91c0-55aa", items: list[PlanItem] = ITEMS, **more: Any) -> Plan:
    """Store a plan whose third step has been worked on for half an hour."""
    now = time.time()

    def change(plan: Plan) -> Plan:
        plan.agent, plan.source = "claude-code", "todo"
        plan.steps = steps_of_items(items)
        if items is ITEMS:
            for step, paths, rules in zip(plan.steps, PATHS, RULES, strict=True):
                step.paths, step.rules = paths, rules
            plan.always = [["use-pnpm", "remind"]]
            done, active = plan.steps[0], plan.steps[2]
            done.started, done.edits = now - 60 * MINUTES, {"src/parser.py": now - 40 * MINUTES}
            active.started, active.edits = now - 31 * MINUTES, {"src/app.py": now - 25 * MINUTES}
            plan.outside = {"docs/how.md": [now - 20 * MINUTES, active.id]}
        for name, value in more.items():
            setattr(plan, name, value)
        return plan

    plan = plan_store.update_plan(str(top), session, change)
    assert plan is not None
    return plan


def work(top: Path, times: int) -> Path:
    """The transcript of that session: two corrections, and many edits of one file."""
    told = ClaudeSession(top, timed=True).person("Call the parser in src/app.py.").agent("I will.")
    told.runs("npm install left-pad").person(
        "No, always use pnpm, never npm. And my key is sk-ant-api03-AAAAAAAAAAAAAAAA."
    )
    for _ in range(times):
        told.edits("src/app.py")
    told.person("thanks, go on")
    return told.save(top / ".git" / "session.jsonl")


def golden(name: str) -> str:
    """The text that is to be shown."""
    return (GOLDEN / name).read_text().rstrip("\n")


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
    assert shown.text == golden("plan.txt")
    (data,) = shown.data
    rules = {
        (step["number"], rule["slug"]): (rule["level"], rule["proof"], rule["open"])
        for step in data["steps"]
        for rule in step["rules"]
    }
    assert rules == {
        (3, "no-stash"): ("remind", "checked", False),
        (3, "plain-words"): ("strict", "", True),
    }
    assert data["current"] == data["steps"][2]["id"]


def test_a_rule_of_every_step_stands_above_them_once_while_it_only_reminds(planned: Path) -> None:
    plan = open_plan(planned)
    (data,) = show_plans(planned).data
    assert [(rule["slug"], rule["level"]) for rule in data["always"]] == [("use-pnpm", "remind")]
    assert data["steps"][0]["rules"] == []
    set_level_at_step(planned, "use-pnpm", "strict", plan.steps[0].id[:4])
    (data,) = show_plans(planned).data
    assert [(rule["slug"], rule["level"], rule["proof"]) for rule in data["steps"][0]["rules"]] == [
        ("use-pnpm", "strict", "checked")
    ]


def test_what_rulec_did_not_write_is_named(planned: Path) -> None:
    open_plan(planned)
    forged = {"class": "said", "step": "a", "rule": "plain-words", "pin": {"src/app.py": "0"}}
    proof_store.add_proof(str(planned), forged)
    path = planned / ".git/rulec" / proof_store.NAME
    path.write_text(path.read_text().replace('"said"', '"tested"'))
    assert show_plans(planned).text.endswith("\n1 record of a proof was not written by rulec here and proves nothing")


def test_the_supervisor_tells_what_a_person_may_want_to_look_at(planned: Path) -> None:
    plan = open_plan(planned, transcript=str(work(planned, watch.MOST_EDITS + 1)))
    started = time.mktime(time.strptime("2026-01-01", "%Y-%m-%d"))

    def earlier(known: Plan) -> Plan:
        known.steps[2].started = started
        return known

    plan_store.update_plan(str(planned), plan.session, earlier)
    line = {
        "event": "ask",
        "agent": "claude-code",
        "slug": "use-pnpm",
        "outcome": "block",
        "kind": "command",
        "of": "npm",
    }
    own = {**line, "session": ledger.short_digest(plan.session)}
    ledger.append(str(planned), [own, own, {**own, "outcome": "warn"}, {**line, "session": "other"}])
    (data,) = watch_once(planned).data
    assert [(one["kind"], one["step"], one["path"], one["times"]) for one in data["concerns"]] == [
        ("skipped", 2, "", 0),
        ("idle", 3, "", 0),
        ("rewritten", 3, "src/app.py", watch.MOST_EDITS + 1),
        ("outside", 3, "docs/how.md", 0),
    ]
    assert [(one["slug"], one["of"], one["times"]) for one in data["refused"]] == [("use-pnpm", "npm", 2)]
    assert [one["text"][:32] for one in data["corrections"]] == ["No, always use pnpm, never npm. "]
    assert "sk-ant" not in json.dumps(data["corrections"])


def test_a_session_that_is_not_at_work_is_not_idle(planned: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plan = open_plan(planned)
    path = Path(plan_file(str(planned), plan.session))
    stored = json.loads(path.read_text())
    path.write_text(json.dumps({**stored, "seen": stored["seen"] - 3 * 60 * MINUTES}))
    shown = watch_once(planned)
    assert "idle" not in [one["kind"] for one in shown.data[0]["concerns"]]
    assert shown.text.splitlines()[0].endswith("; not heard of for 3 h")


def test_the_supervisors_screen(planned: Path) -> None:
    open_plan(planned)
    assert watch_once(planned).text == golden("watch.txt")


def test_a_step_is_begun_where_one_below_it_is(planned: Path) -> None:
    items = [
        PlanItem("Build it", status=PENDING),
        PlanItem("Take it apart", parent=0, status=DONE),
        PlanItem("Paint it"),
        PlanItem("Sell it", status=ACTIVE),
    ]
    open_plan(planned, items=items)
    assert [(one["kind"], one["step"]) for one in watch_once(planned).data[0]["concerns"]] == [("skipped", 3)]


def test_the_screen_is_written_anew_where_something_changed_and_only_there(planned: Path) -> None:
    todo = [lambda: None, lambda: open_plan(planned), lambda: None, lambda: None, lambda: finish_plan(planned)]
    looks = []

    def pause() -> None:
        looks.append(len(looks))
        todo.pop(0)()

    shown = [outcome.text.splitlines()[0] for outcome in islice(watch_changes(planned, pause), 3)]
    assert [line.rpartition(": ")[2] for line in shown[1:]] == ["1 of 5 steps done", "5 of 5 steps done"]
    assert shown[0].startswith("No plan is open here.")
    assert len(looks) == 5


def finish_plan(top: Path) -> None:
    """Every step is done."""

    def change(plan: Plan) -> Plan:
        for step in plan.steps:
            step.status = DONE
        return plan

    plan_store.update_plan(str(top), "3f2a91c0-55aa", change)


@pytest.mark.e2e
def test_watching_at_a_terminal_ends_well_and_elsewhere_at_once(planned: Path, rulec: Run) -> None:
    open_plan(planned)
    assert rulec("watch").stdout == rulec("watch", "--once").stdout
    assert json.loads(rulec("watch", "--format", "json").stdout)[0]["session"] == "3f2a91c0-55aa"
    code, seen = on_terminal(planned, [*RULEC, "watch"], [("Release it", "\x03")])
    assert (code, "1 of 5 steps done" in seen, "Aborted" in seen) == (0, True, False)


def test_where_several_plans_are_open_steps_are_named_by_their_ids(planned: Path) -> None:
    plan = open_plan(planned)
    open_plan(planned, "another", items=[PlanItem("Mend the build")])
    shown = show_plans(planned)
    assert f"rulec prove {plan.steps[2].id[:6]} plain-words" in shown.text
    assert [one["session"] for one in show_plans(planned, "anot").data] == ["another"]
    with pytest.raises(RulecError, match="names several steps"):
        set_level_at_step(planned, "plain-words", "remind", "1")
    set_level_at_step(planned, "plain-words", "remind", plan.steps[2].id[:4])
    assert "rulec prove" not in show_plans(planned).text


def test_a_level_for_one_step_counts_by_its_signed_record_alone(planned: Path, git: Run) -> None:
    plan = open_plan(planned)
    head = git("rev-parse", "HEAD").stdout
    said = set_level_at_step(planned, "plain-words", "remind", "3", because="a trial").text
    assert said == "plain-words is at remind in step 3, Call the parser in src/app.py"
    assert git("rev-parse", "HEAD").stdout == head
    assert _level_in_step_3(planned) == "remind"
    (decision,) = proof_store.stored_decisions(str(planned))
    assert (decision["kind"], decision["step"], decision["rule"], decision["level"], decision["reason"]) == (
        "level", plan.steps[2].id, "plain-words", "remind", "a trial",
    )  # fmt: skip
    set_level_at_step(planned, "plain-words", "auto", "3")
    assert _level_in_step_3(planned) == "strict"

    def by_hand(known: Plan) -> Plan:
        known.steps[2].rules = [["plain-words", "remind"]]
        return known

    plan_store.update_plan(str(planned), plan.session, by_hand)
    assert _level_in_step_3(planned) == "strict"
    with pytest.raises(RulecError, match="no rule 'nope'"):
        set_level_at_step(planned, "nope", "remind", "3")


def _level_in_step_3(top: Path) -> str:
    rules = {rule["slug"]: rule["level"] for rule in show_plans(top).data[0]["steps"][2]["rules"]}
    return str(rules["plain-words"])
