"""Messages one by one: of ``{"messages": [...]}``, on one line or over many, of a list, or one a line."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import chain
from typing import NamedTuple

from rulec.agents.protocol.agent_spec import as_mapping
from rulec.domain.transcript import UnreadableLine
from rulec.transcripts.reading import json_records
from rulec.transcripts.reading.json_records import Record, as_string, parse_objects

_OUTSIDE = re.compile(r'["{}\[\],]')
_INSIDE = re.compile(r'["\\]')
_DEEPEST = 500
_MATCHING = {"}": "{", "]": "["}
_LIST = 2  # depth of the list of messages
_KEY = 100  # characters in which the name of a member stands
_LISTS = (
    "messages", "conversation", "conversations", "history", "turns", "chat", "transcript", "entries", "items", "log",
)  # fmt: skip
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


class ConversationStart(NamedTuple):
    """A conversation begins; ``known`` is what its object says of it before its messages."""

    line: int
    known: Record


class ConversationMessage(NamedTuple):
    """One element of ``messages``."""

    line: int
    record: Record


StreamPart = ConversationStart | ConversationMessage | UnreadableLine


def plain_message(record: Record) -> Record | None:
    """The message with ``role`` and ``content``, whatever its program calls them; None where it is no message."""
    found = _plain_message(record)
    if found:
        return found
    inner = next((inner for key in _ENVELOPES if (inner := _plain_message(as_mapping(record.get(key))))), None)
    return {"timestamp": record.get("timestamp"), **inner} if inner else None


def _plain_message(record: Record) -> Record | None:
    for key in _SPEAKERS:
        said = record.get(key)
        name = as_string(said) or as_string(as_mapping(said).get("role"))
        role = _ROLES.get(name.casefold())
        if not role:
            continue
        words = next((key for key in _WORDS if isinstance(record.get(key), str | list | dict)), "")
        if not words and not any(key in record for key in _SPOKEN):
            return None
        return {**record, "role": role, "content": record.get(words)}
    return None


def conversations(lines: Iterable[bytes]) -> Iterator[StreamPart]:
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


def _listed(lines: Iterable[bytes]) -> Iterator[StreamPart]:
    """A list at the top: of messages, or of conversations."""
    text, begun = json_records.gather_text(lines), False
    for found in json_records.document_members(text) if isinstance(text, str) else (text,):
        if isinstance(found, UnreadableLine):
            yield found
        elif isinstance(found.value, dict) and _list_in(found.value) is not None and not plain_message(found.value):
            yield from _whole(found.line, found.value)
        elif isinstance(found.value, dict):
            if not begun:
                yield ConversationStart(found.line, {})
            begun = True
            yield ConversationMessage(found.line, found.value)
        else:
            yield UnreadableLine(found.line, "a message that is no object")


def _list_in(item: Record) -> list[object] | None:
    return next((item[key] for key in _LISTS if isinstance(item.get(key), list)), None)


def _objects(lines: Iterable[bytes]) -> Iterator[StreamPart]:
    document, loose = ConversationDocument(), False
    for number, line in enumerate(lines, 1):
        if not document.open or (line.startswith(b"{") and b'"messages"' in line):
            found = list(parse_objects(line))
            if document.open and all(isinstance(item, dict) and "messages" in item for item in found):
                yield UnreadableLine(document.begun, "cut off")
                document = ConversationDocument()
            if not document.open and all(isinstance(item, dict) for item in found):
                for item in found:
                    if isinstance(item, dict) and _list_in(item) is None and (loose or plain_message(item)):
                        if not loose:
                            yield ConversationStart(number, {})
                        loose = True
                        yield ConversationMessage(number, item)
                        continue
                    loose = False
                    yield from _whole(number, item)
                continue
            if not document.open and not line.removeprefix(b"\xef\xbb\xbf").startswith(b"{"):
                yield UnreadableLine(number, next(item for item in found if isinstance(item, str)))
                continue
        yield from document.take(number, line.decode("utf-8", "replace").lstrip("\ufeff"))
    if document.open:
        yield UnreadableLine(document.begun, "cut off")


def _whole(number: int, item: Record | str) -> Iterator[StreamPart]:
    messages = _list_in(item) if isinstance(item, dict) else None
    if not isinstance(item, dict) or messages is None:
        yield UnreadableLine(number, "an object without messages")
        return
    yield ConversationStart(number, item)
    for message in messages:
        yield (
            ConversationMessage(number, message)
            if isinstance(message, dict)
            else UnreadableLine(number, "a message that is no object")
        )


@dataclass(slots=True)
class ConversationDocument:
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

    def take(self, number: int, line: str) -> Iterator[StreamPart]:
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

    def _mark(self, number: int, mark: str) -> Iterator[StreamPart]:
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

    def _opened(self, number: int, mark: str) -> Iterator[StreamPart]:
        depth = len(self.stack)
        if depth > _DEEPEST or (depth == 1 and mark == "["):
            yield self._wrong(number, "nested too deeply" if depth > 1 else "not an object")
        elif depth == 1:
            self.begun = number
        elif depth == _LIST:
            self.listing = mark == "[" and _MESSAGES.search("".join(self.text)[-_KEY:]) is not None
            self.text = []
            if self.listing:
                yield ConversationStart(number, self.known)
        elif depth == _LIST + 1 and self.listing:
            self.text, self.line = [mark], number

    def _closed(self) -> Iterator[StreamPart]:
        depth = len(self.stack)
        if depth == _LIST and self.listing:
            for found in parse_objects("".join(self.text).encode("utf-8", "replace")):
                yield (
                    ConversationMessage(self.line, found)
                    if isinstance(found, dict)
                    else UnreadableLine(self.line, found)
                )
            self.text = []
        elif depth == 1:
            self.listing, self.text = False, []
        elif depth == 0:
            self._reset()

    def _member(self) -> None:
        """Remember a plain value that the outermost object holds."""
        for found in parse_objects(("{" + "".join(self.text).strip(" \t\r\n,{") + "}").encode("utf-8", "replace")):
            if isinstance(found, dict):
                self.known.update(found)
        self.text = []

    def _wrong(self, number: int, what: str) -> UnreadableLine:
        self._reset()
        return UnreadableLine(number, what)

    def _reset(self) -> None:
        self.stack, self.text, self.known = [], [], {}
        self.quoted = self.listing = False
