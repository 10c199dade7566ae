"""Rules -> which of them speak of the same, so that what is learned of one counts for its neighbours."""

from __future__ import annotations

from rulec.reminders import relevance

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any


# Cosine below which nothing passes from one rule to another. Much lower, and a rule has more such neighbours than are
# kept, so that a rule added beside them takes one's place and changes what others get.
LEAST = 0.25


def near_rules(rules: list[dict[str, Any]], of: Iterable[str] | None = None) -> dict[str, list[tuple[str, float]]]:
    """For each rule, or those named in ``of``, its neighbours with their cosines, the nearest first."""
    found = relevance.similar_rules(rules, of)
    return {slug: [(other, cosine) for other, cosine in near if cosine >= LEAST] for slug, near in found.items()}
