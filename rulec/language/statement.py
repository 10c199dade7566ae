"""Clause -> the sentence that stands in the rule file, and its slug."""

import hashlib
import re
import unicodedata

from rulec.language._cues import NOT
from rulec.language._instruction_words import NOUNS, VERBS
from rulec.language._verbs import base_form
from rulec.language.clause import Clause
from rulec.language.reading import wish_of
from rulec.language.terms import table

LONGEST = 240
SLUG_WORDS = 5
LEAST_WORDS = 2  # "use" or "no" alone says nothing

_NOT = re.compile(
    rf"^(?:you |we )?(?!(?:stop|quit|avoid)\b)(?:{NOT}|do ?n[o']t|not) (?:ever |to |just |simply )?"
    r"(?P<v>[a-z]+)(?P<rest>.*)$",
    re.IGNORECASE | re.DOTALL,
)
# A thing that a sentence can be built around: a name or a few words, and no sentence of its own.
_THING = re.compile(
    r"(?!.*\b(?:and|or|we|i|you|it|they|is|are|was|have|has|need|needs|should|must|but|because|when|if|come|go|live|belong)\b)"
    r"\S+(?: \S+){0,3}",
    re.IGNORECASE,
)
_ASK = re.compile(
    (
        r"^(?:please |just |always |let'?s |(?:can|could|would) (?:we|you) (?:please |just )?|i "
        r"want you to |i'?d like you to |you (?:should |must |need to |have to )"
        r"|we (?:should |must )|make sure (?:to |that you |that we |you )|be sure to |remember to "
        r"|(?:do not|don'?t) forget to )+(?:always )?"
    ),
    re.IGNORECASE,
)
_RUDE = re.compile(
    (
        r"\b(?:f+u+c+k(?:ing|in|ed)?|goddamn|damn|bloody|the hell|the fuck|shit(?:ty)?|stupid|wtf|"
        r"ffs|lol|lmao|pls|please)\b\s*,?\s*"
    ),
    re.IGNORECASE,
)
_SMALL = table(
    "a an the to of for in on at by with and or is are be that this it as from into any all "
    "our your my we you i do does not no never always use"
    " using please only should must just ever when before after files file instead than so "
    "have has anything everything make sure them they there here what which"
)


def statement_of(clause: Clause) -> str:
    """One imperative sentence in the person's own words, without its heat."""
    body, when = _plain(wish_of(clause.text)), f" {clause.when}" if clause.when else ""
    refusal = _NOT.match(body)
    simple = all(map(_THING.fullmatch, (*clause.preferred, *clause.forbidden))) and not _sentence(clause)
    unwanted, wanted = _said(clause.forbidden, clause), _said(clause.preferred, clause)
    if (
        clause.polarity == "forbid"
        and clause.verb in ("want", "like", "need", "have", "do", "")
        and clause.forbidden
        and simple
    ):
        sentence = f"No {_list(tuple(map(_marked, clause.forbidden)), 'or')}{when}"
    elif clause.polarity == "prefer" and wanted and unwanted and simple:
        sentence = f"Use {_list(wanted, 'and')} instead of {_list(unwanted, 'or')}{when}"
    elif clause.polarity == "prefer" and wanted and clause.verb in ("use", "prefer", "", "choose") and simple:
        sentence = f"Use {_list(wanted, 'and')}{when}"
    elif refusal and clause.verb not in ("want", "like", "need", "have"):
        sentence = f"Do not {base_form(refusal['v'])}{refusal['rest']}"
    elif clause.polarity == "forbid" and _WHY.match(body) and clause.objects and simple:
        sentence = f"Do not {clause.verb or 'use'} {_list(_said(clause.objects, clause), 'or')}{when}"
    else:
        sentence = _ASK.sub("", body)
    sentence = " ".join(sentence.split()).strip(" ,;:!?.")[:LONGEST] or "Mind what was said"
    first = sentence.split()[0]
    return (sentence[0].upper() + sentence[1:] if first.isalpha() and first.islower() else sentence) + "."


_WHY = re.compile(r"why\b|how come\b|(?:hey )?you (?:just |have |'ve )*\w+ed (?:on )?(?:my|our)\b", re.IGNORECASE)


def do_of(clause: Clause) -> str:
    """What to do instead, in a few words, or ""."""
    simple = all(map(_THING.fullmatch, clause.preferred)) and not _sentence(clause)
    if clause.polarity != "prefer" or not clause.forbidden or not clause.preferred or not simple:
        return ""
    return f"use {_list(_said(clause.preferred, clause), 'and')}"


def _sentence(clause: Clause) -> bool:
    """Whether what is wanted is a sentence of its own, as in "comments say why, not what": nobody uses a sentence."""
    if clause.verb or clause.polarity != "prefer":
        return False
    if any(map(_TOLD.match, clause.forbidden)):
        return True
    most = max((len(thing.split()) for thing in clause.forbidden), default=LONGEST)
    return any(_acts(thing.lower().split(), most) for thing in clause.preferred)


_TOLD = re.compile(r"(?:what|that|how|why|when|where|whether|who)\b", re.IGNORECASE)


def _acts(words: list[str], most: int) -> bool:
    """Whether the first or second word can only be a verb; one that is a noun as well is one in an uneven pair."""
    first, longer = words[:2], len(words) > most
    return len(words) > 1 and any(word in VERBS and (longer or word not in NOUNS) for word in first)


def _marked(thing: str) -> str:
    """The thing, in marks where it is a sign and no word."""
    return thing if re.search(r"\w", thing) else f"`{thing}`"


def _said(things: tuple[str, ...], clause: Clause) -> tuple[str, ...]:
    """The things with the articles that stood before them."""
    return tuple(
        match[0] if (match := re.search(rf"\b(?:the|an?|our|your|my) {re.escape(thing)}", clause.text)) else thing
        for thing in things
    )


def slug_of(clause: Clause, statement: str) -> str:
    """A short name in ASCII: use-pnpm, no-force-push, dont-touch-gen."""
    if clause.slug:
        return clause.slug
    if clause.polarity == "prefer" and clause.preferred:
        words = [*(() if _sentence(clause) else ("use",)), *_words(clause.preferred[0])]
    elif clause.polarity == "forbid" and clause.verb in (
        "",
        "use",
        "want",
        "do",
        "like",
        "need",
        "run",
        "have",
        "allow",
        "add",
        "put",
    ):
        things = " ".join(clause.forbidden).lower()
        words = ["no", *(_words(things) or things.split()[:1]), *(["any"] if things.endswith(" any") else [])]
    elif clause.polarity == "forbid" and clause.verb in ("force push", "hard reset", "check in"):
        words = ["no", *clause.verb.split()]
    elif clause.polarity == "forbid" and clause.verb == "git":
        words = ["no", "git", *_words(" ".join(clause.objects))[:1]]
    elif clause.polarity == "forbid" and (clause.objects or clause.when):
        verb = "touch" if clause.verb.startswith(_LEAVING) and not _LEFT.search(clause.text) else clause.verb
        words = ["dont", *verb.split(), *(_words(" ".join(clause.objects[:1])) or _words(clause.when))]
    else:
        words = _words(_REFUSED.sub("dont", statement))
    if len(words) < LEAST_WORDS:
        words = _words(statement)
    slug = re.sub(r"[^a-z0-9]+", "-", "-".join(words[:SLUG_WORDS]))[:50].strip("-")
    named = re.search("[a-z]{2}", slug) and slug not in _YAML
    return slug if named else f"rule-{hashlib.sha256(statement.encode()).hexdigest()[:8]}"


# "Handlers must not call the database": named without its "not", a rule would say the contrary of itself.
_REFUSED = re.compile(
    r"(?<=\w )(?:(?:must|should|may|can|do|does) ?(?:not|never|n'?t)|cannot|never)\b(?! ?ever\b)", re.IGNORECASE
)
_YAML = frozenset({"no", "yes", "on", "off", "true", "false", "null", "none"})  # in YAML these are no names
_LEFT = re.compile(r"(?:\b(?:never|not|stop)|n'?t)\s+leav", re.IGNORECASE)  # "never leave X" is no "leave X alone"
_LEAVING = (
    "leave",
    "keep",
    "hands",
    "mess",
    "fuck",
    "fiddle",
    "generated",
    "auto",
    "read",
    "off",
    "frozen",
    "forbidden",
    "banned",
    "not",
)


def _plain(text: str) -> str:
    printable = "".join(c for c in text if unicodedata.category(c)[0] != "C" or c in "\n\t")
    return _RUDE.sub("", printable).strip()


def _list(things: tuple[str, ...], word: str) -> str:
    return things[0] if len(things) == 1 else f"{', '.join(things[:-1])} {word} {things[-1]}" if things else ""


def _words(text: str) -> list[str]:
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode().lower().replace("'", "")
    return [word for word in re.findall(r"[a-z0-9]+", plain) if word not in _SMALL]
