"""Change -> pieces: the lines that it brings, with a few around them, small enough to be asked about one by one."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from zlib import crc32

from rulec.model.change import Change, FileChange
from rulec.model.exchange import tokens
from rulec.model.judge import Line, Piece
from rulec.redact import redact
from rulec.runtime import filekinds

AROUND = 3  # lines that are shown on both sides
LARGEST = 800  # tokens of one piece
LONGEST = 4_000  # signs of a line; what has longer ones is for no reader
MOST = 200_000  # bytes that one file may bring
_MESSAGE = 8_000  # signs of a commit message that are shown
_HEAD = 8_000  # bytes by which git tells what is binary
_WHOLE = 300_000  # bytes of a file up to which secrets are looked for in all of it, and not only in what is shown


def cut(change: Change) -> tuple[list[Piece], list[FileChange]]:
    """The pieces of every file that can be sent, and the files of which no line is: deleted, binary, too large."""
    pieces, unsent = list[Piece](), list[FileChange]()
    for file in change.files:
        lines = _lines(file.content or b"")
        fresh = _fresh(file, lines)
        if _sendable(file, fresh):
            pieces += _of_file(file, lines, fresh)
        else:
            unsent.append(file)
    return [*pieces, *_of_message(change)], unsent


def hunks(change: Change) -> list[Piece]:
    """The pieces alone."""
    return cut(change)[0]


def _of_message(change: Change) -> Iterator[Piece]:
    if change.message and change.message.strip():
        shown = redact(change.message[:_MESSAGE]).rstrip().splitlines()
        yield Piece(path="", lines=tuple(Line(n, one[:LONGEST], True) for n, one in enumerate(shown, 1)))  # noqa: FBT003 - its third word is "new"


def _sendable(file: FileChange, fresh: Mapping[int, str]) -> bool:
    """Whether a file has lines that a reader could judge: it is no binary, lock or data file, and none too large."""
    content = file.content
    if content is None or b"\0" in content[:_HEAD] or filekinds.among(["@lockfile"], file.path):
        return False
    return sum(len(line) for line in fresh.values()) <= MOST and all(len(one) <= LONGEST for one in fresh.values())


def _lines(content: bytes) -> list[str]:
    lines = content.decode("utf-8", "replace").replace("\r\n", "\n").split("\n")
    return lines[:-1] if lines[-1] == "" else lines


def _fresh(file: FileChange, lines: Sequence[str]) -> dict[int, str]:
    """The new lines by number; one that only stands elsewhere or is indented otherwise is not new."""
    added = file.added_lines
    new = {number: line for number, line in enumerate(lines, 1) if added is None or number in added}
    if file.base is None:
        return new
    gone = Counter(map(_plain, _lines(file.base)))
    gone.subtract(_plain(line) for number, line in enumerate(lines, 1) if number not in new)
    if file.status != "M":  # each line is new by its name alone: what it had before is in both
        gone = Counter(map(_plain, _lines(file.base)))
    fresh = {}
    for number, line in new.items():
        plain = _plain(line)
        if plain and gone[plain] > 0:
            gone[plain] -= 1
        else:
            fresh[number] = line
    return fresh


def _plain(line: str) -> str:
    return " ".join(line.split())


def _of_file(file: FileChange, lines: Sequence[str], fresh: Mapping[int, str]) -> Iterator[Piece]:
    runs = list(_runs([number for number, line in fresh.items() if line.strip()], len(lines)))
    shown = _shown(lines, runs)
    for first, last in runs:
        own = [Line(n, shown[n], n in fresh) for n in range(first, last + 1)]
        yield from (Piece(path=file.path, lines=tuple(part)) for part in _parts(own) if any(one.new for one in part))


def _runs(numbers: Sequence[int], end: int) -> Iterator[tuple[int, int]]:
    """First and last lines of what is shown, where those that meet are one."""
    open_at = close_at = 0
    for number in numbers:
        first, last = max(1, number - AROUND), min(end, number + AROUND)
        if close_at and first > close_at + 1:
            yield open_at, close_at
            open_at = first
        open_at, close_at = open_at or first, last
    if close_at:
        yield open_at, close_at


def _shown(lines: Sequence[str], runs: Sequence[tuple[int, int]]) -> dict[int, str]:
    """The lines that are shown, by number, without secrets; one that a secret took with it says so."""
    numbers = [number for first, last in runs for number in range(first, last + 1)]
    small = sum(map(len, lines)) <= _WHOLE
    read = range(1, len(lines) + 1) if small else numbers
    plain = [lines[number - 1] for number in read]
    clean = redact("\n".join(plain)).split("\n")
    if len(clean) != len(plain):  # a secret of several lines is gone
        left = Counter(clean)
        clean = [_kept(line, left) for line in plain]
    told = dict(zip(read, clean, strict=True))
    return {number: told[number][:LONGEST] for number in numbers}


def _kept(line: str, left: Counter[str]) -> str:
    for one in (line, redact(line)):
        if left[one] > 0:
            left[one] -= 1
            return one
    return "[redacted]"


def _parts(lines: Sequence[Line]) -> Iterator[Sequence[Line]]:
    """The lines in parts of a bounded size, cut where a reader would cut."""
    start = 0
    while start < len(lines):
        end = _end(lines, start)
        yield lines[start:end]
        start = end


def _end(lines: Sequence[Line], start: int) -> int:
    """Where a part ends: by what its lines say, so that a change of one part leaves most others as they were."""
    size, places = 0, list[tuple[bool, int, int]]()
    for at in range(start, len(lines)):
        line = lines[at]
        size += tokens(line.text)
        if size > LARGEST and at > start:
            return min(places, default=(True, 0, at))[-1]
        if size > LARGEST // 2 and at > start:
            natural = not lines[at - 1].text.strip() and line.text[:1].strip() != ""
            places.append((not natural, crc32(line.text.encode("utf-8", "surrogatepass")), at))
    return len(lines)
