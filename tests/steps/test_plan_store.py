"""Plans on the disk: ids, claims, and proofs that only this machine's rulec can write."""

import json
from pathlib import Path

import pytest

from rulec.checkout import worktree
from rulec.steps import plan_store
from rulec.steps.proofs import proof_store
from rulec.steps.step import ACTIVE, Plan, PlanItem, plan_from_json, plan_to_json
from rulec.steps.step_ids import steps_of_items, with_known_ids

TEXTS = ("Add the parser in src/parser.py", "Write its tests", "Update the docs")


def _plan() -> Plan:
    plan = Plan("s-1", "claude-code", "todo")
    plan.steps = steps_of_items([PlanItem(text) for text in TEXTS])
    plan.steps[0].paths = ["src/parser.py"]
    return plan


@pytest.fixture
def top(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    (tmp_path / "top" / ".git").mkdir(parents=True)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "settings"))
    return str(tmp_path / "top")


def test_a_plan_is_stored_and_read_back(top: str) -> None:
    def change(plan: Plan) -> Plan:
        plan.steps = _plan().steps
        return plan

    stored = plan_store.update_plan(top, "s-1", change)
    read = plan_store.load_plan(top, "s-1")
    assert stored is not None
    assert read is not None
    assert plan_to_json(read) == plan_to_json(stored)
    assert [plan.session for plan in plan_store.open_plans(top)] == ["s-1"]
    assert plan_store.update_plan(top, "s-1", lambda _: None) is None
    assert not plan_store.has_plan(top, "s-1")


def test_a_further_edit_adds_its_time_beside_the_plan(top: str) -> None:
    def begin(plan: Plan) -> Plan:
        plan.steps = _plan().steps
        plan_store.record_edit(plan, "src/parser.py", "", 1.0)
        return plan

    plan_store.update_plan(top, "s-1", begin)
    before = Path(worktree.plan_file(top, "s-1")).read_bytes()
    assert plan_store.note_again(top, "s-1", ["src/other.py"], 2.0) is None, (
        "an edit of another file is more than a time"
    )
    assert plan_store.note_again(top, "s-1", ["src/parser.py"], 3.0) is not None
    assert Path(worktree.plan_file(top, "s-1")).read_bytes() == before
    read = [
        plan_store.load_plan(top, "s-1"),
        *plan_store.open_plans(top),
        plan_store.update_plan(top, "s-1", lambda p: p),
    ]
    assert [plan.steps[0].edits for plan in read if plan is not None] == [{"src/parser.py": 3.0}] * 3
    assert not Path(worktree.plan_file(top, "s-1") + plan_store.LATER).exists()


def test_what_is_damaged_is_no_plan() -> None:
    odd = [{}, {"schema": 2, "session": "a"}, {"schema": 1, "session": 3}]
    assert [plan_from_json(one) for one in odd] == [None] * len(odd)
    stored = json.loads(json.dumps(plan_to_json(_plan())))
    stored["steps"][1] = {"id": "", "text": 4}
    read = plan_from_json(stored)
    assert read is not None
    assert [step.text for step in read.steps] == [TEXTS[0], TEXTS[2]]


def test_ids_stay_where_one_word_is_changed_and_the_list_is_reordered() -> None:
    old = _plan().steps
    moved = ["Update the documents", TEXTS[0], "Write all its tests", "Something else entirely"]
    new = with_known_ids(steps_of_items([PlanItem(text) for text in moved]), old)
    assert [step.id for step in new[:3]] == [old[2].id, old[0].id, old[1].id]
    assert new[3].id not in {step.id for step in old}


def test_an_edit_begins_the_step_that_names_the_file() -> None:
    plan = _plan()
    owner = plan_store.record_edit(plan, "src/parser.py", "c" * 40, 5.0)
    assert owner is plan.steps[0]
    assert (owner.status, owner.by, owner.started, owner.base) == (ACTIVE, "edit", 5.0, "c" * 40)
    plan_store.record_edit(plan, "src/other.py", "c" * 40, 6.0)
    assert plan.outside == {"src/other.py": [6.0, owner.id]}


def _proof(**more: object) -> dict[str, object]:
    pin = {"a.py": proof_store.pin_of("x\n", "x\ny\n")}
    now = {"a.py": proof_store.text_digest("x\ny\n")}
    base = {"step": "1", "rule": "r", "session": "s", "class": "tested", "pin": pin, "now": now, "detail": {}}
    return {**base, "revision": 1, **more}


def test_a_proof_counts_only_with_the_sign_of_this_machine_and_in_this_work_tree(top: str, tmp_path: Path) -> None:
    assert proof_store.add_proof(top, _proof())
    (stored,) = proof_store.stored_proofs(top)
    path = Path(top, ".git/rulec", proof_store.NAME)
    for change in ({"rule": "other"}, {"sign": ""}, {"step": "2"}):
        path.write_text(path.read_text() + json.dumps({**stored, **change}) + "\n")
    assert proof_store.stored_proofs(top) == [stored]
    assert proof_store.count_foreign(top) == 3
    other = tmp_path / "other"
    (other / ".git/rulec").mkdir(parents=True)
    (other / ".git/rulec" / proof_store.NAME).write_text(json.dumps(stored) + "\n")
    assert proof_store.stored_proofs(str(other)) == []
    assert proof_store.count_foreign(str(other)) == 1


def test_a_decision_counts_for_its_step_and_until_its_day(top: str) -> None:
    own = {"kind": "risk", "session": "s", "step": "1", "rule": "r", "revision": 2}
    assert proof_store.add_decision(top, {**own, "until": "2999-01-01"})
    decided = proof_store.stored_decisions(top)
    found = proof_store.find_decision(decided, "risk", "s", "1", "r")
    assert proof_store.is_risk_accepted(found, 2)
    assert not proof_store.is_risk_accepted(found, 3)
    assert not proof_store.is_risk_accepted({**own, "until": "2000-01-01"}, 2)
    others = [("level", "s", "1", "r"), ("risk", "t", "1", "r"), ("risk", "s", "2", "r"), ("risk", "s", "1", "q")]
    assert [proof_store.find_decision(decided, *one) for one in others] == [None] * len(others)


def test_a_pin_follows_the_changed_lines_and_what_stands_around_them() -> None:
    before = "".join(f"{n}\n" for n in range(50))
    pin_of = proof_store.pin_of
    pin = pin_of(before, before + "new\n")
    assert pin == pin_of("first\n" + before, "first\n" + before + "new\n")
    changes = {
        "another line": (before, before + "newer\n"),
        "the same line elsewhere": (before, "new\n" + before),
        "one more line": (before, before + "new\nnew\n"),
        "nothing": (before, before),
        "a new file": (None, before + "new\n"),
        "a deleted file": (before, None),
        "other line ends": (before, before + "new\r\n"),
        "no end of the last line": (before, before + "new"),
    }
    pins = {name: pin_of(*change) for name, change in changes.items()}
    assert len({pin, *pins.values()}) == 1 + len(changes), pins
    large = "x\n" * 10_000
    assert pin_of(large, "y\n" * 10_000) != pin_of(large, "z\n" * 10_000)


def test_a_proof_holds_while_each_pinned_file_has_the_lines_or_the_text_of_then() -> None:
    proof = _proof(
        pin={"a": "p1", "b": "p2"}, now={"a": proof_store.text_digest("A"), "b": proof_store.text_digest("B")}
    )
    cases = {
        "both in the change": ({"a": "p1", "b": "p2"}, {}, True),
        "another file beside": ({"a": "p1", "b": "p2", "c": "p3"}, {}, True),
        "one is committed or waits": ({"a": "p1"}, {"b": "B"}, True),
        "other lines": ({"a": "p1", "b": "p9"}, {"b": "B"}, False),
        "one was edited since": ({"a": "p1"}, {"b": "B2"}, False),
        "one is gone": ({"a": "p1"}, {}, False),
    }
    wrong = [
        name for name, (pins, texts, wanted) in cases.items() if proof_store.holds(proof, pins, texts.get) is not wanted
    ]
    assert not wrong
    assert not proof_store.holds({**proof, "pin": {}, "now": {}}, {}, {}.get)
    assert not proof_store.holds({**proof, "now": {}}, {"a": "p1", "b": "p2"}, {}.get)
