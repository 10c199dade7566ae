"""What a rule would have refused in the past: commits, and actions of agents in sessions."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from rulec.domain.finding import Finding

MANY = 0.05  # of what was looked at: more is a sign that a rule means more than was said
MANY_AT_LEAST = 3
REFUSES_OFTEN = "that is many: is the rule too broad?"
NOT_POSSIBLE = "not possible: "  # how a line begins that says why nothing is known of the past
NAMED = 3  # places that one line names


@dataclass(frozen=True, slots=True, kw_only=True)
class PastChange:
    """A commit, or an agent's actions in a session."""

    id: str
    at: str
    what: str  # its subject, or the action


@dataclass(frozen=True, slots=True, kw_only=True)
class Refusal:
    """The first findings of a rule in a past change, and how many there are in all."""

    past: PastChange
    findings: tuple[Finding, ...]
    many: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleBacktest:
    """What one rule would have refused in the past."""

    slug: str
    looked_at: int
    refusals: tuple[Refusal, ...] = ()
    broken: tuple[str, ...] = ()  # what its checks broke on; that was not looked at


# Id -> how many findings and the first; None: not judged.
FindingsOrFaults = Mapping[str, tuple[int, tuple[Finding, ...]] | None]


def backtest_rule(
    slug: str, pasts: Iterable[PastChange], seen: FindingsOrFaults, broken: Sequence[str] = ()
) -> RuleBacktest:
    """What one rule would have refused, in the order of ``pasts``."""
    judged = [(past, found) for past in pasts if (found := seen.get(past.id)) is not None]
    refusals = [Refusal(past=past, findings=first, many=many) for past, (many, first) in judged if many]
    said = tuple(dict.fromkeys(broken))
    return RuleBacktest(slug=slug, looked_at=len(judged), refusals=tuple(refusals), broken=said)


def describe_backtest(sight: RuleBacktest, total: int) -> str:
    """The result over ``total`` commits in a line, "" where there was nothing to check."""
    if not sight.looked_at:
        return f"{NOT_POSSIBLE}{sight.broken[0]}" if sight.broken else ""
    of = f"{sight.looked_at} commit{'s' * (sight.looked_at != 1)}"
    if sight.looked_at < total:
        of = f"the last {of}"
    many = len(sight.refusals)
    if not many:
        return f"none of {of} would have been refused"
    some = ", ".join(_places_of_refusals(sight.refusals[:NAMED])) + ", ..." * (many > NAMED)
    warning = f": {REFUSES_OFTEN}" if refuses_often(sight) else ""
    return f"{many} of {of} would have been refused ({some}){warning}"


def refuses_often(sight: RuleBacktest) -> bool:
    """Whether the rule would have refused so much that a person should reconsider it."""
    return len(sight.refusals) >= max(MANY_AT_LEAST, MANY * sight.looked_at)


def _places_of_refusals(refusals: Iterable[Refusal]) -> Iterator[str]:
    for refusal in refusals:
        yield f"{refusal.past.id[:7]} {finding_place(refusal.findings[0])}"


def finding_place(finding: Finding) -> str:
    """Path and line of a finding, as far as they are known."""
    path = finding.path.replace("\n", "\\n") or "commit message"
    return f"{path}:{finding.line}" if finding.line else path
