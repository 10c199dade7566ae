"""Records of JSON Lines and JSON documents, with the line of each."""

import json
import re
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from typing import Any, NamedTuple, TypeVar

import msgspec

from rulec.domain.transcript import UnreadableLine

Record = dict[str, Any]
Known = TypeVar("Known")
Scalar = str | int | float | bool | None
Odd = list[Any] | Scalar  # what may stand where an object is expected, so that nothing that is JSON is refused

_SUMMARY = 500
LONGEST_ARGUMENTS = 2_000  # characters of a tool's arguments that an action keeps
_DECODER = json.JSONDecoder()


def read_records(lines: Iterable[bytes]) -> Iterator[tuple[int, Record] | UnreadableLine]:
    """Number and object of every record."""
    for number, line in enumerate(lines, 1):
        for found in parse_objects(line):
            yield (number, found) if isinstance(found, dict) else UnreadableLine(number, found)


def read_known_records(lines: Iterable[bytes], kind: type[Known]) -> Iterator[tuple[int, Known] | UnreadableLine]:
    """Number and record of every line, with those fields alone that ``kind`` names; no object may be refused by it."""
    decode = msgspec.json.Decoder(kind).decode
    for number, line in enumerate(lines, 1):
        try:
            yield number, decode(line)
        except (msgspec.DecodeError, RecursionError):
            for found in parse_objects(line):
                known = isinstance(found, dict)
                yield (number, msgspec.convert(found, kind)) if known else UnreadableLine(number, str(found))


_decode = msgspec.json.Decoder().decode


def parse_objects(line: bytes) -> Iterator[Record | str]:
    """Every object on a line, or what is wrong with it; two records glued together are two objects."""
    try:
        found = _decode(line)
    except (msgspec.DecodeError, RecursionError):
        yield from _parse_odd_line(line)
    else:
        yield found if isinstance(found, dict) else "not an object"


def _parse_odd_line(line: bytes) -> Iterator[Record | str]:
    """The objects on a line that is more or less than one, as crashes leave it, or strays from JSON a little."""
    text = line.decode("utf-8", "replace").strip("\ufeff \t\r\n\0")
    start, end = 0, len(text)
    while start < end:
        try:
            found, start = _DECODER.raw_decode(text, start)
        except RecursionError:
            yield "nested too deeply"
            return
        except ValueError as error:  # nothing inside a broken record is looked for: it could be somebody's quoted text
            yield "cut off" if not text.endswith("}") else f"no JSON: {str(error)[:80]}"
            return
        yield found if isinstance(found, dict) else "not an object"
        while start < end and text[start] in " \t\r\n\0":
            start += 1


def first_records(head: bytes) -> Iterator[Record]:
    """The whole records in the first bytes of a file, for recognising a format."""
    whole, _, rest = head.rpartition(b"\n")
    for line in [*whole.split(b"\n"), rest][:64]:
        for found in parse_objects(line):
            if isinstance(found, dict):
                yield found


def as_string(value: object) -> str:
    """The value where it is a string, else ""; halves of surrogate pairs, which no file can take, become "?"."""
    if isinstance(value, str):
        return value if value.isascii() else value.encode("utf-8", "replace").decode()
    return ""


def content_blocks(value: object) -> list[Record]:
    """Content blocks; a plain string is one text block."""
    if isinstance(value, str):
        return [{"type": "text", "text": value}]
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def content_text(value: object) -> str:
    """The text of content that is a string or a list of blocks."""
    if isinstance(value, str):
        return as_string(value)
    return "\n".join(as_string(block.get("text")) for block in content_blocks(value) if block.get("text"))


def arguments_json(given: Record) -> str:
    """The arguments of a tool as JSON that can be read back; "" where there are none, or too many to keep."""
    try:
        text = json.dumps(given, ensure_ascii=False, sort_keys=True) if given else ""
    except (RecursionError, TypeError, ValueError):
        return ""
    return text if len(text) <= LONGEST_ARGUMENTS else ""


def summary(value: object) -> str:
    """The first characters of a value as JSON."""
    try:
        return as_string(json.dumps(value, ensure_ascii=False))[:_SUMMARY]
    except RecursionError:  # parsed just below the limit
        return ""


LIMIT = 256 * 1024 * 1024  # bytes that are gathered at most
_SPACE = re.compile(r"[ \t\r\n\0]*")


class Member(NamedTuple):
    """One element of a list at the top or right below it, or another value below the top, with its key."""

    line: int
    key: str  # "" for the elements of a list at the top
    value: Any


def gather_text(lines: Iterable[bytes]) -> str | UnreadableLine:
    """The whole text, or Damage where it is larger than LIMIT."""
    held = bytearray()
    for line in lines:
        held += line
        if len(held) > LIMIT:
            return UnreadableLine(1, f"larger than {LIMIT // (1024 * 1024)} MB")
    return held.decode("utf-8", "replace").removeprefix("\ufeff")


def document_members(text: str) -> Iterator[Member | UnreadableLine]:
    """The members in file order, up to the first damage."""
    scan = _MemberScan(text)
    try:
        if scan.takes("["):
            yield from scan.elements("")
        elif scan.takes("{"):
            yield from scan.pairs()
        if not scan.ended():
            yield UnreadableLine(scan.line(), "no JSON: more text behind the end" if scan.at else "no JSON")
    except RecursionError:
        yield UnreadableLine(scan.line(), "nested too deeply")
    except ValueError as error:
        yield UnreadableLine(scan.line(), f"no JSON: {str(error)[:80]}")


class _MemberScan:
    def __init__(self, text: str) -> None:
        self.text, self.at = text, 0
        self._line, self._counted = 1, 0

    def line(self) -> int:
        self._line += self.text.count("\n", self._counted, self.at)
        self._counted = self.at
        return self._line

    def ended(self) -> bool:
        self._skip()
        return self.at == len(self.text)

    def takes(self, sign: str) -> bool:
        self._skip()
        found = self.text.startswith(sign, self.at)
        self.at += found
        return found

    def elements(self, key: str) -> Iterator[Member]:
        while not self.takes("]"):
            yield Member(self.line(), key, self._value())
            self._goes_on("]")

    def pairs(self) -> Iterator[Member]:
        while not self.takes("}"):
            line, key = self.line(), self._value()
            if not isinstance(key, str) or not self.takes(":"):
                raise ValueError("a key was expected")
            if self.takes("["):
                yield from self.elements(key)
            else:
                yield Member(line, key, self._value())
            self._goes_on("}")

    def _value(self) -> Any:
        self._skip()
        found, self.at = _DECODER.raw_decode(self.text, self.at)
        return found

    def _goes_on(self, end: str) -> None:
        if not self.takes(",") and not self.text.startswith(end, self.at):
            raise ValueError("cut off" if self.ended() else "a comma was expected")

    def _skip(self) -> None:
        if found := _SPACE.match(self.text, self.at):
            self.at = found.end()


def iso_time(milliseconds: object) -> str:
    """ISO 8601 of milliseconds since 1970, "" where that is no time."""
    if isinstance(milliseconds, bool) or not isinstance(milliseconds, int | float):
        return ""
    try:
        found = datetime.fromtimestamp(milliseconds / 1000, tz=UTC)
    except (OverflowError, ValueError, OSError):
        return ""
    return found.isoformat(timespec="milliseconds").replace("+00:00", "Z")
