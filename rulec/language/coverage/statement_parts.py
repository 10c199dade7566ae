"""A statement in its parts: the wishes that it joins, and the conditions under which they hold."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from rulec.language.words import telling_stems

_HIDDEN = "\ue000"  # stands for each letter of what is quoted: no word within it splits a sentence
_MARKUP = re.compile(r"(?<![\w/*.])(\*\*|__|\*)([^*_\s/.](?:[^*\n]*[^*\s/])?)\1(?![\w/*.])")
_QUOTED = re.compile(r"``[^`\n]+``|`[^`\n]+`|[\"“„][^\"“”„\n]{1,80}[\"”“]")

# Behind these words stands a reason, up to the end of its sentence, or of its brackets.
_REASON = re.compile(
    r"(?i)[,;:]?\s*\b(?:because|since (?:it|they|we|others|the|that|this|our|my)|so that|so (?:it|they|we|you|that)|"
    r"otherwise|or else|which is why|as (?:it|they|that|this)|for the sake of)\b"
    r"(?:(?![.!?](?:\s|$)|[;)\n]|,\s+(?:unless|except|only|and|but)\b).)*"
)
_WISHES = r"(?:never|always|please|don['\u2019]t|do not)"
_ASIDE = re.compile(  # what neither asks for more nor bounds what is asked
    rf"(?i),?\s*\bnot even\b[^,;.()\n]*|\((?!\s*(?:and|also|but|no|not|only|unless|except|if|when|{_WISHES})\b)[^()]*\)"
)
_AND = r"(?:and then|and also|as well as|but also)"
_NEXT = re.compile(  # where one wish ends and the next begins
    "(?i)"
    + "|".join(
        (
            r"(?<=[.!?])\s+(?=\S)",
            r"\s*;\s+|\s*\n\s*|\s+[\u2014\u2013-]\s+|\s*[()]\s*",
            rf",?\s+{_AND}\s+",
            rf",?\s+(?:and|but|then)\s+(?={_WISHES}\b)",
            r",\s+(?:and|but|then)\s+(?=[^\s,;.!?]+\s+[^\s,;.!?]+)",  # with a comma two words make a wish
            r"\s+(?:and|but)\s+(?=(?:[^\s;.!?]+\s+){2})",
            rf",\s+(?=(?:{_WISHES}|also|we|they|make sure|keep|leave|tell|ask|mention|no)\b)",
        )
    )
)
_EVEN = re.compile(r"(?i)\b(?:even|not|based|depends?|relys?|rely|relies|settled?|insists?|log|check|sign)\s+\Z")
_AGAIN = r"\s+(?:(?:we|you)\s+)?(?:never|always|don['\u2019]t|do not|must|should|please|use|run|no)\b"
_WHEN = (
    r"unless|except(?:ing)?|if|when(?:ever)?|while|until|before|after|without|once|as long as|as soon as|provided|"
    r"apart from|other than|outside(?: of)?|during"
)
_WHERE = r"(?:in|on|inside|within|under|from)(?!\s+\d)"  # "under 60 characters" is a measure
_ONLY = r"(?<=only )(?:for|by|through|via|with|to)"
_CONDITION = re.compile(rf"(?i)(?<![\w-])(?:(?:only|except)\s+)?\b({_WHEN}|{_WHERE}|{_ONLY})\s+")
_END = re.compile(rf"(?i)[,;:()]|{_AGAIN}|\s+(?:(?:(?:only|except)\s+)?(?:{_WHEN})|in|on)\s|[.!?](?:\s|$)")
_FORBIDS = re.compile(r"(?i)\b(?:never|no|not|avoid|stop|forbidden|banned)\b|n['\u2019]t\b")
_ACTS = re.compile(r"(?i)\W*(?:please\s+|always\s+|only\s+|just\s+)*(?:use|run|prefer|call)\b")
# A clause that goes on about what was said, and asks for nothing.
_ABOUT = re.compile(
    r"(?i)(?:it|they|this|that|these|those|which|there (?:is|are))\b"
    r"(?!.*\b(?:must|should|shall|has to|have to|needs? to)\b)"
)


@dataclass(frozen=True, slots=True)
class StatementPart:
    """A wish of a statement, or a condition of the wish before or behind it."""

    kind: Literal["wish", "condition"]
    text: str
    of: int = 0  # the number of the clause that it stands in
    whole: str = ""  # that clause
    span: tuple[int, int] = (0, 0)  # where that clause stands
    marker: str = ""  # the word that makes a condition of it
    narrows: bool = False  # whether the wish asks for less than it would without it


def without_markup(statement: str) -> str:
    """A statement without its markup."""
    return _MARKUP.sub(r"\2", statement)


def split_statement(statement: str) -> tuple[StatementPart, ...]:
    """The wishes and conditions of a statement; what only gives a reason or an aside is left away."""
    text = without_markup(statement)
    hidden = _QUOTED.sub(lambda found: _HIDDEN * len(found.group()), text)
    for pattern in (_REASON, _ASIDE):
        for one in pattern.finditer(hidden):
            blank = " " * (one.end() - one.start())
            text = text[: one.start()] + blank + text[one.end() :]
            hidden = hidden[: one.start()] + blank + hidden[one.end() :]
    found: list[StatementPart] = []
    start = number = 0
    for end, after in [*((one.start(), one.end()) for one in _NEXT.finditer(hidden)), (len(text), len(text))]:
        own = list(_clause(text, hidden, start, end, number))
        start = max(start, after)
        if own and not (number and own[0].kind == "wish" and _ABOUT.match(own[0].text)):
            found += own
            number += any(part.kind == "wish" for part in own)  # a condition before its wish is of its clause
    return tuple(found)


def _clause(text: str, hidden: str, start: int, end: int, number: int) -> Iterator[StatementPart]:
    """The wish of one clause without its conditions, then these."""
    bounds = list(_conditions(text, hidden, start, end))
    rest, last = "", start
    for first, upto, _ in bounds:
        rest, last = f"{rest} {text[last:first]}", upto
    whole, wish = _trimmed(text[start:end]), _trimmed(f"{rest} {text[last:end]}")
    if number and bounds and re.search(r"\w", wish) and not telling_stems(wish):
        wish = whole  # it asks for something in words that say nothing by themselves
    if re.search(r"\w", wish):
        yield StatementPart("wish", wish, number, whole, (start, end))
    forbids, acts = bool(_FORBIDS.search(wish)), bool(_ACTS.match(wish))
    for first, upto, marker in bounds:
        where = marker == "without" or re.fullmatch(_WHERE, marker, re.IGNORECASE) is not None
        yield StatementPart(
            "condition", _trimmed(text[first:upto]), number, whole, (start, end), marker, not where or forbids or acts
        )


def _conditions(text: str, hidden: str, start: int, end: int) -> Iterator[tuple[int, int, str]]:
    """Where the conditions of a clause begin and end, and the words that make them."""
    at = start
    while found := _CONDITION.search(hidden, at, end):
        at = found.end()
        if _EVEN.search(hidden, max(start, found.start() - 20), found.start()):
            continue
        stop = _END.search(hidden, at, end)
        upto = stop.start() if stop else end
        if telling_stems(text[at:upto]):
            yield found.start(), upto, found.group(1).lower()
        at = max(at, upto)


def _trimmed(text: str) -> str:
    """A piece of a sentence without what joins it to the rest."""
    return re.sub(r"(?i)^(?:and|but|then|also)\s+", "", " ".join(text.split()).strip(" ,.;:!?-()"))
