"""Every attempt to go round the gate is denied at the tool call where it can be, and no look-alike is."""

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from rulec.runtime import self as gate
from rulec.runtime.main import respond
from tests.runtime import rules
from tests.support.disarming import Case, cases, fill, payload

HOOKS = {
    "PreToolUse": [{"hooks": [{"type": "command", "command": "python3 .rules/compiled/runtime/hook.py claude-code"}]}]
}
ATTEMPTS = [case for case in cases("attempts") if case.ends != "any"]
INNOCENTS = list(cases("innocents"))


@pytest.fixture(scope="module")
def standing(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository with gates, as far as the hook looks at it."""
    top = tmp_path_factory.mktemp("disarm") / "repo"
    subprocess.run(["git", "init", "-q", "-b", "main", str(top)], check=True)
    texts = {
        "README.md": "Readme\n",
        ".git/hooks/pre-commit": "#!/usr/bin/env bash\nexec pre-commit\n",
        ".claude/settings.json": json.dumps({"hooks": HOOKS}, indent=2),
        ".pre-commit-config.yaml": "repos:\n  - repo: local\n    hooks:\n      - entry: sh rulec.sh check --staged\n",
        ".github/workflows/rules.yml": "on: pull_request\n",
        ".rules/config.yaml": "schema: 1\n",
        ".rules/dont-commit-env.yaml": "slug: dont-commit-env\nenforcement: block\n",
        ".rules/compiled/guard/dont-commit-env.json": json.dumps(rules.command("dont-commit-env", "git add .env")),
    }
    for name, text in texts.items():
        (top / name).parent.mkdir(parents=True, exist_ok=True)
        (top / name).write_text(text)
    return top


@pytest.fixture
def asked(standing: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """That repository, and nothing in it but what it held before."""
    monkeypatch.chdir(standing)
    monkeypatch.setenv("CLAUDE_PROJECT_DIR", str(standing))
    yield standing
    subprocess.run(
        [
            "git",
            "clean",
            "-qfdx",
            "-e",
            ".rules",
            "-e",
            ".claude",
            "-e",
            ".pre-commit-config.yaml",
            "-e",
            "README.md",
            "-e",
            "rules.yml",
        ],
        check=True,
    )


def answered(top: Path, case: Case) -> dict[str, Any]:
    """What the hook says of the call."""
    fill(top, case)
    answer = respond("claude-code", payload(top, case), str(top / ".rules/compiled/runtime"))
    return dict(answer.out.get("hookSpecificOutput", answer.out) if answer.out else {})


@pytest.mark.parametrize("case", ATTEMPTS, ids=str)
def test_an_attempt_is_denied_by_the_gates_own_rule_or_left_to_the_next_gate(asked: Path, case: Case) -> None:
    said = str(answered(asked, case).get("permissionDecisionReason", ""))
    assert said.startswith(f"rulec rule {gate.SLUG}:") == (case.ends == "denied"), case.why


@pytest.mark.parametrize("case", INNOCENTS, ids=str)
def test_a_look_alike_is_left_alone(asked: Path, case: Case) -> None:
    assert answered(asked, case) == {}, case.why


def test_there_are_as_many_attempts_and_look_alikes_as_we_say() -> None:
    assert len(list(cases("attempts"))) >= 800
    assert len(INNOCENTS) >= 400
