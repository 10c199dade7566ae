"""Formats that are one JSON value over many lines: gathered, then taken apart element by element."""

import json
import re
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from typing import Any, NamedTuple

from rulec.domain.transcript import UnreadableLine

LIMIT = 256 * 1024 * 1024  # bytes that are gathered at most
_DECODER = json.JSONDecoder()
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
    """The members in file order; what stands before the first damage still counts."""
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
