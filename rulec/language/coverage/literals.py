"""The concrete things that a statement names: code, quotes, paths, flags, numbers, names, languages, members of lists."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Literal

from rulec.domain import languages
from rulec.language.coverage.statement_parts import without_markup
from rulec.language.words import WEIGHTLESS

ThingKind = Literal["code", "quoted", "path", "flag", "number", "name", "extension", "language", "member"]


@dataclass(frozen=True, slots=True)
class NamedThing:
    """One concrete thing that a statement names, and where it stands there."""

    kind: ThingKind
    text: str
    start: int = field(default=0, compare=False)


_FORMS: tuple[tuple[ThingKind, "re.Pattern[str]"], ...] = (  # what one takes, the later ones do not see
    ("code", re.compile(r"``([^`\n]+)``|`([^`\n]+)`")),
    ("quoted", re.compile(r"[\"“„]([^\"“”„\n]{1,80})[\"”“]|(?<!\w)['\u2018]([^'\u2018\u2019\n]{1,80})['\u2019](?!\w)")),
    ("path", re.compile(r"(?<![\w:/])((?:https?://\S+)|(?:[~.@]?[\w.*{}@$-]*/)+[\w.*{}@-]*|[\w./-]*\*[\w./*-]+)")),
    ("flag", re.compile(r"(?<![\w-])(--?[A-Za-z][\w-]*(?:=[^\s,;)]+)?)")),
    ("number", re.compile(r"(?<![\w.-])(\d+(?:\.\d+)*)(?![\w-])")),
    ("name", re.compile(r"(?<![\w.])([\w-]+(?:\.[\w-]+)+(?:\(\))?)(?!\w)")),
    ("extension", re.compile(r"(?<![\w./])(\.[A-Za-z][\w-]{0,15})\b")),
    ("name", re.compile(r"(?<![\w@$])([@$][A-Za-z_]\w*|\w+\(\)|_*[A-Za-z][A-Za-z0-9]*_\w+|__?[A-Za-z]\w*)")),
    ("name", re.compile(r"\b([a-z][a-z0-9]*[A-Z]\w*|[A-Z][a-z0-9]+[A-Z]\w*)\b")),
)
_NO_PATH = re.compile(r"(?i)(?:and/or|he/she|his/her|s/he|yes/no|n/a|w/o|[A-Z]{2,3}/[A-Z]{2,3}|/|\d+/\d+)\Z")
_NO_NAME = re.compile(r"(?i)(?:e\.g|i\.e|etc|a\.k\.a|vs|p\.s|[a-z]\.[a-z])\.?\Z")


# What people call a language, where it can be nothing else: "in Go", "Java code".
_LANGUAGES = "|".join(map(re.escape, sorted({*languages.SUFFIXES, *languages.SPOKEN_NAMES}, key=len, reverse=True)))
_LANGUAGE = re.compile(
    rf"(?i)(?<![\w.-])(?:(?<=\bin )(?P<a>{_LANGUAGES})(?!\w|[.-]\w)|"
    rf"(?P<b>{_LANGUAGES})(?= (?:code|files?|modules?|sources?|scripts?|tests?)\b))"
)
# Members of a list: words up to where the sentence ends or goes on about something else.
_WORD = r"(?:``[^`\n]+``|`[^`\n]+`|[\w@./*-]*[\w/*])"
_STOP = (
    r"(?=\s*(?:[,;:.!?)\u2013\u2014]|$|\s(?:in|on|for|to|at|when|if|unless|here|directly|anywhere|ever|instead|please|"
    r"because|with|by|and|or|nor)\b))"
)
_BEHIND = re.compile(
    rf"(?i)\s*,?\s+(?:or|nor)\s+(?P<or>{_WORD}(?:\s+{_WORD}){{0,2}}?){_STOP}|\s*,?\s+and\s+(?P<and>{_WORD}){_STOP}|"
    rf"\s*,\s+(?P<comma>{_WORD})(?=\s*,|,?\s+(?:or|nor|and)\s)"
)
_AHEAD = re.compile(rf"(?P<word>{_WORD})(?:\s*,\s*|\s*,?\s+(?:or|nor|and)\s+)$", re.IGNORECASE)


def literals_of(statement: str) -> tuple[NamedThing, ...]:
    """Every concrete thing that a statement names, once, in its order: code, quotes, paths, flags, numbers, names."""
    text = without_markup(statement)
    found: dict[tuple[int, str], NamedThing] = {}
    for kind, pattern in _FORMS:
        for one in pattern.finditer(text):
            word = next(group for group in one.groups() if group is not None)
            word = word.strip() if kind in ("code", "quoted") else word.rstrip(".,:;!?" + ")" * ("(" not in word))
            if word and _is_concrete(kind, word, text, one.start()):
                found[one.start(), word] = NamedThing(kind, word, one.start())
                text = text[: one.start()] + " " * (one.end() - one.start()) + text[one.end() :]
    for one in _LANGUAGE.finditer(text):
        word = one["a"] or one["b"]
        found[one.start(), word] = NamedThing("language", word, one.start())
    return tuple(dict.fromkeys(found[key] for key in sorted(found)))


def members_of(statement: str, known: Iterable[str]) -> Iterator[NamedThing]:
    """What stands in one list with something that is named already: yarn and bun of "npm, yarn or bun"."""
    text = without_markup(statement)
    names = {one.strip("`").lower() for one in known}
    for word in sorted(filter(None, names), key=len, reverse=True):
        for one in re.finditer(rf"(?<![\w`.-])`*{re.escape(word)}`*(?![\w-])", text, re.IGNORECASE):
            for start, end in (*_listed_behind(text, one.end()), *_listed_ahead(text, one.start())):
                said = text[start:end].strip("`")
                if said.lower() not in names and not WEIGHTLESS & set(said.lower().split()):
                    yield NamedThing("member", said, start)


def _listed_behind(text: str, at: int) -> Iterator[tuple[int, int]]:
    spans: list[tuple[int, int]] = []
    closed = False
    while found := _BEHIND.match(text, at):
        name = next(key for key, value in found.groupdict().items() if value)
        spans.append(found.span(name))
        closed, at = closed or name != "comma", found.end(name)
    if closed:
        yield from spans


def _listed_ahead(text: str, at: int) -> Iterator[tuple[int, int]]:
    """Those before it; commas alone may join clauses, so that its last two must be joined by a word."""
    joined = re.search(r"\b(?:or|nor|and)\s+$", text[:at]) is not None or re.match(
        rf"\s*,?\s+(?:or|nor|and)\s|\s*,\s+{_WORD}\s*,?\s+(?:or|nor|and)\s", text[at:]
    )
    while joined and (found := _AHEAD.search(text, 0, at)):
        yield found.span("word")
        at = found.start("word")


def _is_concrete(kind: ThingKind, word: str, text: str, start: int) -> bool:
    """Whether what looks like a concrete thing is one: not "and/or", "e.g." or the number of a list's entry."""
    if kind == "path":
        return not _NO_PATH.match(word) and bool(re.search(r"\w", word))
    if kind == "name":
        return not _NO_NAME.match(word)
    if kind == "number":
        line = text[text.rfind("\n", 0, start) + 1 : start]
        return bool(line.strip()) or not re.match(r"\d+[.)]\s", text[start:])
    return True
