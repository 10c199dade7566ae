"""Whether a clause is against a construct."""

import re
from functools import cache

from rulec.fits._shape_words import Shape
from rulec.language import Clause

ABOUT_TESTS = re.compile(
    r"\b(?:tests?|testing|assert\w*|expect\w*|specs?|compar\w+|results?|outputs?)\b", re.IGNORECASE
)


def names_something(clause: Clause) -> bool:
    """Whether the words may be against any construct at all."""
    return clause.polarity != "none" or bool(clause.forbidden) or bool(_REMOVED.search(clause.text))


def refuses(clause: Clause) -> bool:
    """Whether what reads like a demand is none: "errors must never be ignored"."""
    return bool(_NEVER.search(clause.text))


def unwanted_in(shape: Shape, clause: Clause) -> bool:
    """Whether the words are against the construct: it is not wanted, or what stands in its place is."""
    if clause.verb in ("raise", "throw") and shape.template == "bare-except":
        return False  # that is about what is raised, not about what is caught
    unwanted = clause.forbidden or (clause.objects if clause.polarity == "forbid" else ())
    if clause.polarity == "forbid" and _OF_CODE.search(clause.text):
        unwanted = (*unwanted, f"{clause.verb}s")
    if _said(shape.unwanted, unwanted):
        return shape.name != "else-if-chain" or any(_ELSE_IF.fullmatch(thing.strip()) for thing in unwanted)
    if clause.polarity == "prefer" and _said(shape.wanted, clause.preferred):
        return not clause.forbidden or _vague(clause.forbidden)
    if clause.preferred or clause.polarity in ("prefer", "require"):
        return shape.name in _WHOLE and refuses(clause) and _said(shape.unwanted, (clause.text,))
    removed = _REMOVED.search(clause.text)
    if clause.polarity == "none":
        rest = _BECOMES.split(clause.text[removed.end() :])[0] if removed else ""
        return bool(rest) and _said(shape.unwanted, (rest,))
    return shape.name in _WHOLE and _said(shape.unwanted, (clause.text,))


# Where the verb alone tells: "don't mock in tests", "don't panic in Go".
_OF_CODE = re.compile(
    r"\b(?:in|inside|within) (?:\w+ )?(?:code|tests?|specs?|Go|Rust|Python|Java|JavaScript|TypeScript|Ruby|PHP|C\+\+)\b"
)
# Spoken of in a whole sentence: "never ignore an error", "errors must not be swallowed".
_WHOLE = frozenset({"swallowed-error", "broad-except"})
_NEVER = re.compile(r"\b(?:must|should|may|can)(?: never| not|n't) be\b", re.IGNORECASE)
_ELSE_IF = re.compile(
    r"(?:(?:an?|the|long|big|huge|linked|chained|nested|many|multiple|these|those|such|ugly|giant|cascading) )*"
    r"(?:chains? of |ladders? of |series of )?(?:if|else|elif|elsif|elseif|ifelse)(?:[-/ ,]+(?:if|else|elif|"
    r"elsif|elseif))*s?"
    r"(?:[- ](?:chains?|ladders?|statements?|blocks?|cascades?|trees?|conditions?))*",
    re.IGNORECASE,
)
_REMOVED = re.compile(
    r"\b(?:remove|replace|get rid of|drop|eliminate|clean up|convert|rewrite)\b(?! (?:it|that|this|them)\b)",
    re.IGNORECASE,
)


_BECOMES = re.compile(r"\s(?:to|into|with|by|as|->|=>|\u2192)\s")


def _vague(things: tuple[str, ...]) -> bool:
    """Whether what is not wanted is only pointed at: "use match rather than those"."""
    return all(
        re.fullmatch(r"(?:that|this|it|those|these|what you did|doing that)\b.*", thing, re.IGNORECASE)
        for thing in things
    )


def _said(pattern: str, things: tuple[str, ...]) -> bool:
    return any(_compiled(pattern).search(thing.strip("`'\" ")) for thing in things)


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)
