"""The formulas of VARS (2026) by their sections: reward and gate, softmax, gradient, a turn's step, and the bonus.

There a person is a vector z in the space of the items' vectors v, and an item gains <z, v>. Here the same vector is
kept as weights of rules, z = sum of w_j v_j, so that <z, v_i> = sum of K_ij w_j with K_ij = <v_i, v_j>: the same bonus,
but nothing that a change of coordinates garbles. VARS says in 3.2 that the long vector starts as a mean, and in 3.5
that it starts at zero: zero is taken.

VARS 3.4 reads a reward off the person's words and a gate off the likeness of topics. Here both come from what happened:

==================================  ======  ====  =================================================================
what happened                       reward  gate  why
==================================  ======  ====  =================================================================
a person notes that it was wrong        -1    .9  it was wrong here, and a person said so
a person corrects again what was
told                                    -1    .5  telling it did not help (VARS: .5 where neither side is sure)
a gate stopped the action             none  none  the gate did it, not the telling
told, and broken                        +1    .2  the agent's failure: the rule did matter, and is not blamed
not told, and broken or corrected       +1    .9  retrieval's failure: the rule is raised
told, looked at where it counts, kept   +1    .6  it was told where it mattered, and it was kept
anything else                         none  none  the turn never put the rule to the test
==================================  ======  ====  =================================================================
"""

from __future__ import annotations

import math

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    Neighbours = Mapping[str, Sequence[tuple[str, float]]]  # of a rule: others that speak of the same, and the cosine
    Reward = tuple[float, float]  # reward and gate


LONG_SHARE, SHORT_SHARE = 2.0, 5.0  # of the two weights in the bonus (3.2)
LONG_RATE, SHORT_RATE = 0.01, 0.05  # by which a step changes them (3.5)
SHORT_KEPT = 0.9  # of a short weight after each turn (3.5)
BASELINE_KEPT = 0.95  # of the running mean of rewards after each reward (3.5)
TEMPERATURE = 1.0  # of the softmax over the candidates' scores (3.3)
MOST_CANDIDATES = 64  # of one turn (3.3)
SMALLEST = 1e-7  # a weight nearer to zero is dropped
NOTED, CORRECTED = (-1.0, 0.9), (-1.0, 0.5)
AGENT_FAILED, NOT_TOLD, KEPT = (1.0, 0.2), (1.0, 0.9), (1.0, 0.6)


class TurnFacts:
    """What a turn showed of one rule."""

    __slots__ = ("blocked", "broken", "corrected", "kept", "noted", "told")

    def __init__(
        self,
        *,
        told: bool = False,
        broken: bool = False,
        kept: bool = False,
        corrected: bool = False,
        noted: bool = False,
        blocked: bool = False,
    ) -> None:
        self.told = told  # the agent had been told the rule in this session
        self.broken = broken  # its check found something that was neither stopped nor put right
        self.kept = kept  # its check was evaluated on an action or a change of its scope, and found nothing
        self.corrected = corrected  # a person corrected the same thing again
        self.noted = noted  # a person noted that it was wrong
        self.blocked = blocked  # a gate stopped the action


def reward_and_gate(facts: TurnFacts) -> Reward | None:
    """Reward and gate of one rule after a turn (3.4, from facts); None where the turn teaches nothing about it."""
    if facts.noted:
        return NOTED
    if facts.corrected:
        return CORRECTED if facts.told else NOT_TOLD
    if facts.blocked:
        return None
    if facts.broken:
        return AGENT_FAILED if facts.told else NOT_TOLD
    return KEPT if facts.told and facts.kept else None


class RuleWeights:
    """The weights of one person for the rules of one repository, and the mean reward so far."""

    __slots__ = ("baseline", "long", "short")

    def __init__(
        self, long: Mapping[str, float] | None = None, short: Mapping[str, float] | None = None, baseline: float = 0.0
    ) -> None:
        self.long, self.short = dict(long or {}), dict(short or {})  # by a rule's name
        self.baseline = baseline


def softmax(scores: Mapping[str, float]) -> dict[str, float]:
    """The probability with which each candidate would be chosen (3.3)."""
    most = max(scores.values(), default=0.0)
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
    """Change the weights by what one turn showed (3.5): ``scores`` of its candidates, reward and gate of some of them.

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
    weights.long, weights.short = _not_zero(weights.long), _not_zero(weights.short)


def _candidates(scores: Mapping[str, float], rewards: Iterable[str]) -> dict[str, float]:
    """The candidates with the highest scores, and all that have a reward."""
    first = sorted(scores, key=lambda slug: (-scores[slug], slug))[:MOST_CANDIDATES]
    held = {slug: scores[slug] for slug in first}
    lowest = min(scores.values(), default=0.0)
    held.update((slug, scores.get(slug, lowest)) for slug in rewards)
    return held


def _not_zero(weights: Mapping[str, float]) -> dict[str, float]:
    return {slug: weight for slug, weight in weights.items() if abs(weight) > SMALLEST}


def bonus(weights: RuleWeights, near: Neighbours) -> tuple[dict[str, float], dict[str, float]]:
    """What the long and the short weights add to each rule's score (3.2): 2.0 <z_L, v> and 5.0 <z_S, v>."""
    return _spread(weights.long, near, LONG_SHARE), _spread(weights.short, near, SHORT_SHARE)


def _spread(weights: Mapping[str, float], near: Neighbours, share: float) -> dict[str, float]:
    """The sum of K_ij w_j for each rule i: a rule's own weight, and what it gets of its neighbours'."""
    found = dict(weights)
    for slug, weight in weights.items():
        for other, cosine in near.get(slug, ()):
            found[other] = found.get(other, 0.0) + cosine * weight
    return {slug: share * weight for slug, weight in found.items()}
