"""A rule with an exception, at the real gates: what it excepts passes, and only there."""

import json
import os
import subprocess
from pathlib import Path

import pytest

from tests.conftest import Run

PRINT = """\
schema: 1
slug: no-print
revision: 1
statement: Never print in src.
category: code-style
severity: must
enforcement: block
scope: {include: [src/**]}
checks:
  - {kind: semgrep, template: forbid-call, with: {functions: [print], language: python}}
examples:
  invalid: [{file: src/app.py, content: "print(1)\\n"}]
  valid: [{file: src/app.py, content: "log(1)\\n"}]
"""
PNPM = """\
schema: 1
slug: use-pnpm
revision: 1
statement: Use pnpm, never npm.
category: tooling
severity: should
enforcement: block
checks:
  - {kind: guard, template: forbid-command, with: {commands: [npm], instead: pnpm}}
examples:
  invalid: [{command: npm install left-pad}]
  valid: [{command: pnpm add left-pad}]
"""
LEGACY = """\
schema: 1
slug: legacy-npm
revision: 1
statement: The old tree stays with npm.
category: tooling
severity: should
enforcement: block
scope: {include: [legacy/**]}
checks:
  - {kind: guard, template: forbid-command, with: {commands: [pnpm, yarn], instead: npm}}
examples:
  invalid: [{command: "cd legacy && pnpm add left-pad"}]
  valid: [{command: "cd legacy && npm install left-pad"}]
"""
WHY = ("--because", "it is what a person sees")


@pytest.fixture
def ruled(gated: Path, rulec: Run, git: Run) -> Path:
    for slug, text in {"no-print": PRINT, "use-pnpm": PNPM}.items():
        (gated / f".rules/{slug}.yaml").write_text(text)
    rulec("compile")
    git("add", "-A")
    git("commit", "-qm", "Write down two rules")
    return gated


def _commit(top: Path, git: Run, path: str) -> str:
    """What the gates say of a commit of a file that prints; "" where they let it pass."""
    (top / path).parent.mkdir(parents=True, exist_ok=True)
    (top / path).write_text("print(2)\n")
    git("add", "-A")
    done = git("commit", "-m", "Print it", check=False)
    git("reset", "-q", "--hard")
    return "" if done.returncode == 0 else done.stdout + done.stderr


def _asked(top: Path, command: str) -> str:
    """What the agent's hook says of a command; "" where it says nothing."""
    settings = json.loads((top / ".claude/settings.json").read_text())
    hook = settings["hooks"]["PreToolUse"][0]["hooks"][0]["command"]
    event = {"session_id": "s", "cwd": str(top), "hook_event_name": "PreToolUse", "tool_name": "Bash"}
    given, environment = {**event, "tool_input": {"command": command}}, {**os.environ, "CLAUDE_PROJECT_DIR": str(top)}
    argv = ["sh", "-c", hook]
    done = subprocess.run(
        argv, cwd=top, env=environment, input=json.dumps(given), capture_output=True, text=True, check=True
    )
    answer = json.loads(done.stdout)["hookSpecificOutput"] if done.stdout.strip() else {}
    return answer.get("permissionDecisionReason", answer.get("additionalContext", ""))


def test_a_blocked_commit_passes_after_the_exception_and_only_there(ruled: Path, rulec: Run, git: Run) -> None:
    assert "refused by no-print" in _commit(ruled, git, "src/cli/main.py")
    rulec("except", "no-print", "--path", "src/cli/**", *WHY)
    assert _commit(ruled, git, "src/cli/main.py") == ""
    assert "refused by no-print" in _commit(ruled, git, "src/core/main.py")
    assert "refused by no-print" in _commit(ruled, git, "src/client.py")


def test_a_blocked_command_passes_after_the_exception_and_only_there(ruled: Path, rulec: Run) -> None:
    for command in ("npm publish", "cd legacy && npm ci"):
        assert "rulec rule use-pnpm" in _asked(ruled, command)
    rulec("except", "use-pnpm", "--command", "npm publish", *WHY)
    rulec("except", "use-pnpm", "--path", "legacy/**", *WHY)
    for command in ("npm publish", "npm publish --tag next", "cd legacy && npm ci", "(cd legacy/deep; npm ci)"):
        assert _asked(ruled, command) == "", command
    for command in ("npm ci", "npm publish && npm ci", "cd legacy && cd .. && npm ci", "cd web && npm ci"):
        assert "rulec rule use-pnpm" in _asked(ruled, command), command


def test_an_exception_of_ci_holds_in_ci_alone(ruled: Path, rulec: Run, git: Run) -> None:
    text = PRINT.replace("revision: 1", "revision: 2") + (
        "exceptions:\n  - because: a report is printed there\n"
        "    scope: {include: [src/report/**], environments: [ci]}\n"
        '    examples: {valid: [{file: src/report/a.py, content: "print(1)\\n"}]}\n'
    )
    (ruled / ".rules/no-print.yaml").write_text(text)
    assert "proved  no-print: 1 caught, 2 passed" in rulec("compile").stdout
    git("add", "-A")
    git("commit", "-qm", "Except the report in CI", "--no-verify")  # it loosens the rule: a person lets it in
    assert "refused by no-print" in _commit(ruled, git, "src/report/a.py")
    (ruled / "src/report").mkdir(parents=True)
    (ruled / "src/report/a.py").write_text("print(2)\n")
    git("add", "-A")
    git("commit", "-qm", "Print it", "--no-verify")
    assert "no findings" in rulec("check", "--base", "HEAD~1").stdout


def test_a_rule_of_ci_is_silent_elsewhere(ruled: Path, rulec: Run, git: Run) -> None:
    (ruled / ".rules/no-print.yaml").write_text(PRINT.replace("[src/**]}", "[src/**], environments: [ci]}"))
    rulec("compile")
    git("add", "-A")
    git("commit", "-qm", "Let it print at home", "--no-verify")  # as above
    (ruled / "src").mkdir()
    (ruled / "src/a.py").write_text("print(2)\n")
    git("add", "-A")
    git("commit", "-qm", "Print it")
    assert "refused by no-print" in rulec("check", "--base", "HEAD~1", code=1).stdout


def test_an_exception_that_is_not_proved_takes_the_rules_teeth_and_says_so(ruled: Path, rulec: Run) -> None:
    wrong = "exceptions:\n  - because: x\n    commands: [npm ci]\n    examples: {valid: [{command: npm install}]}\n"
    (ruled / ".rules/use-pnpm.yaml").write_text(PNPM + wrong)
    assert "FAILED  use-pnpm at examples: caught the valid 'npm install'" in rulec("compile", code=1).stdout


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ("  - because: x\n", ":14: exceptions[0] excepts everything"),
        ("  - commands: [npm]\n", "exceptions[0].because is missing"),
        ('  - {because: "  ", commands: [npm]}\n', "exceptions[0].because is empty"),
        ("  - {because: x, commands: [' ']}\n", "exceptions[0].commands ' ' names no program"),
        ("  - {because: x, commands: ['*']}\n", "exceptions[0].commands '*' names no program"),
        ("  - {because: x, scope: {environments: [night]}}\n", "environments 'night' is none of local, ci"),
        ("  - {because: x, scope: {include: ['**']}}\n", "excepts everything"),
        ("  - {because: x, scope: {include: []}}\n", "excepts everything"),
        ("  - {because: x, scope: {tags: [a]}}\n", "exceptions[0].scope.tags is not a known key"),
        ("  - {because: x, commands: [npm], examples: {invalid: []}}\n", "examples.invalid is not a known key"),
        ("  - {because: x, commands: npm}\n", "commands must be a list"),
        ("  - npm\n", "exceptions[0] must be a mapping"),
    ],
)
def test_a_wrong_exception_is_one_clear_refusal(ruled: Path, rulec: Run, lines: str, said: str) -> None:
    (ruled / ".rules/use-pnpm.yaml").write_text(f"{PNPM}exceptions:\n{lines}")
    refused = rulec("rules", code=2).stderr
    assert refused.count("\n") == 1
    assert ".rules/use-pnpm.yaml:1" in refused
    assert said in refused


def test_of_two_rules_that_contradict_each_other_the_narrower_holds_where_it_speaks(
    ruled: Path, rulec: Run, git: Run
) -> None:
    (ruled / ".rules/legacy-npm.yaml").write_text(LEGACY)
    rulec("compile")
    git("add", "-A")
    git("commit", "-qm", "Keep the old tree")
    passed = _asked(ruled, "cd legacy && npm ci")
    assert "It passes: legacy-npm goes before it: its scope is narrower (2 to 0)" in passed
    assert "rulec rule use-pnpm" in passed
    assert "rulec rule legacy-npm" in _asked(ruled, "cd legacy && pnpm add x")
    assert "Instead: use `pnpm`" in _asked(ruled, "npm ci")
    assert "rulec rule use-pnpm" in _asked(ruled, "cd legacy && npm ci; cd .. && npm ci")
    goes = "legacy-npm goes before it, since its scope is narrower (2 to 0)"
    assert f"contradicts legacy-npm, which asks for `npm`: {goes}" in rulec("why", "use-pnpm").stdout
    assert "contradicts use-pnpm, which " in rulec("why", "legacy-npm").stdout


def test_a_finding_that_loses_is_told_at_the_commit(ruled: Path, rulec: Run, git: Run) -> None:
    rule = PRINT.replace("no-print", "use-httpx").replace("scope: {include: [src/**]}\n", "")
    wanted = "forbid-import, with: {modules: [requests], prefer: httpx"
    rule = rule.replace("forbid-call, with: {functions: [print]", wanted)
    rule = rule.replace("print(1)", "import requests").replace("log(1)", "import httpx")
    (ruled / ".rules/use-httpx.yaml").write_text(rule)
    other = rule.replace("use-httpx", "use-requests").replace(
        "modules: [requests], prefer: httpx", "modules: [httpx], prefer: requests"
    )
    other = (
        other.replace("import httpx", "import x").replace("import requests", "import httpx").replace("src/", "legacy/")
    )
    (ruled / ".rules/use-requests.yaml").write_text(f"{other}scope: {{include: [legacy/**]}}\n")
    rulec("compile")
    for folder in ("legacy", "web"):
        (ruled / folder).mkdir()
        (ruled / folder / "a.py").write_text("import requests\n")
    said = rulec("check", "legacy/a.py", "web/a.py", code=1).stdout
    assert "passed by use-httpx: use-requests goes before it: its scope is narrower (2 to 0)\n  legacy/a.py:1" in said
    assert "refused by use-httpx: Never print in src.\n  web/a.py:1: import requests" in said
    assert "1 refused, 1 audited, 1 of the audited lost to another rule" in said
    told = json.loads(rulec("check", "legacy/a.py", "--format", "json").stdout)["verdicts"]
    assert [one["lost"].partition(":")[0] for one in told] == ["use-requests goes before it"]
