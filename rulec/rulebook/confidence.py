"""Evidence -> how sure a rule is, by one of two profiles; folded each time, never stored."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from math import exp, fsum
from typing import Literal

from rulec.domain.evidence import Evidence

Freshness = Literal["fresh", "stale", "dormant"]
PROFILES = ("default", "lexsona")

ACTIVE_WEIGHT = 3.0
ACTIVE_MEAN = 0.7
TAU = 180.0  # days in which freshness falls to 1/e (LexSona 4.2)
STALE, DORMANT = 365.0, 730.0  # days: 12 and 24 months (LexSona 4.6)
WEAK = 5.0  # alpha + beta below it (LexSona 4.6); with the default's prior: less observed than makes a rule active
PRIOR = (2.0, 5.0)  # LexSona 4.2, and so are the numbers of each category: N_min and C_min
BARS = {"security": (10.0, 0.8), "code-style": (3.0, 0.6), "tooling": (3.0, 0.6)}
BAR = (5.0, 0.7)
DAY = 86_400.0


@dataclass(frozen=True, slots=True)
class Confidence:
    """How sure we are of a rule, with its arithmetic; freshness orders rules and flags them, and disarms nothing."""

    mean: float  # what is held against the profile's bar
    weight: float  # observed, the prior not counted
    active: bool
    freshness: float  # 1 where the rule mattered now, or where nothing says when it did
    state: Freshness
    arithmetic: str


@dataclass(frozen=True, slots=True)
class _Sum:
    mean: float
    weight: float
    total: float  # alpha + beta
    active: bool
    arithmetic: str


def fold_confidence(
    evidence: Sequence[Evidence], profile: str = "default", *, category: str = "", at: str = "", mattered: str = ""
) -> Confidence:
    """Fold evidence as of ``at``, by default the newest of it; ``mattered`` is when a gate last saw the rule at work.

    The result depends on the set of observations alone: neither on their order, nor on how often one turn is in it.
    """
    known = [*_turns(e for e in evidence if e.kind in ("correction", "accepted")), *_against(evidence)]
    now = to_seconds(at) or to_seconds(newest_time(evidence))
    sums = _PROFILES[profile](known, category, now)
    days = _days((*(e.at for e in evidence), mattered), now)
    return Confidence(
        mean=sums.mean,
        weight=sums.weight,
        active=sums.active,
        freshness=exp(-days / TAU),
        state="dormant" if days > DORMANT else "stale" if days > STALE and sums.total < WEAK else "fresh",
        arithmetic=sums.arithmetic,
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


def _against(evidence: Iterable[Evidence]) -> Iterator[Evidence]:
    return _turns(e for e in evidence if e.kind == "counterexample")


def _default(evidence: Sequence[Evidence], _: str, __: float | None) -> _Sum:
    """Beta(1,1) over weights; active from 3 observed weight and mean .7. Time changes nothing."""
    pro = fsum(e.weight for e in evidence if e.kind == "accepted") + _voiced(evidence)
    against = fsum(e.weight for e in evidence if e.kind == "counterexample")
    mean = (1 + pro) / (2 + pro + against)
    active = pro + against >= ACTIVE_WEIGHT and mean >= ACTIVE_MEAN
    arithmetic = (
        f"(1 + {pro:g}) / (2 + {pro:g} + {against:g}) = {mean:.2f}; observed weight {pro + against:g}; "
        f"{_verdict(active)} (needs weight {ACTIVE_WEIGHT:g} and mean {ACTIVE_MEAN:g})"
    )
    return _Sum(mean, pro + against, 2 + pro + against, active, arithmetic)


def _voiced(evidence: Iterable[Evidence]) -> float:
    """Corrections: each session's heaviest in full, then a half, a quarter, ... of the next.

    So what nobody said yes to weighs less than two, however often one session says it: others have to say it too.
    """
    sessions: dict[str, list[float]] = {}
    for number, item in enumerate(e for e in evidence if e.kind == "correction"):
        sessions.setdefault(item.transcript or f"unknown {number}", []).append(item.weight)
    ranked = (sorted(weights, reverse=True) for weights in sessions.values())
    return fsum(weight * 0.5**place for weights in ranked for place, weight in enumerate(weights))


def _lexsona(evidence: Sequence[Evidence], category: str, now: float | None) -> _Sum:
    """LexSona 4.2 to the letter: Beta(2,5), each observation counts one, and the mean decays since the last correction.

    The prior alone is more than its N_min of most categories, and than what makes a rule weak: so the paper has it.
    """
    spoke = [e for e in evidence if e.weight > 0 and e.kind != "counterexample"]
    pro, against = len(spoke), sum(e.weight > 0 and e.kind == "counterexample" for e in evidence)
    alpha, beta = PRIOR[0] + pro, PRIOR[1] + against
    days = _days((e.at for e in spoke), now)
    base, total = alpha / (alpha + beta), alpha + beta
    mean = base * exp(-days / TAU)
    least, bar = BARS.get(category, BAR)
    active = total >= least and mean >= bar
    arithmetic = (
        f"(2 + {pro}) / (7 + {pro} + {against}) = {base:.3f}; times exp(-{days:.1f} days / {TAU:g}) = {mean:.3f}; "
        f"{_verdict(active)} (needs alpha + beta {least:g} and {bar:g})"
    )
    return _Sum(mean, pro + against, total, active, arithmetic)


def _verdict(active: bool) -> str:  # noqa: FBT001 - it is all that there is to say
    return "active" if active else "not active"


_PROFILES: dict[str, Callable[[Sequence[Evidence], str, float | None], _Sum]] = {
    "default": _default,
    "lexsona": _lexsona,
}
