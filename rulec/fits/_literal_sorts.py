"""Sorts of values that people do not want spelled out: how they are called, how they look, whether they stand there."""

import re
from typing import NamedTuple

from rulec.fits._words import things
from rulec.language import Clause


class Sort(NamedTuple):
    """What people call a sort of value, how it looks within a string or as a number, and one of them."""

    said: str
    pattern: str
    sample: str
    number: bool = False
    inline: bool = False  # said of as "inline", too
    colour: bool = False


_COLOUR = r"^(?:#(?:[0-9a-fA-F]{3,4}|[0-9a-fA-F]{6}|[0-9a-fA-F]{8})|(?:rgb|hsl)a?\([^)]*\))$"
_SORTS = (
    Sort(
        r"\b(?:api |base |absolute |full )?(?:urls?|endpoints?|web ?addresses|hosts?(?:names?)?|domains?)\b",
        r"^https?://",
        "https://api.sample.com/v1",
    ),
    Sort(r"\blocalhost\b", r"\blocalhost\b", "http://localhost:3000"),
    Sort(r"\bips?(?: addresses)?\b", r"^\d{1,3}(?:\.\d{1,3}){3}\b", "10.20.30.40"),
    Sort(
        r"\bcolou?rs?(?: (?:values?|codes?))?\b|\bhex(?: (?:values?|codes?|colou?rs?))?\b",
        _COLOUR,
        "#1a2b3c",
        inline=True,
        colour=True,
    ),
    Sort(
        r"\b(?:absolute|home|user|local|machine|file ?system)(?:[- ]specific)? (?:file ?)?"
        r"(?:paths?|director(?:y|ies)|folders?)\b",
        r"^(?:/(?:home|Users|root|mnt|Volumes)/|~/|[A-Za-z]:[\\/])",
        "/home/sample/data.csv",
    ),
    Sort(r"\be-?mails?(?: addresses)?\b", r"^[\w.+-]+@[\w-]+(?:\.[\w-]+)+$", "ada@sample.org"),
    Sort(
        r"\bmagic (?:numbers?|values?|constants?)\b|\b(?:numeric|number) literals?\b",
        # halves, tens and hundreds are no magic
        r"(?:[3-9]|1[1-9]|[2-9]\d|1\d[1-9]|1[1-9]0|[2-9]\d\d|\d[\d_]{3,})(?:\.\d+)?|\d+\.\d*[1-9]\d*",
        "86400",
        number=True,
        inline=True,
    ),
)
_HARD = re.compile(r"\bhard[- ]?cod\w*|\bmagic\b|\bspell(?:ed|ing)? out\b|\bbak(?:e|ed|ing) in\b", re.IGNORECASE)
_NO = re.compile(r"\W*(?:(?:please|and|but|also|ok|again|like i said)\b\W*)*(?:no|never|stop|avoid)\b", re.IGNORECASE)
_INLINE = re.compile(r"\b(?:literals?|inlin(?:e|ed|ing)|raw|embed\w*)\b", re.IGNORECASE)
_ELSEWHERE = re.compile(
    r"\b(?:s?css|less|sass|stylesheets?|styles|docs|markdown|readme|commit messages?|ya?ml)\b", re.IGNORECASE
)
_QUOTED = re.compile(r"[\w.:/#@-]{3,}")
_LONGEST = 500  # of a line that is looked at
_STRING = re.compile(r"""["'`]((?:[^"'`\\]|\\.)*)["'`]""")
_NO_CODE = ("#", "//", "*", "/*", "import ", "from ")
_NAMED = re.compile(
    r"^\s*(?:(?:export|public|private|static|pub) )*(?:const \w+|(?:final |static )*(?:\w+ )?[A-Z][A-Z0-9_]+)\b"
    r"[^=\n(]*=[^(\n]*$"
)


def said(clause: Clause) -> list[Sort]:
    """The sorts of value, or the very ones, that the clause does not want spelled out."""
    unwanted = things(clause) or ((clause.text,) if clause.polarity == "none" and _NO.match(clause.text) else ())
    hard = bool(_HARD.search(clause.text))
    if not (hard or _INLINE.search(clause.text)):
        return []
    wanted = " ".join(clause.preferred)
    quoted = [
        term.text
        for term in clause.terms
        if hard and term.kind == "code" and _QUOTED.fullmatch(term.text) and not term.text.isalpha()
        if term.text in " ".join(unwanted) and term.text not in wanted
    ]
    if quoted:
        return [Sort("", rf"(?<![\w.]){re.escape(text)}(?![\w.])", text) for text in quoted]
    elsewhere = bool(_ELSEWHERE.search(clause.text))
    sorts = (sort for sort in _SORTS if (hard or sort.inline) and (sort.colour or not elsewhere))
    return [sort for sort in sorts if any(re.search(sort.said, thing, re.IGNORECASE) for thing in unwanted)][:1]


def stands(sort: Sort, text: str, *, named: bool) -> bool:
    """Whether a line of code holds such a value; ``named``: one that only gives it a name does not count."""
    lines = [line[:_LONGEST] for line in text.splitlines() if not line.lstrip().startswith(_NO_CODE)]
    lines = [line for line in lines if not (named and _NAMED.match(line))]
    if sort.number:
        number = re.compile(rf"(?<![\w.])(?:{sort.pattern})(?![\w.])")
        return any(number.search(_STRING.sub("", line)) for line in lines)
    return any(re.search(sort.pattern, found[1]) for line in lines for found in _STRING.finditer(line))
