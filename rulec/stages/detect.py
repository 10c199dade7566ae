"""Turns -> readings: which of a person's words hold for next time too, with the labelled pair around them."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain, islice
from math import exp
from typing import NamedTuple

from rulec.language import Clause, clauses
from rulec.language.lasting import AUTO, REVIEW, Around, Odds, asking, odds_of, plain, wishes_in
from rulec.model.correction import Band, Correction, Label, Reading
from rulec.model.transcript import Action, Damage, Turn

MOST_ACTIONS = 100  # on either side of a turn that are kept
MOST_QUOTED = 500
SHORT = 600  # characters of a turn that may be about the actions around it alone

# Log odds that the actions around a turn add to what its words say.
UNHEEDED = -0.4  # it went on, and nothing was new
SUPPORT = 1.5  # a check can be made of the words that catches what was done before and passes what was done after
NEAR = 12  # actions on either side that are looked at for this
SUPPORTED = "a check can tell what was done before from what was done afterwards"

Supported = Callable[[Sequence[Clause], tuple[Action, ...], tuple[Action, ...]], bool]


class Score(NamedTuple):
    """What the words of one turn say, before its actions are looked at."""

    label: Label
    band: Band
    score: float
    reasons: tuple[str, ...]


def detect(turns: Iterable[Turn | Damage], supported: Supported | None = None) -> Iterator[Reading | Damage]:
    """One reading for each human turn, in order; a turn waits until the actions that follow it have passed.

    ``supported`` says whether a check can be made of clauses that catches what was done before a turn and passes what
    was done after: words that name the offence are hardly ever idle.
    """
    here = _Place()
    for turn in turns:
        if isinstance(turn, Damage):
            yield turn
            continue
        if turn.session != here.session:
            yield from here.close(supported)
            here = _Place(session=turn.session)
        if turn.role != "agent":
            yield from here.close(supported)
            here.open(turn)
        else:
            here.pass_by(turn)
    yield from here.close(supported)


def score(text: str, prev_text: str, prev_tools: str, interrupted: bool, kind: str) -> Score:  # noqa: FBT001 - the fields of a row
    """Judge one turn by its words and what stood before it."""
    acted = bool(prev_tools) or "```" in prev_text
    around = Around(kind=kind, interrupted=interrupted, acted=acted)
    read = clauses(text)
    return _scored(odds_of(text, read, around), text, read, around)


@dataclass
class _Stretch:
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
class _Place:
    """Where in the session we are: the human turn that waits, and the stretches of work on both sides of it."""

    session: str = ""
    turn: Turn | None = None
    before: _Stretch = field(default_factory=_Stretch)
    after: _Stretch = field(default_factory=_Stretch)

    def open(self, turn: Turn) -> None:
        self.turn, self.before, self.after = turn, self.after, _Stretch()

    def pass_by(self, turn: Turn) -> None:
        self.after.add(turn)

    def close(self, supported: Supported | None) -> Iterator[Reading]:
        if self.turn is not None:
            yield _reading(self.turn, self.before, self.after, supported)
        self.turn = None


def _reading(turn: Turn, before: _Stretch, after: _Stretch, supported: Supported | None) -> Reading:
    read = clauses(turn.text)
    around = Around(kind=turn.kind, interrupted=turn.interrupted, acted=bool(before.parts))
    odds = odds_of(turn.text, read, around)
    if before.parts and len(turn.text) <= SHORT and odds.value + SUPPORT >= REVIEW:
        odds = _acted_on(odds, read, _Pair(before.last(NEAR), after.first(NEAR)), supported)
    told = _scored(odds, turn.text, read, around)
    wishes = wishes_in(read)
    if told.band != "none" and wishes and all(map(asking, wishes)) and not _changed(before.actions(), after.actions()):
        told = told._replace(label="episodic" if before.parts else "none", band="none")  # a question changed nothing
    if turn.role == "unknown" and told.band == "auto":
        told = told._replace(band="review")
    undecided = told.band == "none" or turn.role == "unknown"  # whose words they are, nobody here can say
    correction = None if undecided else _correction(turn, read, before, after)
    return Reading(
        turn=turn, label=told.label, band=told.band, score=told.score, reasons=told.reasons, correction=correction
    )


class _Pair(NamedTuple):
    """What was done right before the person spoke and right after."""

    before: tuple[Action, ...]
    after: tuple[Action, ...]


def _changed(before: Sequence[Action], after: Sequence[Action]) -> bool:
    """Whether anything was done afterwards that had not been done before."""
    return any(action not in before for action in after)


def _acted_on(odds: Odds, read: Sequence[Clause], pair: _Pair, supported: Supported | None) -> Odds:
    """The odds with what the actions on both sides add to them."""
    value, reasons = odds
    if pair.after and not _changed(pair.before, pair.after):
        value += UNHEEDED
    if supported and value + SUPPORT >= REVIEW and supported(read, *pair):
        value, reasons = value + SUPPORT, (SUPPORTED, *reasons)
    return Odds(value, reasons)


def _scored(odds: Odds, text: str, read: Sequence[Clause], around: Around) -> Score:
    value = round(1 / (1 + exp(-odds.value)), 4)
    if odds.value >= AUTO and plain(text, read):
        return Score("durable", "auto", value, odds.reasons)
    if odds.value >= REVIEW:
        return Score("durable", "review", value, odds.reasons)
    refused = any(clause.polarity == "forbid" for clause in wishes_in(read)) or around.kind == "rejection"
    return Score("episodic" if refused and around.acted else "none", "none", value, odds.reasons)


def _correction(turn: Turn, read: Sequence[Clause], before: _Stretch, after: _Stretch) -> Correction:
    return Correction(
        quote=_quote(turn.text, read),
        turn=turn,
        before=before.actions(),
        after=after.actions(),
        marked=any(clause.marked for clause in read),
        slug=next((clause.slug for clause in read if clause.slug), ""),
    )


def _quote(text: str, read: Sequence[Clause]) -> str:
    """The stretch of the turn, word for word, that carries the wish."""
    carrying = wishes_in(read) or list(read)
    if not carrying:
        return text.strip()[:MOST_QUOTED]
    start = text.find(carrying[0].text)
    end = text.find(carrying[-1].text, start) + len(carrying[-1].text)
    if 0 <= start < end <= start + MOST_QUOTED:
        return text[start:end]
    return max(carrying, key=lambda clause: (clause.lasting, clause.polarity == "forbid", -len(clause.text))).text
