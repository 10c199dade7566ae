"""Strangers' words in Markdown: always as code, in which nothing is a link, a mention, an image or a tag."""

import re

from rulec.reports.wording import clip_line

_TICKS = re.compile(r"`+")
LONGEST = 200  # signs of one word of theirs


def code_span(text: str, most: int = LONGEST) -> str:
    """A code span that no backtick inside can end, on one line."""
    shown = clip_line(text, most)
    fence = "`" * (max((len(run) for run in _TICKS.findall(shown)), default=0) + 1)
    space = " " if "`" in shown or shown[:1] == " " else ""
    return f"{fence}{space}{shown}{space}{fence}" if shown else ""


def as_many_as_fit(parts: list[str], most: int, rest: str) -> list[str]:
    """As many parts as have room, and where some have none a line that says so."""
    kept: list[str] = []
    room = most
    for number, part in enumerate(parts):
        room -= len(part.encode()) + 1
        if room < 0:
            return [*kept, rest.format(len(parts) - number)]
        kept.append(part)
    return kept
