"""What was voiced several times, as one candidate with several pieces of evidence."""

import json
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass, replace

from rulec.domain.candidate import Candidate
from rulec.language.semantics.relation import SAME_WISH, contradicts, how_alike


@dataclass(frozen=True, slots=True)
class Wish:
    """What two candidates are compared by: the rule that a person named, the words, and the first check."""

    named: str
    statement: str
    check: str  # its checks with their scope, as text; "" where there is none or a judge decides by the words


def wish_of(candidate: Candidate) -> Wish:
    """What a candidate is compared by."""
    named = candidate.correction.slug if candidate.correction else ""
    draft = candidate.drafts[0] if candidate.drafts else None
    judged = draft is None or not draft.checks or any(check.kind == "judge" for check in draft.checks)
    checks = [] if draft is None or judged else [(one.kind, one.template, one.parameters) for one in draft.checks]
    scope = asdict(draft.scope) if draft else {}
    text = json.dumps([checks, scope], sort_keys=True, default=repr) if checks else ""
    return Wish(named, candidate.rule.statement, text)


def same_wish(one: Wish, other: Wish) -> bool:
    """Whether two are one preference: by the name that the person gave, by words, or by the check of either."""
    if one.named and other.named:
        return one.named == other.named
    if how_alike(one.statement, other.statement) >= SAME_WISH:
        return True
    return bool(one.check) and one.check == other.check and not contradicts(one.statement, other.statement)


def contrary_wishes(one: Wish, other: Wish) -> bool:
    """Whether two ask for the contrary."""
    return contradicts(one.statement, other.statement)


def group_candidates(candidates: Iterable[Candidate]) -> tuple[Candidate, ...]:
    """Each preference once, in the order of its first mention, those of several sessions first."""
    single = [one for candidate in candidates for one in (replace(candidate, repeats=()), *candidate.repeats)]
    wishes = list(map(wish_of, single))
    places = group_places(len(single), lambda at: (k for k in range(at) if same_wish(wishes[at], wishes[k])))
    groups: dict[int, list[Candidate]] = {}
    for one, place in zip(single, places, strict=True):
        groups.setdefault(place, []).append(one)
    return tuple(sorted(map(_merge_group, groups.values()), key=lambda candidate: -_count_sessions(candidate)))


def group_places(count: int, earlier: Callable[[int], Iterable[int]]) -> list[int]:
    """The number of the group of each of so many; ``earlier`` says which of those before it are the same as one."""
    places: list[int] = []
    groups = 0
    for at in range(count):
        places.append(min((places[other] for other in earlier(at)), default=groups))
        groups = max(groups, places[-1] + 1)
    return places


def same_preference(one: Candidate, other: Candidate) -> bool:
    """Whether two candidates are one preference."""
    return same_wish(wish_of(one), wish_of(other))


def contrary_candidates(candidate: Candidate, others: Iterable[Candidate]) -> tuple[Candidate, ...]:
    """The other candidates that ask for the contrary."""
    return tuple(one for one in others if contradicts(candidate.rule.statement, one.rule.statement))


def _merge_group(group: list[Candidate]) -> Candidate:
    """The clearest of a group, with the others as its repeats in their order."""
    best = max(group, key=clearness)
    return replace(best, repeats=tuple(one for one in group if one is not best))


def clearness(candidate: Candidate) -> tuple[bool, bool, bool]:
    """How clearly it says what is wanted; the clearest of a group speaks for it."""
    said = candidate.correction
    return bool(said and said.slug), bool(said and said.marked), bool(candidate.drafts)


def _count_sessions(candidate: Candidate) -> int:
    """In how many sessions it was voiced; a typed sentence has none."""
    said = [one.correction for one in (candidate, *candidate.repeats)]
    return len({one.turn.session for one in said if one})
