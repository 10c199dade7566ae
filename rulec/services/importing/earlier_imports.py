"""What was imported before against what the documents say now: known, rewritten and vanished sentences."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from rulec.domain.candidate import Candidate
from rulec.domain.evidence import Evidence
from rulec.domain.secrets.redaction import redact
from rulec.language.semantics.likeness import how_alike
from rulec.language.terms import terms
from rulec.rulebook.rulebook import Rulebook

REWRITTEN = 0.3  # so much of two sentences is shared when one was written in the other's place


def imported_digests(book: Rulebook) -> frozenset[str]:
    """The digests of all sentences that are evidence of a rule, in force or not."""
    return frozenset(item.digest for items in book.evidence.values() for item in items if _is_import(item))


def imported_documents(book: Rulebook) -> frozenset[str]:
    """The files that any rule came from."""
    return frozenset(item.transcript for items in book.evidence.values() for item in items if _is_import(item))


def match_rewritten(new: Sequence[Candidate], book: Rulebook, present: Iterable[str]) -> list[Candidate]:
    """The new sentences, each with the rule that came of the one that stood in its place, as far as one is like it."""
    free = {item.digest: item for item in _vanished_evidence(book, frozenset(present))}
    found = []
    for one in new:
        old = max(free.values(), key=lambda item: _likeness(one, item), default=None)
        if one.source and old and _likeness(one, old) >= REWRITTEN:
            one = replace(one, source=replace(one.source, was=old.slug))  # noqa: PLW2901 - the same candidate, completed
            free = {digest: item for digest, item in free.items() if item.slug != old.slug}
        found.append(one)
    return found


def vanished_rules(book: Rulebook, present: Iterable[str], kept: Iterable[str], paths: Iterable[str]) -> dict[str, str]:
    """Rules that nothing but sentences speak for which stand in none of these files any more, and where they stood."""
    there, alive, read = frozenset(present), frozenset(kept), frozenset(paths)
    found: dict[str, str] = {}
    for slug, items in book.evidence.items():
        if book.rule(slug) is None or slug in alive:
            continue
        pro = [item for item in items if item.kind in ("correction", "accepted") and item.weight > 0]
        if pro and all(_is_import(item) and item.transcript in read and item.digest not in there for item in pro):
            found[slug] = f"{pro[0].transcript}:{pro[0].turn}"
    return found


def _vanished_evidence(book: Rulebook, present: frozenset[str]) -> Iterator[Evidence]:
    for slug, items in book.evidence.items():
        if book.rule(slug):
            yield from (item for item in items if _is_import(item) and item.digest not in present)


def _is_import(item: Evidence) -> bool:
    return item.kind == "accepted" and bool(item.transcript and item.digest)


def _likeness(one: Candidate, old: Evidence) -> float:
    if one.source is None or one.source.path != old.transcript:
        return 0.0
    said = redact(one.source.quote)
    named = {term.text for term in terms(said)}
    same = bool(named) and named == {term.text for term in terms(old.quote)}
    return max(how_alike(said, old.quote), _shared(said, old.quote), same * _SAME_NAMES)


_SAME_NAMES = 0.5  # both name the same code, paths or flags, and nothing else


def _shared(one: str, other: str) -> float:
    mine, theirs = set(one.casefold().split()), set(other.casefold().split())
    return len(mine & theirs) / len(mine | theirs) if mine and theirs else 0.0
