"""Moments of a session <-> a model's word: what in a person's turns holds for next time too, with offence and fix."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rulec.mining.borne import borne
from rulec.mining.shown import shown, size
from rulec.model.exchange import Block, Prompt
from rulec.model.mined import Asked, Hearing, Mined, Moment
from rulec.model.rule import CATEGORIES
from rulec.ports import Render

VERSION = 3
MOST_TURNS, MOST_TOKENS = 60, 30_000  # of one prompt: fewer turns where they are long, more where they are short
SMALL = 6_000  # tokens of a session, or of its end, that goes into one prompt with others
ANSWER = 8_000  # tokens: some fifty wishes
MOST_WISHES, MOST_TOLD = 150, 20
LETTERS = ("", *"bcdefghijklmnopqrstuvwxyz")  # before the numbers of the turns of each session of one prompt
BY = "A model worded this; the quote is the person's"


@dataclass(frozen=True, slots=True)
class Bundle:
    """Some turns of one transcript, which stand in one prompt."""

    moments: tuple[Moment, ...]
    start: int  # how many moments of the transcript come before them
    size: int  # tokens, about
    after: int | None = None  # actions after the last that count, all where None


def bundles(moments: Iterable[Moment], cuts: Mapping[int, int]) -> Iterator[Bundle]:
    """What of a transcript is asked at once, the same however much it grows at its end.

    ``cuts`` says where earlier runs came to the end: after how many moments, and how many actions then followed.
    """
    some: list[Moment] = []
    start = taken = number = 0
    for number, moment in enumerate(moments, 1):
        own = size(moment)
        if some and (len(some) == MOST_TURNS or taken + own > MOST_TOKENS):
            yield Bundle(tuple(some), start, taken)
            some, start, taken = [], number - 1, 0
        some.append(moment)
        taken += own
        if number in cuts:
            yield Bundle(tuple(some), start, taken, cuts[number])
            some, start, taken = [], number, 0
    if some:
        yield Bundle(tuple(some), start, taken)


def asked(bundle: Bundle, letter: str = "") -> Asked:
    """What the numbers in a prompt stand for; a letter before them tells the turns of several sessions apart."""
    return Asked(moments=bundle.moments, ids=shown(bundle.moments, bundle.after, letter)[1], letter=letter)


def blocks(bundle: Bundle) -> tuple[Block, ...]:
    """What is shown of it, with a mark in the place of the letter that its prompt will give it."""
    return shown(bundle.moments, bundle.after, _MARK)[0]


_MARK = "\0"


def ask(bundled: Sequence[Sequence[Block]], render: Render) -> Prompt:
    """One question about the blocks of some bundles, each of another session and with the letter of its place."""
    words = render("ask/mine.md.j2", {"categories": CATEGORIES, "many": len(bundled) > 1})
    data = [
        Block(name=block.name.replace(_MARK, letter), text=block.text.replace(_MARK, letter), named=True)
        for some, letter in zip(bundled, LETTERS, strict=False)
        for block in some
    ]
    return Prompt(step="mine", version=VERSION, instructions=words, data=tuple(data), schema=SCHEMA, most=ANSWER)


UNSAID = "low"  # how sure a reader is who does not say it: what nobody calls sure waits for a person
_TEXT, _ID = {"type": "string"}, {"type": ["string", "null"]}
_TURN = {"type": ["integer", "string"]}
_WISH = {
    "turn": _TURN,
    "quote": _TEXT,
    "holds": {"enum": ["next time", "this time"]},
    "sure": {"enum": ["high", "low"], "default": UNSAID},
    "again": {"type": "array", "items": _TURN},
    "statement": _TEXT,
    "name": _TEXT,
    "when": _TEXT,
    "do": _TEXT,
    "category": _TEXT,
    "severity": _TEXT,
    "offence": _ID,
    "fix": _ID,
}
SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "required": ["wishes"],
    "properties": {
        "wishes": {
            "type": "array",
            "maxItems": 500,
            "items": {"type": "object", "required": ["turn", "quote", "holds"], "properties": _WISH},
        }
    },
}


def hear(data: Mapping[str, Any], asked: Asked) -> Hearing:
    """The wishes that the transcript bears out, in its order; quotes stand in the very turn, pairs come by id alone."""
    items = [item for item in data["wishes"] if asked.letter == _letter(item.get("turn"))]
    told = [f"{len(items)} wishes in one answer, of which {MOST_WISHES} count"] * (len(items) > MOST_WISHES)
    taken: list[Mined] = []
    for item in items[:MOST_WISHES]:
        found = borne({**item, "sure": "high" if item.get("sure") == "high" else UNSAID}, asked, taken)
        if isinstance(found, Mined):
            taken.append(found)
        else:
            told.append(found)
    taken.sort(key=lambda one: one.moment.turn.index)
    return Hearing(tuple(taken), tuple(told[:MOST_TOLD]))


def _letter(name: Any) -> str:
    """Of which session a turn is; what is no number of a turn is of the first one, which says so."""
    text = str(name).strip()
    return text[:1] if text[:1] in LETTERS and text[1:].isdecimal() else ""
