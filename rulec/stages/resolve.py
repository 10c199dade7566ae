"""Candidate -> resolution: is it a rule we have, or a new one (TRACE 4.2)."""

from rulec.language.likeness import SAME, alike
from rulec.model.candidate import Candidate
from rulec.model.resolution import Resolution
from rulec.model.rulebook import Rulebook


def resolve(candidate: Candidate, book: Rulebook) -> Resolution:
    """NOOP where a rule says the same or checks the same, NEW otherwise."""
    named = candidate.correction.slug if candidate.correction else ""
    if named and book.rule(named):
        return Resolution(decision="NOOP", slug=named, because="the person named this rule", score=1.0)
    best = max(book.rules, key=lambda rule: alike(candidate.rule.statement, rule.statement), default=None)
    if best is not None:
        score = alike(candidate.rule.statement, best.statement)
        if score >= SAME:
            return Resolution(decision="NOOP", slug=best.slug, because="it says the same", score=round(score, 2))
    for rule in book.rules:
        if any(rule.checks and (draft.checks, draft.scope) == (rule.checks, rule.scope) for draft in candidate.drafts):
            return Resolution(decision="NOOP", slug=rule.slug, because="it is checked in the same way", score=1.0)
    score = round(alike(candidate.rule.statement, best.statement), 2) if best else 0.0
    because = f"no rule says this; the nearest is {best.slug} ({score:.2f})" if best and score else "no rule says this"
    return Resolution(decision="NEW", slug=_free(candidate.rule.slug, book), because=because, score=score)


def _free(slug: str, book: Rulebook) -> str:
    number = 2
    free = slug
    while book.rule(free):
        free, number = f"{slug}-{number}", number + 1
    return free
