"""Text rules: what the lines put into a file must not, and the whole file must, contain."""

from __future__ import annotations

import re
import zlib

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


def find_text(check: dict[str, Any], event: dict[str, Any]) -> list[tuple[int, str]]:
    """Line numbers (0 for the whole file) and texts of what the rule forbids or misses."""
    flags = re.IGNORECASE if check.get("ignore_case") else 0
    found: list[tuple[int, str]] = []
    forbid = [_compiled(pattern, flags) for pattern in check.get("forbid", [])]
    if forbid and check.get("across"):
        found = _across(check, event, [_compiled(one, flags | re.MULTILINE) for one in check["forbid"]])
    elif forbid:
        judged = _in_parts(check, event)
        for line, text in added_lines(event):
            looked = text if judged is None else judged.get(line, "")
            if any(pattern.search(looked[:LONGEST_LINE]) for pattern in forbid):
                found.append((line, HIDDEN if check.get("hide") else " ".join(text.split())[:200]))
                if len(found) == MOST_FOUND:
                    break
    content = event.get("content")
    if isinstance(content, str):
        content = _lf(content).rstrip("\r")
        missed = [one for one in check.get("require", []) if not _compiled(one, flags | re.MULTILINE).search(content)]
        found += [(0, f"nothing in the file matches {pattern}") for pattern in missed]
        if "header" in check and content.strip():
            found += _headless(content, check["header"])
    return found


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


def _across(check: dict[str, Any], event: dict[str, Any], forbid: list[re.Pattern[str]]) -> list[tuple[int, str]]:
    """The first lines of what the patterns find in the whole file, and did not find there before."""
    text, content = _lf(event.get("new") or ""), event.get("content")
    text = _lf(content) if isinstance(content, str) else text
    old = event.get("disk") if isinstance(content, str) and isinstance(event.get("disk"), str) else event.get("old")
    now, before = (_wanted_parts(check, event["path"], one)[:LONGEST_TEXT] for one in (text, _lf(old or "")))
    found: list[tuple[int, str]] = []
    for pattern in forbid:
        known = _counted(match[0] for match in pattern.finditer(before))
        for match in pattern.finditer(now):
            if known.get(match[0], 0):
                known[match[0]] -= 1
                continue
            told = HIDDEN if check.get("hide") else " ".join(match[0].split())[:200]
            found.append((now.count("\n", 0, match.start()) + 1, told))
            if len(found) == MOST_FOUND:
                return found
    return found


def _wanted_parts(check: dict[str, Any], path: str, text: str) -> str:
    """The text with blanks for the parts of the file that the check does not look at."""
    if not check.get("parts"):
        return text
    from rulec.guard.content import file_parts  # noqa: PLC0415 (as below)

    return "\n".join(file_parts.lines_of_parts(path, text, tuple(check["parts"]), names=bool(check.get("names", True))))


def _headless(content: str, wanted: str) -> list[tuple[int, str]]:
    """A finding where the file does not begin with the header."""
    from rulec.guard.content import file_parts  # noqa: PLC0415 (its patterns cost time that other rules need not pay)

    said = f"the header {wanted!r}"[:200] if wanted.strip() else "a copyright or licence notice"
    return [] if file_parts.has_header(content, wanted) else [(0, f"the file does not begin with {said}")]


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
    return zlib.crc32(" ".join(text.split()).encode("utf-8", "replace"))


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
