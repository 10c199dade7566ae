"""Verdicts -> verdicts, of which those that a person suppressed say so, and those that only look so say why not."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

from rulec.model.change import Change, FileChange
from rulec.model.finding import Finding, Verdict
from rulec.model.suppression import Suppression, counting
from rulec.runtime import ignores

_ACTING = ("block", "warn", "audit")


def suppress(
    verdicts: Iterable[Verdict], change: Change, standing: Sequence[Suppression], today: str, spared: Sequence[str] = ()
) -> Iterator[Verdict]:
    """What stood before the change counts, until its last day; ``spared`` are rules that nobody may suppress."""
    files = {file.place: file for file in change.files}
    lines = _reader(files)
    for verdict in verdicts:
        finding = verdict.finding
        if finding is None or verdict.outcome not in _ACTING or finding.slug in spared:
            yield verdict
            continue
        counts, why = _told(finding, files.get(finding.path), lines, standing, today)
        yield replace(verdict, outcome="suppressed" if counts else verdict.outcome, because=why or verdict.because)


Lines = Callable[[str], list[str]]


def _reader(files: Mapping[str, FileChange]) -> Lines:
    @cache
    def read(path: str) -> list[str]:
        content = files[path].content if path in files else None
        if content is None or ignores.MARK.encode() not in content:
            return []
        return content.decode("utf-8", "replace").split("\n")

    return read


def _told(
    finding: Finding, file: FileChange | None, lines: Lines, standing: Sequence[Suppression], today: str
) -> tuple[bool, str]:
    """Whether the finding is suppressed, and why so or why not."""
    one = counting(standing, finding.slug, finding.path, today)
    if one:
        return True, one.told
    why = ""
    for number, said in ignores.about(lines(finding.path), finding.slug, finding.line, finding.last) if file else ():
        why = _against(said, number, file, today)
        if not why:
            return True, f"until {said['until']}: {said['reason']}"
        why = f"the suppression in line {number} does not count: {why}"
    over = [one for one in standing if one.covers(finding.slug, finding.path)]
    return False, why or (f"its suppression ended on {max(one.until for one in over)}" if over else "")


def _against(said: Mapping[str, Any], number: int, file: FileChange | None, today: str) -> str:
    """Why a suppression in place does not count, "" where it does."""
    if said["wrong"]:
        return str(said["wrong"])
    if str(said["until"]) < today:
        return f"it ended on {said['until']}"
    return "it is new in this change: a person lets it in first, or says rulec suppress" * _is_new(said, number, file)


def _is_new(said: Mapping[str, Any], number: int, file: FileChange | None) -> bool:
    if file is None:
        return True
    if file.added is not None:
        return any(first <= number <= last for first, last in file.added)
    base = (file.base or b"").decode("utf-8", "replace")
    return said["text"] not in (line.strip() for line in base.split("\n"))
