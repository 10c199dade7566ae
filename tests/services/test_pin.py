"""A person makes a rule firmer or looser; nothing that is unproved can be made to act."""

import json
from pathlib import Path

import pytest

from tests.conftest import Run


def _acts(rulec: Run) -> dict[str, str]:
    return {row["slug"]: row["acts"] for row in json.loads(rulec("rules", "--format", "json").stdout)}


def test_a_rule_is_set_from_noting_to_blocking_and_back(ruled: Path, rulec: Run, git: Run) -> None:
    for acts in ("warn", "block", "warn", "audit"):
        assert f"no-stash is pinned to {acts} now: commit " in rulec("set", "no-stash", acts).stdout
        assert _acts(rulec)["no-stash"] == acts
    assert "revision: 5\n" in (ruled / ".rules/no-stash.yaml").read_text()
    assert git("status", "--porcelain").stdout == ""
    rulec("compile", "--check")
    assert git("log", "-1", "--format=%(trailers:only,unfold)").stdout.strip().splitlines() == [
        "Resolution: SET no-stash -- a person set it from warn to audit",
        "Rule: no-stash@5",
    ]


def test_a_pinned_rule_can_be_left_to_its_evidence_again(ruled: Path, rulec: Run) -> None:
    rulec("set", "use-pnpm", "warn", "--because", "too loud")
    assert _acts(rulec)["use-pnpm"] == "warn"
    said = rulec("set", "use-pnpm", "auto").stdout
    assert said.startswith("use-pnpm is left to its evidence now: ")
    assert _acts(rulec)["use-pnpm"] == "block"
    assert "enforcement: auto\n" in (ruled / ".rules/use-pnpm.yaml").read_text()


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (["set", "plain-words", "block"], "has no check that could block; rulec edit plain-words gives it a check"),
        (["set", "no-stash"], "Missing argument"),
        (["set", "nope", "warn"], "no rule 'nope'"),
        (["set", "no-stash", "deny"], "is not one of"),
    ],
)
def test_what_makes_no_sense_is_refused_in_one_line(ruled: Path, rulec: Run, args: list[str], says: str) -> None:
    refused = rulec(*args, code=2).stderr
    assert says in refused
    assert refused.count("\n") == 1


def test_what_is_so_already_changes_nothing(ruled: Path, rulec: Run, git: Run) -> None:
    head = git("rev-parse", "HEAD").stdout
    assert rulec("set", "no-stash", "audit").stdout == "no-stash is pinned to audit already\n"
    assert git("rev-parse", "HEAD").stdout == head


def test_a_rule_whose_check_fails_its_examples_cannot_be_made_to_act(ruled: Path, rulec: Run, git: Run) -> None:
    path = ruled / ".rules/no-stash.yaml"
    path.write_text(path.read_text().replace("command: git status", "command: git stash list"))
    rulec("compile", code=1)
    git("commit", "-qam", "Break it")
    refused = rulec("set", "no-stash", "warn", code=2).stderr
    assert "no-stash is not proved: its check fails at examples" in refused
    assert "mend the check, or the example where that is wrong with rulec edit no-stash" in refused
    assert "until it is proved it only audits" in refused


def test_a_rule_that_was_never_proved_is_proved_on_the_way(ruled: Path, rulec: Run, git: Run) -> None:
    path = ruled / ".rules/no-stash.yaml"
    path.write_text(path.read_text().replace("command: git status", "command: git log"))
    git("commit", "-qam", "Another example, and nobody ran rulec compile")
    rulec("set", "no-stash", "warn")
    assert _acts(rulec)["no-stash"] == "warn"
    assert "Evidence: " in git("log", "-1", "--format=%B").stdout
    rulec("compile", "--check")


def test_a_reminder_can_be_put_into_words_however_seldom_it_was_said(ruled: Path, rulec: Run) -> None:
    words = ruled / ".rules/compiled/words/plain-words.json"
    assert not words.exists()
    rulec("set", "plain-words", "warn")
    assert words.exists()
