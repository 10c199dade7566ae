"""Which of two rules goes before the other: the narrower, the graver, the later, the surer (LexSona 4.4)."""

from __future__ import annotations

import re

from rulec.domain.confidence import DAY
from rulec.domain.enforcement import SEVERITIES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Protocol

    from rulec.domain.compiled_rule import RuleScope
    from rulec.domain.rule import Scope

    class Ranked(Protocol):
        """What decides the order of rules."""

        @property
        def said(self) -> str:
            """When it was said first."""

        @property
        def severity(self) -> str:
            """How grave it is."""

        @property
        def layer(self) -> str:
            """Which rulebook has it."""

        @property
        def scope(self) -> Scope | RuleScope:
            """Where it applies."""


PERSONAL = "personal"
LAYERS = ("team", "extends", PERSONAL)  # of equally narrow rules the team's own go first
EVERYWHERE = ["**"]
# datetime would cost the hook a millisecond, and reads no Z before Python 3.11
_TIME = r"(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d(?:\.\d+)?))?(?:Z|([+-])(\d\d):?(\d\d))?)?"
WEIGHTS = (("projects", 2.0), ("environments", 1.0), ("agents", 1.0), ("tags", 0.5))


def specificity(scope: Mapping[str, Sequence[str]]) -> float:
    """How narrow a scope is: some paths or projects 2, some environments 1, some agents 1, tags a half."""
    paths = list(scope.get("include") or EVERYWHERE) != EVERYWHERE or bool(scope.get("exclude"))
    found = sum(weight for key, weight in WEIGHTS if scope.get(key))
    return found + (2.0 if paths and not scope.get("projects") else 0.0)


def sort_key(
    *, narrow: float, severity: str, at: str | float, confidence: float, slug: str, layer: str = LAYERS[0]
) -> tuple[float, int, int, int, float, str]:
    """What to sort rules by, the first of them first; ``at`` is when the rule last mattered, ISO 8601 or moment."""
    return (
        -narrow,
        _place(LAYERS, layer.partition(" ")[0]),
        _place(SEVERITIES, severity),
        -int(timestamp(at) if isinstance(at, str) else at),
        -confidence,
        slug,
    )


def _place(names: Sequence[str], name: str) -> int:
    return names.index(name) if name in names else len(names)


def timestamp(at: str) -> float:
    """ISO 8601 as seconds since 1970; a time without a zone is UTC, and what is no time is 0."""
    found = re.match(_TIME, at)
    if not found:
        return 0.0
    year, month, day, hour, minute, second, east, hours, minutes = found.groups()
    away = (int(hours) * 60 + int(minutes)) * (-1 if east == "-" else 1) if hours else 0
    clock = (int(hour or 0) * 60 + int(minute or 0) - away) * 60 + float(second or 0)
    return max(0.0, _days(int(year), int(month), int(day)) * DAY + clock)


def _days(year: int, month: int, day: int) -> int:
    """Days since 1970 in the Gregorian calendar, counted from March so that leap days come last."""
    year, month = (year, month - 3) if month > 2 else (year - 1, month + 9)
    return 365 * year + year // 4 - year // 100 + year // 400 + (153 * month + 2) // 5 + day - 719_469


def explain_precedence(one: Ranked, other: Ranked) -> str:
    """Why the one rule goes before the other; "" where it does not, or is not narrower, graver or later.

    A person's own rule never goes before the team's.
    """
    if one.layer == PERSONAL != other.layer:
        return ""
    first, second = _sorted_by(one), _sorted_by(other)
    if first[:4] >= second[:4]:
        return ""
    if first[0] != second[0]:
        return f"its scope is narrower ({-first[0]:g} to {-second[0]:g})"
    if first[1] != second[1]:
        return "it is of the team's own rulebook"
    if first[2] != second[2]:
        return f"it is graver ({one.severity} before {other.severity})"
    return f"it was said later ({_said(one)}{_after(other)})"


def _said(rule: Ranked) -> str:
    """The day of the first correction."""
    return rule.said[:10]


def _sorted_by(rule: Ranked) -> tuple[float, int, int, int, float, str]:
    narrow = specificity({key: getattr(rule.scope, key) for key in (*dict(WEIGHTS), "include", "exclude")})
    return sort_key(narrow=narrow, severity=rule.severity, at=_said(rule), confidence=0.0, slug="", layer=rule.layer)


def _after(rule: Ranked) -> str:
    return f" after {_said(rule)}" if timestamp(_said(rule)) else ""
