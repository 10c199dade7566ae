"""The level of a rule at the steps of plans: in its file, in what is compiled, and as a person sets it."""

import json
import sys
from pathlib import Path

import pytest

from rulec.compiling.agent_briefing import words_artifact
from rulec.compiling.compile_planning import make_plan
from rulec.domain.artifact import facts_data, facts_from_data
from rulec.domain.enforcement import level_at_steps
from rulec.domain.rule import Check, Rule
from rulec.errors import RulecError
from rulec.reminders import rule_records
from rulec.rulebook import rule_file
from rulec.rulebook.rulebook import Rulebook
from rulec.services.rulebook_commit import HEAD
from rulec.services.steps.level import set_level
from tests.conftest import Run
from tests.support.terminal import on_terminal

RULEC = [sys.executable, "-m", "rulec"]
LEVELS = {  # severity, enforcement and level of a rule -> its level at steps
    ("must", "auto", "auto"): "strict",
    ("must", "block", "auto"): "strict",
    ("must", "warn", "auto"): "remind",
    ("must", "audit", "auto"): "remind",
    ("must", "audit", "strict"): "strict",
    ("must", "warn", "testable"): "testable",
    ("must", "block", "remind"): "remind",
    ("should", "block", "auto"): "remind",
    ("should", "auto", "strict"): "strict",
    ("style", "auto", "testable"): "testable",
}


def _rule(severity: str, enforcement: str, level: str) -> Rule:
    check = Check(kind="guard", template="forbid-command", parameters={"commands": ["npm"]})
    return Rule(
        slug="use-pnpm", statement="Use pnpm.", severity=severity, enforcement=enforcement, level=level, checks=(check,)
    )


def test_rule_files_words_and_checks_agree_on_the_level() -> None:
    seen = {}
    for given in LEVELS:
        rule = _rule(*given)
        assert rule_file.parse_rule(rule_file.dump_rule(rule), source="").level == given[2]
        record = rule_records.parse_record(json.loads(words_artifact(rule).text))
        assert record is not None
        (step,) = make_plan(Rulebook(rules=(rule,))).steps
        facts = facts_from_data(json.loads(json.dumps(facts_data(step.facts))))
        told = {rule_records.level_of(record), level_at_steps(facts.level, facts.severity)}
        seen[given] = told.pop() if len(told) == 1 else told
    assert seen == LEVELS


@pytest.mark.parametrize("severity", ["must", "should", "style"])
def test_a_rule_without_a_level_compiles_to_the_same_bytes_as_before_there_were_levels(severity: str) -> None:
    rule = _rule(severity, "auto", "auto")
    (step,) = make_plan(Rulebook(rules=(rule,))).steps
    assert "level" not in rule_file.dump_rule(rule)
    assert "level" not in words_artifact(rule).text
    assert "level" not in facts_data(step.facts)


def test_a_level_that_is_none_is_refused_with_its_line() -> None:
    with pytest.raises(RulecError) as caught:
        rule_file.parse_rule("slug: a\nstatement: A.\nlevel: hard\n", source="a.yaml")
    assert (caught.value.where, "not one of auto, remind, strict, testable" in caught.value.message) == (
        "a.yaml:3",
        True,
    )


def test_a_person_sets_a_level_in_one_commit(ruled: Path, rulec: Run, git: Run) -> None:
    said = set_level(ruled, "use-pnpm", "testable", HEAD, because="it broke twice").text
    assert said.startswith("use-pnpm is at testable now: commit ")
    assert "level: testable\n" in (ruled / ".rules/use-pnpm.yaml").read_text()
    assert json.loads((ruled / ".rules/compiled/words/use-pnpm.json").read_text())["rule"]["level"] == "testable"
    assert git("log", "-1", "--format=%s%n%(trailers:only,unfold)").stdout.strip().splitlines() == [
        "Set the level of use-pnpm to testable",
        "Resolution: LEVEL use-pnpm -- it broke twice",
        "Rule: use-pnpm@2",
    ]
    assert git("status", "--porcelain").stdout == ""
    rulec("compile", "--check")
    head = git("rev-parse", "HEAD").stdout
    assert set_level(ruled, "use-pnpm", "testable", HEAD).text == "use-pnpm is at testable already"
    assert git("rev-parse", "HEAD").stdout == head
    set_level(ruled, "use-pnpm", "auto", HEAD)
    assert "level" not in (ruled / ".rules/use-pnpm.yaml").read_text()


@pytest.mark.e2e
def test_a_level_is_set_at_a_terminal_alone(ruled: Path, rulec: Run) -> None:
    refused = rulec("level", "use-pnpm", "strict", code=2).stderr
    assert refused == "rulec: standard input is no terminal; a person has to run rulec level at a terminal\n"
    assert "no rule 'nope'" in on_terminal(ruled, [*RULEC, "level", "nope", "strict"], [])[1]
    code, seen = on_terminal(ruled, [*RULEC, "level", "use-pnpm", "strict"], [])
    assert (code, "use-pnpm is at strict now: commit " in seen) == (0, True)
