"""Plans on the disk: ids, edits, and approvals that only this machine's rulec can write."""

import json
import shutil
from pathlib import Path

import pytest

from rulec.plans import plan_store
from rulec.plans.plan import ACTIVE, Plan, PlanItem, plan_from_json, plan_to_json
from rulec.plans.proofs import signed_records
from rulec.plans.proofs.changed_files import ChangedFile
from rulec.plans.proofs.owed_proofs import approved_by
from rulec.plans.proofs.signed_records import APPROVAL
from rulec.plans.step_ids import steps_of_items

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


def test_what_is_damaged_is_no_plan() -> None:
    odd = [{}, {"schema": 2, "session": "a"}, {"schema": 1, "session": 3}]
    assert [plan_from_json(one) for one in odd] == [None] * len(odd)
    stored = json.loads(json.dumps(plan_to_json(_plan())))
    stored["steps"][1] = {"id": "", "text": 4}
    read = plan_from_json(stored)
    assert read is not None
    assert [step.text for step in read.steps] == [TEXTS[0], TEXTS[2]]


def test_an_edit_begins_the_step_that_names_the_file() -> None:
    plan = _plan()
    owner = plan_store.record_edit(plan, "src/parser.py", 5.0)
    assert owner is plan.steps[0]
    assert (owner.status, owner.by, owner.started) == (ACTIVE, "edit", 5.0)


APPROVED = {"revision": 1, "pins": {"a.py": "p1", "b.py": "p2"}, "by": "Dev"}


def test_an_approval_counts_with_the_sign_of_this_machine_in_this_work_tree_for_its_change(top: str) -> None:
    assert signed_records.add_record(top, APPROVAL, "r", APPROVED)
    (known,) = signed_records.records(top, APPROVAL, "r")
    path = Path(signed_records.proofs_file(top))
    forged = [{**known, **change} for change in ({"name": "other"}, {"sign": ""}, {"pins": {"a.py": "p3"}})]
    path.write_text(json.dumps({"records": [known, *forged, {"kind": 3}, 3]}))
    assert signed_records.records(top, APPROVAL) == [known]
    assert signed_records.records(top, APPROVAL, "other") == []
    assert signed_records.count_foreign(top) == 4
    pins = APPROVED["pins"]
    cases = {
        "Dev": (1, pins),
        "Dev ": (1, {"a.py": "p1"}),
        "another revision": (2, pins),
        "another change": (1, {**pins, "a.py": "p3"}),
        "one more file": (1, {**pins, "c.py": "p4"}),
        "what nobody can read": (1, {"a.py": ""}),
        "nothing": (1, {}),
    }
    found = {name: approved_by([known], *case) for name, case in cases.items()}
    assert {name for name, by in found.items() if by} == {"Dev", "Dev "}


def test_an_approval_of_another_work_tree_counts_for_nothing(top: str, tmp_path: Path) -> None:
    assert signed_records.add_record(top, APPROVAL, "r", APPROVED)
    other = tmp_path / "other"
    (other / ".git/rulec").mkdir(parents=True)
    shutil.copy(signed_records.proofs_file(top), signed_records.proofs_file(str(other)))
    assert (signed_records.records(str(other), APPROVAL), signed_records.count_foreign(str(other))) == ([], 1)


def test_only_the_last_records_of_a_suite_or_rule_are_kept(top: str) -> None:
    for number in range(12):
        assert signed_records.add_record(top, signed_records.RUN, "unit", {"number": number})
    assert signed_records.add_record(top, APPROVAL, "r", APPROVED)
    kept = [one["number"] for one in signed_records.records(top, signed_records.RUN)]
    assert kept == [*reversed(range(2, 12))]
    assert len(signed_records.records(top, APPROVAL)) == 1


def test_a_pin_is_of_one_change_of_one_text() -> None:
    changes = [
        ("a\n", "b\n"),
        ("a\n", "c\n"),
        ("x\n", "b\n"),
        ("a\n", "a\n"),
        (None, "b\n"),
        ("a\n", None),
        ("a", "b\n"),
    ]
    assert len({ChangedFile("a.py", *change).pin for change in changes}) == len(changes)
    unread = ChangedFile("a.py", "a\n", None)
    unread.pinned = False
    assert unread.pin == ""
