"""Rates over another rate as the curves of a plot, each with its interval as a band."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

WIDTH, HEIGHT = 1000.0, 100.0  # of the plot, which the page stretches


@dataclass(frozen=True, slots=True, kw_only=True)
class RatePoint:
    """One point of a curve, as the page says it."""

    x: float
    at: float
    rate: float
    low: float
    high: float


@dataclass(frozen=True, slots=True, kw_only=True)
class RateCurve:
    """One curve: its label, its line and its band as SVG writes them."""

    label: str
    line: str
    band: str
    points: tuple[RatePoint, ...]


def draw_rates(rows: Sequence[Mapping[str, Any]], measure: str) -> tuple[RateCurve, ...]:
    """A curve for each condition: the measure over the compliance of the agent."""
    labels = list(dict.fromkeys(row["condition"] for row in rows))
    return tuple(_curve(label, [row for row in rows if row["condition"] == label], measure) for label in labels)


def _curve(label: str, rows: Sequence[Mapping[str, Any]], measure: str) -> RateCurve:
    points = tuple(
        RatePoint(
            x=WIDTH * row["compliance"], at=row["compliance"], rate=row[measure]["rate"], low=row[measure]["low"],
            high=row[measure]["high"],
        )
        for row in sorted(rows, key=lambda row: row["compliance"])
    )  # fmt: skip
    upper = svg_path([(one.x, one.high) for one in points], 1)
    lower = svg_path([(one.x, one.low) for one in reversed(points)], 1)
    line = svg_path([(one.x, one.rate) for one in points], 1)
    return RateCurve(label=label, line=line, band=f"{upper} L{lower[1:]} Z", points=points)


def svg_path(points: Sequence[tuple[float, float]], top: float) -> str:
    """A line through points, of which x is in the plot's units and y is a part of ``top``."""
    steps = (f"{x:.1f} {HEIGHT * (1 - times / top):.1f}" for x, times in points)
    return "M" + " L".join(steps)
