"""The charts of a report as shapes: a line over days, stacked bars, a matrix of rules and gates."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from math import sqrt
from statistics import median

from rulec.domain.enforcement import SHOWN
from rulec.reports.followed_findings import FollowedFinding
from rulec.reports.ledger_counts import FIRED_OUTCOMES, GATE_TITLES, RuleActivity

WIDTH, HEIGHT = 1000.0, 100.0  # of every plot, which the page stretches
MOST_RULES_DRAWN = 20  # rules in a plot; the tables have all
SHORTEST, DAILY = 14, 92  # days: what a line spans at least, and up to when each has a point of its own
WEEK = 7
MOST_WEEKS = 12  # that are shown by themselves
SHADES = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class ChartPoint:
    """One day or week: its label, its counts, and its strip of the chart."""

    label: str
    fired: int
    fixed: int
    x: float
    width: float


@dataclass(frozen=True, slots=True, kw_only=True)
class ChartLine:
    """Findings and fixes over time."""

    points: tuple[ChartPoint, ...]
    top: int  # what the upper edge stands for
    fired: str  # paths, as SVG writes them
    area: str
    fixed: str


@dataclass(frozen=True, slots=True, kw_only=True)
class BarSegment:
    """A part of a bar: what it counts, how often, its position."""

    kind: str
    times: int
    x: float
    width: float


@dataclass(frozen=True, slots=True, kw_only=True)
class StackedBar:
    """The bar of one rule or one agent."""

    label: str
    times: int
    parts: tuple[BarSegment, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """How often a rule found something at a gate, and how dark its cell is."""

    times: int
    shade: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Matrix:
    """The matrix of rules and gates, or of rules and weeks, which its columns are."""

    gates: tuple[str, ...]
    rows: tuple[tuple[str, tuple[Cell, ...]], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class WeekCounts:
    """What was shown in one week, from its Monday on: for the first time, again, and how soon it was fixed."""

    monday: str
    first: int
    again: int
    fixed: int
    seconds: float | None  # the median of those that were fixed in it; None where that is not known
    bar: StackedBar


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportCharts:
    """All charts of a report."""

    line: ChartLine
    rules: tuple[StackedBar, ...]
    agents: tuple[StackedBar, ...]
    matrix: Matrix
    weeks: tuple[WeekCounts, ...]
    by_week: Matrix


def draw_charts(accounts: Sequence[RuleActivity], today: str, followed: Sequence[FollowedFinding] = ()) -> ReportCharts:
    """The charts of those rules that found anything, in the given order; ``followed`` are this machine's findings."""
    seen = [one for one in accounts if not one.quiet]
    return ReportCharts(
        line=_line(seen, today),
        rules=_bars([(one.slug, _outcome_counts(one)) for one in seen[:MOST_RULES_DRAWN]]),
        agents=_bars(_agent_counts(seen)),
        matrix=_matrix(seen[:MOST_RULES_DRAWN]),
        weeks=_weeks(seen, followed, today),
        by_week=_week_matrix(seen[:MOST_RULES_DRAWN], today),
    )


def _weeks(accounts: Sequence[RuleActivity], followed: Sequence[FollowedFinding], today: str) -> tuple[WeekCounts, ...]:
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


def _week_matrix(accounts: Sequence[RuleActivity], today: str) -> Matrix:
    found = [(one.slug, one.by(lambda count: _monday(count.day), *FIRED_OUTCOMES)) for one in accounts]
    mondays = _mondays([week for _, weeks in found for week in weeks], today)
    most = max((weeks[week] for _, weeks in found for week in mondays), default=0) or 1
    rows = ((slug, tuple(_cell(weeks[week], most) for week in mondays)) for slug, weeks in found)
    return Matrix(gates=tuple(mondays), rows=tuple(row for row in rows if any(cell.times for cell in row[1])))


def _monday(day: str) -> str:
    found = _date(day)
    return (found - timedelta(days=found.weekday())).isoformat()


def _mondays(seen: Sequence[str], today: str) -> list[str]:
    """The last weeks up to now, from the first in which anything was seen."""
    end = _date(max([*seen, _monday(today)]))
    start = max(_date(min(seen, default=_monday(today))), end - timedelta(weeks=MOST_WEEKS - 1))
    return [(start + timedelta(weeks=at)).isoformat() for at in range((end - start).days // WEEK + 1)]


def _outcome_counts(one: RuleActivity) -> list[tuple[str, int]]:
    return [
        ("fixed", one.fixed),
        ("open", one.told - one.fixed),
        ("quiet", one.fired - one.told),
        ("excepted", one.times("excepted")),
        ("wrong", one.wrong),
    ]


def _agent_counts(accounts: Sequence[RuleActivity]) -> list[tuple[str, list[tuple[str, int]]]]:
    found: Counter[str] = Counter()
    for one in accounts:
        found.update(one.by(lambda count: count.agent, *FIRED_OUTCOMES))
    return [(name or "no agent", [("open", times)]) for name, times in found.most_common(MOST_RULES_DRAWN)]


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


def _matrix(accounts: Sequence[RuleActivity]) -> Matrix:
    rows = [(one.slug, one.by(lambda count: count.gate, *FIRED_OUTCOMES)) for one in accounts]
    other = sorted({gate for _, found in rows for gate in found} - set(GATE_TITLES))
    used = [gate for gate in (*GATE_TITLES, *other) if any(found[gate] for _, found in rows)]
    most = max((found[gate] for _, found in rows for gate in used), default=1)
    cells = ((slug, tuple(_cell(found[gate], most) for gate in used)) for slug, found in rows if any(found.values()))
    return Matrix(gates=tuple(GATE_TITLES.get(gate, gate) for gate in used), rows=tuple(cells))


def _cell(times: int, most: int) -> Cell:
    """A cell shaded by the square root: a rule that fires a hundred times must not hide those that fire ten times."""
    return Cell(times=times, shade=max(1, round(SHADES * sqrt(times / most))) if times else 0)


def _line(accounts: Sequence[RuleActivity], today: str) -> ChartLine:
    fired, fixed = Counter[str](), Counter[str]()
    for one in accounts:
        fired.update(one.by(lambda count: count.day, *FIRED_OUTCOMES))
        fixed.update(one.by(lambda count: count.day, "fixed"))
    days = _days([*fired, *fixed], today)
    step = WEEK if len(days) > DAILY else 1
    spans = [days[at : at + step] for at in range(0, len(days), step)]
    seen = [(sum(fired[day] for day in span), sum(fixed[day] for day in span)) for span in spans]
    top = _round_up(max((max(pair) for pair in seen), default=0))
    width = WIDTH / len(spans)
    points = tuple(
        ChartPoint(label=_span_label(span), fired=pair[0], fixed=pair[1], x=round(at * width, 2), width=round(width, 2))
        for at, (span, pair) in enumerate(zip(spans, seen, strict=True))
    )
    upper = svg_path([(point.x + width / 2, point.fired) for point in points], top)
    ends = f"L{points[-1].x + width / 2:.1f} {HEIGHT:g} L{width / 2:.1f} {HEIGHT:g} Z"
    lower = svg_path([(point.x + width / 2, point.fixed) for point in points], top)
    return ChartLine(points=points, top=top, fired=upper, area=f"{upper} {ends}", fixed=lower)


def _span_label(days: Sequence[str]) -> str:
    return days[0] if len(days) == 1 else f"{days[0]} to {days[-1]}"


def _days(seen: Sequence[str], today: str) -> list[str]:
    """Every day from the first finding up to today; the last few where there is none."""
    end = _date(max([*seen, today]))
    start = min(_date(min(seen, default=today)), end - timedelta(days=SHORTEST - 1))
    start = max(start, end - timedelta(days=3 * 365))  # a clock may have been wrong by decades
    return [(start + timedelta(days=at)).isoformat() for at in range((end - start).days + 1)]


def _date(day: str) -> date:
    return date.fromisoformat(day)


def svg_path(points: Sequence[tuple[float, float]], top: float) -> str:
    """A line through points, of which x is in the plot's units and y is a part of ``top``."""
    steps = (f"{x:.1f} {HEIGHT * (1 - times / top):.1f}" for x, times in points)
    return "M" + " L".join(steps)


def _round_up(most: int) -> int:
    """The smallest even number of one digit and zeros that is not below ``most``."""
    unit = int("1" + "0" * (len(str(most)) - 1))
    return next(number for number in (2 * unit, 4 * unit, 6 * unit, 8 * unit, 10 * unit) if number >= most)
