"""Every attempt to go round the gate is denied at the tool call where it can be, and no look-alike is."""

import json
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from rulec.checkout import rules_layout
from rulec.hook.dispatch import respond
from tests.support import guard_rules as rules
from tests.support.disarming import Case, cases, fill, payload

HOOKS = {"PreToolUse": [{"hooks": [{"type": "command", "command": "sh .rules/hook claude-code call"}]}]}
JUDGED = "schema: 1\nmodels:\n  backend: anthropic\n  judges: {}\n"
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
        ".pre-commit-config.yaml": "repos:\n- repo: local\n  hooks:\n  - entry: sh .rules/hook git check --staged\n",
        ".github/workflows/rules.yml": "on: pull_request\n",
        ".rules/config.yaml": JUDGED.format("[ci, commit]"),
        ".rules/compiled/judge/be-plain.md": "Judge be-plain\n",
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
    clean()


def clean() -> None:
    """Take away what a case put there."""
    kept = (".rules", ".claude", ".pre-commit-config.yaml", "README.md", "rules.yml")
    subprocess.run(["git", "clean", "-qfdx", *(word for name in kept for word in ("-e", name))], check=True)


def answered(top: Path, case: Case) -> dict[str, Any]:
    """What the hook says of the call."""
    fill(top, case)
    answer = respond("claude-code", payload(top, case), str(top / ".rules/compiled"))
    return dict(answer.out.get("hookSpecificOutput", answer.out) if answer.out else {})


@pytest.mark.parametrize("case", ATTEMPTS, ids=str)
def test_an_attempt_is_denied_by_the_gates_own_rule_or_left_to_the_next_gate(asked: Path, case: Case) -> None:
    said = str(answered(asked, case).get("permissionDecisionReason", ""))
    denied = said.startswith(f"rulec rule {rules_layout.GATE_SLUG}:") or "nests too deeply" in said
    assert denied == (case.ends == "denied"), case.why


@pytest.mark.parametrize("case", INNOCENTS, ids=str)
def test_a_look_alike_is_left_alone(asked: Path, case: Case) -> None:
    said = answered(asked, case)
    assert "permissionDecision" not in said, case.why
    assert not said or "checked only as far as it can be read" in said["additionalContext"], case.why


@pytest.fixture
def guardless(standing: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """That repository without the artifact that the hook reads, and without a judge."""
    top = tmp_path / "repo"
    shutil.copytree(standing, top)
    for kind in ("guard", "judge"):
        shutil.rmtree(top / ".rules/compiled" / kind)
    (top / ".rules/compiled/semgrep").mkdir()
    monkeypatch.chdir(top)
    monkeypatch.setenv("CLAUDE_PROJECT_DIR", str(top))
    return top


def test_the_gate_guards_itself_where_rules_hold_at_the_commit_alone(guardless: Path) -> None:
    top, wrong = guardless, []
    (top / ".rules/compiled/semgrep/use-the-logger.yaml").write_text("rules: []\n")
    for case in (*ATTEMPTS, *INNOCENTS):
        said = answered(top, case)
        if ("permissionDecision" in said) != (case in ATTEMPTS and case.ends == "denied"):
            wrong.append((str(case), said))
        if case.files or isinstance(case.call, dict):
            clean()
    assert wrong == []


def test_before_the_first_rule_an_agent_may_not_accept_it_and_there_is_nothing_else_to_guard(guardless: Path) -> None:
    for line, held in {"git commit --no-verify -m x": False, "rulec review --accept x": True}.items():
        said = answered(guardless, Case(topic="", why="", call=line))
        assert bool(said) == held, line


LEADING = ["ANTHROPIC_API_KEY= git commit -m x", "unset ANTHROPIC_API_KEY; git commit -m x",
           "export HTTPS_PROXY=http://127.0.0.1:7890; npm ci && git commit -m x"]  # fmt: skip


@pytest.mark.parametrize(
    ("judges", "stands", "held"),
    [
        ("[ci, commit]", True, True),
        ("\n  - ci\n  - commit", True, True),
        ("[ci, commit]", False, False),
        ("[ci]", True, False),
        ("\n  - ci\nverbosity: commit", True, False),
    ],
)
def test_whose_key_is_used_is_nobodys_matter_where_a_commit_asks_no_judge(
    guardless: Path, judges: str, *, stands: bool, held: bool
) -> None:
    (guardless / ".rules/compiled/semgrep/use-the-logger.yaml").write_text("rules: []\n")
    (guardless / ".rules/config.yaml").write_text(JUDGED.format(judges))
    if stands:
        (guardless / ".rules/compiled/judge").mkdir()
    for line in LEADING:
        assert bool(answered(guardless, Case(topic="", why="", call=line))) == held, line


def test_a_key_in_a_refused_command_is_not_shown(asked: Path) -> None:
    for line in ("ANTHROPIC_API_KEY=topsecret git commit -m x", "export ANTHROPIC_API_KEY=topsecret; git commit -m x"):
        said = str(answered(asked, Case(topic="", why="", call=line)))
        assert "run it without ANTHROPIC_API_KEY" in said
        assert "topsecret" not in said


def nested(times: int, text: str) -> str:
    """The text within that many substitutions."""
    return "echo $(" * times + text + ")" * times


def chained(times: int, text: str) -> str:
    """A command that is handed on through that many variables."""
    return f"a0='{text}';" + "".join(f"a{at}=$a{at - 1};" for at in range(1, times)) + f"$a{times - 1} -m x"


@pytest.mark.parametrize("text", ["git commit -n", "rm -r .rules"])
def test_what_lies_past_a_limit_is_not_let_through_where_it_speaks_of_the_gate(asked: Path, text: str) -> None:
    for command in (
        "true;" * 10_000 + text,
        nested(32, text),
        chained(300, text),
        chained(1_200, text),
    ):
        case = Case(topic="limits", why="it is long", call=command)
        assert f"rulec rule {rules_layout.GATE_SLUG}:" in str(answered(asked, case)), command[:60]


@pytest.mark.parametrize(
    "command",
    [
        "true;" * 10_000 + "npm test",
        nested(32, "date"),
        chained(1_200, "npm test"),
        "".join(f"v{at}=1; echo $v{at}; git add f{at}\n" for at in range(300)),
        "f() { git add $1; }\n" + "".join(f"f a{at}.py\n" for at in range(500)),
        "cat > notes.md <<'EOF'\n" + "Never git commit -n.\n" * 5_000 + "EOF",
    ],
    ids=["commands", "substitutions", "variables", "script", "function", "document"],
)
def test_a_long_command_without_a_limit_or_a_gate_is_left_alone(asked: Path, command: str) -> None:
    said = str(answered(asked, Case(topic="limits", why="it is long", call=command)))
    assert f"rulec rule {rules_layout.GATE_SLUG}:" not in said


def test_in_rulecs_own_repository_it_is_installed_from_anywhere(asked: Path) -> None:
    (asked / "pyproject.toml").write_text('[project]\nname = "rulec"\n')
    for line in ("pip install -e .", "pip install dist/rulec-1.0-py3-none-any.whl", "pip install rulec==1.0"):
        assert answered(asked, Case(topic="own", why="it is its own", call=line)) == {}, line


def test_there_are_as_many_attempts_and_look_alikes_as_we_say() -> None:
    assert len(list(cases("attempts"))) >= 800
    assert len(INNOCENTS) >= 400
