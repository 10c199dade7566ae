"""A person makes a rule firmer or looser; nothing that is unproved can be made to act."""

import json
from pathlib import Path

import pytest

from tests.conftest import Run


def _acts(rulec: Run) -> dict[str, str]:
    return {row["slug"]: row["acts"] for row in json.loads(rulec("rules", "--format", "json").stdout)}


def test_a_rule_goes_step_by_step_from_noting_to_blocking_and_back(ruled: Path, rulec: Run, git: Run) -> None:
    for verb, acts in (("promote", "warn"), ("promote", "block"), ("demote", "warn"), ("demote", "audit")):
        assert f"no-stash is pinned to {acts} now: commit " in rulec(verb, "no-stash").stdout
        assert _acts(rulec)["no-stash"] == acts
    assert "revision: 5\n" in (ruled / ".rules/no-stash.yaml").read_text()
    assert git("status", "--porcelain").stdout == ""
    rulec("compile", "--check")
    assert git("log", "-1", "--format=%(trailers:only,unfold)").stdout.strip().splitlines() == [
        "Resolution: DEMOTE no-stash -- a person demoted it from warn to audit",
        "Rule: no-stash@5",
    ]


def test_what_evidence_made_of_a_rule_is_where_the_steps_begin(ruled: Path, rulec: Run) -> None:
    assert "use-pnpm is at block already; --to block pins it there" in rulec("promote", "use-pnpm", code=2).stderr
    rulec("demote", "use-pnpm", "--because", "too loud")
    assert _acts(rulec)["use-pnpm"] == "warn"
    said = rulec("promote", "use-pnpm", "--to", "auto").stdout
    assert said.startswith("use-pnpm is left to its evidence now: ")
    assert _acts(rulec)["use-pnpm"] == "block"
    assert "enforcement: auto\n" in (ruled / ".rules/use-pnpm.yaml").read_text()


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (["demote", "no-stash"], "already only audits; rulec retire no-stash takes it out of force"),
        (["demote", "no-stash", "--to", "block"], "would tighten no-stash from audit to block; say rulec promote"),
        (["promote", "use-pnpm", "--to", "warn"], "would loosen use-pnpm from block to warn; say rulec demote"),
        (["promote", "plain-words"], "has no check, so it is a reminder only; rulec edit plain-words gives it a check"),
        (["promote", "plain-words", "--to", "block"], "has no check that could block"),
        (["promote", "nope"], "no rule 'nope'"),
        (["promote", "no-stash", "--to", "deny"], "is not one of"),
    ],
)
def test_what_makes_no_sense_is_refused_in_one_line(ruled: Path, rulec: Run, args: list[str], says: str) -> None:
    refused = rulec(*args, code=2).stderr
    assert says in refused
    assert refused.count("\n") == 1


def test_what_is_so_already_changes_nothing(ruled: Path, rulec: Run, git: Run) -> None:
    head = git("rev-parse", "HEAD").stdout
    assert rulec("demote", "no-stash", "--to", "audit").stdout == "no-stash is pinned to audit already\n"
    assert git("rev-parse", "HEAD").stdout == head


def test_a_rule_whose_check_fails_its_examples_cannot_be_made_to_act(ruled: Path, rulec: Run, git: Run) -> None:
    path = ruled / ".rules/no-stash.yaml"
    path.write_text(path.read_text().replace("command: git status", "command: git stash list"))
    rulec("compile", code=1)
    git("commit", "-qam", "Break it")
    refused = rulec("promote", "no-stash", code=2).stderr
    assert "no-stash is not proved: its check fails at examples" in refused
    assert "mend the check, or the example where that is wrong with rulec edit no-stash" in refused
    assert "until it is proved it only audits" in refused


def test_a_rule_that_was_never_proved_is_proved_on_the_way(ruled: Path, rulec: Run, git: Run) -> None:
    path = ruled / ".rules/no-stash.yaml"
    path.write_text(path.read_text().replace("command: git status", "command: git log"))
    git("commit", "-qam", "Another example, and nobody ran rulec compile")
    rulec("promote", "no-stash")
    assert _acts(rulec)["no-stash"] == "warn"
    assert "Evidence: " in git("log", "-1", "--format=%B").stdout
    rulec("compile", "--check")


def test_a_reminder_can_be_put_into_words_however_seldom_it_was_said(ruled: Path, rulec: Run) -> None:
    words = ruled / ".rules/compiled/words/plain-words.json"
    assert not words.exists()
    rulec("promote", "plain-words", "--to", "warn")
    assert words.exists()
