"""Whether a compiled check is sure to look for no less than the one before it."""

import json

import pytest

from rulec.gates.weakening.gate_change import looks_for_no_less

CHECK = {"on": "text", "forbid": ["a", "b"], "globs": ["**"], "except": ["x"], "ignore_case": False}


@pytest.mark.parametrize(
    ("changed", "firm"),
    [
        ({}, True),
        ({"forbid": ["a", "b", "c"]}, True),
        ({"except": []}, True),
        ({"forbid": ["a"]}, False),
        ({"forbid": ["a", "^b$"]}, False),
        ({"except": ["x", "y"]}, False),
        ({"globs": ["src/**"]}, False),
        ({"ignore_case": True}, False),
        ({"unless": ["x"]}, False),
    ],
)
def test_only_what_is_surely_no_weaker_counts_as_firmer(changed: dict[str, object], *, firm: bool) -> None:
    was, now = (json.dumps({"check": check}) for check in (CHECK, {**CHECK, **changed}))
    assert looks_for_no_less(was, now) is firm


def test_a_check_that_is_not_data_has_to_stay_the_same() -> None:
    assert looks_for_no_less("rules: a", "rules: a")
    assert not looks_for_no_less("rules: a", "rules: b")
