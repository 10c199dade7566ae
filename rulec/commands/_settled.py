"""Wishes that were found -> those that can be decided now, once a reader was asked what is in doubt and for checks."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from rulec.commands import _drafts, _unsure
from rulec.commands._mined import Mining, words
from rulec.commands._propose import Ruling, resolved
from rulec.commands._waiting import Waiting
from rulec.model.exchange import Awaited, Trouble
from rulec.model.rulebook import Rulebook


@dataclass(frozen=True, slots=True, kw_only=True)
class Settled:
    """What is decided now, by whose ruling, and what waits for somebody's answer."""

    items: tuple[Waiting, ...]
    held: tuple[Waiting, ...] = ()
    ruling: Ruling = resolved
    told: tuple[str, ...] = ()


def settled(top: Path, book: Rulebook, items: Sequence[Waiting], mining: Mining | None) -> Settled:
    """Nobody is asked a thing that would be asked otherwise once something else is answered or written.

    So by files nothing more is asked while a transcript is still read, and nothing decided while anything is asked.
    """
    if mining is None or not items:
        return Settled(items=tuple(items))
    talk, files = mining.talk, mining.talk.waits
    reading = files and bool(talk.open)
    doubt = [item for item in items if reading and resolved(item.candidate, book).band == "review"]
    items = [item for item in items if item not in doubt]
    word = _unsure.Told() if reading else _unsure.told(book, [item.candidate for item in items], talk)
    lines = tuple(one.line for one in word.unasked if isinstance(one, Trouble))
    lines += tuple(filter(None, [words(word.dropped)]))
    if any(isinstance(one, Awaited) for one in word.unasked):
        return Settled(items=(), held=(*doubt, *items), told=lines)
    found = _drafts.drafts(top, book, items, talk, word.ruling)
    lines += found.told
    if files and not reading and found.held:
        return Settled(items=(), held=(*doubt, *found.items, *found.held), told=lines)
    return Settled(items=found.items, held=(*doubt, *found.held), ruling=word.ruling, told=lines)
