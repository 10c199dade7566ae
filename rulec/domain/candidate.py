"""A correction, and the candidate rule drafted from it: undecided, with the ways in which it may be checked."""

from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Literal

from rulec.domain.rule import Check, Example, Rule, Scope
from rulec.domain.transcript import Action, Turn

TurnLabel = Literal["none", "episodic", "durable"]
CorrectionBand = Literal["auto", "review", "none"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Correction:
    """A durable correction with the labelled pair around it (TRACE 4.1)."""

    quote: str
    turn: Turn
    before: tuple[Action, ...]  # since the last human turn, the offence is among them
    after: tuple[Action, ...]  # until the next human turn, the accepted action is among them
    marked: bool = False  # "rule: ...", "CORRECT[slug]: ...": always taken
    slug: str = ""  # named by the person: "CORRECT[slug]: ..." (LexSona 4.3)


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnReading:
    """What mining makes of one human turn."""

    turn: Turn
    label: TurnLabel
    band: CorrectionBand
    score: float  # orders turns by how likely they are durable
    reasons: tuple[str, ...] = ()
    correction: Correction | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class LeftOutExample:
    """An example that somebody gave and no check of the draft decides so, with the reason why it is left out."""

    example: Example
    invalid: bool  # whether it was to be caught
    why: str = ""  # in the words of the check's author; "" where no repair came to decide it so
    wrong: bool = False  # its author says that it is wrong, and not that no check can see it

    @property
    def unseen(self) -> bool:
        """Whether it only shows what no check can see, which stands under ``not_checked``: nobody has to decide it."""
        return self.invalid and bool(self.why) and not self.wrong


@dataclass(frozen=True, slots=True, kw_only=True)
class Challenge:
    """What somebody wrote of a wish who saw no check of it: ways back to the mistake, and the work of honest agents."""

    invalid: tuple[Example, ...] = ()
    valid: tuple[Example, ...] = ()
    left_out: tuple[LeftOutExample, ...] = ()  # by the author of the check, each with a reason

    def without(self, more: Collection[Example] = ()) -> "Challenge":
        """The examples that have to be decided as they say, and no more of them."""
        gone = {*(one.example for one in self.left_out), *more}
        invalid, valid = (tuple(one for one in side if one not in gone) for side in (self.invalid, self.valid))
        return Challenge(invalid=invalid, valid=valid)


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """One way to check a candidate, with the examples it must decide; drafts are tried in their order."""

    checks: tuple[Check, ...]
    invalid: tuple[Example, ...] = ()
    valid: tuple[Example, ...] = ()
    do: str = ""
    scope: Scope = field(default_factory=Scope)  # where the person said that it holds
    because: str = ""  # what in the evidence speaks for it
    not_checked: tuple[str, ...] = ()  # what the statement says and these checks do not see, in words
    statement: str = ""  # where this way to check it calls for other words than the candidate has
    left_out: tuple[LeftOutExample, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ReaderOpinion:
    """What a reader (a model, or an agent in its place) says about a wish in addition to its words."""

    sure: bool = True  # else the wish waits for a person, whatever else speaks for it
    offence: Action | None = None  # named by its id, and taken from the transcript; None: no action was wrong
    fix: Action | None = None
    drafted: bool = False  # it was asked for checks and has answered: the candidate's drafts are its own
    invalid: tuple[Example, ...] = ()  # its own examples, written before any check
    valid: tuple[Example, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentSentence:
    """A sentence of a file that the team wrote for its agents."""

    path: str
    line: int
    quote: str  # word for word
    at: str = ""  # when it was written, as far as git knows
    digest: str = ""  # of what it says, wherever it stands
    was: str = ""  # the rule that was made of what stood there before


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A rule without its checks, the drafts that may become them, and where it came from."""

    rule: Rule
    drafts: tuple[Draft, ...]
    correction: Correction | None = None  # None: typed by a person with ``rulec add``, or worded by an agent
    source: DocumentSentence | None = None  # of ``rulec import``
    by_agent: bool = False  # with ``rulec propose``: no word of it counts as a person's
    offered: ReaderOpinion | None = (
        None  # None: no model read it; else it was worded by a model, whose quote is a person's
    )
    challenge: Challenge | None = None  # None: nobody was asked for one
    part: tuple[int, int] = (1, 1)  # which wish of how many that the person voiced in one breath
    near: tuple[str, ...] = ()  # templates that speak of it, where no draft is sure
    repeats: tuple["Candidate", ...] = ()  # the same preference voiced again; they have no repeats of their own

    @property
    def digest(self) -> str:
        """The key by which a document's sentence is recognised, "" of other words; each wish has one."""
        number, many = self.part
        return f"{self.source.digest}{f'.{number}' * (many > 1)}" if self.source else ""
