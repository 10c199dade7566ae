"""What a turn showed of some rules -> a person's weights, and what these add to rules' scores from then on."""

from __future__ import annotations

import heapq

from rulec.reminders import relevance
from rulec.weights import person_bonus, weight_store
from rulec.weights.formulas import MOST_CANDIDATES, RuleWeights, bonus, reward_and_gate

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

    from rulec.reminders.rule_index import TaskMatch
    from rulec.weights.formulas import TurnFacts


# Cosine below which nothing passes from one rule to another. Much lower, and a rule has more such neighbours than are
# kept, so that a rule added beside them takes one's place and changes what others get.
LEAST = 0.25


def note_candidates(
    root: str,
    session: str,
    rules: list[dict[str, Any]],
    matches: Mapping[int, TaskMatch],
    gains: Mapping[str, float],
) -> None:
    """Note the rules nearest to a message with their scores, against which its turn is learned.

    Where there is room, rules that share nothing with the message are among them: a choice of one teaches nothing.
    """
    points = [(match.points, at) for at, match in matches.items()]
    first = {at for _, at in heapq.nlargest(MOST_CANDIDATES, points)}
    scores = {rule["slug"]: relevance.NOTHING + gains.get(rule["slug"], 0.0) for rule in rules[:MOST_CANDIDATES]}
    scores.update((slug, relevance.NOTHING + more) for slug, more in gains.items())
    for rule in (rule for rule in rules if id(rule) in first):
        scores[rule["slug"]] = matches[id(rule)].log_probability() + gains.get(rule["slug"], 0.0)
    nearest = heapq.nlargest(MOST_CANDIDATES, scores, key=lambda slug: scores[slug])
    weight_store.begin_turn(root, session, {slug: scores[slug] for slug in nearest})


def learn(root: str, session: str, rules: list[dict[str, Any]], facts: Mapping[str, TurnFacts]) -> None:
    """Change the weights by what became known of some of the rules; a turn that showed nothing lets them fade."""
    names = [rule["slug"] for rule in rules]
    rewards = {slug: told for slug, one in facts.items() if slug in names and (told := reward_and_gate(one))}
    if not rewards and not weight_store.load_weights(root, session).short:
        return
    heirs = person_bonus.Heirs(root, rules)
    if weight_store.learn(root, session, rewards, heirs.renamed, names):
        known = weight_store.load_weights(root, session)
        weights = RuleWeights(heirs.renamed(known.long), heirs.renamed(known.short))
        weight_store.store_gains(root, session, *bonus(weights, near_rules(rules, {*weights.long, *weights.short})))


def near_rules(rules: list[dict[str, Any]], of: Iterable[str]) -> dict[str, list[tuple[str, float]]]:
    """For each rule named in ``of`` its neighbours with their cosines, the nearest first."""
    found = relevance.similar_rules(rules, of)
    return {slug: [(other, cosine) for other, cosine in near if cosine >= LEAST] for slug, near in found.items()}
