"""Whether a candidate is evidence already: of whatever rule, in force or in the archive, a person has made of it."""

from rulec.commands._waiting import nested
from rulec.model.candidate import Candidate
from rulec.model.rulebook import Rulebook
from rulec.redact import redact
from rulec.stages.resolve import resolve
from rulec.stages.revise import named


def known_already(book: Rulebook, candidate: Candidate) -> bool:
    """Whether these words of this turn were heard before, or each wish that is in them."""
    if candidate.source:
        return any(candidate.digest == item.digest for items in book.evidence.values() for item in items)
    if candidate.correction is None:
        return any(rule.statement.casefold() == candidate.rule.statement.casefold() for rule in book.rules)
    if _heard(book, candidate):
        return True
    said = resolve(candidate, book)
    return said.decision == "SPLIT" and all(_heard(book, part) for part in said.parts)


def _heard(book: Rulebook, candidate: Candidate) -> bool:
    """Whether these words are evidence, or the turn is of the rule that they ask for: who reads them adds nothing."""
    said = candidate.correction
    if said is None:
        return False
    turn = named(said.turn.session), said.turn.index
    found = {
        slug: quotes
        for slug, items in book.evidence.items()
        if (quotes := [one.quote for one in items if one.kind in _VOICED and (one.transcript, one.turn) == turn])
    }
    if any(redact(said.quote) in quotes for quotes in found.values()):
        return True
    again = resolve(candidate, book) if found else None
    if again is None or again.decision != "NOOP" or again.slug not in found:
        return False
    return again.band == "auto" or any(nested(redact(said.quote), quote) for quote in found[again.slug])


_VOICED = ("correction", "counterexample")
