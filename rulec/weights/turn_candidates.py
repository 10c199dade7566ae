"""The rules nearest to a message, with their scores: what comes of the turn is learned against them."""

from __future__ import annotations

import heapq

from rulec.reminders import relevance
from rulec.weights import weight_store
from rulec.weights.rule_weights import MOST_CANDIDATES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from rulec.reminders.rule_index import TaskMatch


def note_candidates(
    root: str,
    session: str,
    rules: list[dict[str, Any]],
    matches: Mapping[int, TaskMatch],
    bonus: Mapping[str, float],
) -> None:
    """Note the candidates of the turn that a message begins.

    Where there is room, rules that share nothing with the message are among them: a choice of one teaches nothing.
    """
    points = [(match.points, at) for at, match in matches.items()]
    first = {at for _, at in heapq.nlargest(MOST_CANDIDATES, points)}
    scores = {rule["slug"]: relevance.NOTHING + bonus.get(rule["slug"], 0.0) for rule in rules[:MOST_CANDIDATES]}
    scores.update((slug, relevance.NOTHING + more) for slug, more in bonus.items())
    for rule in (rule for rule in rules if id(rule) in first):
        scores[rule["slug"]] = matches[id(rule)].log_probability() + bonus.get(rule["slug"], 0.0)
    nearest = heapq.nlargest(MOST_CANDIDATES, scores, key=lambda slug: scores[slug])
    weight_store.begin_turn(root, session, {slug: scores[slug] for slug in nearest})
