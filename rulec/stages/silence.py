"""A change -> the suppressions that it writes into files, of rules that there are."""

from collections.abc import Iterator, Sequence

from rulec.model.change import Change, FileChange
from rulec.model.weakening import Weakening
from rulec.runtime import ignores

_MARK = ignores.MARK.encode()


def silence(change: Change, slugs: Sequence[str], today: str) -> Iterator[Weakening]:
    """Each one that would count from the next change on, with its line."""
    for file in change.files:
        if file.content is not None and _MARK in file.content:
            yield from _in_file(file, frozenset(slugs), today)


def _in_file(file: FileChange, slugs: frozenset[str], today: str) -> Iterator[Weakening]:
    lines = file.lines
    for number, slug in sorted(ignores.fresh(lines, file.lines_before, file.added_lines)):
        said = ignores.said(lines[number - 1])
        if slug not in slugs or said is None or said["wrong"] or said["until"] < today:
            continue
        text = f"{slug} is suppressed in place until {said['until']} ({said['reason']})"
        yield Weakening(subject=f"suppression {slug} {file.path}", text=text, path=file.path, line=number)
