"""Calls of agents' own tools as changes of a plan: whole lists, tasks one by one, and Codex's records."""

import json
from pathlib import Path
from typing import Any

import pytest

from rulec.agents.protocol.agent_spec import ADD_STEP, CHANGE_STEP, WHOLE_LIST
from rulec.checkout.worktree import Worktree
from rulec.steps import native_plans, rollout_plans
from rulec.steps.native_plans import PlanCall
from rulec.steps.step import Plan


def _apply(plan: Plan, kind: str, given: object, at: float = 1.0, result: object = None) -> bool:
    return native_plans.apply_call(plan, PlanCall(kind, given, at, "c" * 40, result))


def _todos(**statuses: str) -> dict[str, Any]:
    return {"todos": [{"content": text.replace("_", " "), "status": status} for text, status in statuses.items()]}


def _shown(plan: Plan) -> list[tuple[str, str]]:
    return [(step.text, step.status) for step in plan.steps]


FORMS = {
    "Claude Code": {"todos": [{"content": "Add a", "status": "in_progress", "activeForm": "Adding a"}]},
    "Gemini": {"todos": [{"description": "Add a", "status": "in_progress"}]},
    "OpenCode": {"todos": [{"content": "Add a", "status": "in_progress", "priority": "high", "id": "1"}]},
    "Cursor": {"merge": False, "todos": [{"content": "Add a", "status": "in_progress", "id": "1"}]},
    "Visual Studio Code": {"operation": "write", "todoList": [{"id": 1, "title": "Add a", "status": "in-progress"}]},
    "Codex": {"explanation": "x", "plan": [{"step": "Add a", "status": "in_progress"}]},
}


def test_every_agents_list_gives_its_steps() -> None:
    wrong = {}
    for name, given in FORMS.items():
        plan = Plan("s")
        _apply(plan, WHOLE_LIST, given)
        if _shown(plan) != [("Add a", "active")] or plan.steps[0].by != "status":
            wrong[name] = _shown(plan)
    assert not wrong


def test_a_checklist_in_markdown_gives_its_steps() -> None:
    plan = Plan("s")
    assert _apply(plan, WHOLE_LIST, {"todos": "- [x] Add a\n- [ ] Write the tests\n"})
    assert _shown(plan) == [("Add a", "done"), ("Write the tests", "pending")]


ODD: list[Any] = [{}, {"todos": 3}, {"todos": None}, [], "x", None, {"operation": "read"}]


def test_what_is_no_list_changes_nothing() -> None:
    plan = Plan("s")
    _apply(plan, WHOLE_LIST, _todos(Add_a="pending"))
    assert [one for one in ODD if _apply(plan, WHOLE_LIST, one)] == []
    assert _apply(plan, WHOLE_LIST, {"todos": [3, None, {"status": "pending"}, {"content": " "}]})
    assert _shown(plan) == [("Add a", "dropped")]


def test_a_step_that_left_the_list_is_dropped_unless_work_was_done_in_it() -> None:
    plan = Plan("s")
    _apply(plan, WHOLE_LIST, _todos(Add_the_loader="completed", Edit_the_parser="in_progress", Write_docs="pending"))
    plan.steps[1].edits = {"src/a.py": 2.0}
    _apply(plan, WHOLE_LIST, _todos(Something_else_now="in_progress"), at=3.0)
    assert sorted(_shown(plan)) == [
        ("Add the loader", "done"),
        ("Edit the parser", "done"),
        ("Something else now", "active"),
        ("Write docs", "dropped"),
    ]
    assert plan.steps[0].started == 3.0


def test_a_list_changes_only_itself() -> None:
    plan = Plan("s")
    native_plans.open_plan_text(
        plan, "# Plan\n\n## Steps\n\n1. Add the loader in src/a.py\n2. Write its docs\n", 1.0, ""
    )
    _apply(plan, WHOLE_LIST, _todos(Read_the_code="in_progress", Write_its_docs="pending"))
    assert _shown(plan) == [
        ("Read the code", "active"),
        ("Write its docs", "pending"),
        ("Add the loader in src/a.py", "pending"),
    ]
    _apply(plan, WHOLE_LIST, {"todos": []})
    assert _shown(plan) == [
        ("Write its docs", "pending"),
        ("Add the loader in src/a.py", "pending"),
        ("Read the code", "dropped"),
    ]


def test_a_finished_list_is_followed_by_steps_of_their_own() -> None:
    plan = Plan("s")
    _apply(plan, WHOLE_LIST, _todos(Add_tests_for_the_loader="completed"))
    (old,) = [step.id for step in plan.steps]
    _apply(plan, WHOLE_LIST, _todos(Add_tests_for_the_parser="pending"))
    assert plan.steps[0].id != old
    assert plan.steps[0].started == 0


def test_a_part_of_a_list_is_merged_by_its_keys() -> None:
    plan = Plan("s")
    items = [
        {"id": "1", "content": "Add a", "status": "in_progress"},
        {"id": "2", "content": "Add b", "status": "pending"},
    ]
    _apply(plan, WHOLE_LIST, {"merge": False, "todos": items})
    part = [{"id": "1", "status": "completed"}, {"id": "3", "content": "Add c", "status": "in_progress"}]
    _apply(plan, WHOLE_LIST, {"merge": True, "todos": part})
    assert _shown(plan) == [("Add a", "done"), ("Add b", "pending"), ("Add c", "active")]


def _task(plan: Plan, number: str, subject: str) -> None:
    _apply(
        plan,
        ADD_STEP,
        {"subject": subject, "description": "in src/x.py"},
        result={"task": {"id": number, "subject": subject}},
    )


def test_tasks_are_made_and_changed_one_by_one() -> None:
    plan = Plan("s")
    for number, subject in enumerate(("Add the loader", "Write its tests", "Add the loader"), 1):
        _task(plan, str(number), subject)
    assert len({step.id for step in plan.steps}) == 3
    assert plan.steps[0].paths == ["src/x.py"]
    first, second, third = (step.id for step in plan.steps)
    assert _apply(plan, CHANGE_STEP, {"taskId": "2", "status": "in_progress"}, at=5.0)
    assert _apply(plan, CHANGE_STEP, {"taskId": "1", "subject": "Add the new loader"})
    assert _apply(plan, CHANGE_STEP, {"taskId": "3", "status": "deleted"})
    assert [(step.id, step.text, step.status) for step in plan.steps] == [
        (first, "Add the new loader", "pending"),
        (second, "Write its tests", "active"),
        (third, "Add the loader", "dropped"),
    ]
    current = plan.current()
    assert current is not None
    assert (current.started, current.by, current.base) == (5.0, "status", "c" * 40)
    assert _apply(plan, CHANGE_STEP, {"taskId": "2", "subject": "Do a wholly different thing"})
    assert [step.text for step in plan.steps if step.status == "active"] == ["Do a wholly different thing"]


FAILED: list[tuple[str, Any, Any]] = [
    (CHANGE_STEP, {"taskId": "1", "status": "completed"}, {"success": False, "error": "Task not found"}),
    (CHANGE_STEP, {"taskId": "9", "status": "completed"}, {"success": True}),
    (CHANGE_STEP, {}, {}),
    (ADD_STEP, {}, {}),
    (WHOLE_LIST, {"todos": []}, {"error": {"message": "x"}}),
    (WHOLE_LIST, {"todos": []}, {"resultType": "failure"}),
    (WHOLE_LIST, {"todos": []}, {"is_error": True}),
]


def test_a_call_that_failed_changes_nothing() -> None:
    plan = Plan("s")
    _task(plan, "1", "Add the loader")
    before = _shown(plan)
    assert [kind for kind, given, result in FAILED if _apply(plan, kind, given, result=result)] == []
    assert _shown(plan) == before


def _line(kind: str, at: int, **payload: Any) -> str:
    record = {"timestamp": f"2026-11-20T10:00:{at:02}Z", "type": kind, "payload": payload}
    return json.dumps(record) + "\n"


def _planned(call: str, at: int, **statuses: str) -> str:
    listed = [{"step": text.replace("_", " "), "status": status} for text, status in statuses.items()]
    given = json.dumps({"plan": listed})
    return _line("response_item", at, type="function_call", name="update_plan", arguments=given, call_id=call)


def _ended(call: str, at: int, output: str) -> str:
    return _line("response_item", at, type="function_call_output", call_id=call, output=output)


def _patched(call: str, at: int, path: str) -> str:
    text = f"*** Begin Patch\n*** Add File: {path}\n+x\n*** End Patch\n"
    return _line("response_item", at, type="custom_tool_call", name="apply_patch", input=text, call_id=call)


def test_codexs_record_is_read_on_from_where_it_was_left(tmp_path: Path) -> None:
    record, world, plan = tmp_path / "r.jsonl", Worktree(str(tmp_path)), Plan("s")
    done = '{"output":"Success. Updated the following files:\\nA a","metadata":{"exit_code":0}}'
    texts = [
        _planned("p1", 1, Add_a="in_progress", Add_b="pending") + _ended("p1", 2, "Plan updated"),
        _patched("e1", 3, "src/a.py")
        + _ended("e1", 4, done)
        + _planned("p2", 5, Add_a="completed", Add_b="in_progress"),
        _ended("p2", 6, "Plan updated") + _patched("e2", 7, "src/b.py") + _ended("e2", 8, done),
        _patched("e3", 9, "src/c.py") + _ended("e3", 9, "patch rejected by user"),
        _planned("p3", 9, Add_x="pending") + _ended("p3", 9, "failed to parse function arguments"),
    ]
    shown = []
    for text in texts:
        with record.open("a") as file:
            file.write(text + text[:20])  # the next line is only half written
        rollout_plans.read_rollout(plan, str(record), world, "")
        shown.append([(step.status, sorted(step.edits)) for step in plan.steps])
        record.write_bytes(record.read_bytes()[: -len(text[:20])])
    assert shown == [
        [("active", []), ("pending", [])],
        [("active", ["src/a.py"]), ("pending", [])],
        [("done", ["src/a.py"]), ("active", ["src/b.py"])],
        [("done", ["src/a.py"]), ("active", ["src/b.py"])],
        [("done", ["src/a.py"]), ("active", ["src/b.py"])],
    ]
    assert plan.steps[0].started == pytest.approx(1_795_168_801)


def test_a_record_that_is_not_there_or_odd_has_no_plan(tmp_path: Path) -> None:
    odd = tmp_path / "odd.jsonl"
    odd.write_bytes(b'\xff{"update_plan"\n[1]\n{"type":"response_item","payload":{"name":"update_plan"}}\n' * 3)
    for path in (tmp_path / "none", tmp_path, odd):
        assert not rollout_plans.read_rollout(Plan("s"), str(path), Worktree(str(tmp_path)), "")
