"""Candidate -> resolution: is it a rule we have, or a new one (TRACE 4.2)."""

import re

from rulec.model.candidate import Candidate
from rulec.model.resolution import Resolution
from rulec.model.rule import Rule
from rulec.model.rulebook import Rulebook

SAME = 0.85  # LexSona 4.3: from here on the same preference
_WORD = re.compile(r"[^\W_]+(?:[.'-][^\W_]+)*")
_EMPTY = frozenset(
    (
        "a",
        "an",
        "and",
        "any",
        "the",
        "to",
        "of",
        "in",
        "on",
        "for",
        "it",
        "is",
        "be",
        "with",
        "please",
        "ever",
        "always",
        "we",
        "our",
        "you",
        "your",
        "this",
        "that",
    )
)
_NOT = {"don't": "not", "dont": "not", "never": "not", "no": "not", "avoid": "not", "stop": "not", "without": "not"}


def resolve(candidate: Candidate, book: Rulebook) -> Resolution:
    """NOOP where a rule says the same or checks the same, NEW otherwise."""
    named = candidate.correction.slug if candidate.correction else ""
    if named and book.rule(named):
        return Resolution(decision="NOOP", slug=named, because="the person named this rule", score=1.0)
    best = max(book.rules, key=lambda rule: _alike(candidate.rule, rule), default=None)
    if best is not None:
        score = _alike(candidate.rule, best)
        if score >= SAME:
            return Resolution(decision="NOOP", slug=best.slug, because="it says the same", score=round(score, 2))
    for rule in book.rules:
        if any(rule.checks and (draft.checks, draft.scope) == (rule.checks, rule.scope) for draft in candidate.drafts):
            return Resolution(decision="NOOP", slug=rule.slug, because="it is checked in the same way", score=1.0)
    score = round(_alike(candidate.rule, best), 2) if best else 0.0
    because = f"no rule says this; the nearest is {best.slug} ({score:.2f})" if best and score else "no rule says this"
    return Resolution(decision="NEW", slug=_free(candidate.rule.slug, book), because=because, score=score)


def _alike(one: Rule, other: Rule) -> float:
    """Shared words of the statements, 0 to 1; a no in one of them alone makes them strangers."""
    mine, theirs = _words(one.statement), _words(other.statement)
    if not mine or not theirs or ("not" in mine) != ("not" in theirs):
        return 0.0
    return len(mine & theirs) / len(mine | theirs)


def _words(text: str) -> frozenset[str]:
    words = (_NOT.get(word, word) for word in _WORD.findall(text.casefold()))
    return frozenset(word for word in words if word not in _EMPTY)


def _free(slug: str, book: Rulebook) -> str:
    number = 2
    free = slug
    while book.rule(free):
        free, number = f"{slug}-{number}", number + 1
    return free
