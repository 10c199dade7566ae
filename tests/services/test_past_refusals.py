"""A look back says how often and where, and when that is too often to be meant."""

import pytest

from rulec.domain.finding import Finding
from rulec.services.backtest.past_refusals import FindingsOrFaults, PastChange, backtest_rule, describe_backtest

PASTS = [PastChange(id=f"{number:04}aaaaaaaa", at="2026-11-01", what="Work") for number in range(200)]


def seen(looked_at: int, refused: int) -> FindingsOrFaults:
    finding = Finding(slug="r", path="src/a.py", line=3, text="x")
    found = {past.id: (int(at < refused), (finding,) * (at < refused)) for at, past in enumerate(PASTS[:looked_at])}
    return {**found, "another": (1, (finding,)), PASTS[-1].id: found.get(PASTS[-1].id)}


PLACES = "0000aaa src/a.py:3, 0001aaa src/a.py:3, 0002aaa src/a.py:3"
MANY = "that is many: is the rule too broad?"
LINES = [
    (200, 0, "none of 200 commits would have been refused"),
    (57, 0, "none of the last 57 commits would have been refused"),
    (200, 1, "1 of 200 commits would have been refused (0000aaa src/a.py:3)"),
    (
        57,
        4,
        f"4 of the last 57 commits would have been refused ({PLACES}, ...): {MANY}",
    ),
    (0, 0, ""),
]


@pytest.mark.parametrize(("looked_at", "refused", "said"), LINES, ids=lambda value: str(value)[:40])
def test_a_line_says_how_many_of_how_many(looked_at: int, refused: int, said: str) -> None:
    sight = backtest_rule("r", PASTS, seen(looked_at, refused))
    assert (sight.looked_at, len(sight.refusals)) == (looked_at, refused)
    assert describe_backtest(sight, len(PASTS)) == said


def test_two_of_three_first_commits_are_not_many_yet() -> None:
    assert MANY not in describe_backtest(backtest_rule("r", PASTS, seen(3, 2)), 3)


def test_what_a_check_broke_on_is_said_once() -> None:
    sight = backtest_rule("r", PASTS, {}, ["hung", "hung", "died"])
    assert sight.broken == ("hung", "died")
    assert describe_backtest(sight, 200) == "not possible: hung"
