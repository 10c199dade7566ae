"""How a candidate is recognised again: the same words of the same turn, in the queue and in evidence."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from rulec.domain.candidate import Candidate, Correction
from rulec.domain.text.redaction import redact
from rulec.infra import state
from rulec.resolving.resolver import resolve, split_wishes
from rulec.resolving.revisions import session_name
from rulec.rulebook.rulebook import Rulebook


def occurrences(candidate: Candidate) -> tuple[Candidate, ...]:
    """The candidate and its repeats."""
    return (replace(candidate, repeats=()), *candidate.repeats)


def sessions_of_candidate(candidate: Candidate) -> frozenset[str]:
    """The sessions in which it was said; none for what was typed on the command line."""
    return frozenset(session_name(one.correction.turn.session) for one in occurrences(candidate) if one.correction)


def quote_place(correction: Correction) -> tuple[str, int, str]:
    """What identifies the words of a turn, in evidence and in the queue."""
    return session_name(correction.turn.session), correction.turn.index, redact(correction.quote)


def quotes_overlap(one: str, other: str) -> bool:
    """Whether one quote of a turn contains the other, apart from blanks and punctuation at the end."""
    mine, theirs = (" ".join(quote.casefold().split()).rstrip(".!") for quote in (one, other))
    return mine in theirs or theirs in mine


def candidate_id(candidate: Candidate) -> str:
    """The id of a proposal on this machine, before it is in the rulebook."""
    said: Iterable[Any] = quote_place(candidate.correction) if candidate.correction else ()
    return state.digest_of_values([*said, redact(candidate.rule.statement)])


def decision_key(candidate: Candidate) -> object:
    """The key of a decision: the same for the same words, whichever version of rulec drafted the rule."""
    return quote_place(candidate.correction) if candidate.correction else candidate_id(candidate)


def is_known_evidence(book: Rulebook, candidate: Candidate) -> bool:
    """Whether the words of this turn, or all corrections in them, are evidence already."""
    if candidate.source:
        return any(candidate.digest == item.digest for items in book.evidence.values() for item in items)
    if candidate.correction is None:
        same = [rule for rule in book.rules if rule.statement.casefold() == candidate.rule.statement.casefold()]
        return bool(same) and resolve(candidate, book).decision == "NOOP"  # else it has another check
    if _is_evidence(book, candidate):
        return True
    parts = split_wishes(candidate)
    return bool(parts) and all(_is_evidence(book, part) for part in parts)


def _is_evidence(book: Rulebook, candidate: Candidate) -> bool:
    """Whether the words are evidence, or the turn is evidence of the rule that they ask for."""
    said = candidate.correction
    if said is None:
        return False
    turn = session_name(said.turn.session), said.turn.index
    found = {
        slug: quotes
        for slug, items in book.evidence.items()
        if (quotes := [one.quote for one in items if one.kind in _VOICED and (one.transcript, one.turn) == turn])
    }
    if any(redact(said.quote) in quotes for quotes in found.values()):
        return True
    again = resolve(candidate, book) if found else None
    return again is not None and again.decision == "NOOP" and again.slug in found


_VOICED = ("correction", "counterexample")
