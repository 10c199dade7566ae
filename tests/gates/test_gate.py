"""What a finding means for a change."""

import pytest

from rulec.domain.artifact import RuleFacts
from rulec.domain.change import Change, FileChange
from rulec.domain.enforcement import Enforcement, OnError
from rulec.domain.finding import Fault, Finding
from rulec.gates.findings.verdicts import decide_outcomes

TOUCHED = Change(files=(FileChange(path="a.py", status="M", added=((3, 4), (9, 9))),))


def _facts(enforcement: Enforcement = "block", on_error: OnError = "warn") -> dict[str, RuleFacts]:
    return {"r": RuleFacts(slug="r", revision=1, statement="R.", enforcement=enforcement, on_error=on_error)}


@pytest.mark.parametrize(
    ("line", "last", "outcome"),
    [
        (3, 0, "block"),
        (4, 4, "block"),
        (5, 0, "old"),
        (1, 2, "old"),
        (1, 3, "block"),
        (5, 12, "block"),
        (0, 0, "block"),
    ],
)
def test_only_lines_that_the_change_touches_count(line: int, last: int, outcome: str) -> None:
    (verdict,) = decide_outcomes([Finding(slug="r", path="a.py", line=line, last=last)], _facts(), TOUCHED)
    assert verdict.outcome == outcome


@pytest.mark.parametrize("enforcement", ["audit", "warn", "block"])
def test_a_rule_does_what_its_artifact_says(enforcement: Enforcement) -> None:
    (verdict,) = decide_outcomes([Finding(slug="r", path="new.py", line=1)], _facts(enforcement), Change())
    assert verdict.outcome == enforcement


@pytest.mark.parametrize(
    ("enforcement", "on_error", "outcome"),
    [("block", "warn", "warn"), ("block", "block", "block"), ("audit", "block", "block"), ("audit", "warn", "warn")],
)
def test_a_broken_check_does_what_its_rule_says_and_is_never_a_pass(
    enforcement: Enforcement, on_error: OnError, outcome: str
) -> None:
    (verdict,) = decide_outcomes([Fault(slug="r", what="hung")], _facts(enforcement, on_error), Change())
    assert verdict.outcome == outcome


def test_the_same_finding_twice_is_one_verdict() -> None:
    finding = Finding(slug="r", path="a.py", line=3)
    assert len(list(decide_outcomes([finding, finding], _facts(), TOUCHED))) == 1
