"""Lines of the ledger -> findings that somebody was shown, each with what became of it and how long that took."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import median

from rulec.domain.enforcement import is_shown
from rulec.domain.evidence import LedgerLine
from rulec.rulebook.confidence import to_seconds

ENDS = ("fixed", "excepted")


@dataclass(frozen=True, slots=True, kw_only=True)
class FollowedFinding:
    """A finding of a rule at one place, from when it was shown until it was put right or excepted."""

    slug: str
    of: str
    at: str
    gate: str
    agent: str
    outcome: str
    times: int = 1  # that it was shown
    ended: str = ""  # when; "" while it is open
    end: str = ""  # fixed, excepted, or "" while it is open

    @property
    def seconds(self) -> float | None:
        """How long it took to fix; None where it is not fixed."""
        begun, ended = to_seconds(self.at), to_seconds(self.ended)
        if self.end != "fixed" or begun is None or ended is None:
            return None
        return max(ended - begun, 0.0)


def follow_findings(lines: Iterable[LedgerLine]) -> list[FollowedFinding]:
    """The findings in lines that stand in their order, those that were shown last at the end.

    A fix or exception that names no session ends the finding in all of them.
    """
    found: list[FollowedFinding] = []
    open_now: dict[tuple[str, str], dict[str, int]] = {}
    for line in lines:
        sessions = open_now.setdefault((line.slug, line.of), {})
        if line.outcome in ENDS:
            for session in [one for one in sessions if line.session in ("", one)]:
                number = sessions.pop(session)
                found[number] = replace(found[number], ended=line.at, end=line.outcome)
        elif is_shown(line.outcome) and line.session in sessions:
            number = sessions[line.session]
            found[number] = replace(found[number], times=found[number].times + line.times)
        elif is_shown(line.outcome):
            sessions[line.session] = len(found)
            found.append(
                FollowedFinding(
                    slug=line.slug, of=line.of, at=line.at, gate=line.event, agent=line.agent, outcome=line.outcome,
                    times=line.times,
                )
            )  # fmt: skip
    return found


def fix_seconds(found: Iterable[FollowedFinding]) -> dict[str, float]:
    """By rule, the median of the seconds that its findings took to fix."""
    taken: dict[str, list[float]] = {}
    for one in found:
        if one.seconds is not None:
            taken.setdefault(one.slug, []).append(one.seconds)
    return {slug: median(seconds) for slug, seconds in taken.items()}


def repeats_by_day(shown: Mapping[str, int]) -> Counter[str]:
    """Of what a rule showed by day, that of every day but its first: it was known by then, and done again."""
    first = min(shown, default="")
    return Counter({day: times for day, times in shown.items() if day > first})


def in_words(seconds: float | None) -> str:
    """A time in the largest unit that fits; "" for none."""
    if seconds is None:
        return ""
    units: Sequence[tuple[float, str]] = ((86_400, "d"), (3_600, "h"), (60, "min"))
    size, unit = next((one for one in units if seconds >= 2 * one[0]), (1, "s"))
    return f"{seconds / size:.0f} {unit}"
