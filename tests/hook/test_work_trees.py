"""A repository may have several work trees: the gate guards all of them, from each of them."""

import json
import subprocess

import pytest

from rulec.hook.dispatch import respond
from tests.hook.test_hook import repository

HOOKLESS = '{"hooks": {}}'
GIT = ("git", "-c", "user.name=x", "-c", "user.email=x@example.com")


@pytest.fixture
def trees(tmp_path, monkeypatch):
    monkeypatch.delenv("CLAUDE_PROJECT_DIR", raising=False)
    top = repository(tmp_path / "one")
    for words in (["add", "-A"], ["commit", "-qm", "All"], ["worktree", "add", "-q", "../two"]):
        subprocess.run([*GIT, *words], cwd=top, check=True)
    repository(tmp_path / "stranger")
    return tmp_path


def denied(trees, here, tool, given):
    asked = {"hook_event_name": "PreToolUse", "cwd": str(trees / here), "tool_name": tool, "tool_input": given}
    answer = respond("claude-code", json.dumps(asked).encode(), str(trees / here / ".rules/compiled"))
    return "deny" in json.dumps(answer.out)


@pytest.mark.parametrize(("here", "other"), [("one", "two"), ("two", "one")])
def test_the_rules_of_another_work_tree_are_not_the_agents_to_write(trees, here, other):
    beside = trees / other
    assert denied(trees, here, "Write", {"file_path": f"{beside}/.rules/x.yaml", "content": "a: 1"})
    assert denied(trees, here, "Write", {"file_path": f"{beside}/.claude/settings.json", "content": HOOKLESS})
    assert denied(trees, here, "Bash", {"command": f"rm -rf ../{other}/.rules/compiled"})
    assert denied(trees, here, "Write", {"file_path": f"{beside}/src/gen/a.py", "content": "x"})


def test_another_repository_is_left_to_its_own_gate(trees):
    assert not denied(trees, "one", "Write", {"file_path": str(trees / "stranger/.rules/x.yaml"), "content": "a: 1"})
    assert not denied(trees, "one", "Write", {"file_path": str(trees / "two/src/a.py"), "content": "x = 1"})
    assert not denied(trees, "one", "Write", {"file_path": str(trees / "notes.txt"), "content": "x"})
