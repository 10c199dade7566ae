"""One wish in a person's words; the slug of its rule, and what to do instead."""

import hashlib
import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from rulec.domain.rule import LONGEST_SLUG
from rulec.language.terms import Term
from rulec.language.words import word_table

Polarity = Literal["forbid", "prefer", "require", "none"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Clause:
    """A stretch of text and what it asks for; ``text`` stands in the source word for word."""

    text: str
    polarity: Polarity = "none"
    forbidden: tuple[str, ...] = ()  # what is not wanted, as the person named it
    preferred: tuple[str, ...] = ()  # what is wanted instead
    verb: str = ""  # in its plain form: "commit", "use"
    addressed: Literal["work", "product"] = "work"
    lasting: bool = False  # it says that it holds for next time too
    forceful: bool = False
    terms: tuple[Term, ...] = ()
    slug: str = ""  # CORRECT[slug]: ...
    marked: bool = False  # "rule: ...", CORRECT[slug], a leading "# "


LONGEST_STATEMENT = 240
SLUG_WORDS = 5
LEAST_SLUG_WORDS = 2  # "use" or "no" alone says nothing

_SMALL = word_table(
    "a an the to of for in on at by with and or is are be that this it as from into any all "
    "our your my we you i do does not no never always use"
    " using please only should must just ever when before after files file instead than so "
    "have has anything everything them they there here what which"
    " prefer over also again now dont"
)


def wanted_instead(clause: Clause) -> str:
    """What to do instead, in a few words, or ""."""
    simple = all(0 < len(thing.split()) <= MOST_WORDS and not _SENTENCE.search(thing) for thing in clause.preferred)
    if clause.polarity != "prefer" or not (clause.forbidden and clause.preferred and simple):
        return ""
    return f"use {', '.join(clause.preferred)}"


_USING = ("", "use", "prefer", "run", "choose", "call", "go", "stick")
_HAVING = ("", "use", "want", "do", "like", "need", "run", "have", "allow", "add", "put")
MOST_WORDS, SHORT = 4, 2  # words of a thing that a name or an order can be built around
_SENTENCE = re.compile(r"\b(?:we|i|you|it|they|is|are|was|have|has|should|must|but|because|when|if)\b", re.IGNORECASE)

# Behind it stands where or when, which is no part of a name.
_PLACE = re.compile(r"\s(?:in|inside|under|within|outside|for|on|to|before|after|when|while|except|unless|not)\s")


def slug_of(clause: Clause, statement: str) -> str:
    """A short name in ASCII: use-pnpm, no-force-push, dont-touch-gen.

    Where a short one would leave out what the sentence asks for, or what bounds it, all its words are the name.
    """
    if clause.slug:
        return clause.slug
    words = _naming_words(clause)
    if len(words) < LEAST_SLUG_WORDS or len(words) > SLUG_WORDS or _says_less(clause, statement, words):
        words = _words_in_order(statement)
    slug = re.sub(r"[^a-z0-9]+", "-", "-".join(words)).strip("-")
    named = re.search("[a-z]{2}", slug) and slug not in _YAML and len(slug) <= LONGEST_SLUG
    return slug if named else f"rule-{hashlib.sha256(statement.encode()).hexdigest()[:8]}"


def _says_less(clause: Clause, statement: str, words: Sequence[str]) -> bool:
    """Whether a name says less than its sentence; what is replaced need not be named."""
    other = clause.forbidden if clause.polarity == "prefer" else ()
    known = {*words, *_words(" ".join((*other, clause.verb)))}
    return any(word not in known and f"{word}s" not in known for word in _words(statement))


def _words_in_order(statement: str) -> list[str]:
    """The first words of a sentence, as many as a name may have; none where the rest may negate them."""
    plain = _ascii(_NOT.sub("dont", statement))
    words = [word for word in re.findall(r"[a-z0-9]+", plain) if word not in _EMPTY]
    kept = list(words)
    while kept and len("-".join(kept)) > LONGEST_SLUG:
        kept.pop()
    return [] if _BOUNDS & set(words[len(kept) :]) else kept


def _naming_words(clause: Clause) -> list[str]:
    """The words of a name that says what is to be used, or not to be done; none where they would not say it."""
    wanted, things = (_PLACE.split(", ".join(some))[0] for some in (clause.preferred[:1], clause.forbidden))
    if clause.polarity == "prefer" and wanted and clause.verb in _USING and not wanted.split()[SHORT:]:
        return ["use", *_words(wanted)]
    if clause.polarity != "forbid" or not (things or clause.verb):
        return []
    if clause.verb in _HAVING:
        return ["no", *(_words(things) or things.split()[:1]), *(["any"] if things.endswith(" any") else [])]
    named = _words(things.partition(",")[0]) or _words(clause.forbidden[0] if things else "")
    return ["dont" if named else "no", *clause.verb.split(), *named]


_NOT = re.compile(r"\b(?:do|does|must|should|may|can) ?(?:not|n['\u2019]?t)\b|\bcannot\b", re.IGNORECASE)
_EMPTY = word_table("a an the that this these those it is are be been our your my we you i please")
_BOUNDS = word_table("no not never dont without unless except only but if when before after outside instead")
_YAML = frozenset({"no", "yes", "on", "off", "true", "false", "null", "none"})  # in YAML these are no names


def _words(text: str) -> list[str]:
    return [word for word in re.findall(r"[a-z0-9]+", _ascii(text)) if word not in _SMALL]


def _ascii(text: str) -> str:
    plain = unicodedata.normalize("NFKD", text.replace("\u2019", "'"))
    return plain.encode("ascii", "ignore").decode().lower().replace("'", "")
