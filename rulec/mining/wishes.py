"""What is asked of a model about a session, and what it says as far as the transcript bears it out."""

from collections.abc import Mapping
from dataclasses import dataclass

from rulec.domain.enforcement import Severity
from rulec.domain.transcript import Action, Turn


@dataclass(frozen=True, slots=True, kw_only=True)
class Moment:
    """A human turn where it was said, whatever it is."""

    turn: Turn
    said: str = ""  # what the agent said last
    before: tuple[Action, ...] = ()  # since the last human turn
    after: tuple[Action, ...] = ()  # until the next one
    twice: tuple[int, ...] = ()  # indexes of turns that hold the same words again, as a command's own copy does


ActionIds = Mapping[str, tuple[int, Action]]  # of actions, each with the place of the moment before which it was done


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownMoments:
    """What the numbers and ids in a prompt stand for."""

    moments: tuple[Moment, ...]  # of one transcript
    ids: ActionIds
    letter: str = ""  # before the numbers of this transcript's turns, where a prompt holds several

    def name(self, moment: Moment) -> str:
        """The turn's number in the prompt, which is its number everywhere."""
        return f"{self.letter}{moment.turn.index}"


@dataclass(frozen=True, slots=True, kw_only=True)
class MinedWish:
    """One wish, as a model worded it and the transcript bears it out."""

    moment: Moment
    quote: str  # word for word, redacted
    lasting: bool
    sure: bool = True
    statement: str = ""
    name: str = ""  # a short one for its rule
    when: str = ""
    do: str = ""
    category: str = ""
    severity: Severity | None = None
    offence: Action | None = None
    fix: Action | None = None
    again: tuple[Moment, ...] = ()  # further turns that voice the same


@dataclass(frozen=True, slots=True)
class MinedAnswer:
    """The wishes of one answer, and in a line each what of it did not count."""

    wishes: tuple[MinedWish, ...]
    told: tuple[str, ...] = ()
