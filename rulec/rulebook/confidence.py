"""Evidence -> how sure a rule is; folded each time, never stored."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from math import fsum

from rulec.domain.confidence import (
    DAY,
    LEAST_MEAN,
    LEAST_WEIGHT,
    PRIOR,
    base_confidence,
    freshness,
    freshness_state,
    is_active,
)
from rulec.domain.evidence import Evidence


@dataclass(frozen=True, slots=True)
class Confidence:
    """How sure we are of a rule, with its arithmetic."""

    mean: float
    weight: float  # observed, the prior not counted
    active: bool
    freshness: float  # 1 where the rule mattered now, or where nothing says when it did
    state: str  # fresh, stale or dormant
    arithmetic: str


def fold_confidence(
    evidence: Sequence[Evidence], *, at: str = "", mattered: str = "", answered: Sequence[Evidence] = ()
) -> Confidence:
    """Fold evidence as of ``at``, by default the newest of it; ``mattered`` is when a gate last saw the rule at work.

    What is ``answered`` weighs nothing any more, and still says when the rule was last spoken of. The result depends on
    the set of observations alone: neither on their order, nor on how often one turn is in it.
    """
    said = list(_turns(e for e in evidence if e.kind in ("correction", "accepted")))
    pro = fsum(e.weight for e in said if e.kind == "accepted") + _voiced(said)
    against = fsum(e.weight for e in _turns(e for e in evidence if e.kind == "counterexample"))
    mean, weight = base_confidence(pro, against), pro + against
    active = is_active(mean, weight)
    every = (*evidence, *answered)
    now = to_seconds(at or newest_time(every))
    days = _days((*(e.at for e in every), mattered), now)
    alpha, beta = PRIOR
    sum_of_all = f"({alpha:g} + {pro:g}) / ({alpha + beta:g} + {pro:g} + {against:g})"
    verdict = f"it may {'' if active else 'not '}block (that takes {LEAST_WEIGHT:g} in all, and {LEAST_MEAN:g})"
    return Confidence(
        mean=mean,
        weight=weight,
        active=active,
        freshness=freshness(days),
        state=freshness_state(days, alpha + beta + weight),
        arithmetic=f"{sum_of_all} = {mean:.2f}, of {pro:g} for it and {against:g} against; {verdict}",
    )


def newest_time(evidence: Iterable[Evidence]) -> str:
    """The latest time among observations, "" where none has one."""
    return max((e.at for e in evidence), key=lambda at: (to_seconds(at) or 0.0, at), default="")


def to_seconds(at: str) -> float | None:
    """ISO 8601 as seconds; a time without a zone is UTC, and what is no time is None."""
    try:
        then = datetime.fromisoformat(at)
        return (then if then.tzinfo else then.replace(tzinfo=UTC)).timestamp()
    except (ValueError, OverflowError):
        return None


def _days(times: Iterable[str], now: float | None) -> float:
    """How long ago the last of some times was."""
    known = [then for at in times if (then := to_seconds(at)) is not None]
    return max(0.0, (now - max(known)) / DAY) if known and now is not None else 0.0


def _turns(evidence: Iterable[Evidence]) -> Iterator[Evidence]:
    """One observation of each turn's words, the heaviest; what was said in no transcript stands for itself."""
    heaviest: dict[tuple[str, int, str], Evidence] = {}
    for item in evidence:
        if not item.transcript:
            yield item
            continue
        key = (item.transcript, item.turn, item.quote)
        heaviest[key] = max(heaviest.get(key, item), item, key=lambda e: (e.weight, to_seconds(e.at) or 0.0))
    yield from heaviest.values()


def _voiced(evidence: Iterable[Evidence]) -> float:
    """Corrections: each session's heaviest in full, then a half, a quarter, ... of the next.

    So what nobody said yes to weighs less than two, however often one session says it: others have to say it too.
    """
    sessions: dict[str, list[float]] = {}
    for number, item in enumerate(e for e in evidence if e.kind == "correction"):
        sessions.setdefault(item.transcript or f"unknown {number}", []).append(item.weight)
    ranked = (sorted(weights, reverse=True) for weights in sessions.values())
    return fsum(weight * 0.5**place for weights in ranked for place, weight in enumerate(weights))
