"""A run of the tests counts only where the session's record shows that the whole command went well."""

import json

import pytest

from rulec.agents.protocol.agent_spec import HookRequest
from rulec.checkout.worktree import Worktree
from rulec.domain.compiled_rule import read_rule
from rulec.hook.outcomes import outcome_of
from rulec.hook.session import session_rules
from rulec.shell.action_events import Event
from tests.support import guard_rules as rules

RULE = rules.session("x", before_commands=["git commit"], first_commands=["pytest"], since=["*.py"])
STYLE = {**RULE, "facts": {**RULE["facts"], "severity": "should"}}
EDIT = ("Edit", {"file_path": "src/a.py", "old_string": "x", "new_string": "y"})


def bash(command, **given):
    return "Bash", {"command": command, **given}


def records(steps):
    for number, (tool, given, *result) in enumerate(steps):
        use = {"type": "tool_use", "id": f"u{number}", "name": tool, "input": given}
        yield {"type": "assistant", "message": {"role": "assistant", "content": [use]}}
        said, failed = (*result, "fine", False)[:2]
        if said is not None:
            back = {"type": "tool_result", "tool_use_id": f"u{number}", "content": said, "is_error": failed}
            yield {"type": "user", "message": {"role": "user", "content": [back]}}


@pytest.fixture
def judge(tmp_path, monkeypatch):
    """What becomes of a commit after these steps: block, warn or nothing."""
    monkeypatch.setattr(session_rules, "LAG", 0)
    path = tmp_path / "session.jsonl"

    def outcome(*steps, command="git commit -m x", rule=RULE, transcript=str(path)):
        path.write_text("".join(json.dumps(one) + "\n" for one in records(steps)))
        world, asked = Worktree(str(tmp_path)), HookRequest("")
        asked.transcript = transcript
        event = Event(kind="command", command=command, root=world.root, world=world)
        found = session_rules.decide_with_history([read_rule(rule)], event, asked, world)
        return next((outcome_of(one) for one in found), "")

    return outcome


HIDDEN = [
    "pytest | tail -3", "pytest; echo done", "pytest || true", "pytest || exit 0", "(pytest) || :", "pytest &",
    "nohup pytest > log &", "pytest\nls", "pytest 2>&1 | tee log", "echo $(pytest)", "{ pytest; } | tail",
    "bash -c 'pytest; true'", "sh -c pytest | tail", "while ! pytest; do sleep 1; done", "if pytest; then echo ok; fi",
    "pytest && echo good || echo bad", "python -c \"import subprocess; subprocess.run(['pytest'])\"",
    "pytest --markers", "pytest --collect-only -q", "pytest --fixtures", "pytest --setup-plan", "pytest -h",
    "pytest --help", "echo pytest", "git log --grep pytest",
]  # fmt: skip
PLAIN = [
    "pytest", "pytest -q 2>&1", "pytest > log 2>&1", "set -o pipefail; pytest | tail -3", "pytest && echo ok",
    "set -e\npytest\necho ok",
    "timeout 60 python -m pytest", "PYTHONPATH=. uv run pytest", "pytest || exit 1",
    "pytest || (echo bad; exit 1)", "ls; pytest", "make lint || true; pytest",
    "(cd src && pytest)", "bash -c 'pytest -q'",
    "cat log | tail; pytest", "docker compose exec -T api pytest",
]  # fmt: skip


def test_a_run_counts_only_where_nothing_hides_how_it_went(judge):
    wrong = [command for command in HIDDEN if judge(EDIT, bash(command)) != "block"]
    wrong += [command for command in PLAIN if judge(EDIT, bash(command))]
    assert wrong == []


WRITE = ("mcp__fs__write_file", {"path": "src/a.py", "content": "x"})
NOTE = ("mcp__fs__write_file", {"path": "a.md", "content": "x"})
HELD = {
    "in the background": [EDIT, bash("pytest", run_in_background=True)],
    "no result yet": [EDIT, (*bash("pytest"), None)],
    "it failed": [EDIT, (*bash("pytest"), "Exit code 1\nE", True)],
    "no tests": [EDIT, (*bash("pytest"), "collected 0 items\n\n==== no tests ran in 0.01s ====")],
    "an edit through another server behind it": [EDIT, bash("pytest"), WRITE],
    "a command of another server behind it": [EDIT, bash("pytest"), ("mcp__sh__run", {"command": "touch b.py"})],
    "another agent may have run them": [EDIT, ("Task", {"prompt": "run the tests"})],
}
PASSES = {
    "the tests went well": [EDIT, (*bash("pytest"), "3 passed, 1 warning")],
    "a test speaks of no tests": [EDIT, (*bash("pytest"), 'test_cli.py: it says "no tests ran"\n2 passed')],
    "another server only reads": [EDIT, bash("pytest"), ("mcp__fs__read_file", {"path": "src/a.py"})],
    "another server writes what needs no tests": [
        EDIT,
        bash("pytest"),
        ("mcp__fs__write_file", {"path": "a.md", "content": "x"}),
    ],
    "code only reads the file": [EDIT, bash("pytest"), bash("python -c \"print(open('src/a.py').read())\"")],
    "another agent looked around behind it": [EDIT, bash("pytest"), ("Task", {"prompt": "look"})],
    "a second run in plain sight": [EDIT, bash("pytest | tail"), bash("pytest")],
    "nothing was changed": [],
}


def test_what_the_record_does_not_show_is_held_by_rules_that_must_be_kept(judge):
    assert {why: judge(*steps) for why, steps in HELD.items()} == dict.fromkeys(HELD, "block")
    assert {why: judge(*steps) for why, steps in PASSES.items()} == dict.fromkeys(PASSES, "")


def test_a_record_that_cannot_be_read_is_said(judge, tmp_path):
    lost = str(tmp_path / "lost.jsonl")
    assert judge(EDIT, transcript=lost) == "block"
    assert judge(EDIT, transcript=lost, rule=STYLE) == "warn"
    assert judge(EDIT, transcript="") == "warn"
    assert judge(EDIT, transcript=lost, command="pytest && git commit -m x") == ""
    assert judge(EDIT, transcript=lost, command="git status") == ""


def test_rules_that_only_should_be_kept_warn_of_a_hidden_run(judge):
    assert judge(EDIT, bash("pytest | tail -3"), rule=STYLE) == "warn"
