"""Observations about a rule, what gates noted of it, and how well a judge decided its own examples."""

from dataclasses import dataclass
from typing import Literal

from rulec.domain.rule import Example


@dataclass(frozen=True, slots=True, kw_only=True)
class WantedVerdict:
    """One action with the verdict that a person wants for it, and the words in which they said so."""

    example: Example
    caught: bool  # else it is to pass
    words: str = ""
    source: str = ""  # the id of the note, exception or counterexample that says it


# What gates saw weighs nothing: it says when a rule last mattered, never how right it is.
EvidenceKind = Literal[
    "correction", "accepted", "counterexample", "proved", "fired", "fixed", "excepted", "note", "revised"
]
VOICED = ("correction", "accepted")  # somebody wished for the rule
Should = Literal["", "catch", "pass"]


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class FiringCount:
    """How often something happened to a rule on one day, at one gate, with one agent."""

    day: str
    gate: str
    agent: str = ""
    outcome: str
    unsure: bool = False
    times: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class LedgerLine:
    """A line of the ledger: what one gate of this machine saw of one rule."""

    slug: str
    at: str
    event: str  # the gate: ask, done, stop, commit or push
    outcome: str
    agent: str = ""
    of: str = ""  # a path, or the name of a program: never more of what was seen
    times: int = 1
    unsure: bool = False
    id: str = ""  # of the line
    session: str = ""  # a digest of its name

    @property
    def count(self) -> FiringCount:
        """What the line counts towards."""
        return FiringCount(
            day=self.at[:10],
            gate=self.event,
            agent=self.agent,
            outcome=self.outcome,
            unsure=self.unsure,
            times=self.times,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """One file under ``.rules/evidence/SLUG/``; its id is the hash of its content."""

    slug: str
    kind: EvidenceKind
    weight: float = 0.0  # in favour, or against for a counterexample; see confidence.py
    at: str = ""  # when it was said, ISO 8601; fired, fixed, excepted: the last time
    quote: str = ""  # redacted
    agent: str = ""
    transcript: str = ""
    turn: int = -1
    offence: str = ""  # the action that was wrong, redacted
    accepted: str = ""  # the action that was accepted afterwards, or that a counterexample is about, redacted
    path: str = ""  # counterexample: the file or folder that it is about
    revision: int = 0  # proved: of the rule
    # proved: of the artifact; fired: of its lines;
    # accepted: of a file's sentence, whose place is transcript and turn
    digest: str = ""
    replayed: int = -1  # proved: actions of the originating session the check passed; -1 where there was none
    seen: tuple[FiringCount, ...] = ()  # fired, fixed, excepted
    should: Should = ""  # note: what the rule should make of ``example``; "" where it is words alone
    example: Example | None = None  # note: the case that it is about, redacted
    about: str = ""  # note: the finding or the proof of a step that it was written on
    answers: tuple[str, ...] = ()  # revised: the ids of what the revision takes up
    unmet: tuple[str, ...] = ()  # revised: those of them that no check decides as it was wanted
    told: tuple[str, ...] = ()  # revised: what the rule caught and let pass before and after it, in lines
