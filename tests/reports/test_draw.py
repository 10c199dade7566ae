"""Plots hold what the accounts hold, inside their frame, whatever days a clock has put there."""

import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulec.domain.evidence import FiringCount
from rulec.reports.charts import DAILY, HEIGHT, MOST_RULES_DRAWN, SHORTEST, WEEK, WIDTH, draw_charts
from rulec.reports.ledger_counts import RuleActivity
from tests.support.strategies import counts

TODAY = "2026-11-22"
ONE = FiringCount(day=TODAY, gate="ask", agent="codex", outcome="block")
accounts = st.lists(
    st.builds(
        RuleActivity,
        slug=st.integers(0, 99).map("rule-{}".format),
        counts=st.lists(counts(), max_size=6).map(tuple),
        wrong=st.integers(0, 3),
    ),
    max_size=30,
)


@given(accounts)
def test_nothing_is_drawn_outside_its_frame(found: list[RuleActivity]) -> None:
    drawing = draw_charts(found, TODAY)
    for bar in (*drawing.rules, *drawing.agents):
        assert sum(part.times for part in bar.parts) == bar.times
        assert all(part.x >= 0 and part.x + part.width <= WIDTH + 0.1 for part in bar.parts)
    for path in (drawing.line.fired, drawing.line.fixed, drawing.line.area):
        numbers = re.findall(r"(-?[\d.]+) (-?[\d.]+)", path)
        assert all(0 <= float(x) <= WIDTH and 0 <= float(y) <= HEIGHT for x, y in numbers)
    assert max((len(drawing.rules), len(drawing.matrix.rows))) <= MOST_RULES_DRAWN
    assert sum(point.fired for point in drawing.line.points) == sum(one.fired for one in found)
    assert all(cell.shade in range(6) for _, cells in drawing.matrix.rows for cell in cells)


SPANS = [
    ((TODAY,), SHORTEST, 1),
    (("2026-10-01", TODAY), 53, 1),
    (("2026-08-23",), DAILY, 1),
    (("2026-08-22",), 93 // WEEK + 1, WEEK),
    (("1970-01-01",), 3 * 365 // WEEK + 1, WEEK),
    (("2026-12-24",), SHORTEST, 1),
]


@pytest.mark.parametrize(("days", "points", "width"), SPANS)
def test_a_line_spans_what_was_seen_by_day_or_by_week(days: tuple[str, ...], points: int, width: int) -> None:
    line = draw_charts([RuleActivity(slug="x", counts=tuple(replace(ONE, day=day) for day in days))], TODAY).line
    assert len(line.points) == points
    assert all(len(point.label) == (10 if width == 1 else 24) for point in line.points[:-1])


@pytest.mark.parametrize(("times", "top"), [(0, 2), (1, 2), (3, 4), (9, 10), (10, 20), (21, 40), (99, 100), (101, 200)])
def test_the_upper_edge_is_a_round_number_that_can_be_halved(times: int, top: int) -> None:
    found = [RuleActivity(slug="x", counts=(replace(ONE, times=times),))] if times else []
    assert draw_charts(found, TODAY).line.top == top


def test_the_columns_are_the_gates_that_were_seen_in_their_order() -> None:
    gates = ("commit", "ask", "elsewhere")
    found = [RuleActivity(slug="x", counts=tuple(replace(ONE, gate=gate) for gate in gates))]
    assert draw_charts(found, TODAY).matrix.gates == ("tool call", "commit", "elsewhere")
