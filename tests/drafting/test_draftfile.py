"""The one form of a check: what of it is read, and what is told instead."""

from typing import Any

from rulec.domain.rule import CheckKind
from rulec.drafting import draft_json
from rulec.errors import RulecError
from rulec.rulebook import example_file


def _kinds(name: str) -> CheckKind:
    if name == "forbid-command":
        return "guard"
    raise RulecError(f"no template {name!r}", hint="rulec templates lists them")


def _read(**value: Any) -> draft_json.DraftReading:
    return draft_json.read_draft(value, "reader", _kinds)


def test_examples_are_of_the_source_that_reads_them_whatever_they_say() -> None:
    sides = {"invalid": [{"command": "npm ci", "source": "transcript"}], "valid": [{"message": "Fix it"}]}
    draft = _read(examples=sides).draft
    assert [one.source for one in (*draft.invalid, *draft.valid)] == ["reader", "reader"]
    assert example_file.example_data(draft.invalid[0]) == {"command": "npm ci", "source": "reader"}


def test_what_is_of_another_form_costs_that_part_alone() -> None:
    found = _read(
        checks=[{"template": "no-such"}, {"template": "forbid-command", "with": {}}, "npm"],
        examples={"invalid": [{"shout": "x"}, {"command": "npm ci"}]},
        scope={"include": "src"},
        not_checked=["  why it is so ", 7, "", "why it is so"],
    )
    assert [check.template for check in found.draft.checks] == ["forbid-command"]
    assert [one.text for one in found.draft.invalid] == ["npm ci"]
    assert found.draft.not_checked == ("why it is so",)
    assert len(found.unread) == 4


def test_no_check_may_hold_a_secret() -> None:
    key = "ghp_" + "a1B2" * 9
    found = _read(checks=[{"template": "forbid-command", "with": {"commands": [f"curl -H {key}"]}}])
    assert not found.draft.checks
    assert key not in " ".join(found.unread)
