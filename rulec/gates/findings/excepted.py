"""Findings that a person excepted, with the reason; and why what only looks like an exception does not count."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from types import MappingProxyType

from rulec.domain.change import Change, FileChange
from rulec.domain.enforcement import ENFORCEMENTS, refuses
from rulec.domain.finding import Finding, Verdict
from rulec.domain.rule import WEAKENED
from rulec.guard import exceptions
from rulec.guard.exceptions import InPlaceException
from rulec.infra import clock
from rulec.infra.git import git_changes, git_contents, git_session
from rulec.rulebook import dated_exceptions
from rulec.rulebook.dated_exceptions import DatedException, exception_for


def mark_excepted(
    verdicts: Sequence[Verdict],
    change: Change,
    trusted: Mapping[str, str],
    at_hand: Path | None = None,
    weakened: Sequence[Verdict] = (),
) -> list[Verdict]:
    """The verdicts, marked where an exception counts: one that was there before the change.

    Those of the verdicts on what gets ``weakened`` that have a reason let their exceptions in.
    """
    standing = dated_exceptions.compiled_exceptions_in(trusted)
    if at_hand:
        change = _based(at_hand, change, verdicts)
    return list(
        except_findings(
            verdicts, change, standing, clock.now()[:10], spared=(WEAKENED,), approved=_approved_places(weakened)
        )
    )


def _approved_places(weakened: Sequence[Verdict]) -> dict[tuple[str, int], str]:
    told = [(v.finding.path, v.finding.line, v) for v in weakened if v.finding and v.finding.line]
    held = {(path, line) for path, line, verdict in told if not _is_approved(verdict)}
    return {(path, line): verdict.because for path, line, verdict in told if (path, line) not in held}


def _is_approved(verdict: Verdict) -> bool:
    """Whether a person approved what gets weaker, or it is only told of."""
    return verdict.outcome == "excepted" or (
        verdict.facts.slug == WEAKENED and bool(verdict.because) and not refuses(verdict.outcome)
    )


def _based(top: Path, change: Change, verdicts: Sequence[Verdict]) -> Change:
    found = {verdict.finding.path for verdict in verdicts if verdict.finding}
    files = [file for file in change.files if file.path in found and exceptions.MARK.encode() in (file.content or b"")]
    bases = (
        git_contents.read_blobs(top, [f"HEAD:{file.path}" for file in files], git_changes.LARGEST_READ)
        if git_session.head_commit(top)
        else []
    )
    known: dict[str, FileChange] = {f.path: replace(f, base=b) for f, b in zip(files, bases, strict=False)}
    return replace(change, files=tuple(known.get(file.path, file) for file in change.files))


ApprovedPlaces = Mapping[tuple[str, int], str]  # path and line, with who let it in


def except_findings(
    verdicts: Iterable[Verdict],
    change: Change,
    standing: Sequence[DatedException],
    today: str,
    *,
    spared: Sequence[str] = (),
    approved: ApprovedPlaces = MappingProxyType({}),
) -> Iterator[Verdict]:
    """The verdicts with exceptions applied: older ones until their last day, new ones that a person approved.

    ``spared`` are rules that nobody may except.
    """
    read = _file_reader({file.place: file for file in change.files}, approved)
    for verdict in verdicts:
        finding = verdict.finding
        if finding is None or verdict.outcome not in ENFORCEMENTS or finding.slug in spared:
            yield verdict
            continue
        names = (finding.slug, *verdict.facts.formerly)
        counts, why = _is_excepted(finding, names, read(finding.path), standing, today)
        yield replace(verdict, outcome="excepted" if counts else verdict.outcome, because=why or verdict.because)


@dataclass(frozen=True, slots=True, kw_only=True)
class _FileLines:
    """A file's lines, the lines that newly except a rule, and who approved which of them."""

    lines: list[str] = field(default_factory=list)
    fresh: set[tuple[int, str]] = field(default_factory=set)
    approved: Mapping[int, str] = field(default_factory=dict)


def _file_reader(files: Mapping[str, FileChange], approved: ApprovedPlaces) -> Callable[[str], _FileLines]:
    @cache
    def read(path: str) -> _FileLines:
        file = files.get(path)
        if file is None or exceptions.MARK.encode() not in (file.content or b""):
            return _FileLines()
        fresh = exceptions.newly_excepted(file.lines, file.lines_before, file.added_lines)
        return _FileLines(
            lines=file.lines,
            fresh=fresh,
            approved={line: by for (where, line), by in approved.items() if where == path},
        )

    return read


def _is_excepted(
    finding: Finding, names: Sequence[str], file: _FileLines, standing: Sequence[DatedException], today: str
) -> tuple[bool, str]:
    """Whether the finding is excepted under a name of its rule, and the reason for either."""
    one = next(filter(None, (exception_for(standing, name, finding.path, today) for name in names)), None)
    if one:
        return True, one.told
    why = ""
    found = (exceptions.exceptions_at(file.lines, name, finding.line, finding.last) for name in names)
    for number, said in dict(one for some in found for one in some).items():
        new = any((number, name) in file.fresh for name in names)
        why = _why_not_counted(said, today, new=new and number not in file.approved)
        if not why:
            return True, f"until {said.until}: {said.reason}" + f"; {file.approved.get(number)}" * new
        why = f"the exception in line {number} does not count: {why}"
    over = [one for one in standing if any(one.covers(name, finding.path) for name in names)]
    return False, why or (f"its exception ended on {max(one.until for one in over)}" if over else "")


def _why_not_counted(said: InPlaceException, today: str, *, new: bool) -> str:
    """Why an inline exception does not count, "" where it does."""
    if said.wrong:
        return said.wrong
    if said.until < today:
        return f"it ended on {said.until}"
    return "it is new in this change: a person lets it in first (rulec approve, rulec except)" * new
