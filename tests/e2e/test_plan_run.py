"""The real Claude Code with a plan: given back once, rewritten, approved; then begun, refused, proved and committed."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from rulec.plans import plan_store
from rulec.plans.plan import Plan
from tests.support import planned as plans
from tests.support.gates import rulec, run
from tests.support.messages_replies import Reply, said, tool
from tests.support.messages_server import Asked, MessagesServer
from tests.support.planned import PRINT, TEST

pytestmark = pytest.mark.claude

PLAN = "# Plan: prices\n\n1. Add up the prices in src/prices/total.py\n2. Describe it in docs/a.md\n"
NAMED = PLAN.replace("total.py\n", f"total.py\n   - rule {TEST} (testable)\n   - rule {PRINT} (strict)\n")
CODE = "def total(rows):\n    return sum(rows)\n"
CHECK = "from src.prices.total import total\n\n\ndef test_sum():\n    assert total([1, 2]) == 3\n"
COMMIT = "git add -A && git commit -qm 'Add up the prices'"
RUN = "rulec run unit"


class Model:
    """Says what a model would that works by a plan, one call after the other; ``heard`` is what each came to."""

    def __init__(self, top: Path) -> None:
        self.top, self.heard, self.plan = top, list[str](), ""
        self.begun: list[tuple[str, str, list[str]]] = []
        self.calls: list[Callable[[], Reply]] = [
            lambda: self._writes(self.plan, PLAN),
            lambda: tool({}, name="ExitPlanMode"),
            lambda: self._writes(self.plan, NAMED),
            lambda: tool({}, name="ExitPlanMode"),
            lambda: tool({"file_path": str(top / "src/prices/total.py")}, name="Read"),
            lambda: self._writes(str(top / "src/prices/total.py"), CODE),
            lambda: self._writes(str(top / "tests/test_sum.py"), CHECK),
            lambda: _runs(COMMIT),
            lambda: _runs(RUN),
            lambda: _runs(COMMIT),
        ]

    def __call__(self, asked: Asked) -> Reply:
        if not asked.body.get("tools"):  # a name for the session, or the like
            return said("{}")
        self.heard = [json.dumps(block["content"]) for one in asked.body["messages"] for block in _results(one)]
        found = re.search(r"(/[^\"\\\s`]*/plans/[^\"\\\s`]*\.md)", json.dumps(asked.body))
        self.plan = self.plan or (found[1] if found else "")
        return self.calls[len(self.heard)]() if len(self.heard) < len(self.calls) else said("Done.")

    def _writes(self, path: str, content: str) -> Reply:
        return tool({"file_path": path, "content": content}, name="Write")


def _runs(command: str) -> Reply:
    return tool({"command": command, "description": "work"}, name="Bash")


def _results(message: dict[str, Any]) -> list[dict[str, Any]]:
    content = message["content"] if isinstance(message["content"], list) else []
    return [block for block in content if block.get("type") == "tool_result"]


def _session(top: Path, prompt: str, approve: Callable[[str], bool]) -> list[str]:
    """One session in plan mode; ``approve`` is the person who is asked about a tool. Returns the tools asked about."""
    argv = ["claude", "-p", "--input-format", "stream-json", "--output-format", "stream-json", "--verbose"]
    argv += ["--permission-mode", "plan", "--permission-prompt-tool", "stdio", "--allowedTools", "Bash,Write,Read"]
    asked = []
    with subprocess.Popen(
        argv, cwd=top, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as claude:
        assert claude.stdin is not None
        assert claude.stdout is not None

        def send(**record: Any) -> None:
            assert claude.stdin is not None
            claude.stdin.write(json.dumps(record) + "\n")
            claude.stdin.flush()

        send(type="control_request", request_id="1", request={"subtype": "initialize", "hooks": {}})
        send(type="user", message={"role": "user", "content": prompt})
        for record in _records(claude.stdout):
            if record.get("type") == "control_request":
                request = record["request"]
                asked.append(request["tool_name"])
                answer = {"behavior": "allow", "updatedInput": request["input"]}
                if not approve(request["tool_name"]):
                    answer = {"behavior": "deny", "message": "no"}
                told = {"subtype": "success", "request_id": record["request_id"], "response": answer}
                send(type="control_response", response=told)
            elif record.get("type") == "result":
                claude.stdin.close()
                break
    assert claude.returncode == 0
    return asked


def _records(lines: Any) -> Iterator[dict[str, Any]]:
    for line in lines:
        yield json.loads(line)


@pytest.fixture
def top(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    top = plans.planned(tmp_path / "repo")
    for path in (top / ".rules").glob("*.yaml"):
        if path.stem not in ("config", PRINT, TEST):
            path.unlink()
    rulec(top, "compile")
    run(top, "git", "add", "-A")
    run(top, "git", "commit", "-qnm", "Fewer rules")
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path / "claude"))
    return top


def _plan(top: Path) -> Plan | None:
    return next(iter(plan_store.open_plans(str(top))), None)


def test_a_plan_goes_all_the_way(messages: MessagesServer, top: Path) -> None:
    messages.script = model = Model(top)
    before = plans.head(top)
    asked = _session(top, "Plan how to add up the prices, then do it.", lambda _: True)
    _, returned, _, approved, _, _, _, refused, proved, committed = model.heard
    assert asked == ["ExitPlanMode"], "the plan that was given back was not shown to the person"
    assert f"rule {TEST} (testable)" in returned
    assert "ExitPlanMode again" in returned
    assert "approved" in approved
    assert "asks for a proof (testable)" in refused, model.heard[5:]
    assert TEST in refused
    assert "it tests the change of src/prices/total.py" in proved
    assert "refused" not in committed
    assert plans.head(top) != before
    plan = _plan(top)
    assert plan is not None
    first, second = plan.steps
    assert (first.text, first.by) == ("Add up the prices in src/prices/total.py", "edit")
    assert "src/prices/total.py" in first.edits
    assert second.started == 0


def test_a_plan_that_the_person_refuses_opens_no_step(messages: MessagesServer, top: Path) -> None:
    messages.script = model = Model(top)
    del model.calls[4:]
    asked = _session(top, "Plan how to add up the prices, then do it.", lambda name: name != "ExitPlanMode")
    assert asked == ["ExitPlanMode"]
    assert len(model.heard) == 4
    assert _plan(top) is None
