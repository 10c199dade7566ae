"""Long and short weights of rules, the step by which a reward changes them, and what they add to a rule's score.

The formulas and constants are those of VARS (2026), sections 3.2 to 3.5 and appendix D. There a person is a vector z in
the space of the items' vectors v, and an item gains <z, v>. Here the same vector is kept as weights of rules,
z = sum of w_j v_j, so that <z, v_i> = sum of K_ij w_j with K_ij = <v_i, v_j>: the same bonus, but nothing that a change
of coordinates garbles. VARS says in 3.2 that the long vector starts as a mean, and in 3.5 that it starts at zero: zero
is taken.
"""

from __future__ import annotations

import math

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    Neighbours = Mapping[str, Sequence[tuple[str, float]]]  # of a rule: others that speak of the same, and the cosine
    Reward = tuple[float, float]


LONG_SHARE, SHORT_SHARE = 2.0, 5.0  # of the two weights in the bonus (3.2)
LONG_RATE, SHORT_RATE = 0.01, 0.05  # by which a step changes them (3.5)
SHORT_KEPT = 0.9  # of a short weight after each turn (3.5)
BASELINE_KEPT = 0.95  # of the running mean of rewards after each reward (3.5)
TEMPERATURE = 1.0  # of the softmax over the candidates' scores (3.3)
MOST_CANDIDATES = 64  # of one turn (3.3)
SMALLEST = 1e-7  # a weight nearer to zero is dropped


class RuleWeights:
    """The weights of one person for the rules of one repository, and the mean reward so far."""

    __slots__ = ("baseline", "long", "short")

    def __init__(
        self,
        long: Mapping[str, float] | None = None,
        short: Mapping[str, float] | None = None,
        baseline: float = 0.0,
    ) -> None:
        self.long, self.short = dict(long or {}), dict(short or {})  # by a rule's name
        self.baseline = baseline


def softmax(scores: Mapping[str, float]) -> dict[str, float]:
    """The probability with which each candidate would be chosen."""
    if not scores:
        return {}
    most = max(scores.values())
    raised = {slug: math.exp((score - most) / TEMPERATURE) for slug, score in scores.items()}
    total = sum(raised.values())
    return {slug: one / total for slug, one in raised.items()}


def gradient(scores: Mapping[str, float], chosen: Sequence[str]) -> dict[str, float]:
    """The step in the weights along which the mean log-probability of the chosen candidates grows (Proposition 1)."""
    step = {slug: -share / TEMPERATURE for slug, share in softmax(scores).items()}
    for slug in chosen:
        step[slug] += 1 / len(chosen) / TEMPERATURE
    return step


def learn_turn(weights: RuleWeights, scores: Mapping[str, float], rewards: Mapping[str, Reward]) -> None:
    """Change the weights by what one turn showed: ``scores`` of its candidates, reward and gate of some of them.

    Each rule has its own reward, and so a step of its own; the baseline follows the mean of the turn's rewards. A rule
    that nothing led to is a candidate all the same once it has a reward: as one with the lowest score. The short
    weights fade first, as at each turn.
    """
    weights.short = {slug: SHORT_KEPT * weight for slug, weight in weights.short.items()}
    held = _candidates(scores, rewards)
    for chosen, (reward, gate) in sorted(rewards.items()):
        advantage = gate * (reward - weights.baseline)
        for slug, step in gradient(held, [chosen]).items():
            weights.long[slug] = weights.long.get(slug, 0.0) + LONG_RATE * advantage * step
            weights.short[slug] = weights.short.get(slug, 0.0) + SHORT_RATE * advantage * step
    if rewards:
        mean = sum(reward for reward, _ in rewards.values()) / len(rewards)
        weights.baseline = BASELINE_KEPT * weights.baseline + (1 - BASELINE_KEPT) * mean
    weights.long, weights.short = _telling(weights.long), _telling(weights.short)


def _candidates(scores: Mapping[str, float], rewards: Iterable[str]) -> dict[str, float]:
    """The candidates with the highest scores, and all that have a reward."""
    first = sorted(scores, key=lambda slug: (-scores[slug], slug))[:MOST_CANDIDATES]
    held = {slug: scores[slug] for slug in first}
    lowest = min(scores.values(), default=0.0)
    held.update((slug, scores.get(slug, lowest)) for slug in rewards)
    return held


def _telling(weights: Mapping[str, float]) -> dict[str, float]:
    return {slug: weight for slug, weight in weights.items() if abs(weight) > SMALLEST}


def spread(weights: Mapping[str, float], near: Neighbours) -> dict[str, float]:
    """The sum of K_ij w_j for each rule i: a rule's own weight, and what it gets of its neighbours'."""
    found = dict(weights)
    for slug, weight in weights.items():
        for other, cosine in near.get(slug, ()):
            found[other] = found.get(other, 0.0) + cosine * weight
    return found


def bonuses(
    weights: RuleWeights, near: Neighbours, prior: Mapping[str, float] | None = None
) -> dict[str, tuple[float, float, float]]:
    """For each rule what the long weights, the short weights and the team's prior add to its score."""
    long, short, team = spread(weights.long, near), spread(weights.short, near), prior or {}
    return {
        slug: (LONG_SHARE * long.get(slug, 0.0), SHORT_SHARE * short.get(slug, 0.0), team.get(slug, 0.0))
        for slug in {**long, **short, **team}
    }
