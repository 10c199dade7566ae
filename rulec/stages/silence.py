"""A change -> the suppressions that it writes into files, of rules that there are."""

from collections import Counter
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
    stood = Counter(line.strip() for line in (file.base or b"").decode("utf-8", "replace").split("\n"))
    for number, line in enumerate((file.content or b"").decode("utf-8", "replace").split("\n"), 1):
        said = ignores.said(line)
        if said is None or said["wrong"] or said["until"] < today:
            continue
        stood[said["text"]] -= 1
        if stood[said["text"]] >= 0:  # it may have moved; a copy is one more
            continue
        for slug in slugs.intersection(said["slugs"]):
            text = f"{slug} is suppressed in place until {said['until']} ({said['reason']})"
            yield Weakening(subject=f"suppression {slug} {file.path}", text=text, path=file.path, line=number)
