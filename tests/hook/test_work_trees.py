"""A repository may have several work trees: the gate guards all of them, from each of them."""

import json
import subprocess

import pytest

from rulec.hook.dispatch import respond
from tests.hook.test_hook import repository
from tests.support import guard_rules as rules

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


HERE = "git commit --allow-empty -m x"
CHECKOUTS = [
    ("one", "Bash", {"command": HERE}, True),
    ("two", "Bash", {"command": "cd ../one && " + HERE}, True),
    ("two", "Bash", {"command": HERE}, False),
    ("one", "Bash", {"command": "git -C ../two commit --allow-empty -m x"}, False),
    ("one", "Write", {"file_path": "shop/a.txt", "content": "x"}, True),
    ("two", "Write", {"file_path": "shop/a.txt", "content": "x"}, False),
    ("two", "Bash", {"command": "make deploy"}, True),
    ("one", "Bash", {"command": "make deploy"}, False),
]


def test_a_rule_tells_the_main_checkout_from_linked_work_trees(tmp_path, monkeypatch):
    monkeypatch.delenv("CLAUDE_PROJECT_DIR", raising=False)
    kinds = [
        rules.command("no-commit-here", "git commit", checkout="main"),
        rules.path("no-edit-here", "./shop/", checkout="main"),
        rules.command("linked-only", "make deploy", checkout="linked"),
    ]
    top = repository(tmp_path / "one", *kinds)
    for words in (["add", "-A"], ["commit", "-qm", "All"], ["worktree", "add", "-q", "../two"]):
        subprocess.run([*GIT, *words], cwd=top, check=True)
    wrong = [row for row in CHECKOUTS if denied(tmp_path, *row[:3]) is not row[3]]
    assert wrong == []
