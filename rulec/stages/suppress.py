"""Verdicts -> verdicts, of which those that a person suppressed say so, and those that only look so say why not."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from types import MappingProxyType
from typing import Any

from rulec.model.change import Change, FileChange
from rulec.model.finding import Finding, Verdict
from rulec.model.suppression import Suppression, counting
from rulec.runtime import ignores

Places = Mapping[tuple[str, int], str]  # path and line, with who let it in

_ACTING = ("block", "warn", "audit")


def suppress(
    verdicts: Iterable[Verdict],
    change: Change,
    standing: Sequence[Suppression],
    today: str,
    *,
    spared: Sequence[str] = (),
    let_in: Places = MappingProxyType({}),
) -> Iterator[Verdict]:
    """What stood before the change counts, until its last day, and what a person let in, with who that was.

    ``spared`` are rules that nobody may suppress.
    """
    read = _reader({file.place: file for file in change.files}, let_in)
    for verdict in verdicts:
        finding = verdict.finding
        if finding is None or verdict.outcome not in _ACTING or finding.slug in spared:
            yield verdict
            continue
        counts, why = _told(finding, read(finding.path), standing, today)
        yield replace(verdict, outcome="suppressed" if counts else verdict.outcome, because=why or verdict.because)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Read:
    """A file's lines, those that suppress a rule newly, and who let which of them in."""

    lines: list[str] = field(default_factory=list)
    fresh: set[tuple[int, str]] = field(default_factory=set)
    let_in: Mapping[int, str] = field(default_factory=dict)


def _reader(files: Mapping[str, FileChange], let_in: Places) -> Callable[[str], _Read]:
    @cache
    def read(path: str) -> _Read:
        file = files.get(path)
        if file is None or ignores.MARK.encode() not in (file.content or b""):
            return _Read()
        fresh = ignores.fresh(file.lines, file.lines_before, file.added_lines)
        return _Read(
            lines=file.lines, fresh=fresh, let_in={line: by for (where, line), by in let_in.items() if where == path}
        )

    return read


def _told(finding: Finding, file: _Read, standing: Sequence[Suppression], today: str) -> tuple[bool, str]:
    """Whether the finding is suppressed, and why so or why not."""
    one = counting(standing, finding.slug, finding.path, today)
    if one:
        return True, one.told
    why = ""
    for number, said in ignores.about(file.lines, finding.slug, finding.line, finding.last):
        new = (number, finding.slug) in file.fresh
        why = _against(said, today, new=new and number not in file.let_in)
        if not why:
            return True, f"until {said['until']}: {said['reason']}" + f"; {file.let_in.get(number)}" * new
        why = f"the suppression in line {number} does not count: {why}"
    over = [one for one in standing if one.covers(finding.slug, finding.path)]
    return False, why or (f"its suppression ended on {max(one.until for one in over)}" if over else "")


def _against(said: Mapping[str, Any], today: str, *, new: bool) -> str:
    """Why a suppression in place does not count, "" where it does."""
    if said["wrong"]:
        return str(said["wrong"])
    if str(said["until"]) < today:
        return f"it ended on {said['until']}"
    return "it is new in this change: a person lets it in first (rulec approve, rulec suppress)" * new
