"""What is asked of a model about a session, and what it says as far as the transcript bears it out."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from rulec.model.candidate import Offered
from rulec.model.exchange import Prompt
from rulec.model.rule import Severity
from rulec.model.transcript import Action, Turn


@dataclass(frozen=True, slots=True, kw_only=True)
class Moment:
    """A human turn where it was said, whatever it is."""

    turn: Turn
    said: str = ""  # what the agent said last
    before: tuple[Action, ...] = ()  # since the last human turn
    after: tuple[Action, ...] = ()  # until the next one


Ids = Mapping[str, tuple[int, Action]]  # of actions, each with the number of the block where it stands


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A prompt, and what the numbers and ids in it stand for."""

    prompt: Prompt
    moments: tuple[Moment, ...]  # block n is the n-th
    ids: Ids


@dataclass(frozen=True, slots=True, kw_only=True)
class Mined:
    """One wish, as a model worded it and the transcript bears it out."""

    moment: Moment
    quote: str  # word for word, redacted
    lasting: bool
    statement: str = ""
    when: str = ""
    do: str = ""
    category: str = ""
    severity: Severity | None = None
    offence: Action | None = None
    fix: Action | None = None
    offered: Offered = field(default_factory=Offered)


@dataclass(frozen=True, slots=True)
class Hearing:
    """The wishes of one answer, and in a line each what of it did not count."""

    wishes: tuple[Mined, ...]
    told: tuple[str, ...] = ()
