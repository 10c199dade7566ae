"""What the hook lets pass is carried out for real: the commit gate refuses it, or a pull request's check does."""

import json
import sys
from pathlib import Path

import pytest

from tests.support.disarming import Case, Scratch, cases

LET_PASS = [case for case in cases("attempts") if case.ends == "slips"]
SIGNS = (
    "git commit --no-verify -m x",
    "git -c core.hooksPath=/dev/null commit -m x",
    "SKIP=rulec git commit -m x",
    "sh skip.sh",
    "rm .git/hooks/pre-commit",
    "rulec approve",
    "git commit -m 'x [skip ci]'",
)


@pytest.fixture(scope="module")
def scratch(tmp_path_factory: pytest.TempPathFactory) -> Scratch:
    """A repository with gates and a bad change staged."""
    return Scratch(tmp_path_factory.mktemp("disarm"))


@pytest.mark.parametrize("case", LET_PASS, ids=str)
def test_what_the_hook_lets_pass_is_refused_by_another_gate(scratch: Scratch, case: Case) -> None:
    outcome = scratch.attempt(case)
    assert outcome.what in ("denied", "blocked", "reported"), (case.why, outcome.said)


@pytest.mark.parametrize("case", [case for case in cases("attempts") if case.call in SIGNS], ids=str)
def test_the_registered_hook_denies_as_a_process_of_its_own(scratch: Scratch, case: Case) -> None:
    assert scratch.attempt(case).what == "denied"


@pytest.mark.parametrize("tool", ["mcp__shell__execute", "mcp__filesystem__write_file"])
def test_the_hook_is_registered_for_the_tools_of_other_servers(scratch: Scratch, tool: str) -> None:
    scratch.fresh(Case(topic="agents", why="", call="true"))
    groups = json.loads((scratch.top / ".claude/settings.json").read_text())["hooks"]["PreToolUse"]
    assert any(part == "mcp__.*" and tool.startswith("mcp__") for part in groups[0]["matcher"].split("|"))


def test_doctor_names_the_commits_that_no_gate_has_seen(scratch: Scratch) -> None:
    scratch.fresh(Case(topic="doctor", why="", call="true"))
    scratch.clean = None
    scratch.run("git", "reset", "-q", "--hard")
    scratch.run("git", "cherry-pick", "topic")
    commit = scratch.run("git", "rev-parse", "--short=7", "HEAD").stdout.strip()
    said = scratch.run(sys.executable, "-m", "rulec", "doctor", check=False)
    assert commit in said.stdout


def test_a_plain_commit_of_the_bad_change_is_refused_and_of_a_good_one_is_not(scratch: Scratch) -> None:
    assert scratch.attempt(Case(topic="plain", why="", call="git commit -m x")).what == "blocked"
    scratch.run("git", "rm", "-q", "--cached", ".env")
    (scratch.top / ".env").unlink()
    Path(scratch.top / "good.txt").write_text("good\n")
    scratch.run("git", "add", "-A")
    scratch.run("git", "commit", "-qm", "Add what is good")
