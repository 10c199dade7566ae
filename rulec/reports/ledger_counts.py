"""The ledger's lines counted: as evidence by rule and month, and as an account of each rule."""

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from rulec.domain.enforcement import ENFORCEMENTS, SHOWN
from rulec.domain.evidence import Evidence, EvidenceKind, FiringCount, LedgerLine
from rulec.reports.followed_findings import repeats_by_day
from rulec.rulebook.confidence import to_seconds

FIRED_OUTCOMES = (*reversed(ENFORCEMENTS), "waived", "lost", "fault")
FEW_FIRINGS, SELDOM_FIXED = 5, 0.25  # told at least so often, and no more of it put right: nobody heeds the rule
MANY_NOTES = 3  # notes that it was wrong which make a case against it
GATE_TITLES = {
    "ask": "tool call",
    "done": "after an edit",
    "stop": "end of turn",
    "commit": "commit",
    "push": "push",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleActivity:
    """The counts of one rule."""

    slug: str
    statement: str = ""  # "" where it is none of the rulebook's
    acts: str = ""
    counts: tuple[FiringCount, ...] = ()
    wrong: int = 0  # how often somebody noted that it was

    @property
    def quiet(self) -> bool:
        """Whether nothing was counted or noted."""
        return not self.counts and not self.wrong

    def times(self, *outcomes: str) -> int:
        """How often one of these was the outcome."""
        return sum(count.times for count in self.counts if count.outcome in outcomes)

    @property
    def fired(self) -> int:
        """How often it found anything."""
        return self.times(*FIRED_OUTCOMES)

    @property
    def told(self) -> int:
        """How often whoever made the change was shown a finding."""
        return self.times(*SHOWN)

    @property
    def fixed(self) -> int:
        """How many of those were fixed, never more than were shown in the same time and that nobody called wrong."""
        return min(self.times("fixed"), max(self.told - self.wrong, 0))

    @property
    def repeats(self) -> Counter[str]:
        """By day, what it showed on a day after its first: it was known by then, and done again."""
        return repeats_by_day(self.by(lambda count: count.day, *SHOWN))

    @property
    def unsure(self) -> int:
        """How often it was not certain."""
        return sum(count.times for count in self.counts if count.unsure)

    @property
    def rate(self) -> float | None:
        """The share of shown findings that were fixed; None where none were shown."""
        return self.fixed / self.told if self.told else None

    @property
    def noise(self) -> int:
        """How many findings were ignored, excepted or called wrong."""
        return self.told - self.fixed + self.times("excepted") + MANY_NOTES * self.wrong

    @property
    def noisy(self) -> bool:
        """Whether the rule itself should be looked at; one that is not in force cannot be changed."""
        unheeded = self.told >= FEW_FIRINGS and (self.rate or 0.0) <= SELDOM_FIXED
        taken_back = self.wrong >= MANY_NOTES or self.times("excepted") > max(self.fixed, FEW_FIRINGS)
        return bool(self.statement) and (unheeded or taken_back)

    @property
    def last(self) -> str:
        """The day on which it fired last, "" where it never did."""
        return max((count.day for count in self.counts if count.outcome in FIRED_OUTCOMES), default="")

    def by(self, key: Callable[[FiringCount], str], *outcomes: str) -> Counter[str]:
        """How often one of these outcomes was, by a part of the counts."""
        found: Counter[str] = Counter()
        for count in self.counts:
            if count.outcome in outcomes:
                found[key(count)] += count.times
        return found


_KINDS: dict[str, EvidenceKind] = {
    **dict.fromkeys(FIRED_OUTCOMES, "fired"),
    "fixed": "fixed",
    "excepted": "excepted",
}


@dataclass(frozen=True, slots=True)
class FoldedObservation:
    """An observation, and the ids of the ledger lines that it counts."""

    evidence: Evidence
    lines: tuple[str, ...]


def fold_into_evidence(noted: Iterable[LedgerLine]) -> tuple[FoldedObservation, ...]:
    """Each line in one observation; the same lines make the same ones, in whatever order they come.

    It weighs nothing: that a rule fires often does not make it right, and that it was obeyed does not either.
    """
    groups: dict[tuple[str, str, EvidenceKind], dict[str, LedgerLine]] = {}
    for line in noted:
        kind = _KINDS.get(line.outcome)
        if kind and to_seconds(line.at) is not None:
            groups.setdefault((line.slug, line.at[:7], kind), {})[line.id] = line
    return tuple(_folded(slug, kind, lines) for (slug, _, kind), lines in sorted(groups.items()))


def _folded(slug: str, kind: EvidenceKind, lines: dict[str, LedgerLine]) -> FoldedObservation:
    times: Counter[FiringCount] = Counter()
    for line in lines.values():
        times[replace(line.count, times=1)] += line.times
    seen = tuple(sorted(replace(one, times=number) for one, number in times.items()))
    last = max((line.at for line in lines.values()), key=lambda at: (to_seconds(at) or 0.0, at))
    names = tuple(sorted(lines))
    # whose lines these are: two people may well have seen the same as often
    digest = hashlib.sha256("\n".join(names).encode()).hexdigest()[:12]
    return FoldedObservation(Evidence(slug=slug, kind=kind, at=last, digest=digest, seen=seen), names)


def account_by_rule(
    rules: Sequence[RuleActivity],
    noted: Iterable[LedgerLine],
    evidence: Mapping[str, Sequence[Evidence]],
    since: str = "",
) -> tuple[RuleActivity, ...]:
    """Each rule with its counts from a day on; what fired without a rule in the rulebook is listed, too.

    ``noted`` are the lines that are not in the evidence yet.
    """
    found: dict[str, Counter[FiringCount]] = {}
    wrong: Counter[str] = Counter()
    for line in noted:
        _add(found.setdefault(line.slug, Counter()), line.count, since)
    for slug, items in evidence.items():
        for item in items:
            wrong[slug] += item.kind == "counterexample" and item.at[:10] >= since
            for count in item.seen:
                _add(found.setdefault(slug, Counter()), count, since)
    known = {rule.slug: rule for rule in rules}
    slugs = dict.fromkeys([*known, *(slug for slug in found if found[slug]), *(s for s in wrong if wrong[s])])
    told = (
        replace(known.get(slug) or RuleActivity(slug=slug), counts=_counts(found.get(slug)), wrong=wrong[slug])
        for slug in slugs
    )
    return tuple(sorted(told, key=lambda one: (-one.noise, -one.fired, one.slug)))


def _add(counts: Counter[FiringCount], count: FiringCount, since: str) -> None:
    if count.day >= since:
        counts[replace(count, times=1)] += count.times


def _counts(found: Counter[FiringCount] | None) -> tuple[FiringCount, ...]:
    return tuple(sorted(replace(count, times=times) for count, times in (found or {}).items()))
