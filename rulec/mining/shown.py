"""Moments of a session -> the blocks that a reader is shown, with an id for each action."""

from collections.abc import Iterator, Sequence

from rulec.mining.short import deed, prose
from rulec.model.artifact import one_line
from rulec.model.exchange import Block, tokens
from rulec.model.mined import Ids, Moment
from rulec.model.transcript import Action
from rulec.redact import redact

SAID, ASKED = 400, 1_600  # characters of what the agent said last; of what it asked, where few words answer it
FEW = 12  # characters of an answer that says nothing without its question
FIRST, LAST = 12, 28  # actions that are shown after a turn, and before one
_KINDS = {
    "rejection": "the person refused what the agent was about to do",
    "queued": "typed while the agent worked",
    "slash_args": "typed behind a command",
}


def size(moment: Moment) -> int:
    """About how many tokens it takes."""
    deeds = min(len(moment.before), FIRST + LAST)
    return tokens(prose(moment.turn.text)) + tokens(moment.said[-_reach(moment) :]) + deeds * _OF_A_DEED + _OF_A_TURN


_OF_A_DEED, _OF_A_TURN = 40, 25  # tokens, about


def shown(moments: Sequence[Moment], after: int | None = None, letter: str = "") -> tuple[tuple[Block, ...], Ids]:
    """A block for each moment, with what was done before it, and one for so much of what was done after the last."""
    ids: dict[str, tuple[int, Action]] = {}
    blocks = []
    for number, moment in enumerate(moments, 1):
        previous = moments[number - 2] if number > 1 else None
        name = f"{letter}{moment.turn.index}"
        told = _deeds(_between(previous, moment), name, number, (FIRST if previous else 0, LAST), ids)
        lines = [*_lead(moment), *told, *_marks(moment), _words(moment)]
        blocks.append(Block(name=f"turn {name}", text="\n".join(lines)))
    end = len(moments) + 1
    if rest := list(_deeds(moments[-1].after[:after][:FIRST], f"{letter}end", end, (FIRST, 0), ids)):
        blocks.append(Block(name=f"after turn {letter}{moments[-1].turn.index}", text="\n".join(rest)))
    return tuple(blocks), ids


def _between(previous: Moment | None, moment: Moment) -> tuple[Action, ...]:
    """What was done from one turn to the next, which are neighbours unless another session begins between them."""
    if previous is None or previous.turn.session == moment.turn.session:
        return moment.before
    return (*previous.after, *moment.before)


def _deeds(
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
        yield f"{name} {deed(action)}"


def _reach(moment: Moment) -> int:
    return ASKED if len(moment.turn.text.strip()) <= FEW else SAID


def _lead(moment: Moment) -> Iterator[str]:
    """How the agent's last message ends; all that it asked, options and all, before a bare "2" or "yes"."""
    reach = _reach(moment)
    if said := one_line(redact(moment.said[-4 * reach :])):
        yield f"agent: {'…' * (len(said) > reach)}{said[-reach:]}"


def _marks(moment: Moment) -> Iterator[str]:
    if moment.turn.role == "unknown":
        yield "(the transcript leaves open who says this: a person, or somebody quotes one)"
    if moment.turn.interrupted:
        yield "(the person interrupted the agent)"
    if told := _KINDS.get(moment.turn.kind):
        yield f"({told})"
    yield "person:"


def _words(moment: Moment) -> str:
    return prose(redact(moment.turn.text))
