"""How sure a rule is: sessions count in full, repeats within one less and less."""

import pytest

from rulec.model.evidence import Evidence, confidence


def voiced(*sessions: str) -> tuple[Evidence, ...]:
    return tuple(
        Evidence(slug="x", kind="correction", weight=1.0, transcript=session, turn=turn)
        for turn, session in enumerate(sessions)
    )


YES = Evidence(slug="x", kind="accepted", weight=3.0)
AGAINST = Evidence(slug="x", kind="counterexample", weight=1.0, transcript="a")


@pytest.mark.parametrize(
    ("evidence", "weight", "active"),
    [
        (voiced("a"), 1, False),
        (voiced("a", "a"), 1.5, False),
        (voiced("a", "a", "a", "a"), 1.875, False),
        (voiced(*"a" * 50), 2, False),
        (voiced("a", "b", "c"), 3, True),
        (voiced("a", "a", "b", "b"), 3, True),
        (voiced("", "", ""), 3, True),  # sessions without a name are not taken for one
        ((YES,), 3, True),
        ((YES, AGAINST), 4, False),
        ((*voiced("a", "b", "c"), AGAINST), 4, False),
        ((YES, *voiced("a", "b", "c"), AGAINST), 7, True),
    ],
)
def test_weight(evidence: tuple[Evidence, ...], weight: float, active: bool) -> None:
    told = confidence(evidence)
    assert (pytest.approx(told.weight), told.active) == (weight, active)
    assert f"observed weight {weight:g}" in told.arithmetic


def test_a_persons_yes_counts_in_full_whatever_else_was_said_in_that_session() -> None:
    accepted = Evidence(slug="x", kind="correction", weight=3.0, transcript="a", turn=9)
    assert confidence((*voiced("a", "a"), accepted)).weight == 3.75
