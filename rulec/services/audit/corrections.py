"""Corrections that a person gave more than once, and how many of the later ones a check would have spared them."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from rulec.domain.candidate import Candidate, TurnReading
from rulec.domain.text.redaction import redact
from rulec.domain.transcript import Turn
from rulec.sentences.candidates import BY_SESSION, candidates_of
from rulec.sentences.names import Names
from rulec.services.mining.candidate_search import redacted_correction

_LEAST = 2  # times that make a correction a repeated one


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeSaid:
    """One turn in which a person said it."""

    session: Path
    line: int
    at: str  # the day, "" where the format has no time
    quote: str
    shown: bool  # the agent had just done what the check of these words refuses


@dataclass(slots=True)
class RepeatedCorrection:
    """The times that the same was said: words of which the same check is read."""

    candidate: Candidate  # of the first time
    times: list[TimeSaid] = field(default_factory=list)

    @property
    def stopped(self) -> int:
        """How many offences after the first correction the check would have stopped."""
        return sum(one.shown for one in self.times[1:])


class CorrectionCount:
    """Collects the corrections in sessions, those of which the same check is read together."""

    def __init__(self, names: Names) -> None:
        self.unread = 0  # turns that look like corrections, of which no check is read
        self._names = names
        self._found: dict[str, RepeatedCorrection] = {}
        self._seen: set[tuple[str, str]] = set()  # a resumed session holds the turns of the one before it

    def see(self, session: Path, reading: TurnReading) -> None:
        """Count the correction of a turn, where it is one."""
        turn = reading.turn
        if reading.correction is None or (turn.at and (turn.at, turn.text) in self._seen):
            return
        self._seen.add((turn.at, turn.text))
        found = [one for one in candidates_of(redacted_correction(reading.correction), self._names) if one.drafts]
        self.unread += not found
        for one in found:
            said = self._found.setdefault(repr((one.drafts[0].checks, one.drafts[0].scope)), RepeatedCorrection(one))
            said.times.append(_time_said(session, turn, one))

    def repeated(self) -> Iterator[RepeatedCorrection]:
        """The corrections that were given more than once, the most frequent first."""
        for one in sorted(self._found.values(), key=lambda one: -len(one.times)):
            if len(one.times) >= _LEAST:
                yield RepeatedCorrection(one.candidate, sorted(one.times, key=lambda time: time.at))


def _time_said(session: Path, turn: Turn, candidate: Candidate) -> TimeSaid:
    quote = candidate.correction.quote if candidate.correction else candidate.rule.statement
    shown = any(draft.because == BY_SESSION for draft in candidate.drafts)
    return TimeSaid(session=session, line=turn.line, at=turn.at[:10], quote=redact(quote), shown=shown)
