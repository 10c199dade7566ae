"""Words about commit messages -> what a message must or may not hold, with one that breaks it and one that keeps it."""

import re
from collections.abc import Iterator
from typing import Any

from rulec.fits._message_shape import of_lines, shapes
from rulec.language import Clause

Form = tuple[dict[str, Any], str, str]  # parameters of commit-message, a message they refuse and one they pass
PLAIN = "Read the settings once"

_TRAILER = re.compile(r"\bco-?author\w*|\btrailers?\b", re.IGNORECASE)
_MAKER = re.compile(
    r"\b(?:ai|claude|anthropic|codex|copilot|cursor|gemini|agent|llm|bot|yourself)\b[^.]{0,40}?"
    r"\b(?:signatures?|footers?|credits?|attributions?|mentions?|advert\w*|ads?|taglines?|tags?|lines?|"
    r"as (?:an? )?(?:co-?)?authors?)\b|"
    r"\battributions?\b|\bgenerated (?:with|by)\b|"
    r"\b(?:mention|credit|reference|name|advertis\w*|sign)\b[^.]{0,20}"
    r"\b(?:ai|claude|anthropic|codex|copilot|cursor|gemini|yourself)\b",
    re.IGNORECASE,
)
_MAKERS = "[Cc]laude|[Aa]nthropic|[Cc]odex|[Oo]pen[Aa][Ii]|[Cc]opilot|[Cc]ursor|[Gg]emini|[Aa]ider"
_BY_MAKER = [rf"[Cc]o-[Aa]uthored-[Bb]y:.*(?:{_MAKERS})", rf"[Gg]enerated (?:with|by) .*(?:{_MAKERS})"]
_LENGTH = re.compile(
    r"\b(?:under|below|at most|max(?:imum)?(?: of)?|no (?:longer|more) than|less than|up to|within|"
    r"shorter than|fewer than|"
    r"limit\w*(?: \w+)? to|exceeds?|over|longer than|more than|above)\s+(?P<n>\d{2,3})\b|"
    r"\b(?P<m>\d{2,3})[- ]?(?:char(?:acter)?s?|columns?|letters)(?:\s+(?:max|limit|or (?:less|fewer)|at most|tops))",
    re.IGNORECASE,
)
_ONE_LINE = re.compile(
    r"\b(?:one|single|1)[- ]line(?:r)?s?\b|\bno (?:commit )?(?:body|bodies|description)\b|"
    r"\bwithout (?:a )?(?:body|description)\b|"
    r"\b(?:subject|title) (?:line )?only\b|\bjust (?:a|the) (?:subject|title)\b",
    re.IGNORECASE,
)
_TICKET = re.compile(r"\b(?P<key>[A-Z]{2,10})-(?:\d+|#+|X+|N+|123)\b")
_DOT = re.compile(r"\b(?:trailing|ending|final|end with(?: an?)?)\b[^.]{0,20}?\b(?:period|dot|full stop)s?\b|"
                  r"\b(?:period|dot|full stop)s? at the end\b", re.IGNORECASE)  # fmt: skip
_LOWER = re.compile(r"\b(?:lower[- ]?case|no capital)", re.IGNORECASE)
_UPPER = re.compile(r"\b(?:start with an? (?:capital|upper[- ]?case)|capitali[sz]e)", re.IGNORECASE)
_ENGLISH = re.compile(r"\b(?:in|only|use) english\b", re.IGNORECASE)
_FOREIGN = "[\u0400-\u04ff\u4e00-\u9fff\u3040-\u30ff\uac00-\ud7af]"
_STARTS = re.compile(r"\b(?:prefix\w*|starts?|starting|begins?|beginning)\b", re.IGNORECASE)
_TYPES = re.compile(r"\b(?:feat|fix|chore|docs|refactor):", re.IGNORECASE)


def forms(clause: Clause) -> Iterator[Form]:
    """Everything that the clause says about messages, the plainest first."""
    text, no = clause.text, clause.polarity == "forbid"
    no = no or bool(re.search(r"\b(?:no|without|never|drop|remove|omit|skip|leave out|stop)\b", text, re.IGNORECASE))
    yield from shapes(text, no=no)
    yield from _style(clause, no=no)
    if not (no and _names(clause)):
        yield from _makers(text, no=no)
    yield from _lengths(text)
    yield from _letters(text, no=no)
    yield from _held(clause, no=no)


def _style(clause: Clause, *, no: bool) -> Iterator[Form]:
    text = clause.text
    conventional = re.search(r"\b(?:conventional|semantic)[- ]commits?\b|\bconventional\b", text, re.IGNORECASE)
    if (conventional or len(set(_TYPES.findall(text.lower()))) > 1) and not no:
        yield {"style": "conventional"}, PLAIN, "fix: read the settings once"
    wanted = re.search(r"\bimperative\b|\bpresent tense\b", text, re.IGNORECASE) and clause.polarity != "forbid"
    if wanted or (no and re.search(r"\bpast tense\b", text, re.IGNORECASE)):
        yield {"imperative": True}, "Added a reader of settings", PLAIN
    if no and _DOT.search(text):
        yield {"forbid_subject": ["[.]$"]}, f"{PLAIN}.", PLAIN


def _makers(text: str, *, no: bool) -> Iterator[Form]:
    signed = f"{PLAIN}\n\nCo-Authored-By: Claude <noreply@example.com>"
    if no and _TRAILER.search(text):
        named = re.search(r"\b(?:ai|claude|anthropic|codex|copilot|cursor|gemini)\b", text, re.IGNORECASE)
        if named:
            yield {"forbid": _BY_MAKER}, signed, f"{PLAIN}\n\nCo-Authored-By: Ann <ann@example.com>"
        yield {"forbid_trailers": ["Co-Authored-By"]}, signed, PLAIN
    elif no and _MAKER.search(text):
        yield {"forbid": _BY_MAKER}, signed, PLAIN


def _lengths(text: str) -> Iterator[Form]:
    if (length := _LENGTH.search(text)) and not of_lines(text):
        most = int(length["n"] or length["m"])
        if re.search(r"\b(?:char|letter|column|subject|title|line|message|long)", text, re.IGNORECASE):
            yield {"max_subject": most}, f"{PLAIN} " + "x" * most, PLAIN[:most].strip()
    if _ONE_LINE.search(text):
        yield {"no_body": True}, f"{PLAIN}\n\nThey were read twice.", PLAIN


def _letters(text: str, *, no: bool) -> Iterator[Form]:
    if _LOWER.search(text):
        yield {"require_subject": ["^[^A-Z]*$|^[^A-Z]"]}, PLAIN, PLAIN.lower()
    elif _UPPER.search(text) and not no:
        yield {"require_subject": ["^[^a-z]"]}, PLAIN.lower(), PLAIN
    if _ENGLISH.search(text) and not no:
        yield {"forbid": [_FOREIGN]}, "\u041f\u0440\u0430\u0432\u043a\u0430", PLAIN


def _held(clause: Clause, *, no: bool) -> Iterator[Form]:
    ticket = _TICKET.search(clause.text)
    if ticket and not no:
        yield {"require": [rf"\b{ticket['key']}-\d+\b"]}, PLAIN, f"{ticket['key']}-12 {PLAIN}"
    exact = [term.text for term in clause.terms if term.kind == "code"] or _names(clause)
    if no and exact and clause.forbidden and clause.polarity == "forbid":
        yield (
            {"forbid": [rf"\b{word}\b" if word.isalnum() else re.escape(word) for word in exact]},
            f"{PLAIN} {exact[0]}",
            PLAIN,
        )
    if exact and not no and not ticket and _STARTS.search(clause.text) and not _TYPES.search(exact[0]):
        start = re.escape(exact[0].strip())
        yield {"require_subject": [f"^{start}"]}, PLAIN, f"{exact[0].strip()} {PLAIN}"


def _names(clause: Clause) -> list[str]:
    """What is not to be mentioned, where all of it are proper names."""
    named = list(clause.forbidden) if clause.verb in ("mention", "name", "say", "credit") else []
    return named if all(re.fullmatch(r"[A-Z][A-Za-z0-9]+", word) for word in named) else []
