"""A typed text: one rule for each wish, and no rule where nothing is wished."""

import json
from pathlib import Path

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
    rulec("add", "Never use git stash.\nNever commit .env files.", "--yes")
    rules = json.loads(rulec("rules", "--format", "json").stdout)
    assert {row["slug"].split("-")[0]: row["at"] for row in rules} == {"no": ["tool"], "dont": ["tool", "commit"]}


def test_a_person_may_leave_a_rule_to_a_judge(rulec: Run, repo: Path) -> None:
    rulec("init", "--yes", "--agent", "claude-code")
    said = rulec("add", "Names say what a thing is.", "--judge", "--yes").stdout
    assert "check:    judge (of: diff)" in said
    assert "warns where a model judges it (asked nowhere: no backend is configured)" in said
    (row,) = json.loads(rulec("rules", "--format", "json").stdout)
    assert row["acts"] == "warn"
    (artifact,) = (repo / ".rules" / "compiled" / "judge").glob("*.md")
    assert "Names say what a thing is." in artifact.read_text()
    assert not list((repo / ".rules" / "evidence" / row["slug"]).glob("*proved*"))
    assert "every artifact is current" in rulec("compile", "--check").stdout


def test_a_second_wish_for_a_judge_is_a_second_rule(rulec: Run) -> None:
    rulec("init", "--yes", "--agent", "claude-code")
    rulec("add", "Name things as the domain does.", "--judge", "--yes")
    assert "becomes:  NEW" in rulec("add", "Comments say why, not what the code does.", "--judge", "--yes").stdout
    assert len(_slugs(rulec)) == 2


def test_a_judge_takes_the_examples_of_the_check_that_the_words_have(rulec: Run) -> None:
    rulec("init", "--yes", "--agent", "claude-code")
    said = rulec("add", "Never use print() in src/.", "--judge", "--yes").stdout
    assert "to fail:  src/sample.py: print(value)" in said
    assert "where:    src/" in said
    assert "proof:" not in said
    assert "refuses:" not in said


def test_judged_rules_are_told_edited_rolled_back_and_exported_as_others(rulec: Run, repo: Path) -> None:
    rulec("init", "--yes", "--agent", "claude-code")
    rulec("add", "Commit messages say why, not only what.", "--judge", "--yes")
    (row,) = json.loads(rulec("rules", "--format", "json").stdout)
    slug = row["slug"]
    assert "Commit messages say why" in rulec("snapshot", "--document", "agents-md").stdout
    assert "judge: asked nowhere" in rulec("why", slug).stdout
    path = repo / ".rules" / f"{slug}.yaml"
    text = path.read_text().replace("of: message", "of: message, asks: The message only says what.")
    assert "revision 2" in rulec("edit", slug, "--file", "-", stdin=text).stdout
    artifact = repo / ".rules" / "compiled" / "judge" / f"{slug}.md"
    assert "The message only says what." in artifact.read_text()
    assert f"{slug}@1 -> @2 (warns): checks" in rulec("diff", "HEAD~1..HEAD").stdout
    rulec("rollback", slug)
    assert "The message only says what." not in artifact.read_text()
    rulec("rollback", slug, "--to", "HEAD~1")
    assert "The message only says what." in artifact.read_text()
    rulec("retire", slug, "--because", "nobody reads them")
    assert not artifact.exists()
