"""As much of an action, or of a long text, as a reader needs, and never a person's words cut short."""

import re
from collections.abc import Iterator, Sequence
from typing import Any

from rulec.domain.text.one_line import spell_out, to_one_line
from rulec.domain.text.redaction import redact
from rulec.domain.transcript import Action


def line_by_model(value: Any, most: int) -> str:
    """One line without secrets and signs that nobody sees, "" where it is longer than that or no text."""
    if not isinstance(value, str) or len(value) > 4 * most:
        return ""
    line = "".join(sign for sign in to_one_line(redact(value)) if sign.isascii() or spell_out(sign) == sign)
    return line if len(line) <= most else ""


COMMAND, TEXT = 300, 240  # characters of a command, and of what was there and what came in its place
SHOWN_WHOLE = 12  # lines of a log, or of code, that are shown whole
KEPT_AT_ENDS = 4  # of a longer one, at either end
LONGEST_LINE = 400  # characters of one line of it
LARGEST_TEXT = 24_000  # characters of one text, prose and all: nobody types more
_LOOKED_AT = 8_000  # characters of one side of an edit
_SEEN = 8  # as many times as will be shown are cleaned: what is cut must not hide what a secret looks like


def action_line(action: Action) -> str:
    """One line: what was done, where, and how it ended."""
    match action.kind:
        case "command":
            what = f"$ {_line(action.command, COMMAND)}"
        case "edit":
            old, new = differing_lines(action.old[:_LOOKED_AT], action.new[:_LOOKED_AT])
            what = f"edit {_line(action.path, COMMAND)}, old: {_quoted(old)}, new: {_quoted(new)}"
        case "write":
            what = f"write {_line(action.path, COMMAND)}: {_quoted(action.new)}"
        case "stop":
            what = f"ends its turn: {_quoted(action.new)}"
        case "read" | "delete":
            what = f"{action.kind} {_line(action.path, COMMAND)}"
        case _:
            what = _line(" ".join(filter(None, (action.tool or action.kind, action.path, action.command))), TEXT)
    return what + (" (refused by the person)" if action.rejected else " (failed)" * (action.ok is False))


def _quoted(text: str) -> str:
    return f"«{_line(text, TEXT)}»"


def _line(text: str, most: int) -> str:
    if len(text) > _SEEN * most:
        half = _SEEN * most // 2
        text = f"{text[:half]} … {text[-half:]}"
    return both_ends(to_one_line(redact(text)), most)


def both_ends(text: str, most: int) -> str:
    """The text, of a long one its beginning and its end."""
    return text if len(text) <= most else f"{text[: most // 2].rstrip()} … {text[-most // 2 :].lstrip()}"


def differing_lines(old: str, new: str) -> tuple[str, str]:
    """The lines in which the two differ, of each side."""
    one, two = old.splitlines(), new.splitlines()
    while one and two and one[0] == two[0]:
        one, two = one[1:], two[1:]
    while one and two and one[-1] == two[-1]:
        one, two = one[:-1], two[:-1]
    return "\n".join(one), "\n".join(two)


def shorten_logs(text: str, most: int = LARGEST_TEXT) -> str:
    """The text with long logs and code shortened in the middle; prose stays whole."""
    if len(text) <= LONGEST_LINE:
        return text
    found = "\n".join(_shortened(text.splitlines()))
    return found if len(found) <= most else both_ends(found, most)


def _shortened(lines: Sequence[str]) -> Iterator[str]:
    start = 0
    while start < len(lines):
        end = _end(lines, start)
        yield from _cut(lines[start:end]) if end > start else [lines[start]]
        start = max(end, start + 1)


def _end(lines: Sequence[str], start: int) -> int:
    """Where a piece ends that begins here and is no prose: a fenced one, or lines that do not read like sentences."""
    if fence := _FENCE.match(lines[start]):
        after = (at for at in range(start + 1, len(lines)) if lines[at].strip().startswith(fence[1]))
        return next(after, len(lines) - 1) + 1
    end = start
    for at in range(start, len(lines)):
        if lines[at].strip():
            if _FENCE.match(lines[at]) or reads_like_prose(lines[at]):
                break
            end = at + 1
    return end


_FENCE = re.compile(r"\s*(```|~~~)")
_PLAIN = 0.82  # of the signs of a sentence, at least, are letters, blanks and its own marks
_WORDS = 3
_MARKS = ".,!?'\"-:;()`\u2019"


def reads_like_prose(line: str) -> bool:
    """Whether a line may be a sentence in some language: letters, blanks and little else."""
    text = line.strip()
    if line.startswith(("\t", "    ")) and not re.match(r"\s*(?:[-*\u2022]|\d+[.)])\s", line):
        return False
    plain = sum(sign.isalpha() or sign.isspace() or sign in _MARKS for sign in text)
    wide = not text.isascii()  # of languages without blanks one word is a sentence
    return plain >= _PLAIN * len(text) and (wide or len(text.split()) >= _WORDS or len(text) < LONGEST_LINE // 20)


def _cut(lines: Sequence[str]) -> Iterator[str]:
    short = [line if len(line) <= LONGEST_LINE else both_ends(line, LONGEST_LINE) for line in lines]
    left = len(short) - 2 * KEPT_AT_ENDS
    if len(short) <= SHOWN_WHOLE:
        yield from short
        return
    yield from short[:KEPT_AT_ENDS]
    yield f"[… {left} lines left out …]"
    yield from short[-KEPT_AT_ENDS:]
