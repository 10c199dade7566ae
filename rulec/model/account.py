"""What one rule did at the gates over some time, as a person wants to see it."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

from rulec.model.evidence import Count

FIRED = ("block", "warn", "audit", "waived", "lost", "fault")
TOLD = ("block", "warn")
FEW, SELDOM = 5, 0.25  # told at least so often, and no more of it put right: nobody heeds the rule
DISPUTED = 3  # counterexamples that make a case against it
GATES = {
    "ask": "tool call",
    "done": "after an edit",
    "stop": "end of turn",
    "commit": "commit",
    "push": "push",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Account:
    """The counts of one rule."""

    slug: str
    statement: str = ""  # "" where it is none of the rulebook's
    acts: str = ""
    counts: tuple[Count, ...] = ()
    disputed: int = 0

    @property
    def quiet(self) -> bool:
        """Whether nothing is known of it at all."""
        return not self.counts and not self.disputed

    def times(self, *outcomes: str) -> int:
        """How often one of these was the outcome."""
        return sum(count.times for count in self.counts if count.outcome in outcomes)

    @property
    def fired(self) -> int:
        """How often it found anything."""
        return self.times(*FIRED)

    @property
    def told(self) -> int:
        """How often somebody was told of it."""
        return self.times(*TOLD)

    @property
    def fixed(self) -> int:
        """How much of that was put right, never more than was told in the same time."""
        return min(self.times("fixed"), self.told)

    @property
    def unsure(self) -> int:
        """How often it was not certain."""
        return sum(count.times for count in self.counts if count.unsure)

    @property
    def rate(self) -> float | None:
        """How much of what was told was put right; None where nothing was told."""
        return self.fixed / self.told if self.told else None

    @property
    def noise(self) -> int:
        """How much it said that nobody heeded, or that somebody took back."""
        return self.told - self.fixed + self.times("suppressed") + DISPUTED * self.disputed

    @property
    def noisy(self) -> bool:
        """Whether the rule itself should be looked at; one that is not in force cannot be changed."""
        unheeded = self.told >= FEW and (self.rate or 0.0) <= SELDOM
        taken_back = self.disputed >= DISPUTED or self.times("suppressed") > max(self.fixed, FEW)
        return bool(self.statement) and (unheeded or taken_back)

    @property
    def last(self) -> str:
        """The day on which it fired last, "" where it never did."""
        return max((count.day for count in self.counts if count.outcome in FIRED), default="")

    def by(self, key: Callable[[Count], str], *outcomes: str) -> Counter[str]:
        """How often one of these outcomes was, by a part of the counts."""
        found: Counter[str] = Counter()
        for count in self.counts:
            if count.outcome in outcomes:
                found[key(count)] += count.times
        return found
