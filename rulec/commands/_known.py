"""Whether a candidate is evidence already: of whatever rule, in force or in the archive, a person has made of it."""

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
    said = candidate.correction
    if said is None:
        return False
    words = (named(said.turn.session), said.turn.index, redact(said.quote))
    items = (item for items in book.evidence.values() for item in items if item.kind in _VOICED)
    return any((item.transcript, item.turn, item.quote) == words for item in items)


_VOICED = ("correction", "counterexample")
