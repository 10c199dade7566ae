"""Plans on the disk: ids, edits, and approvals that only this machine's rulec can write."""

import json
from pathlib import Path

import pytest

from rulec.plans import approvals, plan_store, signed_records
from rulec.plans.plan import ACTIVE, Plan, PlanItem, plan_from_json, plan_to_json
from rulec.plans.step_ids import steps_of_items, with_known_ids

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


def test_ids_stay_where_one_word_is_changed_and_the_list_is_reordered() -> None:
    old = _plan().steps
    moved = ["Update the documents", TEXTS[0], "Write all its tests", "Something else entirely"]
    new = with_known_ids(steps_of_items([PlanItem(text) for text in moved]), old)
    assert [step.id for step in new[:3]] == [old[2].id, old[0].id, old[1].id]
    assert new[3].id not in {step.id for step in old}


def test_an_edit_begins_the_step_that_names_the_file() -> None:
    plan = _plan()
    owner = plan_store.record_edit(plan, "src/parser.py", 5.0)
    assert owner is plan.steps[0]
    assert (owner.status, owner.by, owner.started) == (ACTIVE, "edit", 5.0)
    plan_store.record_edit(plan, "src/other.py", 6.0)
    assert plan_store.strays_of(owner) == ["src/other.py"]


PINS = {"a.py": "p1", "b.py": "p2"}


def test_an_approval_counts_with_the_sign_of_this_machine_in_this_work_tree_for_its_lines(top: str) -> None:
    assert approvals.add_approval(top, "r", 1, PINS, "Dev")
    (known,) = approvals.approvals(top)
    path = Path(top, ".git/rulec", approvals.NAME)
    forged = [{**known, **change} for change in ({"rule": "other"}, {"sign": ""}, {"pins": {"a.py": "p3"}})]
    path.write_text(json.dumps({"approvals": [known, *forged, 3]}))
    assert approvals.approvals(top) == [known]
    assert approvals.count_foreign(top) == 3
    cases = {
        "Dev": ("r", 1, PINS),
        "Dev ": ("r", 1, {"a.py": "p1"}),
        "another rule": ("other", 1, PINS),
        "another revision": ("r", 2, PINS),
        "other lines": ("r", 1, {**PINS, "a.py": "p3"}),
        "one more file": ("r", 1, {**PINS, "c.py": "p4"}),
        "lines that nobody can read": ("r", 1, {"a.py": ""}),
        "nothing": ("r", 1, {}),
    }
    found = {name: approvals.approved_by([known], *case) for name, case in cases.items()}
    assert {name for name, by in found.items() if by} == {"Dev", "Dev "}


def test_an_approval_of_another_work_tree_counts_for_nothing(top: str, tmp_path: Path) -> None:
    assert approvals.add_approval(top, "r", 1, PINS, "Dev")
    other = tmp_path / "other"
    (other / ".git/rulec").mkdir(parents=True)
    (other / ".git/rulec" / approvals.NAME).write_bytes(Path(top, ".git/rulec", approvals.NAME).read_bytes())
    assert (approvals.approvals(str(other)), approvals.count_foreign(str(other))) == ([], 1)


def test_a_pin_follows_the_changed_lines_and_what_stands_around_them() -> None:
    before = "".join(f"{n}\n" for n in range(50))
    pin_of = signed_records.pin_of
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
