"""Moments of a session <-> a model's word: what in a person's turns holds for next time too, with offence and fix."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from rulec.mining.borne import borne
from rulec.mining.shown import shown, size
from rulec.model.exchange import Prompt
from rulec.model.mined import Asked, Hearing, Mined, Moment
from rulec.model.rule import CATEGORIES
from rulec.ports import Render

VERSION = 3
MOST_TURNS, MOST_TOKENS = 48, 30_000  # of one prompt: fewer turns where they are long, more where they are short
ANSWER = 8_000  # tokens: some fifty wishes
MOST_WISHES, MOST_TOLD = 150, 20
BY = "A model worded this; the quote is the person's"


def ask(moments: Iterable[Moment], render: Render, cuts: Mapping[int, int]) -> Iterator[Asked]:
    """One prompt for each bundle of moments, the same however much a transcript grows at its end.

    ``cuts`` says where earlier runs came to the end: after how many moments, and how many actions then followed.
    """
    instructions = render("ask/mine.md.j2", {"categories": CATEGORIES, "many": False})
    for bundle in _bundles(moments, cuts):
        data, ids = shown(bundle.moments, bundle.after)
        prompt = Prompt(step="mine", version=VERSION, instructions=instructions, data=data, schema=SCHEMA, most=ANSWER)
        yield Asked(prompt=prompt, moments=bundle.moments, ids=ids)


class _Bundle(NamedTuple):
    moments: tuple[Moment, ...]
    after: int | None = None  # actions after the last that count, all where None


def _bundles(moments: Iterable[Moment], cuts: Mapping[int, int]) -> Iterator[_Bundle]:
    bundle: list[Moment] = []
    taken = 0
    for number, moment in enumerate(moments, 1):
        own = size(moment)
        if bundle and (len(bundle) == MOST_TURNS or taken + own > MOST_TOKENS):
            yield _Bundle(tuple(bundle))
            bundle, taken = [], 0
        bundle.append(moment)
        taken += own
        if number in cuts:
            yield _Bundle(tuple(bundle), cuts[number])
            bundle, taken = [], 0
    if bundle:
        yield _Bundle(tuple(bundle))


_TEXT, _ID = {"type": "string"}, {"type": ["string", "null"]}
_TURN = {"type": ["integer", "string"]}
_WISH = {
    "turn": _TURN,
    "quote": _TEXT,
    "holds": {"enum": ["next time", "this time"]},
    "sure": {"enum": ["high", "low"], "default": "high"},
    "again": {"type": "array", "items": _TURN},
    "statement": _TEXT,
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
    items = data["wishes"]
    told = [f"{len(items)} wishes in one answer, of which {MOST_WISHES} count"] * (len(items) > MOST_WISHES)
    taken: list[Mined] = []
    for item in items[:MOST_WISHES]:
        found = borne(item, asked, taken)
        if isinstance(found, Mined):
            taken.append(found)
        else:
            told.append(found)
    taken.sort(key=lambda one: one.moment.turn.index)
    return Hearing(tuple(taken), tuple(told[:MOST_TOLD]))
