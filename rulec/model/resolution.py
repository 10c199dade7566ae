"""What becomes of a candidate, and why."""

from dataclasses import dataclass
from typing import Literal

Decision = Literal["NOOP", "UPDATE", "SUPERSEDE", "SPLIT", "NEW"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Resolution:
    """One of the five lifecycle decisions (TRACE 4.2); nothing is written without one."""

    decision: Decision
    slug: str  # the rule it creates or speaks to
    because: str
    score: float = 0.0  # how alike candidate and rule are, 0 to 1

    def line(self) -> str:
        """The trailer that a commit message carries."""
        return f"{self.decision} {self.slug} -- {' '.join(self.because.split())}"
