"""Moments of a session -> the blocks that a model is shown, with an id for each action."""

from collections.abc import Iterator, Sequence

from rulec.mining.short import cut, deed
from rulec.model.artifact import one_line
from rulec.model.exchange import Block, tokens
from rulec.model.mined import Ids, Moment
from rulec.model.transcript import Action
from rulec.redact import redact

TURN = 10_000  # characters of one turn; a longer one is cut where it asks for nothing
SAID = 300  # of what the agent said last
FIRST, LAST = 12, 28  # actions that are shown after a turn, and before one
_KINDS = {
    "rejection": "the person refused what the agent was about to do",
    "queued": "typed while the agent worked",
    "slash_args": "typed behind a command",
}


def size(moment: Moment) -> int:
    """About how many tokens it takes."""
    deeds = min(len(moment.before), FIRST + LAST)
    return tokens(moment.turn.text[:TURN]) + tokens(moment.said[-SAID:]) + deeds * _OF_A_DEED + _OF_A_TURN


_OF_A_DEED, _OF_A_TURN = 30, 25  # tokens, about


def shown(moments: Sequence[Moment], after: int | None = None) -> tuple[tuple[Block, ...], Ids]:
    """A block for each moment, with what was done before it, and one for so much of what was done after the last."""
    ids: dict[str, tuple[int, Action]] = {}
    blocks = []
    for number, moment in enumerate(moments, 1):
        previous = moments[number - 2] if number > 1 else None
        told = _deeds(_between(previous, moment), number, FIRST if previous else 0, LAST, ids)
        blocks.append(Block(name="turn", text="\n".join([*_lead(moment), *told, *_marks(moment), _words(moment)])))
    if rest := list(_deeds(moments[-1].after[:after][:FIRST], len(moments) + 1, FIRST, 0, ids)):
        blocks.append(Block(name="afterwards", text="\n".join(rest)))
    return tuple(blocks), ids


def _between(previous: Moment | None, moment: Moment) -> tuple[Action, ...]:
    """What was done from one turn to the next, which are neighbours unless another session begins between them."""
    if previous is None or previous.turn.session == moment.turn.session:
        return moment.before
    return (*previous.after, *moment.before)


def _deeds(
    actions: Sequence[Action], number: int, first: int, last: int, ids: dict[str, tuple[int, Action]]
) -> Iterator[str]:
    """A line for each action that is near one of the turns, with its id."""
    end = max(first, len(actions) - last)
    for place, action in enumerate(actions, 1):
        if first < place <= end:
            if place == end:
                yield f"({end - first} more)"
            continue
        name = f"a{number}.{place}"
        ids[name] = (number, action)
        yield f"{name} {deed(action)}"


def _lead(moment: Moment) -> Iterator[str]:
    if said := one_line(redact(moment.said[-8 * SAID :])):
        yield f"agent: {'…' * (len(said) > SAID)}{said[-SAID:]}"


def _marks(moment: Moment) -> Iterator[str]:
    if moment.turn.role == "unknown":
        yield "(the transcript leaves open who says this: a person, or somebody quotes one)"
    if moment.turn.interrupted:
        yield "(the person interrupted the agent)"
    if told := _KINDS.get(moment.turn.kind):
        yield f"({told})"
    yield "person:"


def _words(moment: Moment) -> str:
    return cut(redact(moment.turn.text), TURN)
