"""A typed text: one rule for each wish, and no rule where nothing is wished."""

import json

import pytest

from tests.conftest import Run


def _slugs(rulec: Run) -> list[str]:
    return [row["slug"] for row in json.loads(rulec("rules", "--format", "json").stdout)]


def test_two_wishes_are_two_rules(rulec: Run) -> None:
    rulec("init", "--yes", "--agent", "claude-code")
    said = rulec("add", "Use pnpm, not npm.\nNever use git stash.", "--yes").stdout
    assert said.count("written: commit") == 2
    assert sorted(_slugs(rulec)) == ["no-git-stash", "use-pnpm"]


def test_the_same_again_changes_nothing(rulec: Run) -> None:
    rulec("init", "--yes", "--agent", "claude-code")
    rulec("add", "Use pnpm, not npm.", "--yes")
    assert "use-pnpm says that already" in rulec("add", "use pnpm, not npm", "--yes").stdout
    assert _slugs(rulec) == ["use-pnpm"]


@pytest.mark.parametrize("text", ["hello", "Never", "thanks!"])
def test_no_wish_is_refused(rulec: Run, text: str) -> None:
    rulec("init", "--yes", "--agent", "claude-code")
    assert "says no wish" in rulec("add", text, "--yes", code=2).stderr
    assert _slugs(rulec) == []


def test_a_rule_says_at_which_gate_it_acts(rulec: Run) -> None:
    rulec("init", "--yes", "--agent", "claude-code")
    rulec("add", "Never use git stash.\nWrite tests for new code.", "--yes")
    rules = json.loads(rulec("rules", "--format", "json").stdout)
    assert {row["slug"]: row["at"] for row in rules} == {"no-git-stash": ["tool"], "write-tests-new-code": ["commit"]}
