"""What a person approves, and what a no to the last question leaves open."""

from pathlib import Path

import pytest

from rulec.domain.artifact import RuleFacts
from rulec.domain.finding import Finding, Verdict
from rulec.services.gating import approve


def test_a_no_to_the_rest_approves_no_open_finding(ruled: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    facts = RuleFacts(slug="keep-schema", revision=1, statement="Keep the schema.", quote="", enforcement="block")
    touched = Verdict(outcome="block", facts=facts, finding=Finding(slug="keep-schema", path="a.sql", text="a.sql"))
    cleared: list[Path] = []
    monkeypatch.setattr(approve.open_findings, "open_debts", lambda _: ["no tests ran"])
    monkeypatch.setattr(approve.open_findings, "clear_debts", cleared.append)
    monkeypatch.setattr(approve.protected_paths, "unapproved_paths", lambda *_: [touched])
    answers = iter([True, False])
    assert approve.approve_staged(ruled, lambda _: next(answers)).text == "nothing approved"
    assert cleared == []
