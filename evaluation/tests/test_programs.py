"""An agent's program works in fresh repositories: a script on PATH that does what its hooks and documents say."""

import json
import sys
from pathlib import Path

import pytest

from evaluation.tests.conftest import Evaluated
from evaluation.tests.small_tasks import NPM, NPM_RULE, install_claude, write_answers, write_tasks

# It wants npm; it heeds a document, and a hook that denies its command.
PROGRAM = """\
#!{python}
import json, os, pathlib, subprocess, sys
top = os.getcwd()
session = "s-" + pathlib.Path(top).parent.name + "-" + str(len(list(pathlib.Path.home().rglob("*.jsonl"))))
command = "npm install dayjs"
guide = pathlib.Path("CLAUDE.md")
if guide.is_file() and "pnpm" in guide.read_text():
    command = "pnpm add dayjs"
settings = pathlib.Path(".claude/settings.json")
hooks = json.loads(settings.read_text())["hooks"] if settings.is_file() else {{}}
calls = []
for group in hooks.get("PreToolUse", []):
    asked = {{"session_id": session, "cwd": top, "hook_event_name": "PreToolUse", "tool_name": "Bash",
             "tool_input": {{"command": command}}}}
    done = subprocess.run(["sh", "-c", group["hooks"][0]["command"]], input=json.dumps(asked), text=True,
                          capture_output=True)
    if "deny" in done.stdout:
        calls.append((command, "refused by use-pnpm", True))
        command = "pnpm add dayjs"
calls.append((command, "ok", False))
lines = [{{"type": "user", "message": {{"role": "user", "content": sys.argv[2]}}}}]
for at, (text, result, failed) in enumerate(calls):
    use = {{"type": "tool_use", "id": f"t{{at}}", "name": "Bash", "input": {{"command": text}}}}
    lines.append({{"type": "assistant", "message": {{"role": "assistant", "content": [use]}}}})
    got = {{"type": "tool_result", "tool_use_id": f"t{{at}}", "content": result, "is_error": failed}}
    lines.append({{"type": "user", "message": {{"role": "user", "content": [got]}}}})
folder = pathlib.Path.home() / ".claude/projects/shop"
folder.mkdir(parents=True, exist_ok=True)
more = {{"sessionId": session, "cwd": top, "uuid": "u", "timestamp": "2026-11-20T10:00:00.000Z", "isSidechain": False}}
(folder / f"{{session}}.jsonl").write_text("".join(json.dumps({{**line, **more}}) + "\\n" for line in lines))
"""


def test_a_program_works_under_each_condition_and_its_sessions_are_kept(
    tmp_path: Path, evaluated: Evaluated, monkeypatch: pytest.MonkeyPatch
) -> None:
    install_claude(tmp_path / "bin", PROGRAM.format(python=sys.executable), monkeypatch)
    task = {**NPM, "tasks": NPM["tasks"][:1]}
    tasks, answers = write_tasks(tmp_path / "tasks", task), write_answers(tmp_path / "answers", npm=NPM_RULE)
    given = [str(tasks), "--rules", str(answers), "--format", "json"]
    said = evaluated(*given, "--agent", "claude-code", "--keep", str(tmp_path / "kept"))
    rows = json.loads(said.stdout)["measured"]["sessions"]
    assert {row["condition"]: row["repeats"]["rate"] for row in rows} == {
        "none": 1, "instruction document": 0, "snapshot": 1, "gates": 0, "gates and steps": 0,
    }  # fmt: skip
    assert {row["condition"]: row["refusals"]["rate"] for row in rows}["gates"] == 1
    assert len([*(tmp_path / "kept").iterdir()]) == 5
    again = evaluated(*given, "--agent", f"recorded:{tmp_path / 'kept'}")
    assert json.loads(again.stdout)["measured"]["sessions"] == rows
