"""The one loop of decisions: a proposed change of the rulebook is shown, asked about, edited, written or left."""

import difflib
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Literal, TypeVar

from rulec.checks.proving.proof import Proof
from rulec.domain.outcome import Outcome
from rulec.domain.rule import Rule
from rulec.domain.text.redaction import redact
from rulec.errors import RulecError
from rulec.infra import processes, state
from rulec.infra.rulebooks import rule_reading
from rulec.reports.rule_lines import check_line, example_line
from rulec.rulebook import example_file
from rulec.rulebook.rulebook import Rulebook
from rulec.services import rulebook_commit
from rulec.services.rulebook_commit import HEAD, ChangeTarget

Echo = Callable[[str], None]
Editor = Callable[[str, str], str | None]  # text and what was wrong with it before -> edited text; None: given up
Answer = Literal["accept", "new", "edit", "details", "reject", "later", "quit"]
Read = TypeVar("Read")
What = Literal["NEW", "NOOP", "UPDATE", "SUPERSEDE", "MERGE"]

EDITED_RULE = "the edited rule"
GONE = "it waits no more as it was shown: somebody decided on it meanwhile; nothing was written"
_CHANGED = "changed"  # no answer: another command wrote rules while the person was asked
_HEAD = "#: The rule as it would be written: save and close to prove it, close without saving to leave it as it is.\n"
_OURS = "#: "


@dataclass(frozen=True, slots=True, kw_only=True)
class Card(ABC):
    """One proposed change of the rulebook, with all that a person needs to decide on it."""

    rule: Rule  # as it would be written
    before: str = ""  # the text of its file as it stands, "" for none
    after: str = ""  # the text of its file then, "" where it is not written
    because: str = ""
    quotes: tuple[str, ...] = ()  # what persons said that it follows from
    proof: Proof | None = None  # None: nothing mechanical to prove
    obstacle: str = ""  # why nobody's yes can write it as it is
    doubt: str = ""  # why it is not written unless a person says so

    @property
    @abstractmethod
    def name(self) -> str:
        """What a person calls it."""

    @property
    @abstractmethod
    def what(self) -> What:
        """What is done to the rulebook."""

    @abstractmethod
    def lines(self) -> Sequence[str]:
        """All that a person needs to decide, in lines."""

    @abstractmethod
    def edited(self, typed: str) -> "Card":
        """The same with the text of a rule that a person typed, proved; RulecError with what is wrong with it."""

    @abstractmethod
    def write(self) -> Outcome:
        """Write it as one commit."""

    @abstractmethod
    def reject(self) -> str:
        """Remember that it is not wanted; what was done, in words."""

    @abstractmethod
    def leave(self) -> str:
        """Let it wait; where, in words."""

    @property
    def offers(self) -> tuple[Answer, ...]:
        """The answers that it can be given."""
        return (*(("accept",) if not self.obstacle else ()), "edit", "reject", "later", "quit")

    @property
    def content(self) -> tuple[object, ...]:
        """What a yes agrees to."""
        return self.name, self.what, self.before, self.after, self.because, self.obstacle

    @property
    def token(self) -> str:
        """Another one as soon as what a yes agrees to changes."""
        return state.digest_of_values([repr(self.content)])

    @property
    def diff(self) -> list[str]:
        """The change of the rule's file, line by line."""
        path = f".rules/{self.rule.slug}.yaml"
        before, after = (redact(text).splitlines() for text in (self.before, self.after or self.before))
        return list(difflib.unified_diff(before, after, f"{path} (now)", f"{path} (then)", lineterm="", n=1))

    @property
    def details(self) -> Sequence[str]:
        """What the lines leave out."""
        return ()

    @property
    def remains(self) -> bool:
        """Whether nobody decided on it since it was found."""
        return True

    def against(self) -> Iterator[dict[str, Any]]:
        """The rules and proposals that contradict it, for programs."""
        yield from ()

    def as_new(self) -> "Card":
        """The same as a rule of its own, beside the one that it is like."""
        return self

    def data(self) -> dict[str, Any]:
        """The proposal for programs: the one form of all commands and of the page."""
        rule = self.rule
        return {
            "name": self.name,
            "slug": rule.slug,
            "revision": rule.revision,
            "statement": rule.statement,
            "category": rule.category,
            "severity": rule.severity,
            "what": self.what,
            "because": self.because,
            "quotes": list(self.quotes),
            "against": list(self.against()),
            "checks": [check_line(check) for check in rule.checks],
            "examples": {
                "invalid": list(map(example_file.example_data, rule.invalid)),
                "valid": list(map(example_file.example_data, rule.valid)),
            },
            "not_checked": list(rule.not_checked),
            "proved": bool(self.proof and self.proof.holds and self.proof.digest),
            "proof": proof_data(self.proof),
            "obstacle": self.obstacle,
            "doubt": self.doubt,
        }


def proof_data(proof: Proof | None) -> dict[str, Any] | None:
    """A proof for programs: whether it holds, what each stage saw, and how variants of the examples are decided."""
    if proof is None:
        return None
    variants = proof.edges
    return {
        "holds": proof.holds,
        "stages": [{"name": one.name, "passed": one.passed, "detail": redact(one.detail)} for one in proof.stages],
        "variants": variants
        and {
            **{name: getattr(variants, name) for name in ("caught", "invalid", "passed", "valid")},
            "missed": [{"example": example_line(one.example), "invalid": one.invalid} for one in variants.missed],
            "wider": [{"example": example_line(one.example), "why": one.name} for one in variants.wider],
        },
    }


@dataclass(slots=True)
class Rest:
    """What happens to the cards that are left: once a person has answered "quit", they wait and are not shown."""

    deferred: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Asking:
    """How a person is asked, where what they accept is written, and who may be asked to read."""

    answer: Callable[[Any], str] = lambda _: "later"  # asked about each card
    edit: Editor = lambda _, __: None
    reviewed: bool = True  # a person sees each card
    onto: ChangeTarget = field(default=HEAD)
    backend: str = ""  # which model is asked, "" is as the settings say
    offline: bool = False  # none is asked, whatever the settings say
    rest: Rest = field(default_factory=Rest)


@dataclass(frozen=True, slots=True, kw_only=True)
class Decided:
    """What became of a card."""

    answer: str  # accept, reject, later, known where nothing is found, or gone where it waits no more
    card: Card | None = None
    outcome: Outcome = field(default_factory=Outcome)


Find = Callable[[Rulebook], Card | None]
Shown = TypeVar("Shown", bound=Card)


def decide(top: Path, find: Find, asking: Asking, echo: Echo, book: Rulebook | None = None) -> Decided:
    """Show what is found for the rulebook, ask, and carry the answer out.

    The write lock is held, but not while a card is made or a person thinks; where the rules changed meanwhile, it is
    made and shown again. ``book`` is the rulebook where it was read just now, for which a card is made at once.
    """
    while True:
        if book:
            card, book = find(book), None
        else:
            read = rulebook_commit.load_target_rulebook(top, asking.onto)
            card, same = rulebook_commit.ask_unlocked(top, asking.onto, partial(find, read))
            if not same:
                continue
        if card is None:
            return Decided(answer="known")
        card, answer = _ask(top, card, asking, echo)
        if answer == "quit":
            asking.rest.deferred, answer = True, "later"
        if not card.remains:
            echo(f"  -> {GONE}\n")
            return Decided(answer="gone", card=card)
        if answer != _CHANGED:
            return _carry_out(card, answer, echo)
        echo("  the rules were changed meanwhile, so here it is again:\n")


def _ask(top: Path, card: Card, asking: Asking, echo: Echo) -> tuple[Card, str]:
    """The card as the person leaves it, and their answer; other commands may write while they think."""

    def answer() -> str:
        while (said := asking.answer(card)) == "details":
            echo("\n".join(card.details))
        return said

    while True:
        echo("\n".join(card.lines()))
        if card.doubt and not asking.reviewed:
            return card, "later"
        said, same = rulebook_commit.ask_unlocked(top, asking.onto, answer)
        if said == "new" and "new" in card.offers:
            card = card.as_new()
        elif said == "edit":
            card, same = rulebook_commit.ask_unlocked(top, asking.onto, partial(_edit, card, asking, echo))
        else:
            return card, said if same or said in ("later", "quit", "reject") else _CHANGED
        if not same:
            return card, _CHANGED


def _edit(card: Card, asking: Asking, echo: Echo) -> Card:
    return edit_until_valid(card.after or card.before, asking.edit, echo, card.edited) or card


def _carry_out(card: Card, answer: str, echo: Echo) -> Decided:
    if answer == "accept" and card.obstacle:
        echo(f"  -> not written: {card.obstacle}")
        answer = "later"
    act = {"accept": card.write, "reject": lambda: Outcome(card.reject())}.get(answer, lambda: Outcome(card.leave()))
    outcome = processes.finish_despite_interrupt(act)
    echo(f"  -> {outcome.text}\n")
    return Decided(answer=answer, card=card, outcome=outcome)


def decide_as_shown(top: Path, find: Find, shown: str, answer: str, asking: Asking, *, typed: str = "") -> Decided:
    """Give an answer to just the card with this token, or to what a typed text makes of it.

    RulecError where it is another one by now, which nobody has seen.
    """

    def same(book: Rulebook) -> Card:
        card = require_as_shown(find(book), shown)
        card = card.edited(typed) if typed and answer == "accept" else card
        if answer == "accept" and card.obstacle:
            raise RulecError(card.obstacle, where=card.rule.slug, hint="edit the proposal, or make it a new rule")
        return card

    options = Asking(answer=lambda _: answer, onto=asking.onto)
    done = decide(top, same, options, lambda _: None)
    if done.answer != answer:
        raise _changed()
    return done


def require_as_shown(card: Shown | None, shown: str) -> Shown:
    """The card, if it is the one with this token."""
    if card is None or card.token != shown:
        raise _changed()
    return card


def _changed() -> RulecError:
    return RulecError("the proposal changed since it was shown", hint="open it again and look at what it says now")


def edit_until_valid(text: str, edit: Editor, echo: Echo, read: Callable[[str], Read]) -> Read | None:
    """The result of editing a text until it is valid; None where the person gave up."""
    wrong = ""
    while True:
        typed = edit(f"{_HEAD}{f'{_OURS}{wrong}{chr(10)}' if wrong else ''}{text}", wrong)
        if typed is None:
            echo("  -> unchanged\n")
            return None
        try:
            return read(typed)
        except RulecError as error:
            text, wrong = without_notes(typed), str(error)
            echo(f"  -> {wrong}")


def read_typed(text: str, slug: str = "") -> Rule:
    """The rule that a person typed; RulecError where it is none, or has another name than the one that is given."""
    rule = rule_reading.read_rule(text, source=EDITED_RULE)
    if slug and rule.slug != slug:
        raise RulecError(f"this is {slug}", where=EDITED_RULE, hint=f"rulec edit {slug} renames a rule")
    return rule


def without_notes(text: str) -> str:
    """The text without rulec's notes."""
    return "".join(line for line in text.splitlines(keepends=True) if not line.startswith(_OURS.strip()))
