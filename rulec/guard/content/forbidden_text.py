"""Text rules: what the lines put into a file must not, and the whole file must, contain."""

from __future__ import annotations

import re
import zlib

from rulec.domain.new_findings import new_among, spaced_alike

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any


LONGEST_LINE = 100_000
MOST_LINES = 200_000
LONGEST_TEXT = 500_000  # characters of a file in which patterns are looked for across lines
MOST_FOUND = 20
HIDDEN = "(not shown)"
_known: dict[tuple[str, int], re.Pattern[str]] = {}


def find_text(check: dict[str, Any], event: dict[str, Any]) -> list[tuple[int, int, str]]:
    """First and last lines (0 for the whole file) and texts of what the rule forbids or misses."""
    flags = re.IGNORECASE if check.get("ignore_case") else 0
    found: list[tuple[int, int, str]] = []
    forbid = [_compiled(pattern, flags) for pattern in check.get("forbid", [])]
    if forbid and check.get("across"):
        found = _across(check, event, [_compiled(one, flags | re.MULTILINE) for one in check["forbid"]])
    elif forbid:
        now = _matching_lines(check, event, forbid)
        before = _matching_lines(check, _taken_back(event), forbid) if now else []
        texts = [text for _, text in now]
        new = sorted(new_among(texts, texts, [text for _, text in before]))[:MOST_FOUND]
        found = [(now[at][0], now[at][0], HIDDEN if check.get("hide") else texts[at][:200]) for at in new]
    content = event.get("content")
    if isinstance(content, str):
        left = event.get("left") and (event.get("exists") or event.get("was"))  # it is compared with the last commit
        before_it = _missed(check, event.get("old") or "", flags) if left else []
        found += [(0, 0, why) for why in _missed(check, content, flags) if why not in before_it]
    return found


def _matching_lines(
    check: dict[str, Any], event: dict[str, Any], forbid: list[re.Pattern[str]]
) -> list[tuple[int, str]]:
    """The lines which the event puts into the file that hold forbidden text, however they are spaced."""
    added = added_lines(event)
    judged = _in_parts(check, event) if added else None
    looked = [(line, text, text if judged is None else judged.get(line, "")) for line, text in added]
    return [
        (line, spaced_alike(text))
        for line, text, part in looked
        if any(one.search(part[:LONGEST_LINE]) for one in forbid)
    ]


def _taken_back(event: dict[str, Any]) -> dict[str, Any]:
    """The event that would undo this one: what it puts there is what this one takes away."""
    old = event.get("old") or ""
    return {"path": event.get("was") or event["path"], "old": event.get("new") or "", "new": old, "content": old}


def _missed(check: dict[str, Any], content: str, flags: int) -> list[str]:
    """What the whole file must contain and does not."""
    content = _lf(content).rstrip("\r")
    wanted = [one for one in check.get("require", []) if not _compiled(one, flags | re.MULTILINE).search(content)]
    missed = [f"nothing in the file matches {pattern}" for pattern in wanted]
    return missed + (_headless(content, check["header"]) if "header" in check and content.strip() else [])


def why_unread(check: dict[str, Any], event: dict[str, Any]) -> str:
    """Why forbidden text may stand where nobody looked; "" where all of it was read."""
    text = str(event.get("new") or "")
    if not check.get("forbid"):
        return ""
    if check.get("across"):
        return f"only the first {LONGEST_TEXT:,} characters were read" if len(text) > LONGEST_TEXT else ""
    if text.count("\n") > MOST_LINES:
        return f"only the first {MOST_LINES:,} lines were read"
    longer = len(text) > LONGEST_LINE and any(len(line) > LONGEST_LINE for line in text.split("\n"))
    return f"of a line only the first {LONGEST_LINE:,} characters were read" if longer else ""


def _across(check: dict[str, Any], event: dict[str, Any], forbid: list[re.Pattern[str]]) -> list[tuple[int, int, str]]:
    """The first and last lines of what the patterns find in the whole file, and did not find there before."""
    text, content = _lf(event.get("new") or ""), event.get("content")
    text = _lf(content) if isinstance(content, str) else text
    old = event.get("disk") if isinstance(content, str) and isinstance(event.get("disk"), str) else event.get("old")
    now, before = (_wanted_parts(check, event["path"], one)[:LONGEST_TEXT] for one in (text, _lf(old or "")))
    found: list[tuple[int, int, str]] = []
    for pattern in forbid:
        known = _counted(spaced_alike(match[0]) for match in pattern.finditer(before))
        for match in pattern.finditer(now):
            text = spaced_alike(match[0])
            if known.get(text, 0):
                known[text] -= 1
                continue
            first, last = (now.count("\n", 0, at) + 1 for at in (match.start(), max(match.start(), match.end() - 1)))
            found.append((first, last, HIDDEN if check.get("hide") else text[:200]))
            if len(found) == MOST_FOUND:
                return found
    return found


def _wanted_parts(check: dict[str, Any], path: str, text: str) -> str:
    """The text with blanks for the parts of the file that the check does not look at."""
    if not check.get("parts"):
        return text
    from rulec.guard.content import file_parts  # noqa: PLC0415 (as below)

    return "\n".join(file_parts.lines_of_parts(path, text, tuple(check["parts"]), names=bool(check.get("names", True))))


def _headless(content: str, wanted: str) -> list[str]:
    """What is missing where the file does not begin with the header."""
    from rulec.guard.content import file_parts  # noqa: PLC0415 (its patterns cost time that other rules need not pay)

    said = f"the header {wanted!r}"[:200] if wanted.strip() else "a copyright or licence notice"
    return [] if file_parts.has_header(content, wanted) else [f"the file does not begin with {said}"]


def added_lines(event: dict[str, Any]) -> list[tuple[int, str]]:
    """The lines that the event puts into the file, with their place in the new content where that is known.

    ``stood`` are the digests of those that are somebody else's; each stands for one line.
    """
    stood = _counted(event.get("stood") or ())
    old = _counted((event.get("old") or "").splitlines())
    text = _lf(event.get("new") or "")
    new = text.splitlines()[:MOST_LINES]
    content = event.get("content")
    start = _start(_lf(content), text) if isinstance(content, str) else 1
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


def _in_parts(check: dict[str, Any], event: dict[str, Any]) -> dict[int, str] | None:
    """The lines with blanks for all but documentation or comments; None where the check looks at everything."""
    if not check.get("parts"):
        return None
    from rulec.guard.content import file_parts  # noqa: PLC0415 (its patterns cost a millisecond that other rules need not pay)

    text, content = _lf(event.get("new") or ""), _lf(event.get("content") or "")
    whole = content if text in content else text  # what the numbers of added lines count in
    kept = file_parts.lines_of_parts(event["path"], whole, tuple(check["parts"]), names=bool(check.get("names", True)))
    return dict(enumerate(kept, 1))


def _lf(text: str) -> str:
    """The text with line ends that no pattern stumbles over."""
    return text.replace("\r\n", "\n")


def _start(content: str, new: str) -> int:
    at = content.find(new)
    return content.count("\n", 0, at) + 1 if at > 0 else 1


def _counted(given: Iterable[Any]) -> dict[Any, int]:
    counts: dict[Any, int] = {}
    for line in given:
        counts[line] = counts.get(line, 0) + 1
    return counts


def _compiled(pattern: str, flags: int) -> re.Pattern[str]:
    key = (pattern, int(flags))
    if key not in _known:
        _known[key] = re.compile(pattern, flags)
    return _known[key]
