"""``rulec check --command`` and ``--path``: what every rule would say of an action that nobody does."""

import json
from pathlib import Path
from typing import Any

import pytest

from rulec.hook.dispatch import respond
from tests.conftest import Run
from tests.support.world import act

TODO = ("--check", "forbid-text", "--with", "patterns=[TODO]")
LONG = "This subject is far too long to be read in any log"


@pytest.fixture
def book(gated: Path) -> Path:
    act(gated, "add", "Use pnpm, never npm", "--yes")
    act(gated, "add", "Never edit migrations/", "--yes")
    act(
        gated, "add", "No TODO.", *TODO, "--invalid", '{file: a.py, content: "# TODO\\n"}', "--valid",
        '{file: a.py, content: "x = 1\\n"}', "--yes", "--enforcement", "block",
    )  # fmt: skip
    act(
        gated, "add", "Short subjects.", "--check", "commit-message", "--with", "max_subject=40", "--yes",
        "--invalid", f'{{message: "{LONG}"}}', "--valid", '{message: "Short"}',
    )  # fmt: skip
    return gated


def lines(rulec: Run, *asked: str, code: int = 0, **how: Any) -> list[str]:
    return rulec("check", *asked, code=code, **how).stdout.splitlines()


def test_a_forbidden_command_is_told_in_a_line_with_its_gate_and_the_remedy(book: Path, rulec: Run) -> None:
    first, rest = lines(rulec, "--command", "npm install x", code=1)
    assert first == "use-pnpm refuses (tool call): npm install x; instead: run `pnpm add x`"
    assert rest == "3 other rules say nothing"


def test_of_an_innocent_command_no_rule_says_anything(book: Path, rulec: Run) -> None:
    assert lines(rulec, "--command", "ls -la") == ["4 rules say nothing"]


def test_what_disarms_the_gate_is_told(book: Path, rulec: Run) -> None:
    first, _ = lines(rulec, "--command", "git commit --no-verify -m x", code=1)
    assert first.startswith("protect-the-gate refuses (tool call): git commit --no-verify -m x; instead: ")


def test_the_message_of_a_commit_is_judged_at_each_gate_that_sees_it(book: Path, rulec: Run) -> None:
    first, _ = lines(rulec, "--command", f"git commit -m '{LONG}'", code=1)
    assert " refuses (tool call, commit message, CI): line 1 of the commit message: " in first
    assert lines(rulec, "--command", "git commit -m 'Short'") == ["4 rules say nothing"]


def test_a_path_is_judged_as_an_edit_and_as_what_a_commit_would_hold(book: Path, rulec: Run) -> None:
    first, _ = lines(rulec, "--path", "migrations/1.sql", code=1)
    assert " refuses (tool call, commit, CI): " in first
    assert lines(rulec, "--path", "b.py") == ["4 rules say nothing"]
    first, _ = lines(rulec, "--path", "b.py", "--content", "-", code=1, stdin="x = 1\n# TODO\n")
    assert first.startswith("no-todo refuses (tool call, ")
    assert "commit, CI): b.py:2: # TODO" in first
    (book / "c.py").write_text("# TODO\n")
    assert lines(rulec, "--path", "../c.py", code=1, cwd=book / ".rules")[0] == first.replace("b.py:2", "c.py:1")


def test_the_data_hold_what_the_lines_say(book: Path, rulec: Run) -> None:
    data = json.loads(rulec("check", "--command", "npm ci", "--format", "json", code=1).stdout)
    (rule,) = data["rules"]
    assert (rule["slug"], rule["outcome"], rule["gates"], rule["seen"]) == (
        "use-pnpm",
        "block",
        ["tool call"],
        "npm ci",
    )
    assert data["silent"] == 3


COMMANDS = [
    "npm install x", "sh -c 'npm install x'", "echo npm install x", "git push", "rm -rf .git/hooks", "rulec approve",
    "git config core.hooksPath /tmp", "echo x > migrations/1.sql", "pnpm add x", f"git commit -m '{LONG}'", "ls",
]  # fmt: skip


def test_it_says_what_the_hook_says_and_writes_nothing(book: Path, rulec: Run) -> None:
    def kept() -> dict[str, bytes]:
        caches = ("cache", "guards")
        files = (path for path in book.rglob("*") if path.is_file() and not set(caches).intersection(path.parts))
        return {str(path): path.read_bytes() for path in files}

    lines(rulec, "--command", "ls")
    before = kept()
    codes = [rulec("check", "--command", command, code=None).returncode for command in COMMANDS]
    assert kept() == before
    for command, code in zip(COMMANDS, codes, strict=True):
        event = {"hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": {"command": command}}
        asked = json.dumps({**event, "session_id": "s", "cwd": str(book)}).encode()
        answer = respond("claude-code", asked, str(book)).out.get("hookSpecificOutput", {})
        assert (answer.get("permissionDecision") == "deny") == (code == 1), command
    assert {0, 1} == set(codes)


REFUSED = [
    (("--command", "x", "--path", "y"), "say what to check; "),
    (("--command", "x", "--agent", "nobody"), "--agent: no agent 'nobody'; known are "),
    (("--command", "x", "--format", "sarif"), "--format: unknown format 'sarif' for an action; use text or json"),
    (("--content", "-", "--all"), "--content: needs --path; "),
    (("--path", ".rules"), ".rules: is a folder; name one file"),
    (("--path", "../x"), "../x: lies outside the repository; "),
]


@pytest.mark.parametrize(("asked", "told"), REFUSED)
def test_bad_input_is_refused_in_a_line(book: Path, rulec: Run, asked: tuple[str, ...], told: str) -> None:
    refused = rulec("check", *asked, code=2, stdin="").stderr
    assert refused.startswith(f"rulec: {told}")
    assert refused.count("\n") == 1


def test_without_a_rulebook_nothing_can_be_said(repo: Path, rulec: Run) -> None:
    assert "no rulebook yet" in rulec("check", "--command", "ls", code=2).stderr
