"""Shows a proposed change of rules, asks a person, and writes what they accept: revisions and merges alike."""

import difflib
import hashlib
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Literal

from rulec.domain.outcome import Outcome
from rulec.domain.rule import Rule
from rulec.domain.text.redaction import redact
from rulec.errors import RulecError
from rulec.infra import processes
from rulec.infra.rulebooks import rule_reading
from rulec.reports.wording import count_of
from rulec.rulebook.rulebook import Rulebook
from rulec.services import rulebook_commit
from rulec.services.evolving.comparison import Comparison
from rulec.services.proposals import proposal_editor
from rulec.services.proposals.proposal_editor import EDITED_RULE, Editor
from rulec.services.rulebook_commit import HEAD, ChangeTarget

Echo = Callable[[str], None]
MOST_FLIPS = 30  # that a card lists; --format json has all
BY_HAND = "; edited by hand"


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
class Proposed(ABC):
    """One change of the rulebook that a person decides on, and all that they need for it."""

    target: TargetRulebook
    new: Rule  # in place of the rule of this name
    because: str
    after: str = ""  # the text of the rule's file
    compared: Comparison = field(default_factory=Comparison)
    proof: str = ""  # in words
    obstacle: str = ""  # why it cannot be accepted as it is
    edited: bool = False  # by a person

    @property
    @abstractmethod
    def name(self) -> str:
        """What a person calls it."""

    @property
    @abstractmethod
    def decision(self) -> Literal["UPDATE", "MERGE"]:
        """What is done to the rulebook."""

    @abstractmethod
    def known(self) -> Iterator[str]:
        """Why it is proposed, in lines."""

    @abstractmethod
    def more(self) -> Iterator[str]:
        """What else it changes, in lines."""

    @abstractmethod
    def with_rule(self, rule: Rule, text: str) -> "Proposed":
        """The same with another rule, proved and compared; RulecError where it is not sound."""

    @abstractmethod
    def write(self) -> Outcome:
        """Write it as one commit."""

    @abstractmethod
    def reject(self) -> None:
        """Remember that it is not wanted."""

    @property
    def before(self) -> str:
        """The text of the rule's file as it stands."""
        return self.target.text(self.new.slug)

    @property
    def digest(self) -> str:
        """A digest of what would be written, and why: two with the same one are one decision."""
        parts = (self.name, self.before, self.after, str(self.edited), self.because)
        return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:24]

    @property
    def diff(self) -> list[str]:
        """The change of the rule's file, line by line."""
        path = f".rules/{self.new.slug}.yaml"
        before, after = (redact(text).splitlines() for text in (self.before, self.after or self.before))
        return list(difflib.unified_diff(before, after, f"{path} (now)", f"{path} (then)", lineterm="", n=1))

    @property
    def told(self) -> list[str]:
        """What was caught and let pass before, and what is with the change."""
        return [one.line for one in self.compared.reach]

    def lines(self) -> Iterator[str]:
        """All that a person needs to decide."""
        yield self.name
        yield from (f"  {line}" for line in self.known())
        flips = self.compared.flips
        if self.diff:
            yield f"  becomes: {self.decision} {self.new.slug} -- {self.because}"
            yield from (f"    {line}" for line in self.diff)
            unsaid = sum(not flip.wanted for flip in flips)
            turned = f"{count_of(len(flips), 'verdict')} turned, {unsaid or 'none'} of them unasked:"
            yield f"  {turned if flips else 'no verdict is turned'}"
            yield from (f"    {flip.line}" for flip in flips[:MOST_FLIPS])
            if len(flips) > MOST_FLIPS:
                yield f"    … and {len(flips) - MOST_FLIPS} more; --format json lists all"
            yield from (f"  {line}" for line in [*self.told, *self.more()])
            yield f"  proof: {self.proof}"
        if self.obstacle:
            yield f"  not possible as it is: {self.obstacle}"

    def data(self) -> dict[str, Any]:
        """The same for programs."""
        return {
            "name": self.name,
            "slug": self.new.slug,
            "revision": self.new.revision,
            "decision": self.decision,
            "because": self.because,
            "obstacle": self.obstacle,
            "diff": self.diff,
            **asdict(self.compared),
            "more": list(self.more()),
            "proof": self.proof,
        }

    def edit(self, typed: str) -> "Proposed":
        """The same with the rule that a person typed; RulecError with what is wrong with it."""
        text = redact(typed)
        rule = rule_reading.read_rule(text, source=EDITED_RULE)
        if rule.slug != self.new.slug:
            hint = f"rulec edit {self.new.slug} renames a rule"
            raise RulecError(f"this is {self.new.slug}", where=EDITED_RULE, hint=hint)
        return self.with_rule(rule, proposal_editor.without_notes(text))


@dataclass(frozen=True, slots=True, kw_only=True)
class EvolveOptions:
    """How a person is asked, and where what they accept is written."""

    answer: Callable[[Proposed], str] = lambda _: "later"  # accept, edit, reject, later or quit
    edit: Editor = lambda _, __: None
    onto: ChangeTarget = field(default=HEAD)
    backend: str = ""  # which model is asked, "" is as the settings say
    offline: bool = False  # none is asked, whatever the settings say


def decide(top: Path, find: Callable[[Rulebook], Proposed | None], options: EvolveOptions, echo: Echo) -> str:
    """Show what is found for a rulebook, ask, and carry the answer out; returns it, or "known" where nothing is found.

    The write lock is held, but not while a change is searched for or a person thinks; where the rules changed
    meanwhile, it is searched for and shown again.
    """
    book = rulebook_commit.load_target_rulebook(top, options.onto)
    found, same = rulebook_commit.ask_unlocked(top, options.onto, partial(find, book))
    if not same:
        return decide(top, find, options, echo)
    if found is None:
        return "known"
    one, answer = found, "edit"
    while answer == "edit":
        echo("\n".join(one.lines()))
        answer, same = rulebook_commit.ask_unlocked(top, options.onto, partial(options.answer, one))
        if answer == "edit":
            one, same = rulebook_commit.ask_unlocked(top, options.onto, partial(_edit, one, options, echo))
        if not same and answer in ("accept", "edit"):
            echo("  the rules were changed meanwhile, so here it is again:\n")
            return decide(top, find, options, echo)
    if answer == "accept" and one.obstacle:
        echo(f"  -> not written: {one.obstacle}\n")
        return "later"
    if answer == "accept":
        echo(f"  -> {processes.finish_despite_interrupt(one.write).text}\n")
    elif answer == "reject":
        one.reject()
        echo("  -> rejected, and not proposed again until more is known or a rule changes\n")
    else:
        echo("  -> later: rulec evolve\n")
    return answer


def _edit(one: Proposed, options: EvolveOptions, echo: Echo) -> Proposed:
    return proposal_editor.edit_until_valid(one.after or one.before, options.edit, echo, one.edit) or one
