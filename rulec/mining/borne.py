"""One wish as a model names it -> what the transcript bears out of it, or why it does not count."""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, cast, get_args

from rulec import answerfile
from rulec.known.unseen import spelled
from rulec.language import clauses
from rulec.mining.sentences import around
from rulec.model.mined import Asked, Mined, Moment
from rulec.model.rule import CATEGORIES, Severity
from rulec.model.transcript import Action
from rulec.redact import redact

QUOTE, STATEMENT, WHEN, NAME = 500, 300, 200, 50  # characters
_LEAST = 2  # signs of a quote, and words of a statement


def borne(item: Mapping[str, Any], asked: Asked, taken: Sequence[Mined]) -> Mined | str:
    """The wish, or a line that says why it does not count; ``taken`` are those of the same answer before it."""
    place = _place(item.get("turn"), asked)
    if not place:
        return f"no turn {str(item.get('turn'))[:20]!r} was asked about"
    moment = asked.moments[place - 1]
    others = [one for one in taken if one.moment is moment]
    where = f"turn {asked.name(moment)}"
    if len(others) >= _MOST:
        return f"{where}: more than {_MOST} wishes"
    quote = standing(moment.turn.text, item.get("quote"))
    if not quote:
        return f"{where}: the quote does not stand in what the person said"
    quote = _own(quote, {one.quote for one in others})
    if item.get("holds") != "next time":
        return Mined(moment=moment, quote=quote, lasting=False)
    statement = _statement(item.get("statement"))
    if not statement:
        return f"{where}: the statement is no sentence that a rule could hold"
    if any(one.statement.casefold() == statement.casefold() for one in others) or not quote:
        return f"{where}: the same wish twice"
    severity = item.get("severity")
    offence, fix = _action(item.get("offence"), asked, 1, place), _action(item.get("fix"), asked, place + 1)
    return Mined(
        moment=moment,
        quote=quote,
        lasting=True,
        sure=item.get("sure") != "low",
        statement=statement,
        name=answerfile.words(item.get("name"), NAME),
        when=answerfile.words(item.get("when"), WHEN),
        do=answerfile.words(item.get("do"), WHEN),
        category=str(item.get("category")) if item.get("category") in CATEGORIES else "",
        severity=cast("Severity", severity) if severity in get_args(Severity) else None,
        offence=offence,
        fix=fix if fix != offence else None,
        again=tuple(_again(item.get("again"), asked, place)),
    )


def _place(name: Any, asked: Asked) -> int:
    """The place of the turn with that number among those that were asked about, 0 where there is none."""
    text = str(name).strip() if isinstance(name, int | str) and not isinstance(name, bool) else ""
    return next((at for at, one in enumerate(asked.moments, 1) if asked.name(one) == text), 0)


def _again(names: Any, asked: Asked, place: int) -> Iterator[Moment]:
    """Other turns that voice the same, each once."""
    found = {_place(name, asked) for name in names[:_MOST_AGAIN]} if isinstance(names, list | tuple) else set()
    yield from (asked.moments[at - 1] for at in sorted(found - {0, place}))


_MOST_AGAIN = 50
_MOST = 12  # wishes of one turn


def standing(text: str, quote: Any) -> str:
    """The whole sentences in which the quote stands, blanks and unseen signs aside; "" where it stands nowhere.

    Who cuts a sentence may turn what a person said into its contrary.
    """
    if not isinstance(quote, str) or len(quote) > 2 * len(text) + _SPARE:
        return ""
    clean, places, bare = _bare(text)
    wanted = "".join(quote[place] for place in _seen(quote))
    at = bare.find(wanted)
    if len(wanted) < _LEAST or at < 0:
        return ""
    return _whole(clean, places[at], places[at + len(wanted) - 1] + 1)


def _whole(text: str, first: int, last: int) -> str:
    """As much of the sentences as a quote may hold, of long ones what comes before the words rather than after."""
    last = min(last, first + QUOTE)
    start, stop = around(text, first, last)
    if stop - start <= QUOTE:
        return text[start:stop].strip()
    if last - start > QUOTE:
        blank = text.find(" ", last - QUOTE, first)
        start = blank + 1 if blank >= 0 else first
    found = text[start : start + QUOTE]
    cut = start + QUOTE < len(text) and not text[start + QUOTE].isspace()
    return ((found.rpartition(" ")[0] or found) if cut else found).strip()


@lru_cache(maxsize=8)  # an answer may quote one long turn a hundred times
def _bare(text: str) -> tuple[str, list[int], str]:
    """A text as it was shown, and the signs of it that a reader sees, with their places."""
    clean = redact(text)
    places = list(_seen(clean))
    return clean, places, "".join(clean[place] for place in places)


_SPARE = 1_000  # blanks that a model may have added
_CODE = re.compile(r"\\u[0-9a-f]{4}")  # as a model is shown what is no sign of writing


def _seen(text: str) -> Iterator[int]:
    """The places of the signs that a reader sees."""
    coded = {place for found in _CODE.finditer(text) for place in range(*found.span())}
    for place, sign in enumerate(text):
        if (
            place not in coded
            and not sign.isspace()
            and (sign.isascii() or spelled(sign) == sign)
            and sign.isprintable()
        ):
            yield place


def _own(quote: str, taken: set[str]) -> str:
    """The quote without its last signs, then words, where another wish has the same: evidence is known by its quote."""
    if quote in taken:
        quote = quote.rstrip(" .!?")
    while quote in taken:
        quote = quote.rpartition(" ")[0].rstrip()
    return quote


def _statement(value: Any) -> str:
    text = answerfile.words(value, STATEMENT)
    read = clauses(text)
    if len(text.split()) < _LEAST and len(text) < 2 * _LEAST:
        return ""
    return "" if any(clause.marked or clause.slug for clause in read) else text


def _action(name: Any, asked: Asked, first: int, last: int = 10**6) -> Action | None:
    """The action of that id, where it was done before one of those turns."""
    number, action = asked.ids.get(name, (0, None)) if isinstance(name, str) else (0, None)
    return action if first <= number <= last else None
