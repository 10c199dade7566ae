"""Which turns hold for next time too: what a reader is asked of a session, and what of its answer is borne out."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, cast

from rulec.domain.enforcement import SEVERITIES, Severity
from rulec.domain.prompt import DataBlock, Prompt
from rulec.domain.rule import CATEGORIES
from rulec.domain.template import Render
from rulec.domain.text import excerpts
from rulec.domain.text.one_line import spell_out
from rulec.domain.text.redaction import redact
from rulec.domain.transcript import Action
from rulec.mining.moments import Moment, ShownMoments, blocks_of, size_in_tokens
from rulec.sentences.literals import is_marked
from rulec.sentences.splitting import sentence_bounds


@dataclass(frozen=True, slots=True, kw_only=True)
class MinedWish:
    """One wish in a model's words, with what the transcript supports of it."""

    moment: Moment
    quote: str  # word for word, redacted
    lasting: bool
    sure: bool = True
    statement: str = ""
    name: str = ""  # a short one for its rule
    when: str = ""
    do: str = ""
    category: str = ""
    severity: Severity | None = None
    offence: Action | None = None
    fix: Action | None = None
    again: tuple[Moment, ...] = ()  # further turns that voice the same


@dataclass(frozen=True, slots=True)
class MinedAnswer:
    """The wishes of one answer, and a line for each that did not count."""

    wishes: tuple[MinedWish, ...]
    told: tuple[str, ...] = ()


LONGEST_QUOTE, STATEMENT, WHEN, NAME = 500, 300, 200, 50  # characters
_LEAST = 2  # signs of a quote, and words of a statement


def ground_wish(item: Mapping[str, Any], asked: ShownMoments, taken: Sequence[MinedWish]) -> MinedWish | str:
    """The wish, or a line that says why it does not count; ``taken`` are the earlier wishes of the answer."""
    place = _place(item.get("turn"), asked)
    if not place:
        return f"no turn {str(item.get('turn'))[:20]!r} was asked about"
    moment = asked.moments[place - 1]
    others = [one for one in taken if one.moment is moment]
    where = f"turn {asked.name(moment)}"
    if len(others) >= _MOST:
        return f"{where}: more than {_MOST} wishes"
    quote = sentences_of_quote(moment.turn.text, item.get("quote"))
    if not quote:
        return f"{where}: the quote does not stand in what the person said"
    quote = _distinct_quote(quote, {one.quote for one in others})
    if item.get("holds") != "next time":
        return MinedWish(moment=moment, quote=quote, lasting=False)
    statement = _statement(item.get("statement"))
    if not statement:
        return f"{where}: the statement is no sentence that a rule could hold"
    if any(one.statement.casefold() == statement.casefold() for one in others) or not quote:
        return f"{where}: the same wish twice"
    severity = item.get("severity")
    offence, fix = _action(item.get("offence"), asked, 1, place), _action(item.get("fix"), asked, place + 1)
    return MinedWish(
        moment=moment,
        quote=quote,
        lasting=True,
        sure=item.get("sure") != "low",
        statement=statement,
        name=excerpts.line_by_model(item.get("name"), NAME),
        when=excerpts.line_by_model(item.get("when"), WHEN),
        do=excerpts.line_by_model(item.get("do"), WHEN),
        category=str(item.get("category")) if item.get("category") in CATEGORIES else "",
        severity=cast("Severity", severity) if severity in SEVERITIES else None,
        offence=offence,
        fix=fix if fix != offence else None,
        again=tuple(_other_turns(item.get("again"), asked, place)),
    )


def _place(name: Any, asked: ShownMoments) -> int:
    """The place of the turn with that number among those that were asked about, 0 where there is none."""
    text = str(name).strip() if isinstance(name, int | str) and not isinstance(name, bool) else ""
    return next((at for at, one in enumerate(asked.moments, 1) if asked.name(one) == text), 0)


def _other_turns(names: Any, asked: ShownMoments, place: int) -> Iterator[Moment]:
    """Other turns that voice the same, each once."""
    found = {_place(name, asked) for name in names[:_MOST_AGAIN]} if isinstance(names, list | tuple) else set()
    yield from (asked.moments[at - 1] for at in sorted(found - {0, place}))


_MOST_AGAIN = 50
_MOST = 12  # wishes of one turn


def sentences_of_quote(text: str, quote: Any) -> str:
    """The sentences that hold the quote, blanks and unseen signs aside; "" where none does.

    Who cuts a sentence may turn what a person said into its contrary.
    """
    if not isinstance(quote, str) or len(quote) > 2 * len(text) + _SPARE:
        return ""
    clean, places, bare = _seen_text(text)
    wanted = "".join(quote[place] for place in _seen_places(quote))
    at = bare.find(wanted)
    if len(wanted) < _LEAST or at < 0:
        return ""
    return _whole_sentences(clean, places[at], places[at + len(wanted) - 1] + 1)


def _whole_sentences(text: str, first: int, last: int) -> str:
    """As much of the sentences as a quote may hold, of long ones what comes before the words rather than after."""
    last = min(last, first + LONGEST_QUOTE)
    start, stop = sentence_bounds(text, first, last)
    if stop - start <= LONGEST_QUOTE:
        return text[start:stop].strip()
    if last - start > LONGEST_QUOTE:
        blank = text.find(" ", last - LONGEST_QUOTE, first)
        start = blank + 1 if blank >= 0 else first
    found = text[start : start + LONGEST_QUOTE]
    cut = start + LONGEST_QUOTE < len(text) and not text[start + LONGEST_QUOTE].isspace()
    return ((found.rpartition(" ")[0] or found) if cut else found).strip()


@lru_cache(maxsize=8)  # an answer may quote one long turn a hundred times
def _seen_text(text: str) -> tuple[str, list[int], str]:
    """A text as it was shown, and the signs of it that a reader sees, with their places."""
    clean = redact(text)
    places = list(_seen_places(clean))
    return clean, places, "".join(clean[place] for place in places)


_SPARE = 1_000  # blanks that a model may have added
_CODE = re.compile(r"\\u[0-9a-f]{4}")  # as a model is shown what is no sign of writing


def _seen_places(text: str) -> Iterator[int]:
    """The places of the signs that a reader sees."""
    coded = {place for found in _CODE.finditer(text) for place in range(*found.span())}
    for place, sign in enumerate(text):
        if (
            place not in coded
            and not sign.isspace()
            and (sign.isascii() or spell_out(sign) == sign)
            and sign.isprintable()
        ):
            yield place


def _distinct_quote(quote: str, taken: set[str]) -> str:
    """The quote without its last signs, then words, where another wish has the same: evidence is known by its quote."""
    if quote in taken:
        quote = quote.rstrip(" .!?")
    while quote in taken:
        quote = quote.rpartition(" ")[0].rstrip()
    return quote


def _statement(value: Any) -> str:
    text = excerpts.line_by_model(value, STATEMENT)
    if len(text.split()) < _LEAST and len(text) < 2 * _LEAST:
        return ""
    return "" if is_marked(text) else text


def _action(name: Any, asked: ShownMoments, first: int, last: int = 10**6) -> Action | None:
    """The action with that id, if it was done before one of those turns."""
    number, action = asked.ids.get(name, (0, None)) if isinstance(name, str) else (0, None)
    return action if first <= number <= last else None


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
