"""Which of a person's turns hold for next time too: what a reader is asked of a session, and its answer read."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rulec.domain.prompt import DataBlock, Prompt
from rulec.domain.rule import CATEGORIES
from rulec.domain.template import Render
from rulec.mining.moments import Moment, ShownMoments, blocks_of, size_in_tokens
from rulec.mining.quote_grounding import MinedAnswer, MinedWish, ground_wish

VERSION = 3
MOST_TURNS, MOST_TOKENS = 60, 30_000  # of one prompt: fewer turns where they are long, more where they are short
SMALL_SESSION = 6_000  # tokens of a session, or of its end, that goes into one prompt with others
ANSWER_TOKENS = 8_000  # tokens: some fifty wishes
MOST_WISHES, MOST_TOLD = 150, 20
SESSION_LETTERS = ("", *"bcdefghijklmnopqrstuvwxyz")  # before the numbers of the turns of each session of one prompt
WORDED_BY_MODEL = "A model worded this; the quote is the person's"


@dataclass(frozen=True, slots=True)
class TurnBundle:
    """Turns of one transcript that share a prompt."""

    moments: tuple[Moment, ...]
    start: int  # how many moments of the transcript come before them
    size: int  # tokens, about
    after: int | None = None  # actions after the last that count, all where None


def bundle_turns(moments: Iterable[Moment], cuts: Mapping[int, int]) -> Iterator[TurnBundle]:
    """What of a transcript is asked at once, the same however much it grows at its end.

    ``cuts`` says where earlier runs came to the end: after how many moments, and how many actions then followed.
    """
    some: list[Moment] = []
    start = taken = number = 0
    for number, moment in enumerate(moments, 1):
        own = size_in_tokens(moment)
        if some and (len(some) == MOST_TURNS or taken + own > MOST_TOKENS):
            yield TurnBundle(tuple(some), start, taken)
            some, start, taken = [], number - 1, 0
        some.append(moment)
        taken += own
        if number in cuts:
            yield TurnBundle(tuple(some), start, taken, cuts[number])
            some, start, taken = [], number, 0
    if some:
        yield TurnBundle(tuple(some), start, taken)


def turns_asked_about(bundle: TurnBundle, letter: str = "") -> ShownMoments:
    """What the numbers in a prompt stand for; a letter before them tells the turns of several sessions apart."""
    return ShownMoments(moments=bundle.moments, ids=blocks_of(bundle.moments, bundle.after, letter)[1], letter=letter)


def bundle_blocks(bundle: TurnBundle) -> tuple[DataBlock, ...]:
    """The blocks of a bundle, with a mark where the prompt puts the session's letter."""
    return blocks_of(bundle.moments, bundle.after, _MARK)[0]


_MARK = "\0"


def write_mining_prompt(bundled: Sequence[Sequence[DataBlock]], render: Render) -> Prompt:
    """One question about the blocks of some bundles, each of another session and with the letter of its place."""
    words = render("ask/mine.md.j2", {"categories": CATEGORIES, "many": len(bundled) > 1})
    data = [
        DataBlock(name=block.name.replace(_MARK, letter), text=block.text.replace(_MARK, letter), named=True)
        for some, letter in zip(bundled, SESSION_LETTERS, strict=False)
        for block in some
    ]
    return Prompt(step="mine", version=VERSION, instructions=words, data=tuple(data), schema=SCHEMA, most=ANSWER_TOKENS)


UNSAID_CONFIDENCE = "low"  # how sure a reader is who does not say it: what nobody calls sure waits for a person
_TEXT, _ID = {"type": "string"}, {"type": ["string", "null"]}
_TURN = {"type": ["integer", "string"]}
_WISH = {
    "turn": _TURN,
    "quote": _TEXT,
    "holds": {"enum": ["next time", "this time"]},
    "sure": {"enum": ["high", "low"], "default": UNSAID_CONFIDENCE},
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


def read_mining_answer(data: Mapping[str, Any], asked: ShownMoments) -> MinedAnswer:
    """The wishes that the transcript supports, in its order; quotes must be in the turn, actions are named by id."""
    items = [item for item in data["wishes"] if asked.letter == _session_letter(item.get("turn"))]
    told = [f"{len(items)} wishes in one answer, of which {MOST_WISHES} count"] * (len(items) > MOST_WISHES)
    taken: list[MinedWish] = []
    for item in items[:MOST_WISHES]:
        found = ground_wish({**item, "sure": "high" if item.get("sure") == "high" else UNSAID_CONFIDENCE}, asked, taken)
        if isinstance(found, MinedWish):
            taken.append(found)
        else:
            told.append(found)
    taken.sort(key=lambda one: one.moment.turn.index)
    return MinedAnswer(tuple(taken), tuple(told[:MOST_TOLD]))


def _session_letter(name: Any) -> str:
    """The session of a turn; an unknown number falls to the first session, where it is reported."""
    text = str(name).strip()
    return text[:1] if text[:1] in SESSION_LETTERS and text[1:].isdecimal() else ""
