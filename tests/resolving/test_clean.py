"""A rule keeps no secret of the transcript that it came from."""

from dataclasses import asdict

import pytest

from rulec.domain.rule import Check, Example, Exemption, Rule, Scope
from rulec.domain.text.redaction import redact
from rulec.resolving import revisions
from rulec.resolving.revisions import redact_rule

SECRET = "hunter2"
STEP = Example(kind="command", text=f"echo {SECRET}")
RULE = Rule(
    slug="use-pnpm",
    statement=f"Use {SECRET}.",
    rationale=SECRET,
    when=SECRET,
    do=SECRET,
    checks=(Check(kind="guard", template="forbid-command", parameters={"commands": [f"npm {SECRET}"]}),),
    invalid=(Example(kind="session", text="", steps=(STEP, STEP)),),
    valid=(Example(kind="commit", text=SECRET, files=((SECRET, SECRET),)),),
    exceptions=(
        Exemption(
            because=f"it says {SECRET}",
            when=SECRET,
            scope=Scope(include=("legacy/**",)),
            valid=(Example(kind="edit", path=SECRET, old=SECRET, text=SECRET),),
        ),
    ),
)


def _starred(text: str) -> str:
    return text.replace(SECRET, "***")


def test_nothing_of_a_rule_keeps_a_secret(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("replace_redacted", "replace_secrets"):
        monkeypatch.setattr(revisions, name, _starred)
    cleaned = redact_rule(RULE, _starred)
    assert SECRET not in str(asdict(cleaned))
    assert str(asdict(cleaned)) == str(asdict(RULE)).replace(SECRET, "***")


KEY = "ghp" + "_aB3dE5gH1jK2mN4pQ6rS8tU0vW9xY7zA"


def test_an_example_keeps_a_lookalike_of_its_secret_which_stays_when_it_is_cleaned_again() -> None:
    rule = Rule(slug="no-keys", statement="No keys.", invalid=(Example(kind="file", path="a.py", text=f"k = '{KEY}'"),))
    cleaned = redact_rule(rule, redact)
    assert cleaned.invalid[0].text == "k = 'ghp_Sp3cimen47SPECIMEN928Sp3cimen47S'"
    assert redact_rule(cleaned, redact) == cleaned
