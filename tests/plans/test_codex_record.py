"""Codex's record of a session as changes of its plan."""

import json
from pathlib import Path
from typing import Any

import pytest

from rulec.checkout.worktree import Worktree
from rulec.plans.native import codex_record
from rulec.plans.plan import Plan


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
        codex_record.read_rollout(plan, str(record), world)
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
        assert not codex_record.read_rollout(Plan("s"), str(path), Worktree(str(tmp_path)))
