"""Bars hold what the accounts hold, inside their frame, whatever days a clock has put there."""

from hypothesis import given
from hypothesis import strategies as st

from rulec.reports.charts import MOST_RULES_DRAWN, MOST_WEEKS, WIDTH, draw_rules, draw_weeks
from rulec.reports.ledger_counts import RuleActivity
from tests.support.strategies import counts

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
    rules, weeks = draw_rules(found), draw_weeks(found, (), "2026-11-22")
    for bar in (*rules, *(week.bar for week in weeks)):
        assert sum(part.times for part in bar.parts) == bar.times
        assert all(part.x >= 0 and part.x + part.width <= WIDTH + 0.1 for part in bar.parts)
    assert len(rules) <= MOST_RULES_DRAWN
    assert 1 <= len(weeks) <= MOST_WEEKS
