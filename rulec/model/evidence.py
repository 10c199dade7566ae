"""One observation about a rule: one file that never changes."""

from dataclasses import dataclass
from math import fsum
from typing import Literal

EvidenceKind = Literal["correction", "accepted", "counterexample", "proved"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """One file under ``.rules/evidence/SLUG/``; its id is the hash of its content."""

    slug: str
    kind: EvidenceKind
    weight: float = 0.0  # in favour, or against for a counterexample; see confidence
    at: str = ""  # when it was said, ISO 8601
    quote: str = ""  # redacted
    agent: str = ""
    transcript: str = ""
    turn: int = -1
    offence: str = ""  # the action that was wrong, redacted
    accepted: str = ""  # the action that was accepted afterwards, redacted
    revision: int = 0  # proved: of the rule
    digest: str = ""  # proved: of the artifact
    replayed: int = -1  # proved: actions of the originating session the check passed; -1 where there was none


@dataclass(frozen=True, slots=True)
class Confidence:
    """How sure we are of a rule, with its arithmetic."""

    mean: float
    weight: float  # observed, the prior not counted
    active: bool
    arithmetic: str


def confidence(evidence: tuple[Evidence, ...]) -> Confidence:
    """Fold evidence into a Beta-Bernoulli mean with prior Beta(1,1); active from 3 observed weight and mean .7."""
    pro = sum(e.weight for e in evidence if e.kind == "accepted") + _voiced(evidence)
    against = sum(e.weight for e in evidence if e.kind == "counterexample")
    mean = (1 + pro) / (2 + pro + against)
    active = pro + against >= ACTIVE_WEIGHT and mean >= ACTIVE_MEAN
    verdict = "active" if active else "not active"
    arithmetic = (
        f"(1 + {pro:g}) / (2 + {pro:g} + {against:g}) = {mean:.2f}; observed weight {pro + against:g}; {verdict} "
        f"(needs weight {ACTIVE_WEIGHT:g} and mean {ACTIVE_MEAN:g})"
    )
    return Confidence(mean, pro + against, active, arithmetic)


def _voiced(evidence: tuple[Evidence, ...]) -> float:
    """Corrections: each session's heaviest in full, then a half, a quarter, ... of the next.

    So what nobody said yes to weighs less than two, however often one session says it: others have to say it too.
    """
    sessions: dict[str, list[float]] = {}
    for number, item in enumerate(e for e in evidence if e.kind == "correction"):
        sessions.setdefault(item.transcript or f"unknown {number}", []).append(item.weight)
    ranked = (sorted(weights, reverse=True) for weights in sessions.values())
    return fsum(weight * 0.5**place for weights in ranked for place, weight in enumerate(weights))


ACTIVE_WEIGHT = 3.0
ACTIVE_MEAN = 0.7
