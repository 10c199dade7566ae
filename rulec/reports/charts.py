"""The bars of a report: its weeks, and its rules by what became of their findings."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from statistics import median

from rulec.domain.enforcement import SHOWN
from rulec.reports.followed_findings import FollowedFinding
from rulec.reports.ledger_counts import RuleActivity

WIDTH = 1000.0  # of every bar, which the page stretches
MOST_RULES_DRAWN = 20  # rules that have a bar; the table has all
MOST_WEEKS = 12  # that are shown by themselves


@dataclass(frozen=True, slots=True, kw_only=True)
class BarSegment:
    """A part of a bar: what it counts, how often, its position."""

    kind: str
    times: int
    x: float
    width: float


@dataclass(frozen=True, slots=True, kw_only=True)
class StackedBar:
    """The bar of one rule or one week."""

    label: str
    times: int
    parts: tuple[BarSegment, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class WeekCounts:
    """What was shown in one week, from its Monday on: for the first time, again, and how soon it was fixed."""

    monday: str
    first: int
    again: int
    fixed: int
    seconds: float | None  # the median of those that were fixed in it; None where that is not known
    bar: StackedBar


def draw_rules(accounts: Sequence[RuleActivity]) -> tuple[StackedBar, ...]:
    """A bar for each of the first rules that found anything."""
    return _bars([(one.slug, _outcome_counts(one)) for one in accounts if not one.quiet][:MOST_RULES_DRAWN])


def draw_weeks(
    accounts: Sequence[RuleActivity], followed: Sequence[FollowedFinding], today: str
) -> tuple[WeekCounts, ...]:
    """The last weeks; ``followed`` are this machine's findings."""
    shown, again, fixed = Counter[str](), Counter[str](), Counter[str]()
    for one in accounts:
        for counter, by_day in (
            (shown, one.by(lambda count: count.day, *SHOWN)),
            (again, one.repeats),
            (fixed, one.by(lambda count: count.day, "fixed")),
        ):
            for day, times in by_day.items():
                counter[_monday(day)] += times
    taken: dict[str, list[float]] = {}
    for finding in followed:
        if finding.seconds is not None:
            taken.setdefault(_monday(finding.ended[:10]), []).append(finding.seconds)
    mondays = _mondays([*shown, *fixed], today)
    rows = [(week, [("new", shown[week] - again[week]), ("again", again[week])]) for week in mondays]
    return tuple(
        WeekCounts(
            monday=week, first=shown[week] - again[week], again=again[week], fixed=fixed[week], bar=bar,
            seconds=median(taken[week]) if week in taken else None,
        )
        for week, bar in zip(mondays, _bars(rows), strict=True)
    )  # fmt: skip


def _monday(day: str) -> str:
    found = date.fromisoformat(day)
    return (found - timedelta(days=found.weekday())).isoformat()


def _mondays(seen: Sequence[str], today: str) -> list[str]:
    """The last weeks up to now, from the first in which anything was seen."""
    end = date.fromisoformat(max([*seen, _monday(today)]))
    start = max(date.fromisoformat(min(seen, default=_monday(today))), end - timedelta(weeks=MOST_WEEKS - 1))
    return [(start + timedelta(weeks=at)).isoformat() for at in range((end - start).days // 7 + 1)]


def _outcome_counts(one: RuleActivity) -> list[tuple[str, int]]:
    return [
        ("fixed", one.fixed),
        ("open", one.told - one.fixed),
        ("quiet", one.fired - one.told),
        ("excepted", one.times("excepted")),
        ("wrong", one.wrong),
    ]


def _bars(rows: Sequence[tuple[str, list[tuple[str, int]]]]) -> tuple[StackedBar, ...]:
    longest = max((sum(times for _, times in parts) for _, parts in rows), default=0)
    return tuple(_bar(label, parts, longest or 1) for label, parts in rows)


def _bar(label: str, parts: Sequence[tuple[str, int]], longest: int) -> StackedBar:
    found, x = [], 0.0
    for kind, times in parts:
        width = round(WIDTH * times / longest, 2)
        if times:
            found.append(BarSegment(kind=kind, times=times, x=round(x, 2), width=width))
        x += width
    return StackedBar(label=label, times=sum(times for _, times in parts), parts=tuple(found))
