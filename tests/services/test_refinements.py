"""A rule that refines another one holds with it alone, and everything that shows it says so."""

from pathlib import Path

import pytest

from tests.conftest import Run
from tests.support.rules import STASH

POP = (
    STASH.replace("no-stash", "no-pop")
    .replace("git stash]", "git stash pop]")
    .replace("command: git stash}", "command: git stash pop}")
    .replace("Never use git stash.", "Never use git stash pop.")
    .replace("enforcement: audit", "enforcement: block\nrefines: use-pnpm")
)


@pytest.fixture
def refined(ruled: Path, rulec: Run, git: Run) -> Path:
    (ruled / ".rules/no-pop.yaml").write_text(POP)
    rulec("compile")
    git("add", "-A")
    git("commit", "-qm", "Refine a rule")
    return ruled


def _guard(top: Path) -> str:
    return (top / ".rules/compiled/guard/no-pop.json").read_text()


def test_it_holds_with_the_rule_that_it_refines(refined: Path, rulec: Run) -> None:
    assert '"enforcement": "block"' in _guard(refined)
    assert "no-pop       block" in rulec("rules").stdout
    assert "(refines use-pnpm)" in rulec("rules").stdout
    assert "refines use-pnpm: Use pnpm, never npm." in rulec("why", "no-pop").stdout
    assert "refined by no-pop: Never use git stash pop." in rulec("why", "use-pnpm").stdout


def test_without_that_rule_it_only_audits_and_is_told(refined: Path, rulec: Run) -> None:
    said = rulec("retire", "use-pnpm", "--because", "we moved on").stdout
    assert "no-pop holds only with it and audits from now on" in said
    assert '"enforcement": "audit"' in _guard(refined)
    rulec("compile", "--check")
    why = "only audits: it refines use-pnpm, which is not in force"
    assert why in rulec("rules").stdout
    assert why in rulec("why", "no-pop").stdout
    assert f"no-pop {why}" in rulec("doctor", code=None).stdout
    assert f"no-pop {why}" in rulec().stdout
    assert not (refined / ".rules/compiled/words/no-pop.json").exists()
    rulec("rollback", "use-pnpm")
    assert '"enforcement": "block"' in _guard(refined)


def test_it_follows_a_rule_that_was_merged(refined: Path, rulec: Run, git: Run) -> None:
    text = (refined / ".rules/use-pnpm.yaml").read_text().replace("use-pnpm", "also-pnpm")
    (refined / ".rules/also-pnpm.yaml").write_text(text.replace("enforcement: auto", "enforcement: block"))
    rulec("compile")
    git("add", "-A")
    git("commit", "-qm", "Write it twice")
    rulec("evolve", "--accept", "also-pnpm+use-pnpm")
    assert '"enforcement": "block"' in _guard(refined)
    assert "refines also-pnpm: " in rulec("why", "no-pop").stdout


@pytest.mark.parametrize(
    ("refines", "says"),
    [("nothing-here", "refines nothing-here, which is no rule here"), ("no-pop", "refines itself: no-pop -> no-pop")],
)
def test_a_refinement_of_nothing_or_of_itself_is_refused(refined: Path, rulec: Run, refines: str, says: str) -> None:
    path = refined / ".rules/no-pop.yaml"
    path.write_text(path.read_text().replace("refines: use-pnpm", f"refines: {refines}"))
    refused = rulec("compile", code=2).stderr
    assert says in refused
    assert refused.count("\n") == 1


def test_a_rule_with_several_checks_is_shown_as_such(refined: Path, rulec: Run) -> None:
    path = refined / ".rules/no-stash.yaml"
    checks = "checks:\n  - {kind: guard, template: forbid-command, with: {commands: [git clean]}}\n"
    path.write_text(
        path.read_text()
        .replace("checks:\n", checks)
        .replace("{command: git stash}", "{command: git stash}, {command: git clean}")
    )
    rulec("compile")
    assert "(2 checks)" in rulec("rules").stdout
    assert "  2 checks, each of which finds on its own what the others do not see" in rulec("why", "no-stash").stdout
    assert rulec("why", "no-stash").stdout.count("  check: guard forbid-command") == 2
