"""What becomes of a candidate, and why: NOOP, UPDATE, SUPERSEDE, SPLIT or NEW."""

from dataclasses import dataclass
from typing import Literal

from rulec.domain.candidate import Candidate

Decision = Literal["NOOP", "UPDATE", "SUPERSEDE", "SPLIT", "NEW"]
MatchBand = Literal["auto", "review"]
Manner = Literal["", "wider", "narrower", "exception", "when"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Resolution:
    """One of the five lifecycle decisions (TRACE 4.2); nothing is written without one."""

    decision: Decision
    slug: str  # the rule it speaks to; of NEW and SPLIT the free one that it would create
    because: str
    score: float = 0.0  # how sure it is that candidate and rule have to do with each other, 0 to 1
    band: MatchBand = "auto"  # review: too unsure to act on, a person says whether it is so or a rule of its own
    new_slug: str = ""  # a free one: of SUPERSEDE what takes the rule's place, in review what NEW would create
    manner: Manner = ""  # of UPDATE: how the candidate changes the rule
    where: str = ""  # of an exception or a when: the place in the person's words
    added: tuple[str, ...] = ()  # of wider: what the rule did not name before
    parts: tuple[Candidate, ...] = ()  # of SPLIT: the wishes, each to be resolved again
    by_model: bool = False  # a model's word, which takes no rule's place or force unless a person says so

    def line(self) -> str:
        """The trailer that a commit message carries."""
        return f"{self.decision} {self.slug} -- {' '.join(self.because.split())}"
