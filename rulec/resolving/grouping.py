"""What was voiced several times, as one candidate with several pieces of evidence."""

from collections.abc import Iterable
from dataclasses import replace

from rulec.domain.candidate import Candidate
from rulec.language.semantics.relation import SAME_WISH, contradicts, how_alike


def group_candidates(candidates: Iterable[Candidate]) -> tuple[Candidate, ...]:
    """Each preference once, in the order of its first mention, those of several sessions first."""
    groups: list[list[Candidate]] = []
    for candidate in candidates:
        for one in (replace(candidate, repeats=()), *candidate.repeats):
            home = next((group for group in groups if any(same_preference(one, other) for other in group)), None)
            if home is None:
                groups.append([one])
            else:
                home.append(one)
    return tuple(sorted(map(_merge_group, groups), key=lambda candidate: -_count_sessions(candidate)))


def same_preference(one: Candidate, other: Candidate) -> bool:
    """Whether two are one preference: by the name that the person gave, by words, or by the check of either."""
    named = [said.correction.slug if said.correction else "" for said in (one, other)]
    if all(named):
        return named[0] == named[1]
    if how_alike(one.rule.statement, other.rule.statement) >= SAME_WISH:
        return True
    return _checked_alike(one, other) and not contradicts(one.rule.statement, other.rule.statement)


def contrary_candidates(candidate: Candidate, others: Iterable[Candidate]) -> tuple[Candidate, ...]:
    """The other candidates that ask for the contrary."""
    return tuple(one for one in others if contradicts(candidate.rule.statement, one.rule.statement))


def _checked_alike(one: Candidate, other: Candidate) -> bool:
    """Whether both would make the same check; judges are compared by their words."""
    if not one.drafts or not other.drafts:
        return False
    mine, theirs = one.drafts[0], other.drafts[0]
    judged = any(check.kind == "judge" for check in mine.checks)
    return bool(mine.checks) and not judged and (mine.checks, mine.scope) == (theirs.checks, theirs.scope)


def _merge_group(group: list[Candidate]) -> Candidate:
    """The clearest of a group, with the others as its repeats in their order."""
    best = max(group, key=_clearness)
    return replace(best, repeats=tuple(one for one in group if one is not best))


def _clearness(candidate: Candidate) -> tuple[bool, bool, bool]:
    said = candidate.correction
    return bool(said and said.slug), bool(said and said.marked), bool(candidate.drafts)


def _count_sessions(candidate: Candidate) -> int:
    """In how many sessions it was voiced; a typed sentence has none."""
    said = [one.correction for one in (candidate, *candidate.repeats)]
    return len({one.turn.session for one in said if one})
