"""The human turns of a transcript with what was said and done around them, as blocks for a reader."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from rulec.domain.prompt import DataBlock, estimate_tokens
from rulec.domain.text.excerpts import action_line, shorten_logs
from rulec.domain.text.one_line import to_one_line
from rulec.domain.text.redaction import redact
from rulec.domain.transcript import Action, Turn, UnreadableLine


@dataclass(frozen=True, slots=True, kw_only=True)
class Moment:
    """A human turn with the actions and words around it."""

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


SIDE = 100  # actions next to a turn, on either side of a stretch of work, that are kept
WORDS = 4_000  # the last characters of what the agent said


def moments_of(turns: Iterable[Turn | UnreadableLine]) -> Iterator[Moment]:
    """One moment for each human turn, in order; it waits until the actions that follow it have passed."""
    turn: Turn | None = None
    before, stretch, session = WorkStretch(), WorkStretch(), ""
    twice: list[int] = []
    for one in turns:
        if isinstance(one, UnreadableLine):
            continue
        if one.session != session:
            if turn:
                yield _moment(turn, before, stretch, twice)
            twice = []
            turn, stretch, session = None, WorkStretch(), one.session
        if one.role != "agent":
            if turn and not stretch.parts and not stretch.said and _is_copy(one, turn):
                twice.append(one.index)
                continue
            if turn:
                yield _moment(turn, before, stretch, twice)
            turn, before, stretch, twice = one, stretch, WorkStretch(), []
        else:
            stretch.add(one)
    if turn:
        yield _moment(turn, before, stretch, twice)


def _is_copy(one: Turn, other: Turn) -> bool:
    """Whether one of them is a reader's copy of the other: a command's text, and the same text as it was sent."""
    return "slash_args" in (one.kind, other.kind) and one.text.split() == other.text.split()


@dataclass(slots=True)
class WorkStretch:
    """What the agent did between two turns of a person; its actions are read only when somebody asks for them."""

    parts: list[Sequence[Action]] = field(default_factory=list)
    said: str = ""

    def add(self, turn: Turn) -> None:
        """Take in a turn of the agent: of many actions the nearest on both sides, whatever stood between them."""
        self.said = turn.text[-WORDS:] or self.said
        if turn.actions:
            self.parts.append(turn.actions)
            if len(self.parts) > 2 * SIDE:
                del self.parts[SIDE:-SIDE]

    def actions(self) -> tuple[Action, ...]:
        """What it did."""
        found = [action for part in self.parts for action in part]
        if len(found) > 2 * SIDE:
            del found[SIDE:-SIDE]
        return tuple(found)


def _moment(turn: Turn, before: WorkStretch, after: WorkStretch, twice: list[int]) -> Moment:
    return Moment(turn=turn, said=before.said, before=before.actions(), after=after.actions(), twice=tuple(twice))


SAID, ASKED = 400, 1_600  # characters of what the agent said last; of what it asked, where few words answer it
SHORT_ANSWER = 12  # characters of an answer that says nothing without its question
FIRST, LAST = 12, 28  # actions that are shown after a turn, and before one
_WITHIN_TURN = ("rejection", "queued")  # kinds of what a person says before the agent's turn has ended
_KINDS = {
    "rejection": "the person refused what the agent was about to do",
    "queued": "typed while the agent worked",
    "slash_args": "typed behind a command",
}


def size_in_tokens(moment: Moment) -> int:
    """About how many tokens it takes."""
    deeds = min(len(moment.before), FIRST + LAST)
    return (
        estimate_tokens(shorten_logs(moment.turn.text))
        + estimate_tokens(moment.said[-_reach(moment) :])
        + deeds * _OF_A_DEED
        + _OF_A_TURN
    )


_OF_A_DEED, _OF_A_TURN = 40, 25  # tokens, about


def blocks_of(
    moments: Sequence[Moment], after: int | None = None, letter: str = ""
) -> tuple[tuple[DataBlock, ...], ActionIds]:
    """A block for each moment, with what was done before it, and one for so much of what was done after the last."""
    ids: dict[str, tuple[int, Action]] = {}
    blocks = []
    for number, moment in enumerate(moments, 1):
        previous = moments[number - 2] if number > 1 else None
        name = f"{letter}{moment.turn.index}"
        told = _action_lines(_actions_between(previous, moment), name, number, (FIRST if previous else 0, LAST), ids)
        lines = [*_agents_last_words(moment, name, number, ids), *told, *_marks(moment), _words(moment)]
        blocks.append(DataBlock(name=f"turn {name}", text="\n".join(lines)))
    end = len(moments) + 1
    if rest := list(_action_lines(moments[-1].after[:after][:FIRST], f"{letter}end", end, (FIRST, 0), ids)):
        blocks.append(DataBlock(name=f"after turn {letter}{moments[-1].turn.index}", text="\n".join(rest)))
    return tuple(blocks), ids


def _actions_between(previous: Moment | None, moment: Moment) -> tuple[Action, ...]:
    """What was done from one turn to the next, which are neighbours unless another session begins between them."""
    if previous is None or previous.turn.session == moment.turn.session:
        return moment.before
    return (*previous.after, *moment.before)


def _action_lines(
    actions: Sequence[Action], turn: str, number: int, ends: tuple[int, int], ids: dict[str, tuple[int, Action]]
) -> Iterator[str]:
    """A line for each action that is near one of the turns, with its id: 12.3 is the third before turn 12."""
    first, last = ends
    end = max(first, len(actions) - last)
    for place, action in enumerate(actions, 1):
        if first < place <= end:
            if place == end:
                yield f"({end - first} more)"
            continue
        name = f"{turn}.{place}"
        ids[name] = (number, action)
        yield f"{name} {action_line(action)}"


def _reach(moment: Moment) -> int:
    return ASKED if len(moment.turn.text.strip()) <= SHORT_ANSWER else SAID


def _agents_last_words(moment: Moment, turn: str, number: int, ids: dict[str, tuple[int, Action]]) -> Iterator[str]:
    """How the agent's last message ends; all that it asked, options and all, before a bare "2" or "yes".

    Where its turn ended with it, the message has an id as an action has: 12.0 is the one before turn 12.
    """
    reach = _reach(moment)
    said = to_one_line(redact(moment.said[-4 * reach :]))
    if not said:
        return
    name = ""
    if not moment.turn.interrupted and moment.turn.kind not in _WITHIN_TURN:
        name = f"{turn}.0"
        ids[name] = (number, Action(kind="stop", new=moment.said))
    yield f"{name} agent: {'…' * (len(said) > reach)}{said[-reach:]}".strip()


def _marks(moment: Moment) -> Iterator[str]:
    if moment.turn.role == "unknown":
        yield "(the transcript leaves open who says this: a person, or somebody quotes one)"
    if moment.turn.interrupted:
        yield "(the person interrupted the agent)"
    if told := _KINDS.get(moment.turn.kind):
        yield f"({told})"
    yield "person:"


def _words(moment: Moment) -> str:
    return shorten_logs(redact(moment.turn.text))
