"""How Markdown is written: the person's words -> choices of the template markdown-style."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from rulec.fits._prose import Wish, markdown
from rulec.language import Clause

_ABOUT = re.compile(
    r"\b(?:markdown|mdx?|docs?|documentation|readmes?|changelogs?|prose|guides?)\b|\.md\b", re.IGNORECASE
)
_NOT_FILES = re.compile(
    r"\b(?:commits?|commit messages?|repl(?:y|ies)|answers?|responses?|summar(?:y|ies)|chat|prs?|pull requests?"
    r"|log (?:lines?|messages?)|tests?|functions?|imports?|json|yaml|csv|html|jsx|tsx|latex|tex)\b",
    re.IGNORECASE,
)
_NO = r"\b(?:no|never|without|avoid|stop|quit|drop|don'?t|dont|do not|not|instead of|rather than)\b[^.;,]{0,30}?"
_EACH = r"\b(?:each|every|one|a|single)\b(?:[\w ,]{0,40}?)\bsentences?\b"


class _Style(NamedTuple):
    """A choice, the words for it, and what breaks it and what keeps it."""

    choice: str
    said: str
    rough: str
    bad: str
    good: str
    anywhere: bool = True  # the words speak of Markdown by themselves


_STYLES = (
    _Style(
        "one-sentence-per-line",
        rf"{_EACH}[^.;]{{0,60}}\b(?:on|in|gets?|has|have|to) (?:its|it'?s|their|an?|the) ?(?:own|new|separate"
        rf"|fresh)? line\b"
        r"|\bsentences? (?:per|a|each) line\b|\bsentences? (?:\w+ )?on (?:its|their|separate|a new|new|own"
        r"|one'?s) (?:own )?lines?\b"
        r"|\bsemantic (?:line ?breaks?|line ?feeds?|newlines?)\b"
        r"|\b(?:new ?line|line ?break|break(?: the)? lines?|wrap) (?:after|at|behind) (?:each|every"
        r"|the end of (?:each|every|a)|a) ?sentences?\b"
        r"|\b(?:two|several|multiple|many) sentences (?:on|in) (?:one|the same|a(?: single)?) line\b",
        r"[.!?][\"')*_`]*[ \t]+[\"'(*_`\[]*[A-Z`]",
        "One goes first. Two comes next.\n",
        "One goes first.\nTwo comes next, e.g. later.\n",
    ),
    _Style(
        "one-space-bullets",
        r"\b(?:one|a single|single|exactly one|only one|1) (?:space|blank)s?\b[^.;]{0,40}\b(?:after|behind|follow)",
        r"^\s*(?:>\s*)*[-*+](?: {2,}|\t)\S|^\s*[*+] ",
        "-   one\n",
        "- one\n",
        anywhere=False,
    ),
    _Style(
        "numbers-all-one",
        r"\b(?:always|only|just|all|every)\b[^;]{0,40}?\b1\.(?!\d)",
        r"^\s*[2-9]\.\s",
        "1. one\n2. two\n",
        "1. one\n1. two\n",
        anywhere=False,
    ),
    _Style(
        "sentence-case-headings",
        r"\bsentence[ -]case\b(?=.*\b(?:headings?|headers?|titles?)\b)|\b(?:headings?|headers?"
        r"|titles?)\b[^.;]{0,30}\bsentence[ -]case\b"
        rf"|{_NO}\btitle[ -]case\b(?=.*\b(?:headings?|headers?)\b)|\b(?:headings?"
        rf"|headers?)\b[^.;]{{0,20}}\bnot (?:in )?title[ -]case\b",
        r"^#{1,6} +[A-Z]\w* +.*[A-Z][a-z]",
        "## How To Write Good Headings\n",
        "## How to write good headings\n",
    ),
    _Style(
        "no-numbered-headings",
        rf"{_NO}\b(?:number(?:ed|ing|s)?)\b[^.;]{{0,20}}\b(?:headings?|headers?|sections?)\b",
        r"^#{1,6} +\d",
        "## 1. Setup\n",
        "## Setup\n",
    ),
    _Style(
        "no-heading-punctuation",
        rf"{_NO}\b(?:colons?|periods?|full stops?|punctuation|dots?)\b[^.;]{{0,20}}\b(?:headings?|headers?)\b"
        rf"|\b(?:headings?|headers?)\b[^.;]{{0,20}}{_NO}\b(?:colons?|periods?|full stops?|punctuation|dots?)\b",
        r"^#{1,6} .*[.:,;!]\s*$",
        "## Setup:\n",
        "## Setup\n",
    ),
    _Style(
        "hash-headings",
        rf"\b(?:atx|hash)[ -]?(?:style )?(?:headings?|headers?)|{_NO}\b(?:setext|underlined) (?:headings?|headers?)\b",
        r"^(?:={3,}|-{3,})\s*$",
        "Setup\n=====\n",
        "# Setup\n",
    ),
    _Style(
        "no-trailing-spaces",
        r"\btrailing (?:white ?space|spaces|blanks)\b",
        r"[ \t]+$",
        "one  \n",
        "one\n",
        anywhere=False,
    ),
    _Style("no-hard-tabs", rf"{_NO}\btabs\b", r"\t", "one\ttwo\n", "one two\n", anywhere=False),
    _Style("no-tables", rf"{_NO}\btables\b", r"^\s*\|.*\|", "| a | b |\n", "a, b\n", anywhere=False),
    _Style("no-bold", rf"{_NO}\bbold(?:ing|ed)?\b", r"\*\*\S", "It is **bold**.\n", "It is plain.\n", anywhere=False),
    _Style(
        "no-task-lists",
        rf"{_NO}\b(?:task lists?|check ?box(?:es)?|check ?lists?)\b",
        r"^\s*(?:[-*+]|\d+[.)]) \[[ xX]\] ",
        "- [ ] later\n",
        "- later\n",
        anywhere=False,
    ),
    _Style(
        "no-bullets",
        rf"{_NO}\bbullet(?:s|ed|ed lists?| points?| lists?)\b(?!.*[`'\"*+-]\s)",
        r"^\s*[-*+] ",
        "- one\n",
        "One.\n",
        anywhere=False,
    ),
)
_COMPILED = tuple((style, re.compile(style.said, re.IGNORECASE)) for style in _STYLES)
_LISTS = re.compile(
    r"\b(?:bullets?|bulleted|bullet[ -]points?|unordered|list (?:items?|markers?))\b"
    r"|^(?!.*(?:^|\s)[*>]\s.*[\[(:]).*\b(?:us(?:e|ing)|not|never|instead|prefer|with|for)\b.*\blists?\b"
    r"|\blists?\b.*\b(?:us(?:e|ing)|not|never|instead|with)\b",
    re.IGNORECASE,
)
_SIGN = re.compile(
    r"(?P<dash>[`'\"]-[`'\"]|\bdash(?:es)?\b|\bhyphens?\b|(?<!\S)-(?=\s))"
    r"|(?P<star>[`'\"]\*[`'\"]|\basterisks?\b|\bstars?\b|(?<!\S)\*(?=\s))|(?P<plus>[`'\"]\+[`'\"]|\bplus(?:es)?\b)",
    re.IGNORECASE,
)
_AGAINST = re.compile(
    r"\b(?:no|not|never|instead of|rather than|over|avoid|stop using|don'?t use|do not use"
    r"|without)\b[\w\s`'\",]{0,20}$",
    re.IGNORECASE,
)
_BULLETS = {
    "dash": ("dash-bullets", r"^\s*(?:>\s*)*[*+]\s+\S|^\s*-(?: {2,}|\t)", "* one\n", "- one\n"),
    "star": ("star-bullets", r"^\s*(?:>\s*)*[-+]\s+\S", "- one\n", "* one\n"),
    "plus": ("plus-bullets", r"^\s*(?:>\s*)*[-*]\s+\S", "- one\n", "+ one\n"),
}
_NUMBERED = re.compile(r"\b(?:number(?:ed|s)?|ordered)\b|`1\.`", re.IGNORECASE)
_PADDED = re.compile(
    r"\bpad(?:ded|ding)?\b|\bwide\b|\bwidth\b|\bcharacters?\b|\bchars?\b|\bcolumns?\b|\balign", re.IGNORECASE
)
_NUMBERS = {"three": 3, "four": 4, "five": 5, "six": 6, "3": 3, "4": 4, "5": 5, "6": 6}
_WIDE = re.compile(
    r"\b(?P<n>three|four|five|six|[3-6])[ -](?:characters?|chars?|columns?|signs?|wide)\b", re.IGNORECASE
)
_SPACES = re.compile(r"\b(?P<n>two|three|2|3) (?:spaces|blanks) (?:after|behind|following)\b", re.IGNORECASE)
_WIDTH = re.compile(
    r"\b(?:wrap\w*|lines?|line length|width)\b[^.;]{0,40}?\b(?:at|to|under|than|over|below|within|exceed\w*"
    r"|max\w*|most|of|is)\b"
    r"[^.;]{0,12}?\b(?P<n>[6-9]\d|1[0-5]\d)\b"
    r"|\b(?P<m>[6-9]\d|1[0-5]\d)(?:[ -](?:chars?|characters?|columns?|cols?))\b",
    re.IGNORECASE,
)


def styles(clause: Clause) -> Iterator[Wish]:
    """What the clause says of Markdown."""
    text = clause.text
    about = bool(_ABOUT.search(text))
    if not about and _NOT_FILES.search(text):
        return
    bullets = _bullets(text)
    found = [
        style for style, said in _COMPILED if said.search(text) and (style.anywhere or about or _fits(style, text))
    ]
    spaced = [style for style in found if style.choice == "one-space-bullets"]
    if bullets:
        choice, rough, bad, good = _BULLETS[bullets]
        yield _wish({"style": [choice, *(style.choice for style in spaced)]}, rough, bad, good)
        found = [style for style in found if style not in spaced and style.choice != "no-bullets"]
    for style in found:
        yield _wish({"style": [style.choice]}, style.rough, style.bad, style.good)
    number = _number_width(text)
    if number:
        wide, small = " " * max(1, number - 2), "1." + " " * (1 if number != 3 else 2)
        yield _wish({"number_width": number}, r"^\s*(?:>\s*)*\d{1,3}[.)][ \t]+\S", f"{small}one\n", f"1.{wide}one\n")
    width = _WIDTH.search(text) if about else None
    if width:
        limit = int(width["n"] or width["m"])
        yield _wish({"width": limit}, f"^.{{{limit + 1}}}", "word " * (limit // 4) + "\n", "a short line\n")


def _fits(style: _Style, text: str) -> bool:
    if style.choice == "one-space-bullets":
        return bool(_LISTS.search(text) or re.search(r"\bmarkers?\b", text))
    return style.choice == "numbers-all-one" and bool(_NUMBERED.search(text))


def _bullets(text: str) -> str:
    """The sign that the person wants in front of list items."""
    if not _LISTS.search(text) or re.search(r"\bnumbered\b", text, re.IGNORECASE):
        return ""
    wanted: list[str] = []
    unwanted: list[str] = []
    for sign in _SIGN.finditer(text):
        name = str(sign.lastgroup)
        (unwanted if _AGAINST.search(text[: sign.start()]) else wanted).append(name)
    if wanted:
        return wanted[0] if len(set(wanted)) == 1 else ""
    return {"star": "dash", "plus": "dash", "dash": "star"}[unwanted[0]] if unwanted else ""


def _number_width(text: str) -> int:
    if not _NUMBERED.search(text):
        return 0
    wide, spaces = _WIDE.search(text) if _PADDED.search(text) else None, _SPACES.search(text)
    if wide:
        return _NUMBERS[wide["n"].lower()]
    return {"two": 4, "2": 4, "three": 5, "3": 5}[spaces["n"].lower()] if spaces else 0


def _wish(given: dict[str, object], rough: str, bad: str, good: str) -> Wish:
    return Wish(template="markdown-style", given=given, rough=rough, bad=markdown(bad), good=markdown(good))
