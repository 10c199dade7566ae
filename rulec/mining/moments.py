"""Turns of a transcript -> moments: each human turn with what was said and done around it."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from rulec.domain.transcript import Action, Turn, UnreadableLine
from rulec.mining.wishes import Moment

SIDE = 100  # actions next to a turn, on either side of a stretch of work, that are kept
WORDS = 4_000  # the last characters of what the agent said


def moments_of(turns: Iterable[Turn | UnreadableLine]) -> Iterator[Moment]:
    """One moment for each human turn, in order; it waits until the actions that follow it have passed."""
    turn: Turn | None = None
    before, stretch, session = _WorkStretch(), _WorkStretch(), ""
    twice: list[int] = []
    for one in turns:
        if isinstance(one, UnreadableLine):
            continue
        if one.session != session:
            if turn:
                yield _moment(turn, before, stretch, twice)
            twice = []
            turn, stretch, session = None, _WorkStretch(), one.session
        if one.role != "agent":
            if turn and not stretch.actions and not stretch.said and _is_copy(one, turn):
                twice.append(one.index)
                continue
            if turn:
                yield _moment(turn, before, stretch, twice)
            turn, before, stretch, twice = one, stretch, _WorkStretch(), []
        else:
            stretch.add(one)
    if turn:
        yield _moment(turn, before, stretch, twice)


def _is_copy(one: Turn, other: Turn) -> bool:
    """Whether one of them is a reader's copy of the other: a command's text, and the same text as it was sent."""
    return "slash_args" in (one.kind, other.kind) and one.text.split() == other.text.split()


@dataclass(slots=True)
class _WorkStretch:
    """What the agent did between two turns of a person."""

    actions: list[Action] = field(default_factory=list)
    said: str = ""

    def add(self, turn: Turn) -> None:
        self.said = turn.text[-WORDS:] or self.said
        self.actions += turn.actions
        if len(self.actions) > 2 * SIDE:  # the nearest on both sides, whatever stood between them
            del self.actions[SIDE:-SIDE]


def _moment(turn: Turn, before: _WorkStretch, after: _WorkStretch, twice: list[int]) -> Moment:
    sides = tuple(before.actions), tuple(after.actions)
    return Moment(turn=turn, said=before.said, before=sides[0], after=sides[1], twice=tuple(twice))
