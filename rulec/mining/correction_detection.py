"""Which of a person's words hold for next time too, by their signs, with the labelled pair around them."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from math import exp
from typing import NamedTuple

from rulec.domain.candidate import Correction, CorrectionBand, TurnLabel, TurnReading
from rulec.domain.transcript import Action, Turn, UnreadableLine
from rulec.mining.moments import WorkStretch
from rulec.mining.turn_signs import TurnContext, TurnWords, odds_of, quoted_wish, read_turn
from rulec.mining.turn_weights import AUTO, REVIEW

MOST_QUOTED = 500


class TurnScore(NamedTuple):
    """What the words of one turn say, before its actions are looked at."""

    label: TurnLabel
    band: CorrectionBand
    score: float
    reasons: tuple[str, ...]


def detect_corrections(turns: Iterable[Turn | UnreadableLine]) -> Iterator[TurnReading | UnreadableLine]:
    """One reading for each human turn, in order; a turn waits until the actions that follow it have passed."""
    here = _SessionPlace()
    for turn in turns:
        if isinstance(turn, UnreadableLine):
            yield turn
            continue
        if turn.session != here.session:
            yield from here.close()
            here = _SessionPlace(session=turn.session)
        if turn.role != "agent":
            yield from here.close()
            here.open(turn)
        else:
            here.pass_by(turn)
    yield from here.close()


@dataclass
class _SessionPlace:
    """The place in a session: the current human turn, and the agent's work before and after it."""

    session: str = ""
    turn: Turn | None = None
    before: WorkStretch = field(default_factory=WorkStretch)
    after: WorkStretch = field(default_factory=WorkStretch)

    def open(self, turn: Turn) -> None:
        self.turn, self.before, self.after = turn, self.after, WorkStretch()

    def pass_by(self, turn: Turn) -> None:
        self.after.add(turn)

    def close(self) -> Iterator[TurnReading]:
        if self.turn is not None:
            yield _read_turn(self.turn, self.before, self.after)
        self.turn = None


def _read_turn(turn: Turn, before: WorkStretch, after: WorkStretch) -> TurnReading:
    said = read_turn(turn.text)
    around = TurnContext(kind=turn.kind, interrupted=turn.interrupted, acted=bool(before.parts))
    odds, reasons = odds_of(said, around)
    told = _score_by_words(odds, reasons, said, around)
    if told.band != "none" and said.only_asks_why and not _anything_new(before.actions(), after.actions()):
        told = told._replace(label="episodic" if before.parts else "none", band="none")  # a question changed nothing
    if turn.role == "unknown" and told.band == "auto":
        told = told._replace(band="review")
    undecided = told.band == "none" or turn.role == "unknown"  # whose words they are, nobody here can say
    correction = None if undecided else _correction(turn, said, before, after)
    return TurnReading(
        turn=turn, label=told.label, band=told.band, score=told.score, reasons=told.reasons, correction=correction
    )


def _anything_new(before: Sequence[Action], after: Sequence[Action]) -> bool:
    """Whether anything was done afterwards that had not been done before."""
    return any(action not in before for action in after)


def _score_by_words(odds: float, reasons: tuple[str, ...], said: TurnWords, around: TurnContext) -> TurnScore:
    value = round(1 / (1 + exp(-odds)), 4)
    if odds >= AUTO and said.is_plain:
        return TurnScore("durable", "auto", value, reasons)
    if odds >= REVIEW or said.is_certain:
        return TurnScore("durable", "review", value, reasons)
    refused = said.refuses or around.kind == "rejection"
    return TurnScore("episodic" if refused and around.acted else "none", "none", value, reasons)


def _correction(turn: Turn, said: TurnWords, before: WorkStretch, after: WorkStretch) -> Correction:
    return Correction(
        quote=quoted_wish(said, turn.text, MOST_QUOTED),
        turn=turn,
        before=before.actions(),
        after=after.actions(),
        marked=said.marked,
        slug=said.slug,
    )
