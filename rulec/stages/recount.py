"""Lines of the ledger and evidence -> an account of each rule, the noisiest first."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from rulec.model.account import Account
from rulec.model.evidence import Count, Evidence, Noted


def recount(
    rules: Sequence[Account], noted: Iterable[Noted], evidence: Mapping[str, Sequence[Evidence]], since: str = ""
) -> tuple[Account, ...]:
    """Each rule with what was seen of it from a day on; what fired and is no rule of the rulebook is told, too.

    ``noted`` are the lines that are not in the evidence yet; disputes that are not either belong to ``evidence``.
    """
    found: dict[str, Counter[Count]] = {}
    disputed: Counter[str] = Counter()
    for line in noted:
        _add(found.setdefault(line.slug, Counter()), line.count, since)
    for slug, items in evidence.items():
        for item in items:
            disputed[slug] += item.kind == "counterexample" and item.at[:10] >= since
            for count in item.seen:
                _add(found.setdefault(slug, Counter()), count, since)
    known = {rule.slug: rule for rule in rules}
    slugs = dict.fromkeys([*known, *(slug for slug in found if found[slug]), *(s for s in disputed if disputed[s])])
    told = (
        replace(known.get(slug) or Account(slug=slug), counts=_counts(found.get(slug)), disputed=disputed[slug])
        for slug in slugs
    )
    return tuple(sorted(told, key=lambda one: (-one.noise, -one.fired, one.slug)))


def _add(counts: Counter[Count], count: Count, since: str) -> None:
    if count.day >= since:
        counts[replace(count, times=1)] += count.times


def _counts(found: Counter[Count] | None) -> tuple[Count, ...]:
    return tuple(sorted(replace(count, times=times) for count, times in (found or {}).items()))
