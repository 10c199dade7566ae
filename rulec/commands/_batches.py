"""Which small sessions are asked about in one prompt, remembered so that a question stays the same question."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from rulec.host import state
from rulec.model.exchange import Block
from rulec.stages.mine import LETTERS, MOST_TOKENS, MOST_TURNS

NAME = "batches"
MOST = 500  # that are remembered, the last ones

Place = tuple[str, int]  # a transcript, and after how many of its moments a bundle begins


class Small(NamedTuple):
    """A bundle that leaves room for others."""

    blocks: Sequence[Block]
    size: int  # tokens, about
    turns: int


def known(top: Path) -> set[Place]:
    """The bundles that stand in a prompt with others."""
    return {place for group in _read(top) for place in group}


def groups(
    top: Path, small: Mapping[Place, Small], missing: Callable[[Place], Small | None]
) -> Iterator[dict[Place, Small]]:
    """The bundles of each prompt: those that stood in one before, then the others as many as it takes.

    ``missing`` reads a bundle again that stood beside one of them and that nobody asks about now.
    """
    left = dict(small)
    for places in _read(top):
        if left.keys() & set(places):
            found = {place: left.pop(place, None) or missing(place) for place in places}
            yield {place: one for place, one in found.items() if one}
    group: dict[Place, Small] = {}
    for place, one in left.items():
        size = sum(other.size for other in group.values()) + one.size
        turns = sum(other.turns for other in group.values()) + one.turns
        if group and (size > MOST_TOKENS or turns > MOST_TURNS or len(group) == len(LETTERS)):
            yield group
            group = {}
        group[place] = one
    if group:
        yield group


def keep(top: Path, held: Iterable[Sequence[Place]]) -> None:
    """Remember what stands together; of transcripts that are gone nothing."""
    before = _read(top)
    new = [list(places) for places in held if len(places) > 1 and list(places) not in before]
    if new:
        there = [group for group in (*before, *new) if any(Path(path).is_file() for path, _ in group)]
        state.write(top, NAME, there[-MOST:])


def _read(top: Path) -> list[list[Place]]:
    kept = state.read(top, NAME)
    found = (
        [[_place(one) for one in group] for group in kept if isinstance(group, list)] if isinstance(kept, list) else []
    )
    return [[place for place in group if place] for group in found]


def _place(kept: object) -> Place | None:
    match kept:
        case [str(path), int(start)]:
            return path, start
    return None
