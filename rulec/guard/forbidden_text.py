"""Text rules: what the lines put into a file must not, and the whole file must, contain."""

from __future__ import annotations

import re
import zlib

from rulec.shell.action_events import Event

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import TypeVar

    One = TypeVar("One")

    from collections.abc import Hashable, Sequence

    from rulec.domain.compiled_rule import TextCheck


LONGEST_LINE = 100_000
MOST_LINES = 200_000
LONGEST_TEXT = 500_000  # characters of a file in which patterns are looked for across lines
MOST_FOUND = 20
HIDDEN = "(not shown)"
_known: dict[tuple[str, int], re.Pattern[str]] = {}


def find_text(check: TextCheck, event: Event) -> list[tuple[int, int, str]]:
    """First and last lines (0 for the whole file) and texts of what the rule forbids or misses."""
    flags = re.IGNORECASE if check.ignore_case else 0
    found: list[tuple[int, int, str]] = []
    forbid = [_compiled(pattern, flags) for pattern in check.forbid]
    if forbid and (check.across or _minds_line_ends(check)):
        found = _across(check, event, [_compiled(one, flags | re.MULTILINE) for one in check.forbid])
    elif forbid:
        now = _matching_lines(check, event, forbid)
        before = _matching_lines(check, _taken_back(event), forbid) if now else []
        texts = [text for _, text in now]
        new = sorted(new_among(texts, texts, [text for _, text in before]))[:MOST_FOUND]
        found = [(now[at][0], now[at][0], HIDDEN if check.hide else texts[at][:200]) for at in new]
    if event.content is not None:
        left = event.left and (event.exists or event.was)  # it is compared with the last commit
        before_it = _missed(check, event.old or "", flags) if left else []
        found += [(0, 0, why) for why in _missed(check, event.content, flags) if why not in before_it]
    return found


def _minds_line_ends(check: TextCheck) -> bool:
    """Whether a pattern speaks of carriage returns, which lines are read without."""
    return any("\\r" in pattern or "\r" in pattern for pattern in check.forbid)


def _matching_lines(check: TextCheck, event: Event, forbid: list[re.Pattern[str]]) -> list[tuple[int, str]]:
    """The lines which the event puts into the file that hold forbidden text, however they are spaced."""
    added = added_lines(event)
    judged = _in_parts(check, event) if added else None
    looked = [(line, text, text if judged is None else judged.get(line, "")) for line, text in added]
    return [
        (line, spaced_alike(text))
        for line, text, part in looked
        if any(one.search(part[:LONGEST_LINE]) for one in forbid)
    ]


def _taken_back(event: Event) -> Event:
    """The event that would undo this one: what it puts there is what this one takes away."""
    old = event.old or ""
    return Event(kind="edit", path=event.was or event.path, old=event.new or "", new=old, content=old)


def _missed(check: TextCheck, content: str, flags: int) -> list[str]:
    """What the whole file must contain and does not."""
    content = _lf(content).rstrip("\r")
    wanted = [one for one in check.require if not _compiled(one, flags | re.MULTILINE).search(content)]
    missed = [f"nothing in the file matches {pattern}" for pattern in wanted]
    return missed + (_headless(content, check.header) if check.header is not None and content.strip() else [])


def why_unread(check: TextCheck, event: Event) -> str:
    """Why forbidden text may stand where nobody looked; "" where all of it was read."""
    text = event.new or ""
    if not check.forbid:
        return ""
    if check.across:
        return f"only the first {LONGEST_TEXT:,} characters were read" if len(text) > LONGEST_TEXT else ""
    if text.count("\n") > MOST_LINES:
        return f"only the first {MOST_LINES:,} lines were read"
    longer = len(text) > LONGEST_LINE and any(len(line) > LONGEST_LINE for line in text.split("\n"))
    return f"of a line only the first {LONGEST_LINE:,} characters were read" if longer else ""


def _across(check: TextCheck, event: Event, forbid: list[re.Pattern[str]]) -> list[tuple[int, int, str]]:
    """The first and last lines of what the patterns find in the whole file, and did not find there before."""
    whole = event.content is not None
    old = event.disk if whole and event.disk is not None else event.old
    texts = [(event.content if whole else event.new) or "", old or ""]
    if not any(
        "\\r" in pattern or "\r" in pattern for pattern in check.forbid
    ):  # else the ends of lines are what it minds
        texts = list(map(_lf, texts))
    now, before = (_wanted_parts(check, event.path, one)[:LONGEST_TEXT] for one in texts)
    found: list[tuple[int, int, str]] = []
    for pattern in forbid:
        known = _counted(spaced_alike(match[0]) for match in pattern.finditer(before))
        for match in pattern.finditer(now):
            text = spaced_alike(match[0])
            if known.get(text, 0):
                known[text] -= 1
                continue
            first, last = (now.count("\n", 0, at) + 1 for at in (match.start(), max(match.start(), match.end() - 1)))
            found.append((first, last, HIDDEN if check.hide else text[:200]))
            if len(found) == MOST_FOUND:
                return found
    return found


def _wanted_parts(check: TextCheck, path: str, text: str) -> str:
    """The text with blanks for the parts of the file that the check does not look at."""
    if not check.parts:
        return text
    from rulec.guard import file_parts  # noqa: PLC0415 (as below)

    return "\n".join(file_parts.lines_of_parts(path, text, check.parts, names=check.names))


def _headless(content: str, wanted: str) -> list[str]:
    """What is missing where the file does not begin with the header."""
    from rulec.guard import file_parts  # noqa: PLC0415 (its patterns cost time that other rules need not pay)

    said = f"the header {wanted!r}"[:200] if wanted.strip() else "a copyright or licence notice"
    return [] if file_parts.has_header(content, wanted) else [f"the file does not begin with {said}"]


def added_lines(event: Event) -> list[tuple[int, str]]:
    """The lines that the event puts into the file, with their place in the new content where that is known.

    ``stood`` are the digests of those that are somebody else's; each stands for one line.
    """
    stood = _counted(event.stood)
    old = _counted((event.old or "").splitlines())
    text = _lf(event.new or "")
    new = text.splitlines()[:MOST_LINES]
    start = _start(_lf(event.content), text) if event.content is not None else 1
    fresh = []
    for number, text in enumerate(new, start):
        if old.get(text, 0):
            old[text] -= 1
        elif stood and stood.get(digest := line_digest(text), 0):
            stood[digest] -= 1
        else:
            fresh.append((number, text))
    return fresh


def line_digest(text: str) -> int:
    """A number that stands for a line, however it is spaced."""
    return zlib.crc32(spaced_alike(text).encode("utf-8", "replace"))


def _in_parts(check: TextCheck, event: Event) -> dict[int, str] | None:
    """The lines with blanks for all but documentation or comments; None where the check looks at everything."""
    if not check.parts:
        return None
    from rulec.guard import file_parts  # noqa: PLC0415 (its patterns cost a millisecond that other rules need not pay)

    text, content = _lf(event.new or ""), _lf(event.content or "")
    whole = content if text in content else text  # what the numbers of added lines count in
    kept = file_parts.lines_of_parts(event.path, whole, check.parts, names=check.names)
    return dict(enumerate(kept, 1))


def _lf(text: str) -> str:
    """The text with line ends that no pattern stumbles over."""
    return text.replace("\r\n", "\n")


def _start(content: str, new: str) -> int:
    at = content.find(new)
    return content.count("\n", 0, at) + 1 if at > 0 else 1


def _counted(given: Iterable[One]) -> dict[One, int]:
    counts: dict[One, int] = {}
    for line in given:
        counts[line] = counts.get(line, 0) + 1
    return counts


def _compiled(pattern: str, flags: int) -> re.Pattern[str]:
    key = (pattern, int(flags))
    if key not in _known:
        _known[key] = re.compile(pattern, flags)
    return _known[key]


def spaced_alike(text: str) -> str:
    """The text as one compares it with an earlier one: however it was indented, spaced or ended."""
    return " ".join(text.split())


def new_among(doubted: Sequence[Hashable], now: Iterable[Hashable], before: Iterable[Hashable]) -> set[int]:
    """The positions of the doubted ones that are new: of several alike as many as there are more than before.

    They are among those that are found ``now``. Nobody can say which of them are new: it is the last ones.
    """
    more: dict[Hashable, int] = {}
    for key in now:
        more[key] = more.get(key, 0) + 1
    for key in before:
        more[key] = more.get(key, 0) - 1
    new: set[int] = set()
    for at in range(len(doubted) - 1, -1, -1):
        if more.get(doubted[at], 0) > 0:
            more[doubted[at]] -= 1
            new.add(at)
    return new
