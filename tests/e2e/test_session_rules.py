"""A rule on the order of work, written by hand: proved by its examples, and in force at the call and the turn's end."""

import json
import os
import subprocess
from pathlib import Path

import pytest

from rulec.services.gating import approve
from tests.conftest import Run
from tests.support.session import ClaudeSession

RULE = """\
schema: 1
slug: tests-before-commit
statement: Run the tests before you commit or say that it is done.
severity: must
enforcement: block
checks:
  - kind: guard
    template: require-before
    with: {before_commands: [git commit], before_claims: ['\\bdone\\b'], first_commands: [pytest],
           since: ["*.py"], first: run pytest}
examples:
  invalid:
    - session:
        - {says: please go on}
        - {edit: src/a.py, old: "x\\n", new: "y\\n"}
        - {command: pytest -q, failed: true}
        - {stop: It is done.}
    - session: [{file: src/a.py, content: "x\\n"}, {command: git commit -am x}]
  valid:
    - session: [{file: src/a.py, content: "x\\n"}, {command: pytest -q && git commit -am x}]
    - session: [{file: src/a.py, content: "x\\n"}, {stop: Which of the two?}]
"""


@pytest.fixture
def ordered(repo: Path, rulec: Run, git: Run) -> Path:
    """A repository with that rule, compiled and committed."""
    rulec("init", "--yes", "--agent", "claude-code")
    (repo / ".rules/tests-before-commit.yaml").write_text(RULE)
    assert "tests-before-commit" in rulec("compile").stdout
    git("add", "-A")
    git("commit", "-qm", "Rules")
    return repo


def _fire(top: Path, event: str, session: ClaudeSession, **more: object) -> dict[str, object]:
    settings = json.loads((top / ".claude/settings.json").read_text())
    command = settings["hooks"][event][0]["hooks"][0]["command"]
    transcript = str(session.save(top.parent / "t.jsonl"))
    payload = {"session_id": "s", "transcript_path": transcript, "cwd": str(top), "hook_event_name": event, **more}
    environment = {**os.environ, "CLAUDE_PROJECT_DIR": str(top)}
    argv, stdin = ["sh", "-c", command], json.dumps(payload)
    done = subprocess.run(argv, cwd=top, env=environment, input=stdin, capture_output=True, text=True, check=True)
    return json.loads(done.stdout) if done.stdout.strip() else {}


def _commits(top: Path, session: ClaudeSession) -> str:
    call = {"tool_name": "Bash", "tool_input": {"command": "git add -A && git commit -m x"}, "tool_use_id": "now"}
    answer = _fire(top, "PreToolUse", session, **call).get("hookSpecificOutput", {})
    assert isinstance(answer, dict)
    return str(answer.get("permissionDecisionReason", ""))


def _ends(top: Path, session: ClaudeSession, said: str) -> str:
    return str(_fire(top, "Stop", session, stop_hook_active=False, last_assistant_message=said).get("reason", ""))


def test_the_work_is_held_up_until_the_tests_have_run(ordered: Path) -> None:
    session = ClaudeSession(ordered).person("Mend the total.").runs("cat src/a.py")
    assert _commits(ordered, session) == ""
    session.edits("src/a.py").runs("pytest -q", "1 failed", failed=True)
    for reason in (_commits(ordered, session), _ends(ordered, session, "It is done.")):
        assert "rulec rule tests-before-commit: Run the tests before you commit" in reason
        assert "without `pytest` since src/a.py was changed" in reason
        assert "Instead: first run pytest" in reason
    assert _ends(ordered, session, "One test fails. Shall I mend it?") == ""
    session.runs("python -m pytest -q")
    assert _commits(ordered, session) == ""
    assert _ends(ordered, session, "It is done.") == ""


def test_the_commit_gate_has_nothing_to_say_about_sessions(ordered: Path, rulec: Run, git: Run) -> None:
    (ordered / "a.py").write_text("x = 1\n")
    git("add", "-A")
    rulec("check", "--staged")
    git("commit", "-qm", "Begin")
    assert "tests-before-commit" in rulec("test").stdout
    rulec("compile", "--check")


def test_a_wrong_example_is_named_and_a_wrong_check_is_not_in_force(ordered: Path, rulec: Run) -> None:
    path = ordered / ".rules/tests-before-commit.yaml"
    path.write_text(RULE.replace("{stop: It is done.}", "{says: It is done.}"))
    refused = rulec("test", code=2)
    assert ".rules/tests-before-commit.yaml:17: " in refused.stderr
    path.write_text(RULE.replace('"*.py"', '"*.js"'))
    assert "'pytest -q' (failed) > 'stop: It is done.'" in rulec("test", code=1).stdout
    path.write_text(RULE.replace("first_commands: [pytest],", ""))
    assert "what comes first" in rulec("test", code=1).stdout


def test_a_correction_about_the_order_becomes_such_a_rule(repo: Path, rulec: Run, git: Run, tmp_path: Path) -> None:
    rulec("init", "--yes", "--agent", "claude-code")
    git("add", "-A")
    git("commit", "-qm", "Gates")
    session = ClaudeSession(repo).person("Mend the total.").writes("src/total.py", "x = 1\n").runs("git commit -am x")
    session.agent("Committed.").person("Always run pytest before you commit.").runs("pytest -q && git commit -am y")
    session.agent("Understood.").save(tmp_path / "given.jsonl")
    said = rulec("ingest", str(tmp_path / "given.jsonl"), "--yes", "--enforcement", "block").stdout
    assert "require-before" in said
    assert "refuses" in said
    again = ClaudeSession(repo, "s2").person("Go on.").writes("src/rows.py", "x = 1\n")
    assert "Always run pytest before you commit." in _commits(repo, again)
    assert _commits(repo, again.runs("pytest -q")) == ""


def test_a_commit_waits_for_what_a_turn_was_let_end_without(ordered: Path, rulec: Run, git: Run) -> None:
    (ordered / "total.py").write_text("x = 1\n")
    session = ClaudeSession(ordered).person("Mend the total.").writes("total.py", "x = 1\n")
    for count in range(4):
        said = {"stop_hook_active": count > 0, "last_assistant_message": "It is done."}
        told = _fire(ordered, "Stop", session, **said)
    assert "the commit will be stopped" in str(told["systemMessage"])
    git("add", "total.py")
    refused = rulec("check", "--staged", code=1).stdout
    assert "a turn was let end: the end of the turn, without `pytest` since total.py was changed" in refused
    assert "first run pytest; the next end of a turn that has it" in refused
    assert git("commit", "-qm", "Mend the total", check=False).returncode
    git("reset", "-q")
    (ordered / "notes.md").write_text("x\n")
    git("add", "notes.md")
    git("commit", "-qm", "Another's work")
    git("add", "total.py")
    asked: list[str] = []
    assert approve.approve_staged(ordered, lambda question: bool(asked.append(question))).code == 1
    assert "tests-before-commit: the end of the turn" in asked[0]
    assert "no longer asks about it" in approve.approve_staged(ordered, lambda _: True).text
    git("commit", "-qm", "Mend the total")


def test_a_commit_goes_through_once_a_turn_ends_with_it(ordered: Path, rulec: Run, git: Run) -> None:
    (ordered / "total.py").write_text("x = 1\n")
    session = ClaudeSession(ordered).person("Mend the total.").writes("total.py", "x = 1\n")
    for count in range(4):
        _fire(ordered, "Stop", session, stop_hook_active=count > 0, last_assistant_message="It is done.")
    git("add", "total.py")
    rulec("check", "--staged", code=1)
    assert _ends(ordered, session.runs("pytest -q"), "It is done.") == ""
    git("commit", "-qm", "Mend the total")


DAMAGED = ["", "[]", "{", '{"a": 3}', '{"a": {"at": 9e12, "root": "TOP", "lacks": 3}}',
           '{"a": {"at": 9e12, "root": "TOP", "lacks": [3], "paths": "total.py"}}']  # fmt: skip


@pytest.mark.parametrize("text", DAMAGED, ids=range(len(DAMAGED)))
def test_a_damaged_note_of_turns_holds_nothing_up(ordered: Path, rulec: Run, git: Run, text: str) -> None:
    (ordered / ".git/rulec/waived.json").write_text(text.replace("TOP", str(ordered)))
    assert _ends(ordered, ClaudeSession(ordered), "It is done.") == ""
    (ordered / "total.py").write_text("x = 1\n")
    git("add", "total.py")
    rulec("check", "--staged")
