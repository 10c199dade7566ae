"""Lines of the ledger -> evidence: one observation for each rule, month and kind."""

import hashlib
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace

from rulec.model.account import FIRED
from rulec.model.confidence import moment
from rulec.model.evidence import Count, Evidence, EvidenceKind, Noted

_KINDS: dict[str, EvidenceKind] = {**dict.fromkeys(FIRED, "fired"), "fixed": "fixed", "suppressed": "suppressed"}


@dataclass(frozen=True, slots=True)
class Folded:
    """An observation, and the names of the lines that it was made of."""

    evidence: Evidence
    lines: tuple[str, ...]


def tally(noted: Iterable[Noted]) -> tuple[Folded, ...]:
    """Each line in one observation; the same lines make the same ones, in whatever order they come.

    It weighs nothing: that a rule fires often does not make it right, and that it was obeyed does not either.
    """
    groups: dict[tuple[str, str, EvidenceKind], dict[str, Noted]] = {}
    for line in noted:
        kind = _KINDS.get(line.outcome)
        if kind and moment(line.at) is not None:
            groups.setdefault((line.slug, line.at[:7], kind), {})[line.id] = line
    return tuple(_folded(slug, kind, lines) for (slug, _, kind), lines in sorted(groups.items()))


def _folded(slug: str, kind: EvidenceKind, lines: dict[str, Noted]) -> Folded:
    times: Counter[Count] = Counter()
    for line in lines.values():
        times[replace(line.count, times=1)] += line.times
    seen = tuple(sorted(replace(one, times=number) for one, number in times.items()))
    last = max((line.at for line in lines.values()), key=lambda at: (moment(at) or 0.0, at))
    names = tuple(sorted(lines))
    # whose lines these are: two people may well have seen the same as often
    digest = hashlib.sha256("\n".join(names).encode()).hexdigest()[:12]
    return Folded(Evidence(slug=slug, kind=kind, at=last, digest=digest, seen=seen), names)
