"""The sentences of a text: where each begins and ends."""

import re
from collections.abc import Iterator

LOOKED_AT = 2_000  # signs that are looked at on either side
# With a full stop that ends no sentence; one behind a blank is an operand, as in git add .
_ABBREVIATIONS = ("e.g", "i.e", "etc", "vs", "cf", "approx", "incl", "resp")
_CODE = re.compile(r"`[^`\n]*`")
_END = re.compile(
    "(?=[.!?])"  # most signs are none of these: what stands before them need not be looked at
    + "".join(rf"(?<!\b{re.escape(word)})" for word in _ABBREVIATIONS)
    + r"(?<![.!?])(?:(?<!\s)\.|\.?[!?][.!?]*)[\"')\]]*\s+"
    r"|(?<=[\u3002\uff01\uff1f])|(?=[ \t\r\n])(?<![ \t\r])[ \t\r]*\n\s*"
)  # three dots end nothing
_BULLET = re.compile(r"\s*(?:[-*\u2022>]|\d{1,3}[.)])\s+")
_OPEN = re.compile(
    r"(?:,|\b(?:never|not|no|don'?t|avoid|stop|without|and|or|but|the|an?|to|of|in|on|for|with|than|always|please))$",
    re.IGNORECASE,
)  # what no line ends with that is a thought of its own
_DENIES = re.compile(
    r"n['\u2019]t\b|\b(?:never|not?|avoid|stop|without|wrong|bad|hate|forbidden|nie|kein\w*|nicht)\b", re.IGNORECASE
)
_WRAPPED = 40  # signs of a line that may well go on in the next


def sentence_bounds(text: str, first: int, last: int) -> tuple[int, int]:
    """The bounds of the sentences around a stretch; in a list with the line above that forbids its items."""
    low, high = max(0, first - LOOKED_AT), min(len(text), last + LOOKED_AT)
    ends = [*_ends(text, low, high), high]
    start = max((end for end in [low, *ends] if end <= first), default=low)
    stop = min(end for end in ends if end >= last)
    stop = start + len(text[start:stop].rstrip())
    above = _above(text[low:start])
    return (low + above if above is not None else _plain(text, start, first)), max(stop, last)


def sentences_around(text: str, stretch: str) -> str:
    """The sentences of a text around a stretch of it; the stretch alone where the text does not hold it."""
    at = text.find(stretch)
    if at < 0:
        return stretch
    first, last = sentence_bounds(text, at, at + len(stretch))
    return text[first:last]


def split_sentences(text: str) -> list[str]:
    """The sentences of a text, word for word, without signs of lists; a dot in a name or a code span ends none."""
    return [text[start:end] for start, end in sentence_spans(text)]


def sentence_spans(text: str) -> Iterator[tuple[int, int]]:
    """Where each sentence of a text stands."""
    start = 0
    for end in [*_ends(text, 0, len(text)), len(text)]:
        first = _plain(text, start, end)
        sentence = text[first:end].strip()
        if re.search(r"\w", sentence):
            first += text[first:end].index(sentence[0])
            yield first, first + len(sentence)
        start = end


def _ends(text: str, low: int, high: int) -> Iterator[int]:
    """Where the sentences of a stretch end, with the blanks after them; a line may be wrapped within one."""
    start = low
    for found in _END.finditer(_CODE.sub(lambda code: "x" * len(code[0]), text), low, high):
        line = text[start : found.start()]
        start = found.end()
        if not (found[0].lstrip(" \t\r").startswith("\n") and _goes_on(line, found[0], text[start : start + 8])):
            yield start


def _goes_on(line: str, between: str, after: str) -> bool:
    if between.count("\n") > 1 or _BULLET.match(after):
        return False
    wrapped = len(line) >= _WRAPPED and line[-1:] not in ":;" and after[:1].islower()
    return wrapped or bool(_OPEN.search(line))


def _plain(text: str, start: int, most: int) -> int:
    """The start without the sign of a list before it."""
    found = _BULLET.match(text, start, most)
    return found.end() if found else start


def _above(text: str) -> int | None:
    """The start of the line that introduces a list and forbids its items, None without one."""
    at = len(text)
    for line in reversed(text.splitlines(keepends=True)):
        at -= len(line)
        if line.rstrip().endswith(":"):
            return at if _DENIES.search(line) else None
        if line.strip() and not _BULLET.match(line):
            return None
    return None
