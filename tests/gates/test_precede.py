"""Of two rules that contradict each other the one that goes before holds, and the other says to whom it lost."""

from dataclasses import replace
from typing import Any

import pytest

from rulec.domain.artifact import RuleFacts
from rulec.domain.finding import Fault, Finding, Verdict
from rulec.domain.rule import Exemption, Scope
from rulec.gates.findings.contradictions import PrescriptionTrial, apply_precedence, prescribed_things

OLD = RuleFacts(slug="use-httpx", revision=1, statement="Use httpx.", enforcement="block", said="2026-01-01, to codex")
NEW = replace(OLD, slug="use-requests", statement="Use requests here.", scope=Scope(include=("legacy/**",)))
SEEN = Finding(slug="use-httpx", path="legacy/a.py", line=3, text="import requests")


def settled(
    own: RuleFacts, other: RuleFacts, cure: str = "import requests", *, forbids: bool = True, **seen: Any
) -> Verdict:
    asked: list[PrescriptionTrial] = []

    def ask(witness: PrescriptionTrial) -> bool:
        asked.append(witness)
        return forbids

    verdict = Verdict(outcome=own.enforcement, facts=own, finding=replace(SEEN, **seen))
    known = {own.slug: own, other.slug: other}
    (found,) = apply_precedence([verdict], prescribed_things(known, [(other.slug, cure)]), ask)
    assert all(witness.slug == own.slug for witness in asked)
    return found


@pytest.mark.parametrize(
    ("own", "other", "why"),
    [
        (OLD, NEW, "its scope is narrower (2 to 0)"),
        (replace(OLD, severity="must"), replace(NEW, severity="style"), "its scope is narrower (2 to 0)"),
        (
            replace(OLD, scope=Scope(environments=("ci",))),
            replace(NEW, scope=Scope(include=("legacy/**",), tags=("python",))),
            "its scope is narrower (2.5 to 1)",
        ),
        (replace(NEW, slug="x"), replace(NEW, severity="must"), "it is graver (must before should)"),
        (
            replace(NEW, slug="x"),
            replace(NEW, said="2026-05-01, to codex"),
            "it was said later (2026-05-01 after 2026-01-01)",
        ),
        (replace(NEW, slug="x", said=""), NEW, "it was said later (2026-01-01)"),
        (replace(NEW, slug="x", layer="extends base"), NEW, "it is of the team's own rulebook"),
    ],
)
def test_the_narrower_then_the_graver_then_the_later_rule_goes_before(
    own: RuleFacts, other: RuleFacts, why: str
) -> None:
    found = settled(own, other)
    assert (found.outcome, found.lost) == ("audit", f"use-requests goes before it: {why}")


@pytest.mark.parametrize(
    ("own", "other", "more"),
    [
        (replace(NEW, slug="x"), NEW, {}),  # neither goes before the other: both stand
        (replace(NEW, slug="x"), replace(OLD, slug="y"), {}),  # the wider one is no reason
        (OLD, NEW, {"path": "src/a.py"}),
        (OLD, NEW, {"path": ""}),
        (OLD, NEW, {"text": "import requests_mock"}),
        (OLD, NEW, {"text": "import urllib3"}),
        (OLD, replace(NEW, enforcement="audit"), {}),  # what only notes beats nobody
        (OLD, replace(NEW, exceptions=(Exemption(because="x", commands=("y",)),)), {}),
        (OLD, NEW, {"cure": "add a test"}),
        (OLD, NEW, {"cure": ""}),
        (OLD, NEW, {"cure": "use requests", "text": "requests(1)"}),  # it may be asked for with an argument
        (OLD, NEW, {"forbids": False}),  # it forbids something of it, and not the thing itself
    ],
)
def test_a_finding_stands_where_nothing_contradicts_it(own: RuleFacts, other: RuleFacts, more: dict[str, Any]) -> None:
    found = settled(own, other, **more)
    assert (found.outcome, found.lost) == ("block", "")


def test_the_check_is_asked_about_the_thing_alone_and_once_for_each_kind_of_file() -> None:
    asked: list[PrescriptionTrial] = []

    def ask(witness: PrescriptionTrial) -> bool:
        asked.append(witness)
        return True

    verdicts = [
        Verdict(outcome="block", facts=OLD, finding=replace(SEEN, line=line, path=path, text="import requests"))
        for line, path in ((1, "legacy/a.py"), (2, "legacy/a.py"), (3, "legacy/run"))
    ]
    found = list(apply_precedence(verdicts, prescribed_things({NEW.slug: NEW}, [(NEW.slug, "import requests")]), ask))
    assert [verdict.outcome for verdict in found] == ["audit"] * 3
    texts = [(witness.path, witness.text) for witness in asked]
    assert texts == [("legacy/witness.py", "import requests\n"), ("legacy/witness", "import requests\n")]


@pytest.mark.parametrize("outcome", ["audit", "old"])
def test_what_does_not_act_is_asked_nothing(outcome: Any) -> None:
    verdict = Verdict(outcome=outcome, facts=OLD, finding=SEEN)
    assert list(
        apply_precedence([verdict], prescribed_things({NEW.slug: NEW}, [(NEW.slug, "import requests")]), lambda _: True)
    ) == [verdict]


def test_a_broken_check_never_yields() -> None:
    verdict = Verdict(outcome="block", facts=OLD, fault=Fault(slug="use-httpx", what="hung"))
    assert list(
        apply_precedence([verdict], prescribed_things({NEW.slug: NEW}, [(NEW.slug, "import requests")]), lambda _: True)
    ) == [verdict]
