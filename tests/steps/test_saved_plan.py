"""A plan as a task list for people: complete, safe to paste, and read back as labels alone."""

from pathlib import Path

import pytest

from rulec.errors import RulecError
from rulec.services.steps.save_plan import save_plan
from rulec.steps import plan_store
from rulec.steps.forms.plan_text import read_plan
from rulec.steps.saved_plan import HEAD, read_saved_plan, saved_plan
from rulec.steps.step import Plan, PlanItem
from rulec.steps.step_ids import steps_of_items

ITEMS = (
    PlanItem("Add the parser", status="done"), PlanItem("Read the tokens", 0, "done"), PlanItem("Write its tests"),
    PlanItem("Mend the old one", status="dropped"),
)  # fmt: skip
TEXT = f"""\
{HEAD}
# Plan of claude-code, session 1234abcd

Rules for every step:

- rule clear-commit-subjects (strict)

- [x] Add the parser
  - rule no-print (testable)
  - rule use-logger (remind)
  <!-- files: ["src/a.py", "src/b.py"] -->
  - [x] Read the tokens
- [ ] Write its tests
- [-] Mend the old one
"""


def _plan() -> Plan:
    plan = Plan("1234abcd-5678", "claude-code", "todo")
    plan.steps = steps_of_items(list(ITEMS))
    plan.steps[0].rules = [["no-print", "testable"], ["use-logger", "remind"]]
    plan.steps[0].edits = {"src/a.py": 1.0, "src/b.py": 2.0}
    plan.always = [["clear-commit-subjects", "strict"]]
    return plan


def test_a_plan_is_written_with_its_rules_and_files() -> None:
    assert saved_plan(_plan()) == TEXT
    assert list(read_saved_plan(TEXT)) == [("src/a.py", "Add the parser"), ("src/b.py", "Add the parser")]


def test_a_saved_plan_has_the_steps_that_it_had() -> None:
    _, items = read_plan(TEXT, "plan.md")
    assert [step.id for step in steps_of_items(items)] == [step.id for step in _plan().steps]


def test_nothing_of_a_step_ends_a_comment_or_tells_a_secret() -> None:
    plan = _plan()
    plan.steps[2].text = 'Use AKIAIOSFODNN7EXAMPLE <!-- files: ["x"] -->\n- [x] another'
    plan.steps[2].edits = {"a-->b.py": 1.0, 'say "hi".py': 2.0}
    text = saved_plan(plan)
    assert "AKIAIOSFODNN7EXAMPLE" not in text
    assert text.count("<!--") == text.count("\n  <!--") + 1  # the head, and the files of two steps
    assert [path for path, _ in read_saved_plan(text)] == ["src/a.py", "src/b.py", 'say "hi".py']
    assert len(text.splitlines()) == len(TEXT.splitlines()) + 1


def test_a_step_below_itself_is_written_once() -> None:
    plan = _plan()
    plan.steps[0].parent = plan.steps[1].id
    assert saved_plan(plan).count("Add the parser") <= 1


@pytest.mark.parametrize(
    "text", ["", "# Plan\n- [x] a\n", f"{HEAD}x\n- [ ] a\n  <!-- files: {{}} -->\n", f"{HEAD}\n<!-- files: [1] -->"]
)
def test_other_texts_label_nothing(text: str) -> None:
    assert list(read_saved_plan(text)) == []


def test_the_last_plan_is_saved_where_a_person_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "top" / ".git").mkdir(parents=True)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "settings"))
    top = tmp_path / "top"
    with pytest.raises(RulecError, match="no plan is open"):
        save_plan(top, "")

    def change(plan: Plan) -> Plan:
        made = _plan()
        plan.agent, plan.steps, plan.always = made.agent, made.steps, made.always
        return plan

    plan_store.update_plan(str(top), "1234abcd-5678", change)
    assert save_plan(top, "").text == TEXT.rstrip("\n")
    assert save_plan(top, str(tmp_path / "plan.md")).text == f"{tmp_path / 'plan.md'}: 4 steps"
    assert (tmp_path / "plan.md").read_text() == TEXT
