"""What the weights add to rules' scores, worked out when they have changed, with the rules' neighbours."""

from __future__ import annotations

import json
import os

from rulec.checkout import record_cache
from rulec.checkout.rules_layout import WORDS
from rulec.reminders import relevance
from rulec.weights import person_bonus, rule_weights, weight_store
from rulec.weights.rule_weights import RuleWeights

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any


# Cosine below which nothing passes from one rule to another. Much lower, and a rule has more such neighbours than are
# kept, so that a rule added beside them takes one's place and changes what others get.
LEAST = 0.25


TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


NEAR = "near.json"  # beside the weights: the neighbours of all rules


def refresh_gains(root: str, session: str, rules: list[dict[str, Any]]) -> None:
    """Work out anew what a person's weights add to the rules of a repository."""
    heirs = person_bonus.Heirs(root, rules)
    weights = weight_store.load_weights(root, session)
    weights = RuleWeights(heirs.renamed(weights.long), heirs.renamed(weights.short))
    found = rule_weights.bonuses(weights, _near(root, rules))
    long, short = ({slug: parts[at] for slug, parts in found.items()} for at in (0, 1))
    weight_store.store_gains(root, session, long, short)


def _near(root: str, rules: list[dict[str, Any]]) -> dict[str, list[tuple[str, float]]]:
    """The neighbours of all rules, found once after one has changed: of a thousand rules that takes half a second."""
    stamp = record_cache.stamp_of([os.path.join(root, WORDS)]).value
    known = weight_store.read_beside(root, NEAR)
    near = known.get("near")
    if known.get("stamp") != stamp or not isinstance(near, dict):
        # MERGED

        near = near_rules(rules)
        weight_store.store_beside(root, NEAR, json.dumps({"stamp": stamp, "near": near}))
    return near


def near_rules(rules: list[dict[str, Any]], of: Iterable[str] | None = None) -> dict[str, list[tuple[str, float]]]:
    """For each rule, or those named in ``of``, its neighbours with their cosines, the nearest first."""
    found = relevance.similar_rules(rules, of)
    return {slug: [(other, cosine) for other, cosine in near if cosine >= LEAST] for slug, near in found.items()}
