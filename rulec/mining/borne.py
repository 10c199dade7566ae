"""One wish as a model names it -> what the transcript bears out of it, or why it does not count."""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, cast, get_args

from rulec import answerfile
from rulec.known.unseen import spelled
from rulec.language import clauses
from rulec.mining.sentences import around
from rulec.mining.taken import of_action
from rulec.model.candidate import Offered
from rulec.model.mined import Asked, Mined
from rulec.model.rule import CATEGORIES, Check, Example, Severity
from rulec.model.transcript import Action
from rulec.redact import redact

QUOTE, STATEMENT, WHEN = 500, 300, 200  # characters
_LEAST = 2  # signs of a quote, and words of a statement
_OWN = 2_000  # characters of an action that may be an example of a rule


def borne(item: Mapping[str, Any], asked: Asked, taken: Sequence[Mined]) -> Mined | str:
    """The wish, or a line that says why it does not count; ``taken`` are those of the same answer before it."""
    number = item.get("turn")
    if not isinstance(number, int) or isinstance(number, bool) or not 0 < number <= len(asked.moments):
        return f"no turn {str(number)[:20]!r} was asked about"
    moment = asked.moments[number - 1]
    others = [one for one in taken if one.moment is moment]
    where = f"block {number} (turn {moment.turn.index})"  # as whoever answered saw it, and as cards name it
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
    offence, fix = _action(item.get("offence"), asked, 1, number), _action(item.get("fix"), asked, number + 1)
    return Mined(
        moment=moment,
        quote=quote,
        lasting=True,
        statement=statement,
        when=answerfile.words(item.get("when"), WHEN),
        do=answerfile.words(item.get("do"), WHEN),
        category=str(item.get("category")) if item.get("category") in CATEGORIES else "",
        severity=cast("Severity", severity) if severity in get_args(Severity) else None,
        offence=offence,
        fix=fix if fix != offence else None,
        offered=_offered(item, offence, fix),
    )


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
    """The action of that id, where it stands in one of those blocks."""
    number, action = asked.ids.get(name, (0, None)) if isinstance(name, str) else (0, None)
    return action if first <= number <= last else None


def _offered(item: Mapping[str, Any], offence: Action | None, fix: Action | None) -> Offered:
    check = answerfile.check(item.get("check"))
    read = [list(answerfile.examples(item.get(key))) for key in ("invalid", "valid")]
    unread = [check, *(f"an example: {one}" for side in read for one in side if isinstance(one, str))]
    sides = [[one for one in side if isinstance(one, Example)] for side in read]
    for own, action in zip(sides, (offence, fix), strict=True):
        example = of_action(action) if action and _shows(action) else None
        if example and all(one.kind == example.kind for one in own):
            own.insert(0, example)
    invalid, valid = (tuple(dict.fromkeys(side)) for side in sides)
    both = set(invalid) & set(valid)
    return Offered(
        check=check if isinstance(check, Check) else None,
        invalid=tuple(one for one in invalid if one not in both),
        valid=tuple(one for one in valid if one not in both),
        unread=tuple(one for one in unread if one and isinstance(one, str)),
    )


def _shows(action: Action) -> bool:
    """Whether an action may be an example of a rule: short enough, and in the repository."""
    size = len(action.command) + len(action.old) + len(action.new)
    return size <= _OWN and not action.path.startswith(("/", "..", "~"))
