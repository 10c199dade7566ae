"""Clause -> the slug of its rule, and what to do instead; the statement is the person's own sentence."""

import hashlib
import re
import unicodedata

from rulec.language.clause import Clause
from rulec.language.terms import table

LONGEST = 240
SLUG_WORDS = 5
LEAST_WORDS = 2  # "use" or "no" alone says nothing

_SMALL = table(
    "a an the to of for in on at by with and or is are be that this it as from into any all "
    "our your my we you i do does not no never always use"
    " using please only should must just ever when before after files file instead than so "
    "have has anything everything make sure them they there here what which"
)


def do_of(clause: Clause) -> str:
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
    """A short name in ASCII: use-pnpm, no-force-push, dont-touch-gen."""
    if clause.slug:
        return clause.slug
    words = _named(clause) or _words(_REFUSED.sub("dont", statement))
    if len(words) < LEAST_WORDS:
        words = _words(statement)
    slug = re.sub(r"[^a-z0-9]+", "-", "-".join(words[:SLUG_WORDS]))[:50].strip("-")
    named = re.search("[a-z]{2}", slug) and slug not in _YAML
    return slug if named else f"rule-{hashlib.sha256(statement.encode()).hexdigest()[:8]}"


def _named(clause: Clause) -> list[str]:
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


# "Handlers must not call the database": named without its "not", a rule would say the contrary of itself.
_REFUSED = re.compile(
    r"(?<=\w )(?:(?:must|should|may|can|do|does) ?(?:not|never|n'?t)|cannot|never)\b(?! ?ever\b)", re.IGNORECASE
)
_YAML = frozenset({"no", "yes", "on", "off", "true", "false", "null", "none"})  # in YAML these are no names


def _words(text: str) -> list[str]:
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower().replace("'", "")
    return [word for word in re.findall(r"[a-z0-9]+", plain) if word not in _SMALL]
