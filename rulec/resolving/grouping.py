"""What was voiced several times, as one candidate with several pieces of evidence."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, replace

from rulec.domain.candidate import Candidate
from rulec.domain.rule import Check
from rulec.resolving.check_values import compare_checks, index_keys, plain_sentence


@dataclass(frozen=True, slots=True)
class Wish:
    """What two candidates are compared by: the rule that a person named, the sentence, and the first check."""

    named: str
    statement: str
    check: str  # its checks with their scope, as text; "" where there is none or a judge decides by the words

    @property
    def keys(self) -> tuple[tuple[str, str], ...]:
        """What another wish shares one of that is the same; of two that name a rule the name alone decides."""
        found = (("sentence", plain_sentence(self.statement)), ("check", self.check), ("name", self.named))
        return tuple((kind, text) for kind, text in found if text)

    @property
    def checks(self) -> tuple[Check, ...]:
        """The checks, as far as their values can be compared."""
        found, _ = json.loads(self.check) if self.check else ((), {})
        return tuple(Check(kind=kind, template=template, parameters=given) for kind, template, given in found)


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
    """Whether two are one preference: by the name that the person gave, by the sentence, or by the check of either."""
    if one.named and other.named:
        return one.named == other.named
    return not set(one.keys).isdisjoint(other.keys)


def group_candidates(candidates: Iterable[Candidate]) -> tuple[Candidate, ...]:
    """Each preference once, in the order of its first mention, those of several sessions first."""
    single = [one for candidate in candidates for one in (replace(candidate, repeats=()), *candidate.repeats)]
    groups: dict[int, list[Candidate]] = {}
    for one, place in zip(single, group_wishes(list(map(wish_of, single))), strict=True):
        groups.setdefault(place, []).append(one)
    return tuple(sorted(map(_merge_group, groups.values()), key=lambda candidate: -_count_sessions(candidate)))


def group_wishes(wishes: Sequence[Wish]) -> list[int]:
    """The number of the group of each: that of the first one before it that is the same, else a new one."""
    places: list[int] = []
    by_key: dict[tuple[str, str], list[int]] = {}
    groups = 0
    for at, wish in enumerate(wishes):
        near = [other for key in wish.keys for other in by_key.get(key, ())]
        places.append(min((places[other] for other in near if same_wish(wish, wishes[other])), default=groups))
        groups = max(groups, places[-1] + 1)
        for key in wish.keys:
            by_key.setdefault(key, []).append(at)
    return places


def contrary_places(wishes: Sequence[Wish]) -> list[list[int]]:
    """Of each the places of those whose check asks for the contrary."""
    checks = [wish.checks for wish in wishes]
    by_key: dict[str, set[int]] = {}
    for at, some in enumerate(checks):
        for key in {key for check in some for key in index_keys(check)}:
            by_key.setdefault(key, set()).add(at)
    found = []
    for at, some in enumerate(checks):
        near = {other for check in some for key in index_keys(check) for other in by_key[key]} - {at}
        found.append([other for other in sorted(near) if _contrary(some, checks[other])])
    return found


def _contrary(one: Sequence[Check], other: Sequence[Check]) -> bool:
    return any(compare_checks(mine, theirs).kind == "contrary" for mine in one for theirs in other)


def same_preference(one: Candidate, other: Candidate) -> bool:
    """Whether two candidates are one preference."""
    return same_wish(wish_of(one), wish_of(other))


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
