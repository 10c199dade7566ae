"""What of an answer counts: all that fits the form that was sent, and one wrong part costs no more than itself."""

import json
from typing import Any

import pytest

from rulec.checks.judge import judge_questions
from rulec.llm import answer_schema
from rulec.llm.answer_schema import fit_to_schema, line_of_value
from rulec.mining import mining_questions
from rulec.resolving import match_questions
from tests.support.talks import SCHEMA

KEY = "sk-ant-" + "a1b2" * 8


@pytest.mark.parametrize(
    ("path", "line"),
    [((), 1), (("wishes",), 2), (("wishes", 1), 4), (("more", "a", 0), 6), (("none",), 1), (("wishes", 9), 1)],
)
def test_a_value_of_a_json_text_is_found_by_its_path(path: tuple[str | int, ...], line: int) -> None:
    text = '{\n "wishes": [\n  "a, ]}\\"",\n  {"b": []}\n ],\n "more": {"a": [1]}\n}'
    assert line_of_value(text, path) == line
    assert line_of_value("", path) == 1


def test_what_is_wrong_is_short_and_holds_no_key() -> None:
    found = fit_to_schema({"wishes": [{"a": KEY * 40}]}, SCHEMA).misfit
    assert found
    assert len(found.what) < 250
    assert KEY not in found.what + found.wanted
    found = fit_to_schema([], SCHEMA).misfit
    assert found
    assert (found.what, found.path) == ("is no JSON object", ())


WISH = {"turn": 2, "quote": "pnpm, not npm", "holds": "next time", "sure": "high", "statement": "Use pnpm, never npm."}
UNSAID = {name: said for name, said in WISH.items() if name != "sure"}
PASS = {"rule": 1, "verdict": "pass"}


@pytest.mark.parametrize(
    ("schema", "said", "counts"),
    [
        (
            mining_questions.SCHEMA,
            {**UNSAID, "when": None, "do": None, "category": None, "severity": None, "name": None},
            {**WISH, "sure": "low"},
        ),
        (mining_questions.SCHEMA, {**WISH, "sure": "certain"}, {**WISH, "sure": "low"}),
        (mining_questions.SCHEMA, {**WISH, "sure": None}, {**WISH, "sure": "low"}),
        (mining_questions.SCHEMA, {**WISH, "holds": "Next time ", "sure": "High"}, WISH),
        (mining_questions.SCHEMA, {**WISH, "turn": "b2"}, WISH | {"turn": "b2"}),
        (mining_questions.SCHEMA, {**WISH, "note": "a guess"}, WISH | {"note": "a guess"}),
        (judge_questions.SCHEMA, {**PASS, "quote": None, "line": None, "reason": "it is fine"}, PASS),
        (judge_questions.SCHEMA, {"rule": "1", "verdict": "PASS"}, PASS),
        (judge_questions.SCHEMA, {"rule": 1, "verdict": "maybe"}, {"rule": 1, "verdict": "unsure"}),
        (judge_questions.SCHEMA, {"rule": 1, "verdict": None}, {"rule": 1, "verdict": "unsure"}),
        (judge_questions.SCHEMA, {"rule": 1}, {"rule": 1, "verdict": "unsure"}),
    ],
)
def test_what_says_nothing_and_another_spelling_are_no_fault(
    schema: dict[str, Any], said: dict[str, Any], counts: dict[str, Any]
) -> None:
    (name,) = schema["required"]
    fits = fit_to_schema({name: [said, WISH | PASS]}, schema, whole=schema is judge_questions.SCHEMA)
    assert (fits.misfit, fits.left_out) == (None, ())
    assert fits.data[name][0] == counts


@pytest.mark.parametrize(
    ("more", "told", "left"),
    [
        ({"statement": 7, "severity": ["must"]}, ["wishes[0].statement: 7", "wishes[0].severity: "], 2),
        ({"again": 3}, ["wishes[0].again: "], 2),
        ({"again": [3, {"turn": 4}]}, ["wishes[0].again[1]: "], 2),
        ({"offence": ["A1"]}, ["wishes[0].offence: "], 2),
        ({"turn": ["the second"]}, ["wishes[0].turn: "], 1),
        ({"turn": None, "quote": 7}, ["wishes[0].turn: ", "wishes[0].quote: "], 1),
        ({"holds": "for good"}, ["wishes[0].holds: "], 1),
    ],
)
def test_a_wish_of_another_form_costs_itself_or_less(more: dict[str, Any], told: list[str], left: int) -> None:
    fits = fit_to_schema({"wishes": [WISH | more, WISH]}, mining_questions.SCHEMA)
    assert [one.what.startswith(begins) for one, begins in zip(fits.left_out, told, strict=True)] == [True] * len(told)
    assert len(fits.data["wishes"]) == left
    assert fits.data["wishes"][-1] == WISH
    assert fit_to_schema(fits.data, mining_questions.SCHEMA)[1:] == ((), None)


def test_a_decision_of_another_form_costs_itself() -> None:
    lines = [{"candidate": 1, "line": "NEW, I think"}, {"candidate": 2, "line": "Decision: NEW -- because it is"}]
    fits = fit_to_schema({"decisions": lines}, match_questions.SCHEMA)
    assert (fits.data, len(fits.left_out)) == ({"decisions": lines[1:]}, 1)


@pytest.mark.parametrize("stray", [{"rule": "all", "verdict": "fail"}, {"verdict": "fail"}, "fail", {}])
def test_a_verdict_of_no_rule_may_speak_against_every_other(stray: object) -> None:
    assert fit_to_schema({"verdicts": [PASS, stray]}, judge_questions.SCHEMA, whole=True).misfit


def test_where_nothing_is_left_nothing_was_answered() -> None:
    assert fit_to_schema({"wishes": [{}, 7]}, mining_questions.SCHEMA).misfit
    assert fit_to_schema({"wishes": []}, mining_questions.SCHEMA).misfit is None


@pytest.mark.parametrize(("depth", "told"), [(30, None), (90, "is nested too deeply"), (900, "is nested too deeply")])
def test_an_answer_is_not_nested_without_end(depth: int, told: str | None) -> None:
    found = fit_to_schema(json.loads('{"a": ' * depth + "1" + "}" * depth), {"type": "object"}).misfit
    assert (found and found.what) == told


@pytest.mark.parametrize("wish", [{}, {"turn": 1, "quote": "a", "holds": "next time"}, 1])
def test_a_list_without_end_is_refused_for_its_first_faults(wish: object, monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[object] = []
    kept = answer_schema._first
    monkeypatch.setattr(answer_schema, "_first", lambda errors: kept(looked.append(one) or one for one in errors))
    assert fit_to_schema({"wishes": [wish] * 300_000}, mining_questions.SCHEMA).misfit
    assert len(looked) == 1
    assert (
        fit_to_schema(
            {"wishes": [{"turn": 1, "quote": "a", "holds": "next time"}] * 400}, mining_questions.SCHEMA
        ).misfit
        is None
    )
