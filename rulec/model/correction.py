"""A human turn that says how the agent should, or should not, have worked."""

from dataclasses import dataclass
from typing import Literal

from rulec.model.transcript import Action, Turn

Label = Literal["none", "episodic", "durable"]
Band = Literal["auto", "review", "none"]


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
class Reading:
    """What detect makes of one human turn."""

    turn: Turn
    label: Label
    band: Band
    score: float  # orders turns by how likely they are durable
    reasons: tuple[str, ...] = ()
    correction: Correction | None = None
