"""What of an answer counts: all that fits the form that was sent, and one wrong part costs no more than itself."""

import json
from typing import Any

import pytest

from rulec.commands import _ask_form
from rulec.commands._ask_form import fitting
from rulec.commands._ask_line import line_of
from rulec.stages import decide, judge, mine
from tests.support.talks import SCHEMA

KEY = "sk-ant-" + "a1b2" * 8


@pytest.mark.parametrize(
    ("path", "line"),
    [((), 1), (("wishes",), 2), (("wishes", 1), 4), (("more", "a", 0), 6), (("none",), 1), (("wishes", 9), 1)],
)
def test_a_value_of_a_json_text_is_found_by_its_path(path: tuple[str | int, ...], line: int) -> None:
    text = '{\n "wishes": [\n  "a, ]}\\"",\n  {"b": []}\n ],\n "more": {"a": [1]}\n}'
    assert line_of(text, path) == line
    assert line_of("", path) == 1


def test_what_is_wrong_is_short_and_holds_no_key() -> None:
    found = fitting({"wishes": [{"a": KEY * 40}]}, SCHEMA).misfit
    assert found
    assert len(found.what) < 250
    assert KEY not in found.what + found.wanted
    found = fitting([], SCHEMA).misfit
    assert found
    assert (found.what, found.path) == ("is no JSON object", ())


WISH = {"turn": 2, "quote": "pnpm, not npm", "holds": "next time", "sure": "high", "statement": "Use pnpm, never npm."}
UNSAID = {name: said for name, said in WISH.items() if name != "sure"}
PASS = {"rule": 1, "verdict": "pass"}


@pytest.mark.parametrize(
    ("schema", "said", "counts"),
    [
        (
            mine.SCHEMA,
            {**UNSAID, "when": None, "do": None, "category": None, "severity": None, "name": None},
            {**WISH, "sure": "low"},
        ),
        (mine.SCHEMA, {**WISH, "sure": "certain"}, {**WISH, "sure": "low"}),
        (mine.SCHEMA, {**WISH, "sure": None}, {**WISH, "sure": "low"}),
        (mine.SCHEMA, {**WISH, "holds": "Next time ", "sure": "High"}, WISH),
        (mine.SCHEMA, {**WISH, "turn": "b2"}, WISH | {"turn": "b2"}),
        (mine.SCHEMA, {**WISH, "note": "a guess"}, WISH | {"note": "a guess"}),
        (judge.SCHEMA, {**PASS, "quote": None, "line": None, "reason": "it is fine"}, PASS),
        (judge.SCHEMA, {"rule": "1", "verdict": "PASS"}, PASS),
        (judge.SCHEMA, {"rule": 1, "verdict": "maybe"}, {"rule": 1, "verdict": "unsure"}),
        (judge.SCHEMA, {"rule": 1, "verdict": None}, {"rule": 1, "verdict": "unsure"}),
        (judge.SCHEMA, {"rule": 1}, {"rule": 1, "verdict": "unsure"}),
    ],
)
def test_what_says_nothing_and_another_spelling_are_no_fault(
    schema: dict[str, Any], said: dict[str, Any], counts: dict[str, Any]
) -> None:
    (name,) = schema["required"]
    fits = fitting({name: [said, WISH | PASS]}, schema, whole=schema is judge.SCHEMA)
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
    fits = fitting({"wishes": [WISH | more, WISH]}, mine.SCHEMA)
    assert [one.what.startswith(begins) for one, begins in zip(fits.left_out, told, strict=True)] == [True] * len(told)
    assert len(fits.data["wishes"]) == left
    assert fits.data["wishes"][-1] == WISH
    assert fitting(fits.data, mine.SCHEMA)[1:] == ((), None)


def test_a_decision_of_another_form_costs_itself() -> None:
    lines = [{"candidate": 1, "line": "NEW, I think"}, {"candidate": 2, "line": "Decision: NEW -- because it is"}]
    fits = fitting({"decisions": lines}, decide.SCHEMA)
    assert (fits.data, len(fits.left_out)) == ({"decisions": lines[1:]}, 1)


@pytest.mark.parametrize("stray", [{"rule": "all", "verdict": "fail"}, {"verdict": "fail"}, "fail", {}])
def test_a_verdict_of_no_rule_may_speak_against_every_other(stray: object) -> None:
    assert fitting({"verdicts": [PASS, stray]}, judge.SCHEMA, whole=True).misfit


def test_where_nothing_is_left_nothing_was_answered() -> None:
    assert fitting({"wishes": [{}, 7]}, mine.SCHEMA).misfit
    assert fitting({"wishes": []}, mine.SCHEMA).misfit is None


@pytest.mark.parametrize(("depth", "told"), [(30, None), (90, "is nested too deeply"), (900, "is nested too deeply")])
def test_an_answer_is_not_nested_without_end(depth: int, told: str | None) -> None:
    found = fitting(json.loads('{"a": ' * depth + "1" + "}" * depth), {"type": "object"}).misfit
    assert (found and found.what) == told


@pytest.mark.parametrize("wish", [{}, {"turn": 1, "quote": "a", "holds": "next time"}, 1])
def test_a_list_without_end_is_refused_for_its_first_faults(wish: object, monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[object] = []
    kept = _ask_form._first
    monkeypatch.setattr(_ask_form, "_first", lambda errors: kept(looked.append(one) or one for one in errors))
    assert fitting({"wishes": [wish] * 300_000}, mine.SCHEMA).misfit
    assert len(looked) == 1
    assert fitting({"wishes": [{"turn": 1, "quote": "a", "holds": "next time"}] * 400}, mine.SCHEMA).misfit is None
