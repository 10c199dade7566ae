"""Messages one by one: of ``{"messages": [...]}``, on one line or over many, of a list, or each on a line of its own.

Other programs call the list, the speaker and the words by other names; those that are common are known here.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import chain
from typing import NamedTuple

from rulec.model.transcript import Damage
from rulec.readers import _whole as whole
from rulec.readers._jsonl import Record, mapping, objects, string

_OUTSIDE = re.compile(r'["{}\[\],]')
_INSIDE = re.compile(r'["\\]')
_DEEPEST = 500
_MATCHING = {"}": "{", "]": "["}
_LIST = 2  # depth of the list of messages
_KEY = 100  # characters in which the name of a member stands
_LISTS = (
    "messages",
    "conversation",
    "conversations",
    "history",
    "turns",
    "chat",
    "transcript",
    "entries",
    "items",
    "log",
)
_MESSAGES = re.compile(rf'"(?:{"|".join(_LISTS)})"\s*:\s*\[$')
_ROLES = {
    "user": "user", "human": "user", "assistant": "assistant", "gpt": "assistant", "ai": "assistant",
    "bot": "assistant", "agent": "assistant", "model": "assistant", "system": "system", "developer": "developer",
    "tool": "tool",
    "function": "function", "toolresult": "tool", "tool_result": "tool",
}  # fmt: skip
_SPEAKERS = ("role", "from", "author", "sender", "speaker", "type")
_WORDS = ("content", "text", "value", "parts", "body", "prompt")
_SPOKEN = ("content", "tool_calls", "function_call")
_ENVELOPES = ("message", "payload", "data", "item", "event")


class Begin(NamedTuple):
    """A conversation begins; ``known`` is what its object says of it before its messages."""

    line: int
    known: Record


class Message(NamedTuple):
    """One element of ``messages``."""

    line: int
    record: Record


Part = Begin | Message | Damage


def plain(record: Record) -> Record | None:
    """The message with ``role`` and ``content``, whatever its program calls them; None where it is no message."""
    found = _plain(record)
    if found:
        return found
    inner = next((inner for key in _ENVELOPES if (inner := _plain(mapping(record.get(key))))), None)
    return {"timestamp": record.get("timestamp"), **inner} if inner else None


def _plain(record: Record) -> Record | None:
    for key in _SPEAKERS:
        said = record.get(key)
        name = string(said) or string(mapping(said).get("role"))
        role = _ROLES.get(name.casefold())
        if not role:
            continue
        words = next((key for key in _WORDS if isinstance(record.get(key), str | list | dict)), "")
        if not words and not any(key in record for key in _SPOKEN):
            return None
        return {**record, "role": role, "content": record.get(words)}
    return None


def conversations(lines: Iterable[bytes]) -> Iterator[Part]:
    """All messages in file order; of an object over many lines no more than one message is held."""
    lines = iter(lines)
    start = []
    for line in lines:
        start.append(line)
        if line.strip(b"\xef\xbb\xbf \t\r\n"):
            break
    rest = chain(start, lines)
    if start and start[-1].removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"["):
        return _listed(rest)
    return _objects(rest)


def _listed(lines: Iterable[bytes]) -> Iterator[Part]:
    """A list at the top: of messages, or of conversations."""
    text, begun = whole.gather(lines), False
    for found in whole.members(text) if isinstance(text, str) else (text,):
        if isinstance(found, Damage):
            yield found
        elif isinstance(found.value, dict) and _list_in(found.value) is not None and not plain(found.value):
            yield from _whole(found.line, found.value)
        elif isinstance(found.value, dict):
            if not begun:
                yield Begin(found.line, {})
            begun = True
            yield Message(found.line, found.value)
        else:
            yield Damage(found.line, "a message that is no object")


def _list_in(item: Record) -> list[object] | None:
    return next((item[key] for key in _LISTS if isinstance(item.get(key), list)), None)


def _objects(lines: Iterable[bytes]) -> Iterator[Part]:
    document, loose = Document(), False
    for number, line in enumerate(lines, 1):
        if not document.open or (line.startswith(b"{") and b'"messages"' in line):
            found = list(objects(line))
            if document.open and all(isinstance(item, dict) and "messages" in item for item in found):
                yield Damage(document.begun, "cut off")
                document = Document()
            if not document.open and all(isinstance(item, dict) for item in found):
                for item in found:
                    if isinstance(item, dict) and _list_in(item) is None and (loose or plain(item)):
                        if not loose:
                            yield Begin(number, {})
                        loose = True
                        yield Message(number, item)
                        continue
                    loose = False
                    yield from _whole(number, item)
                continue
            if not document.open and not line.removeprefix(b"\xef\xbb\xbf").startswith(b"{"):
                yield Damage(number, next(item for item in found if isinstance(item, str)))
                continue
        yield from document.take(number, line.decode("utf-8", "replace").lstrip("\ufeff"))
    if document.open:
        yield Damage(document.begun, "cut off")


def _whole(number: int, item: Record | str) -> Iterator[Part]:
    messages = _list_in(item) if isinstance(item, dict) else None
    if not isinstance(item, dict) or messages is None:
        yield Damage(number, "an object without messages")
        return
    yield Begin(number, item)
    for message in messages:
        yield Message(number, message) if isinstance(message, dict) else Damage(number, "a message that is no object")


@dataclass(slots=True)
class Document:
    """One object over many lines, in the making."""

    begun: int = 0
    stack: list[str] = field(default_factory=list)
    known: Record = field(default_factory=dict)
    text: list[str] = field(default_factory=list)  # of the outermost member or of the element that we are in
    line: int = 0  # where that element begins
    quoted: bool = False
    listing: bool = False  # we are in the list of messages

    @property
    def open(self) -> bool:
        """Whether the object has begun and not ended."""
        return bool(self.stack)

    @property
    def element(self) -> str:
        """The text of the message that we are in."""
        return "".join(self.text) if self.listing else ""

    def take(self, number: int, line: str) -> Iterator[Part]:
        """What one more line completes; a line that fits to no object ends it."""
        at = 0
        while found := (_INSIDE if self.quoted else _OUTSIDE).search(line, at):
            start, at, mark = at, found.end(), found[0]
            if mark == "\\":
                at = min(at + 1, len(line))
            self._keep(line[start:at])
            if mark == '"':
                self.quoted = not self.quoted
            elif not self.quoted:
                yield from self._mark(number, mark)
                if not self.stack:
                    return
        self._keep(line[at:])
        if self.quoted and line.endswith("\n"):
            yield self._wrong(number, "cut off inside a string")

    def _keep(self, text: str) -> None:
        if len(self.stack) == 1 or (self.listing and len(self.stack) > _LIST):
            self.text.append(text)

    def _mark(self, number: int, mark: str) -> Iterator[Part]:
        """What a bracket or comma outside of strings begins or ends."""
        if mark in "{[":
            self.stack.append(mark)
            yield from self._opened(number, mark)
        elif mark != ",":
            if not self.stack or self.stack.pop() != _MATCHING[mark]:
                yield self._wrong(number, "brackets that do not match")
            else:
                yield from self._closed()
        elif len(self.stack) == 1:
            self._member()

    def _opened(self, number: int, mark: str) -> Iterator[Part]:
        depth = len(self.stack)
        if depth > _DEEPEST or (depth == 1 and mark == "["):
            yield self._wrong(number, "nested too deeply" if depth > 1 else "not an object")
        elif depth == 1:
            self.begun = number
        elif depth == _LIST:
            self.listing = mark == "[" and _MESSAGES.search("".join(self.text)[-_KEY:]) is not None
            self.text = []
            if self.listing:
                yield Begin(number, self.known)
        elif depth == _LIST + 1 and self.listing:
            self.text, self.line = [mark], number

    def _closed(self) -> Iterator[Part]:
        depth = len(self.stack)
        if depth == _LIST and self.listing:
            for found in objects("".join(self.text).encode("utf-8", "replace")):
                yield Message(self.line, found) if isinstance(found, dict) else Damage(self.line, found)
            self.text = []
        elif depth == 1:
            self.listing, self.text = False, []
        elif depth == 0:
            self._reset()

    def _member(self) -> None:
        """Remember a plain value that the outermost object holds."""
        for found in objects(("{" + "".join(self.text).strip(" \t\r\n,{") + "}").encode("utf-8", "replace")):
            if isinstance(found, dict):
                self.known.update(found)
        self.text = []

    def _wrong(self, number: int, what: str) -> Damage:
        self._reset()
        return Damage(number, what)

    def _reset(self) -> None:
        self.stack, self.text, self.known = [], [], {}
        self.quoted = self.listing = False
