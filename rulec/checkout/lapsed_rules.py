"""The facts of a rule at this moment: one whose enforcement has lapsed audits."""

from __future__ import annotations

import time

from rulec.domain.enforcement import LOOSEST, has_lapsed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def to_iso(moment: float) -> str:
    """Seconds since 1970 as ISO 8601 in UTC, to the second: as compiled files write when a rule lapses."""
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(moment))


def in_effect(facts: dict[str, Any]) -> dict[str, Any]:
    """The facts as they are now; the clock is asked only for a rule whose enforcement has an end."""
    if facts.get("until") and has_lapsed(facts["until"], to_iso(time.time())):
        return {**facts, "enforcement": LOOSEST}
    return facts


def rule_in_effect(rule: dict[str, Any]) -> dict[str, Any]:
    """A compiled rule with its facts as they are now."""
    return {**rule, "facts": in_effect(rule["facts"])} if rule["facts"].get("until") else rule
