"""Which of a person's words hold for next time too, by their signs, with the labelled pair around them."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain, islice
from math import exp
from typing import NamedTuple

from rulec.domain.candidate import Correction, CorrectionBand, TurnLabel, TurnReading
from rulec.domain.transcript import Action, Turn, UnreadableLine
from rulec.language.clause import Clause
from rulec.language.clauses import clauses
from rulec.language.durability import DurabilityOdds, TurnContext, durable_wishes, is_plain_wish, odds_of, only_asks_why
from rulec.language.durability_weights import AUTO, REVIEW
from rulec.language.time_limit import ReadingTooLongError, reading_limit

MOST_ACTIONS = 100  # on either side of a turn that are kept
MOST_QUOTED = 500
SHORT = 600  # characters of a turn that may be about the actions around it alone

# Log odds that the actions around a turn add to what its words say.
NOTHING_CHANGED = -0.4  # it went on, and nothing was new
SUPPORT = 1.5  # a check can be made of the words that catches what was done before and passes what was done after
NEAR = 12  # actions on either side that are looked at for this
SUPPORTED = "a check can tell what was done before from what was done afterwards"

Supported = Callable[[Sequence[Clause], tuple[Action, ...], tuple[Action, ...]], bool]


class TurnScore(NamedTuple):
    """What the words of one turn say, before its actions are looked at."""

    label: TurnLabel
    band: CorrectionBand
    score: float
    reasons: tuple[str, ...]


def detect_corrections(
    turns: Iterable[Turn | UnreadableLine], supported: Supported | None = None
) -> Iterator[TurnReading | UnreadableLine]:
    """One reading for each human turn, in order; a turn waits until the actions that follow it have passed.

    ``supported`` says whether a check can be made of clauses that catches what was done before a turn and passes what
    was done after: words that name the offence are hardly ever idle.
    """
    here = _SessionPlace()
    for turn in turns:
        if isinstance(turn, UnreadableLine):
            yield turn
            continue
        if turn.session != here.session:
            yield from here.close(supported)
            here = _SessionPlace(session=turn.session)
        if turn.role != "agent":
            yield from here.close(supported)
            here.open(turn)
        else:
            here.pass_by(turn)
    yield from here.close(supported)


@dataclass
class _AgentStretch:
    """What the agent did between two turns of a person; its actions are read only when somebody asks for them."""

    parts: list[Sequence[Action]] = field(default_factory=list)

    def add(self, turn: Turn) -> None:
        if not turn.actions:
            return
        self.parts.append(turn.actions)
        if len(self.parts) > 2 * MOST_ACTIONS:  # the nearest on both sides, whatever stood between them
            del self.parts[MOST_ACTIONS:-MOST_ACTIONS]

    def actions(self) -> tuple[Action, ...]:
        found = [action for part in self.parts for action in part]
        if len(found) > 2 * MOST_ACTIONS:
            del found[MOST_ACTIONS:-MOST_ACTIONS]
        return tuple(found)

    def first(self, most: int) -> tuple[Action, ...]:
        return tuple(islice(chain.from_iterable(self.parts), most))

    def last(self, most: int) -> tuple[Action, ...]:
        return tuple(islice(chain.from_iterable(map(reversed, reversed(self.parts))), most))[::-1]


@dataclass
class _SessionPlace:
    """The place in a session: the current human turn, and the agent's work before and after it."""

    session: str = ""
    turn: Turn | None = None
    before: _AgentStretch = field(default_factory=_AgentStretch)
    after: _AgentStretch = field(default_factory=_AgentStretch)

    def open(self, turn: Turn) -> None:
        self.turn, self.before, self.after = turn, self.after, _AgentStretch()

    def pass_by(self, turn: Turn) -> None:
        self.after.add(turn)

    def close(self, supported: Supported | None) -> Iterator[TurnReading]:
        if self.turn is not None:
            yield _read_in_time(self.turn, self.before, self.after, supported)
        self.turn = None


def _read_in_time(turn: Turn, before: _AgentStretch, after: _AgentStretch, supported: Supported | None) -> TurnReading:
    try:
        with reading_limit():
            return _read_turn(turn, before, after, supported)
    except ReadingTooLongError as error:
        return TurnReading(turn=turn, label="none", band="none", score=0.0, unread=error.message)


def _read_turn(turn: Turn, before: _AgentStretch, after: _AgentStretch, supported: Supported | None) -> TurnReading:
    read = clauses(turn.text)
    around = TurnContext(kind=turn.kind, interrupted=turn.interrupted, acted=bool(before.parts))
    odds = odds_of(turn.text, read, around)
    if before.parts and len(turn.text) <= SHORT and odds.value + SUPPORT >= REVIEW:
        odds = _odds_with_actions(odds, read, _ActionsAround(before.last(NEAR), after.first(NEAR)), supported)
    told = _score_by_words(odds, turn.text, read, around)
    wishes = durable_wishes(read)
    if (
        told.band != "none"
        and wishes
        and all(map(only_asks_why, wishes))
        and not _anything_new(before.actions(), after.actions())
    ):
        told = told._replace(label="episodic" if before.parts else "none", band="none")  # a question changed nothing
    if turn.role == "unknown" and told.band == "auto":
        told = told._replace(band="review")
    undecided = told.band == "none" or turn.role == "unknown"  # whose words they are, nobody here can say
    correction = None if undecided else _correction(turn, read, before, after)
    return TurnReading(
        turn=turn, label=told.label, band=told.band, score=told.score, reasons=told.reasons, correction=correction
    )


class _ActionsAround(NamedTuple):
    """What was done right before the person spoke and right after."""

    before: tuple[Action, ...]
    after: tuple[Action, ...]


def _anything_new(before: Sequence[Action], after: Sequence[Action]) -> bool:
    """Whether anything was done afterwards that had not been done before."""
    return any(action not in before for action in after)


def _odds_with_actions(
    odds: DurabilityOdds, read: Sequence[Clause], pair: _ActionsAround, supported: Supported | None
) -> DurabilityOdds:
    """The odds with what the actions on both sides add to them."""
    value, reasons = odds
    if pair.after and not _anything_new(pair.before, pair.after):
        value += NOTHING_CHANGED
    if supported and value + SUPPORT >= REVIEW and supported(read, *pair):
        value, reasons = value + SUPPORT, (SUPPORTED, *reasons)
    return DurabilityOdds(value, reasons)


def _score_by_words(odds: DurabilityOdds, text: str, read: Sequence[Clause], around: TurnContext) -> TurnScore:
    value = round(1 / (1 + exp(-odds.value)), 4)
    if odds.value >= AUTO and is_plain_wish(text, read):
        return TurnScore("durable", "auto", value, odds.reasons)
    if odds.value >= REVIEW:
        return TurnScore("durable", "review", value, odds.reasons)
    refused = any(clause.polarity == "forbid" for clause in durable_wishes(read)) or around.kind == "rejection"
    return TurnScore("episodic" if refused and around.acted else "none", "none", value, odds.reasons)


def _correction(turn: Turn, read: Sequence[Clause], before: _AgentStretch, after: _AgentStretch) -> Correction:
    return Correction(
        quote=_quoted_wish(turn.text, read),
        turn=turn,
        before=before.actions(),
        after=after.actions(),
        marked=any(clause.marked for clause in read),
        slug=next((clause.slug for clause in read if clause.slug), ""),
    )


def _quoted_wish(text: str, read: Sequence[Clause]) -> str:
    """The stretch of the turn, word for word, that carries the wish."""
    carrying = durable_wishes(read) or list(read)
    if not carrying:
        return text.strip()[:MOST_QUOTED]
    start = text.find(carrying[0].text)
    end = text.find(carrying[-1].text, start) + len(carrying[-1].text)
    if 0 <= start < end <= start + MOST_QUOTED:
        return text[start:end]
    return max(carrying, key=lambda clause: (clause.lasting, clause.polarity == "forbid", -len(clause.text))).text
