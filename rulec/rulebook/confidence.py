"""Evidence -> how sure a rule is, by one of two profiles; folded each time, never stored."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from math import exp, floor, fsum, log
from typing import Literal

from rulec.domain.enforcement import in_minutes
from rulec.domain.evidence import Evidence

Freshness = Literal["fresh", "stale", "dormant"]
PROFILES = ("default", "lexsona")

ACTIVE_WEIGHT = 3.0
ACTIVE_MEAN = 0.7
TAU = 180.0  # days in which freshness falls to 1/e (LexSona 4.2)
STALE, DORMANT = 365.0, 730.0  # days: 12 and 24 months (LexSona 4.6)
WEAK = 5.0  # alpha + beta below it (LexSona 4.6); by default less observed than makes a rule active
PRIOR = (2.0, 5.0)  # LexSona 4.2, and so are the numbers of each category: N_min and C_min
BARS = {"security": (10.0, 0.8), "code-style": (3.0, 0.6), "tooling": (3.0, 0.6)}
BAR = (5.0, 0.7)
DAY = 86_400.0


@dataclass(frozen=True, slots=True)
class Confidence:
    """How sure we are of a rule, with its arithmetic.

    Freshness orders rules and flags them. It disarms nothing by default; by the profile of the paper a rule that its
    evidence activated is active ``until`` a moment that follows from that evidence alone.
    """

    mean: float  # what is held against the profile's bar
    weight: float  # observed, the prior not counted
    active: bool
    earned: bool  # active when it was last spoken of: what is compiled, for no clock is asked there
    freshness: float  # 1 where the rule mattered now, or where nothing says when it did
    state: Freshness
    arithmetic: str
    base: float  # the mean before it decays
    corrected: str = ""  # by the paper's profile: when somebody last spoke for or against the rule
    until: str = ""  # the last second in which an earned rule is active, ISO 8601 in UTC; "" is for good


@dataclass(frozen=True, slots=True)
class _Sum:
    base: float
    weight: float
    weak: bool  # observed too little to stay fresh for more than a year
    enough: bool  # observed enough to be active
    bar: float
    arithmetic: str
    needs: str
    decays: bool = False


def fold_confidence(
    evidence: Sequence[Evidence],
    profile: str = "default",
    *,
    category: str = "",
    at: str = "",
    mattered: str = "",
    answered: Sequence[Evidence] = (),
) -> Confidence:
    """Fold evidence as of ``at``, by default the newest of it; ``mattered`` is when a gate last saw the rule at work.

    What is ``answered`` weighs nothing any more, and still says when the rule was last spoken of. The result depends on
    the set of observations alone: neither on their order, nor on how often one turn is in it.
    """
    known = [*_turns(e for e in evidence if e.kind in ("correction", "accepted")), *_against(evidence)]
    sums = _PROFILES[profile](known, category)
    every = (*evidence, *answered)
    now = to_seconds(at)
    if not sums.decays:
        days = _days((*(e.at for e in every), mattered), to_seconds(newest_time(every)) if now is None else now)
        active = sums.enough and sums.base >= sums.bar
        return Confidence(
            mean=sums.base,
            weight=sums.weight,
            active=active,
            earned=active,
            freshness=exp(-days / TAU),
            state=_state(days, weak=sums.weak),
            arithmetic=f"{sums.arithmetic}; {_verdict(active)} {sums.needs}",
            base=sums.base,
        )
    spoke = newest_time(e for e in (*known, *answered) if e.weight > 0)
    days = 0.0 if now is None else _days([spoke], now)
    earned = sums.enough and sums.base >= sums.bar
    until = _until(spoke, sums.base, sums.bar) if earned else ""
    # one comparison with one moment, here and at every gate, so that no two places round differently
    active = earned and (not until or now is None or int(now) <= (to_seconds(until) or 0.0))
    mean = sums.base * exp(-days / TAU)
    when = "" if not until else f" until {in_minutes(until)}" if active else f" since {in_minutes(until)}"
    return Confidence(
        mean=mean,
        weight=sums.weight,
        active=active,
        earned=earned,
        freshness=exp(-days / TAU),
        state=_state(days, weak=sums.weak),
        arithmetic=f"{sums.arithmetic}; times exp(-{days:.1f} days / {TAU:g}) = {mean:.3f}; "
        f"{_verdict(active)}{when} {sums.needs}",
        base=sums.base,
        corrected=_in_utc(to_seconds(spoke)),
        until=until,
    )


def _state(days: float, *, weak: bool) -> Freshness:
    return "dormant" if days > DORMANT else "stale" if days > STALE and weak else "fresh"


def _until(spoke: str, base: float, bar: float) -> str:
    """The last second in which base * exp(-days / 180) is not below the bar (LexSona 4.2, solved for the day)."""
    last = to_seconds(spoke)
    return "" if last is None else _in_utc(floor(last + TAU * DAY * log(base / bar)))


def _in_utc(moment: float | None) -> str:
    """Seconds since 1970 as ISO 8601; "" for no time, or one that no calendar has."""
    try:
        found = datetime.fromtimestamp(floor(moment), UTC) if moment is not None else None
    except (ValueError, OverflowError, OSError):
        return ""
    return found.isoformat().replace("+00:00", "Z") if found else ""


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


def _default(evidence: Sequence[Evidence], _: str) -> _Sum:
    """Beta(1,1) over weights; active from 3 observed weight and mean .7. Time changes nothing."""
    pro = fsum(e.weight for e in evidence if e.kind == "accepted") + _voiced(evidence)
    against = fsum(e.weight for e in evidence if e.kind == "counterexample")
    mean = (1 + pro) / (2 + pro + against)
    return _Sum(
        base=mean,
        weight=pro + against,
        weak=2 + pro + against < WEAK,
        enough=pro + against >= ACTIVE_WEIGHT,
        bar=ACTIVE_MEAN,
        arithmetic=f"(1 + {pro:g}) / (2 + {pro:g} + {against:g}) = {mean:.2f}; observed weight {pro + against:g}",
        needs=f"(needs weight {ACTIVE_WEIGHT:g} and mean {ACTIVE_MEAN:g})",
    )


def _voiced(evidence: Iterable[Evidence]) -> float:
    """Corrections: each session's heaviest in full, then a half, a quarter, ... of the next.

    So what nobody said yes to weighs less than two, however often one session says it: others have to say it too.
    """
    sessions: dict[str, list[float]] = {}
    for number, item in enumerate(e for e in evidence if e.kind == "correction"):
        sessions.setdefault(item.transcript or f"unknown {number}", []).append(item.weight)
    ranked = (sorted(weights, reverse=True) for weights in sessions.values())
    return fsum(weight * 0.5**place for weights in ranked for place, weight in enumerate(weights))


def _lexsona(evidence: Sequence[Evidence], category: str) -> _Sum:
    """LexSona 4.2: Beta(2,5), each observation counts one, and the mean decays since the last correction.

    A counterexample is a correction, too, and begins the time anew (4.5). The prior counts towards alpha + beta, as in
    the paper, so it alone reaches N_min of every category but security. For the stale band (4.6: alpha + beta below 5)
    only what was observed counts: with the prior of 7 no rule would ever be in it.
    """
    spoke = [e for e in evidence if e.weight > 0]
    against = sum(e.kind == "counterexample" for e in spoke)
    pro = len(spoke) - against
    alpha, beta = PRIOR[0] + pro, PRIOR[1] + against
    base = alpha / (alpha + beta)
    least, bar = BARS.get(category, BAR)
    return _Sum(
        base=base,
        weight=pro + against,
        weak=pro + against < WEAK,
        enough=alpha + beta >= least,
        bar=bar,
        arithmetic=f"(2 + {pro}) / (7 + {pro} + {against}) = {base:.3f}",
        needs=f"(needs alpha + beta {least:g} and {bar:g})",
        decays=True,
    )


def _verdict(active: bool) -> str:  # noqa: FBT001 - it is all that there is to say
    return "active" if active else "not active"


_PROFILES: dict[str, Callable[[Sequence[Evidence], str], _Sum]] = {
    "default": _default,
    "lexsona": _lexsona,
}
