"""Exceptions in place: what "rulec: ignore[SLUG] until=YYYY-MM-DD REASON" in a comment says, and of which line."""

from __future__ import annotations

import re

from rulec.domain.record import Record

MARK = "rulec:"  # a text without it holds none
TOP = 5  # lines at the beginning of a file that may speak of all of it
LONGEST = 1_000  # characters of a line that are looked at
_FORM = re.compile(r"rulec:[ \t]{0,3}ignore\b[ \t]{0,3}(?:\[([^\]]{0,300})\])?")
_UNTIL = re.compile(r"(?<!\w)until[ \t]{0,3}[=:]?[ \t]{0,3}(\d[\w./-]{0,20})")
_DAY = re.compile(r"\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])")
_CLOSE = re.compile(r"(?:\*/|-->|--%?>|%>|#\}|\*\)|\|#|\]\]|\"\"\"|''')[\s\S]*$")
_ALONE = re.compile(r"\W*(?:(?:REM|rem|dnl)\W+)?")  # what opens a comment in any language: no word but those
_WORD = re.compile(r"[^\W\d_]{2,}")


class InPlaceException(Record):
    """What a line says: the rules that it excepts, until when and why, and what is wrong with it."""

    slugs: list[str]
    until: str
    reason: str
    wrong: str
    alone: bool  # nothing but the comment stands in the line


def parse_line(line: str) -> InPlaceException | None:
    """What a line says of exceptions; None where it says nothing."""
    found = _FORM.search(line, 0, LONGEST) if MARK in line else None
    if found is None:
        return None
    slugs = [name for name in re.split(r"[\s,]+", found[1] or "") if name]
    rest = _CLOSE.sub("", line[found.end() : LONGEST])
    until = _UNTIL.search(rest)
    reason = (rest[: until.start()] + " " + rest[until.end() :] if until else rest).strip(" \t,;:-")
    reason = " ".join(reason.split())
    day = until[1].rstrip(".,;:") if until else ""
    wrong = ""
    if not slugs:
        wrong = "it names no rule: ignore[SLUG]"
    elif not day:
        wrong = "it has no end: until=YYYY-MM-DD"
    elif not _DAY.fullmatch(day):
        wrong = f"until={day} is no day: until=YYYY-MM-DD"
    elif not _WORD.search(reason):
        wrong = "it gives no reason"
    alone = _ALONE.fullmatch(line, 0, found.start()) is not None
    return InPlaceException(slugs=slugs, until=day, reason=reason, wrong=wrong, alone=alone)


def newly_excepted(lines: list[str], before: list[str], added: set[int] | None = None) -> set[tuple[int, str]]:
    """The lines, each with a slug, that except what none did before: one that moved, or whose code changed, is old.

    Without the lines that were ``added`` all may be; a copy is one more than there were.
    """
    stood: dict[tuple[str, str, str], int] = {}
    for _, one in _kept(before):
        stood[one] = stood.get(one, 0) + 1
    here = sorted(_kept(lines), key=lambda said: added is not None and said[0] in added)
    found = set()
    for number, one in here:
        left = stood.get(one, 0)
        stood[one] = left - 1
        if left < 1 and (added is None or number in added):
            found.add((number, one[0]))
    return found


def _kept(lines: list[str]) -> list[tuple[int, tuple[str, str, str]]]:
    """What each line says of each rule, with the line's number."""
    told = [(number, parse_line(line)) for number, line in enumerate(lines, 1)]
    return [(number, (slug, one.until, one.reason)) for number, one in told if one for slug in one.slugs]


def exceptions_at(lines: list[str], slug: str, first: int, last: int = 0) -> list[tuple[int, InPlaceException]]:
    """What is said of a rule's finding on those lines, each with its line number; first 0 is the whole file."""
    if first:
        places = [(first, False), (last if last > first else 0, False), (first - 1, True)]
    else:
        places = [(number, True) for number in range(1, TOP + 1)]
    found = []
    for number, apart in places:
        if 0 < number <= len(lines):
            one = parse_line(lines[number - 1])
            # one that names no rule is of whatever is found there
            if one and (one.alone or not apart) and (slug in one.slugs or not one.slugs):
                found.append((number, one))
    return found
