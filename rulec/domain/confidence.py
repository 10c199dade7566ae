"""The formulas of LexSona (2025), by name: how sure a rule is, how fresh, and what follows from both.

The formulas are the paper's; the constants of the prior and of activation are not. With its own (prior 2 and 5, C_min
.7) a rule needs ten corrections, and lapses a day and a half after the tenth. Here the prior is 1 and 1, an observation
counts what it weighs, and time orders and flags rules but disarms none. The band "stale" (4.6) asks for alpha + beta
below 5, which the paper's prior alone exceeds; here it can be.
"""

from __future__ import annotations

import math

PRIOR = (1.0, 1.0)  # alpha0 and beta0; in LexSona 4.2 2 and 5
LEAST_WEIGHT = 3.0  # N_min: what has to be observed; in LexSona 4.2 the prior counts towards it
LEAST_MEAN = 0.7  # C_min (LexSona 4.2)
TAU = 180.0  # days in which freshness falls to 1/e (LexSona 4.2)
STALE, DORMANT = 365.0, 730.0  # days: 12 and 24 months (LexSona 4.6)
WEAK = 5.0  # alpha + beta below it (LexSona 4.6)
DAY = 86_400.0  # seconds
FRESH, IS_STALE, IS_DORMANT = "fresh", "stale", "dormant"


def base_confidence(pro: float, against: float, prior: tuple[float, float] = PRIOR) -> float:
    """The mean, alpha / (alpha + beta): each reinforcement adds to alpha, each counterexample to beta (LexSona 4.2)."""
    alpha, beta = prior[0] + pro, prior[1] + against
    return alpha / (alpha + beta)


def freshness(days: float) -> float:
    """exp(-days / 180) since the rule last mattered, by which LexSona 4.2 multiplies the base."""
    return math.exp(-days / TAU)


def is_active(mean: float, weight: float, least_mean: float = LEAST_MEAN, least_weight: float = LEAST_WEIGHT) -> bool:
    """Whether enough was observed, and most of it speaks for the rule (LexSona 4.2: N_min and C_min)."""
    return weight >= least_weight and mean >= least_mean


def freshness_state(days: float, total: float) -> str:
    """Dormant after two years; stale after one where alpha + beta, ``total``, is below 5 (LexSona 4.6)."""
    return IS_DORMANT if days > DORMANT else IS_STALE if days > STALE and total < WEAK else FRESH


def is_dormant(at: float, now: float) -> bool:
    """Whether a rule that last mattered at that moment, in seconds, has not for two years; of 0 nobody knows."""
    return at > 0 and freshness_state((now - at) / DAY, 0.0) == IS_DORMANT
