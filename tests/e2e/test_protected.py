"""What the settings protect no agent writes, through whatever tool; people do as they like."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support.world import act, at_home, run


@pytest.fixture(scope="module")
def top(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    with at_home(tmp_path_factory.mktemp("home")):
        top = tmp_path_factory.mktemp("protected") / "repo"
        (top / ".rules").mkdir(parents=True)
        run(top, "init", "-q", "-b", "main", "--template=")
        (top / ".rules/config.yaml").write_text("schema: 1\nprotected: ['migrations/**', LICENSE]\n")
        (top / "migrations").mkdir()
        (top / "migrations/1.sql").write_text("create table a;\n")
        act(top, "compile")
        run(top, "add", "-A")
        run(top, "commit", "-qm", "Start")
        yield top


def _asked(top: Path, tool: str, **given: str) -> dict[str, Any]:
    payload = {
        "session_id": "s",
        "cwd": str(top),
        "hook_event_name": "PreToolUse",
        "tool_name": tool,
        "tool_input": given,
    }
    argv = [sys.executable, "-I", "-S", str(top / ".rules/compiled/hook.py"), "claude-code"]
    environment = {**os.environ, "CLAUDE_PROJECT_DIR": str(top)}
    said = subprocess.run(
        argv, cwd=top, env=environment, input=json.dumps(payload), capture_output=True, text=True, check=True
    )
    answer: dict[str, Any] = json.loads(said.stdout or "{}").get("hookSpecificOutput", {})
    return answer


@pytest.mark.parametrize(
    ("tool", "given"),
    [
        ("Write", {"file_path": "migrations/2.sql", "content": "drop table a;\n"}),
        ("Edit", {"file_path": "migrations/1.sql", "old_string": "create", "new_string": "drop"}),
        ("Write", {"file_path": "LICENSE", "content": "All mine.\n"}),
        ("Bash", {"command": "rm migrations/1.sql"}),
        ("Bash", {"command": "echo 'drop table a;' > migrations/1.sql"}),
        ("Bash", {"command": "sed -i s/create/drop/ migrations/1.sql"}),
        ("Bash", {"command": "cp /tmp/x migrations/3.sql"}),
        ("Bash", {"command": "git mv migrations/1.sql old.sql"}),
        ("Bash", {"command": "bash -c 'cd migrations && touch 4.sql'"}),
    ],
)
def test_an_agent_does_not_write_there(top: Path, tool: str, given: dict[str, str]) -> None:
    answer = _asked(top, tool, **given)
    assert answer.get("permissionDecision") == "deny"
    assert "protected-paths" in answer["permissionDecisionReason"]
    assert "tell the person what you would change" in answer["permissionDecisionReason"]


@pytest.mark.parametrize(
    ("tool", "given"),
    [
        ("Write", {"file_path": "src/migrations.py", "content": "x = 1\n"}),
        ("Bash", {"command": "cat migrations/1.sql"}),
        ("Bash", {"command": "git add migrations && git diff --cached"}),
        ("Bash", {"command": "cp migrations/1.sql /tmp/copy.sql"}),
    ],
)
def test_it_reads_there_and_works_elsewhere(top: Path, tool: str, given: dict[str, str]) -> None:
    assert _asked(top, tool, **given) == {}


def test_a_person_commits_there(top: Path) -> None:
    (top / "migrations/5.sql").write_text("create table b;\n")
    run(top, "add", "-A")
    assert "0 refused" in act(top, "check", "--staged").out
    run(top, "reset", "-q", "--hard")


def test_a_rule_of_that_name_is_refused(top: Path) -> None:
    text = "schema: 1\nslug: protected-paths\nstatement: Mine.\nchecks: []\n"
    (top / ".rules/protected-paths.yaml").write_text(text)
    assert "protected-paths is a name that rulec uses itself" in act(top, "compile", code=2).err
    (top / ".rules/protected-paths.yaml").unlink()
