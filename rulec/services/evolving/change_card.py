"""What the cards of a revision and of a merge have in common: the change as a diff, and every verdict that it turns."""

from abc import abstractmethod
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from rulec.domain.rule import Rule
from rulec.domain.text.redaction import redact
from rulec.reports.wording import count_of
from rulec.rulebook.rulebook import Rulebook
from rulec.services import rulebook_commit
from rulec.services.evolving.comparison import Comparison
from rulec.services.proposals.decision import Card, read_typed, without_notes
from rulec.services.rulebook_commit import ChangeTarget

MOST_FLIPS = 30  # that a card lists; --format json has all
REJECTED = "rejected, and not proposed again until more is known or a rule changes"
_BY_HAND = "; edited by hand"


@dataclass(frozen=True, slots=True, kw_only=True)
class TargetRulebook:
    """The rulebook that a change is proposed for."""

    top: Path
    book: Rulebook
    onto: ChangeTarget

    def text(self, slug: str) -> str:
        """The text of a rule's file as it stands."""
        return rulebook_commit.rule_text(self.top, self.onto, slug)


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeCard(Card):
    """One change of rules that are there."""

    target: TargetRulebook
    compared: Comparison = field(default_factory=Comparison)
    by_hand: bool = False  # a person edited it

    @abstractmethod
    def known(self) -> Iterator[str]:
        """Why it is proposed, in lines."""

    @abstractmethod
    def more(self) -> Iterator[str]:
        """What else it changes, in lines."""

    @abstractmethod
    def with_rule(self, rule: Rule, text: str) -> "ChangeCard":
        """The same with another rule, proved and compared; RulecError where it is not sound."""

    @property
    def reached(self) -> list[str]:
        """What was caught and let pass before, and what is with the change."""
        return [one.line for one in self.compared.reach]

    @property
    def unasked(self) -> int:
        """How many verdicts turn that nobody wanted turned."""
        return sum(not flip.wanted for flip in self.compared.flips)

    @property
    def proof_words(self) -> str:
        """The proof in a line."""
        if self.proof is None:
            return "nothing to prove, it is a reminder"
        return "holds" if self.proof.holds else f"none: {redact(self.proof.failure)}"

    def lines(self) -> list[str]:
        """All that a person needs to decide."""
        found = [self.name, *(f"  {line}" for line in self.known())]
        flips = self.compared.flips
        if self.diff:
            found.append(f"  becomes: {self.what} {self.rule.slug} -- {self.because}")
            found += [f"    {line}" for line in self.diff]
            turned = f"{count_of(len(flips), 'verdict')} turned, {self.unasked or 'none'} of them unasked:"
            found.append(f"  {turned if flips else 'no verdict is turned'}")
            found += [f"    {flip.line}" for flip in flips[:MOST_FLIPS]]
            if len(flips) > MOST_FLIPS:
                found.append(f"    … and {len(flips) - MOST_FLIPS} more; --format json lists all")
            found += [f"  {line}" for line in [*self.reached, *self.more()]]
            found.append(f"  proof: {self.proof_words}")
        if self.obstacle:
            found.append(f"  not possible as it is: {self.obstacle}")
        return found

    def data(self) -> dict[str, Any]:
        """The proposal for programs, with every verdict that it turns."""
        more = {"diff": self.diff, **asdict(self.compared), "more": list(self.more())}
        return {**super(ChangeCard, self).data(), **more}

    def edited(self, typed: str) -> "ChangeCard":
        """The same with the rule that a person typed."""
        text = redact(typed)
        return self.with_rule(read_typed(text, self.rule.slug), without_notes(text))

    def leave(self) -> str:
        """It is proposed again."""
        return "later: rulec evolve"


def because_by_hand(card: ChangeCard, said: str) -> str:
    """The reason of a card that a person edited."""
    return f"{(card.because or said).removesuffix(_BY_HAND)}{_BY_HAND}"
