"""What many commands mean to a rule, each with how that was decided; bash itself is the referee wherever it can be.

A row of tests/cases/shell/commands.yaml is a verdict, a command and how it was decided. "runs: ..." and "changes: ..."
are what bash does (see tests/support/referee.py), and are asked of it again here; other rows rest on a manual.
"""

import re
from pathlib import Path

import pytest

from rulec.rulebook.yaml_text import load_yaml
from rulec.shell.parsing.parser import parse_shell
from tests.support import guard_rules as rules
from tests.support.referee import Referee

CASES = Path(__file__).parents[1] / "cases" / "shell" / "commands.yaml"
RULES = {
    "npm": rules.command("npm", "npm", "yarn", unless=["npm view"], instead="pnpm"),
    "force": rules.command("force", "git push --force|-f"),
    "no-verify": rules.command("no-verify", "git commit --no-verify|-n"),
    "rm-rf": rules.command("rm-rf", "rm -rf"),
    "pip": rules.command("pip", "pip install"),
    "latest": rules.command("latest", "docker pull", "docker run", arguments=":latest$"),
    "kubectl": rules.command("kubectl", "kubectl delete", aliases={"k": "kubectl"}),
    "volumes": rules.command("volumes", "docker system prune --volumes", "docker compose rm -v", "gcloud run deploy"),
    "pipe": rules.command("pipe", "curl|wget | sh|bash"),
    "env-file": rules.path("env-file", ".env"),
}
TABLE = load_yaml(CASES.read_text("utf-8"), source=str(CASES))
ROWS = [(rule, *row) for rule, rows in TABLE.items() for row in rows]
ASKED = [(rule, verdict, text, how) for rule, verdict, text, how in ROWS if re.match("(?:runs|changes): ", how)]


def decided(rule: str, text: str) -> str:
    """The verdict of the rule on the command."""
    event = {"kind": "command", "command": text.replace("@BIN@", "/usr/bin")}
    found = rules.decide(RULES[rule], event)
    assert not any(one.fault for one in found)
    return "passes" if not found else "unsure" if all(one.unsure for one in found) else "caught"


@pytest.fixture(scope="module")
def referee(tmp_path_factory: pytest.TempPathFactory) -> Referee:
    return Referee(tmp_path_factory.mktemp("referee"))


def test_the_table_is_large_and_full_of_innocent_look_alikes():
    verdicts = [verdict for _, verdict, _, _ in ROWS]
    assert len(ROWS) >= 600
    assert len(ASKED) >= 480
    assert verdicts.count("passes") >= 250
    assert verdicts.count("unsure") >= 15


@pytest.mark.parametrize(("rule", "verdict", "text", "how"), ROWS)
def test_a_command_is_decided_as_the_table_says(rule, verdict, text, how):
    assert decided(rule, text) == verdict, how


@pytest.mark.parametrize(("rule", "verdict", "text", "how"), ASKED)
def test_bash_agrees_with_the_table(rule, verdict, text, how, referee):
    if rule == "env-file":
        assert referee.changes(text, ".env") == (verdict == "caught") == (how == "changes: .env")
        return
    runs = referee.runs(text)
    # the parts of a pipe start in any order
    assert sorted(how.removeprefix("runs: ").split(" ; ")) == sorted(runs or ["nothing"])
    if rule == "pipe":  # what curl brings is run, or is not
        assert ("fetched" in runs) == (verdict == "caught")
    else:
        assert ("caught" in [decided(rule, run) for run in runs]) == (verdict == "caught")


@pytest.mark.parametrize("text", [text for rule, _, text, _ in ASKED if rule not in ("env-file", "pipe")])
def test_what_bash_runs_is_among_what_the_parser_finds(text, referee):
    calls = [call for call in parse_shell(text.replace("@BIN@", "/usr/bin")).calls if call.argv]
    unknown = {call.program for call in calls if call.dynamic}
    found = {" ".join([call.program, *call.argv[1:]]) for call in calls}
    for argv in referee.argvs(text):
        assert argv[0] in unknown or " ".join(argv) in found
