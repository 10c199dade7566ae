"""An action, or a long text, in the few words by which a reader knows it again."""

import re
from collections.abc import Iterator, Sequence

from rulec.model.artifact import one_line
from rulec.model.transcript import Action
from rulec.redact import redact

COMMAND = 160  # characters of a command
TEXT = 90  # of what was there, and of what came in its place
_LOOKED_AT = 4_000  # characters of a text
_SEEN = 8  # as many times as will be shown are cleaned: what is cut must not hide what a secret looks like


def deed(action: Action) -> str:
    """One line: what was done, where, and how it ended."""
    match action.kind:
        case "command":
            what = _short(action.command, COMMAND)
        case "edit":
            old, new = _apart(action.old[:_LOOKED_AT], action.new[:_LOOKED_AT])
            gone, come = _short(old, TEXT), _short(new, TEXT)
            what = f"edit {_short(action.path, COMMAND)}: - {gone} + {come}"
        case "write":
            what = f"write {_short(action.path, COMMAND)}: {_short(action.new, TEXT)}"
        case "read" | "delete":
            what = f"{action.kind} {_short(action.path, COMMAND)}"
        case _:
            what = _short(action.tool or action.kind, TEXT)
    return what + (" (refused by the person)" if action.rejected else " (failed)" * (action.ok is False))


def _short(text: str, most: int) -> str:
    line = one_line(redact(text[: _SEEN * most]))
    return line if len(line) <= most else f"{line[: most - 1]}…"


def _apart(old: str, new: str) -> tuple[str, str]:
    """The lines in which the two differ."""
    one, two = old.splitlines(), new.splitlines()
    while one and two and one[0] == two[0]:
        one, two = one[1:], two[1:]
    while one and two and one[-1] == two[-1]:
        one, two = one[:-1], two[:-1]
    return "\n".join(one), "\n".join(two)


def cut(text: str, most: int) -> str:
    """About that many characters: how a text begins and ends, and the lines between that may ask for something."""
    if len(text) <= most:
        return text
    lines = [piece for line in text.splitlines() for piece in _pieces(line, most // _PARTS)]
    forward, asking = range(len(lines)), [at for at, line in enumerate(lines) if _ASKING.search(line)]
    kept: set[int] = set()
    for share, places in ((0.4, forward), (0.3, reversed(forward)), (0.3, asking)):
        left = share * most
        for place in places:
            if place in kept:
                continue
            left -= len(lines[place]) + 1
            if left < 0:
                break
            kept.add(place)
    return "\n".join(_with_gaps(lines, sorted(kept)))


_PARTS = 20  # of a text that is cut, one of which may be a line of it
_SENTENCE = re.compile(r"(?<=[.!?;\u3002])\s+")
_ASKING = re.compile(
    r"\b(?:never|always|must|mandatory|required?|don'?t|do not|make sure|ensure|should|only|avoid|prefer|instead|every|"
    r"rules?|before|nunca|siempre|toujours|jamais|immer|nie|niemals)\b|[\u5fc5\u4e0d\u522b]|\b(?:\u0432\u0441\u0435\u0433\u0434\u0430|\u043d\u0435)\b",
    re.IGNORECASE,
)


def _pieces(line: str, most: int) -> Iterator[str]:
    """A line, or its sentences where it is long; of one without end what it begins and ends with."""
    for piece in _SENTENCE.split(line) if len(line) > most else [line]:
        yield piece if len(piece) <= most else f"{piece[: most // 2]} … {piece[-most // 2 :]}"


def _with_gaps(lines: Sequence[str], kept: Sequence[int]) -> Iterator[str]:
    last = -1
    for place in kept:
        if place > last + 1:
            yield f"[… {place - last - 1} lines left out …]"
        yield lines[place]
        last = place
    if last < len(lines) - 1:
        yield f"[… {len(lines) - 1 - last} lines left out …]"
