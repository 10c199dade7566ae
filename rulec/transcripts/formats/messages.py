"""Conversations as ``{"messages": [{"role", "content"}, ...]}``, one on a line, in OpenAI's or Anthropic's shape.

Also a list of such messages, or one message on a line. It is the nearest reading of formats that nobody knows.
The format does not say who wrote a user's message: a program that talks to a model leaves the same traces as a person.
"""

import hashlib
import re
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Any, NamedTuple

from rulec.agents.protocol.agent_spec import as_mapping, decode_arguments
from rulec.domain.transcript import Action, TranscriptFormat, Turn, UnreadableLine
from rulec.transcripts import codex_records
from rulec.transcripts.human_text import after_interrupt, is_interrupt, is_rejection, rejection_reason, typed_text
from rulec.transcripts.reading import json_records, tool_actions
from rulec.transcripts.reading.json_records import Record, as_string, parse_objects
from rulec.transcripts.reading.turn_builder import TurnBuilder

_LISTS = (
    "messages", "conversation", "conversations", "history", "turns", "chat", "transcript", "entries", "items", "log",
)  # fmt: skip
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
_RECOGNISED = frozenset(("system", "developer", "user", "assistant", "tool", "function"))
_OVER_LINES = re.compile(  # an object over many lines, or on a line that is longer than what is looked at
    rb'(?:\xef\xbb\xbf)?\s*\{.*?"messages"\s*:\s*\[\s*\{\s*"role"\s*:\s*"(?:system|developer|user|assistant)"\s*,'
    rb'\s*"content"\s*:',
    re.DOTALL,
)
_LOOSE = re.compile(
    rb'(?:\xef\xbb\xbf)?\s*\[?\s*\{\s*"role"\s*:\s*"(?:system|developer|user|assistant)"\s*,\s*"content"\s*:\s*'
    rb'(?:\[\s*\{\s*"type"\s*:\s*"text"\s*,\s*"text"\s*:\s*)?"?(?:\\n)*'
)
_CLINE = (b"<task>", b"<user_message>", b"<explicit_instructions")  # so its reader's files begin
_TEXTS = ("text", "input_text", "output_text")
_NAMES = ("id", "session_id", "sessionId", "conversation_id", "thread_id", "uuid")


def recognises(head: bytes) -> bool:
    """Whether the first object has a list of messages, or is one, and each of them a role and a content."""
    if loose := _LOOSE.match(head):
        return not head.startswith(_CLINE, loose.end())
    first = next((line for line in head.splitlines() if line.strip(b"\xef\xbb\xbf \t\r")), b"")
    found = next(parse_objects(first), "")
    if isinstance(found, str):
        return bool(_OVER_LINES.match(head))
    listed = found.get("messages")
    return isinstance(listed, list) and bool(listed) and isinstance(listed[0], dict) and _ours(listed[0])


def _ours(record: Record) -> bool:
    spoken = {"content", "tool_calls", "function_call"} & record.keys()
    return as_string(record.get("role")) in _RECOGNISED and bool(spoken) and not {"parts", "info"} & record.keys()


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
    """All messages in file order: of an object or a message a line, or of one list or object over many lines."""
    lines, start = iter(lines), list[bytes]()
    for line in lines:
        start.append(line)
        if line.strip(b"\xef\xbb\xbf \t\r\n"):
            break
    first = start[-1].removeprefix(b"\xef\xbb\xbf").strip() if start else b""
    whole = first.startswith(b"[") or (first.startswith(b"{") and not first.endswith(b"}"))
    return _of_document(chain(start, lines)) if whole else _of_lines(chain(start, lines))


def _of_document(lines: Iterable[bytes]) -> Iterator[StreamPart]:
    """A list of messages or of conversations, or one conversation as an object over many lines."""
    text, known, begun = json_records.gather_text(lines), Record(), False
    for found in json_records.document_members(text) if isinstance(text, str) else (text,):
        if isinstance(found, UnreadableLine):
            yield found
        elif found.key and found.key not in _LISTS:
            known[found.key] = found.value
        elif not isinstance(found.value, dict):
            yield UnreadableLine(found.line, "a message that is no object")
        elif not found.key and _list_in(found.value) is not None and not plain_message(found.value):
            yield from _conversation(found.line, found.value)
        else:
            if not begun:
                yield ConversationStart(found.line, known)
            begun = True
            yield ConversationMessage(found.line, found.value)


def _of_lines(lines: Iterable[bytes]) -> Iterator[StreamPart]:
    """A conversation or a message on each line."""
    loose = False  # we are among messages that stand alone
    for number, line in enumerate(lines, 1):
        for item in parse_objects(line):
            if isinstance(item, str):
                yield UnreadableLine(number, item)
            elif _list_in(item) is None and (loose or plain_message(item)):
                if not loose:
                    yield ConversationStart(number, {})
                loose = True
                yield ConversationMessage(number, item)
            else:
                loose = False
                yield from _conversation(number, item)


def _conversation(number: int, item: Record) -> Iterator[StreamPart]:
    messages = _list_in(item)
    if messages is None:
        yield UnreadableLine(number, "an object without messages")
        return
    yield ConversationStart(number, item)
    for message in messages:
        known = isinstance(message, dict)
        yield ConversationMessage(number, message) if known else UnreadableLine(number, "a message that is no object")


def _list_in(item: Record) -> list[Any] | None:
    return next((item[key] for key in _LISTS if isinstance(item.get(key), list)), None)


def read(lines: Iterable[bytes]) -> Iterator[Turn | UnreadableLine]:
    """Turns in file order; each conversation is a session."""
    reading = _MessagesReader()
    for part in conversations(lines):
        if isinstance(part, UnreadableLine):
            yield part
        elif isinstance(part, ConversationStart):
            yield from reading.begin(part.known)
        elif message := plain_message(part.record):
            yield from reading.take(part.line, message)
    yield from reading.session.flush()


class _MessagesReader:
    """What has to be remembered between the messages of one conversation."""

    def __init__(self) -> None:
        self.session = TurnBuilder("")
        self.last = ""  # the name that was made for a conversation before
        self.called: list[tuple[str, str]] = []  # names and ids of the open calls, for results that tell no id

    def begin(self, known: Record) -> Iterator[Turn]:
        """Another conversation begins."""
        name = next((str(known[key]) for key in _NAMES if isinstance(known.get(key), str | int)), "")
        yield from self.session.begin(as_string(name), as_string(known.get("agent")))
        self.session.cwd = as_string(known.get("cwd"))
        self.called = []

    def take(self, line: int, record: Record) -> Iterator[Turn]:
        """The turns that this message completes."""
        if not self.session.id and record.get("role") in ("user", "assistant"):
            name = _digest(record)
            self.session.id = self.last = name if name != self.last else f"{name}-{line}"
        role, at = record.get("role"), as_string(record.get("timestamp")) or as_string(record.get("created_at"))
        if role == "assistant":
            yield from self._agent(line, at, record)
        elif role == "user":
            yield from self._user(line, at, record)
        elif role in ("tool", "function"):
            self._result(
                as_string(record.get("tool_call_id")), as_string(record.get("name")), record.get("content"), None
            )

    def _agent(self, line: int, at: str, record: Record) -> Iterator[Turn]:
        yield from self.session.go_on()
        for block in json_records.content_blocks(record.get("content")):
            if block.get("type") in _TEXTS:
                self.session.say(as_string(block.get("text")), line, at)
            elif block.get("type") == "tool_use":
                self._call(line, at, as_string(block.get("id")), as_string(block.get("name")), block.get("input"))
        calls = record.get("tool_calls")
        for call in map(as_mapping, calls if isinstance(calls, list) else []):
            asked = as_mapping(call.get("function")) or call
            given = asked.get("arguments", asked.get("input"))
            self._call(line, at, as_string(call.get("id")), as_string(asked.get("name")), given)
        if asked := as_mapping(record.get("function_call")):
            self._call(line, at, "", as_string(asked.get("name")), asked.get("arguments"))

    def _call(self, line: int, at: str, call: str, tool: str, given: object) -> None:
        given = decode_arguments(given)
        told = {"arguments": given} if isinstance(given, str) else as_mapping(given)
        done: list[Action] = tool_actions.tool_actions(call, tool, told, self.session.path)
        self.called = [*self.called[-100:], (tool, call)]
        self.session.call(call, done, line, at)

    def _result(self, call: str, tool: str, content: object, ok: bool | None, *, rejected: bool = False) -> None:  # noqa: FBT001 - three values: None is not told
        if not call:
            call = next((known for name, known in self.called if name == tool or not tool), "")
        self.called = [(name, known) for name, known in self.called if known != call]
        self.session.result(call, json_records.content_text(content), ok=ok, rejected=rejected)

    def _user(self, line: int, at: str, record: Record) -> Iterator[Turn]:
        texts = []
        for block in json_records.content_blocks(record.get("content")):
            if block.get("type") == "tool_result":
                yield from self._answered(line, at, block)
            elif block.get("type") in _TEXTS:
                texts.append(as_string(block.get("text")))
        if any(map(is_interrupt, texts)):
            self.session.interrupt()
        words = "\n".join(
            filter(None, (codex_records.typed_message(typed_text(after_interrupt(text))) for text in texts))
        )
        yield from self.session.human("typed", words, line, at)

    def _answered(self, line: int, at: str, block: Record) -> Iterator[Turn]:
        output, failed = json_records.content_text(block.get("content")), block.get("is_error")
        rejected = failed is True and is_rejection(output)
        ok = not failed if isinstance(failed, bool) else None
        self._result(as_string(block.get("tool_use_id")), "", output, ok, rejected=rejected)
        if rejected:
            yield from self.session.human("rejection", rejection_reason(output), line, at)


def _digest(record: Record) -> str:
    """A name for a conversation that has none: the same for the same beginning."""
    text = json_records.content_text(record.get("content")) or json_records.summary(record.get("content"))
    return hashlib.sha256(text.encode()).hexdigest()[:12]


PLUG = TranscriptFormat(name="messages", recognises=recognises, read=read, roots=(".rulec/messages/*.jsonl",))
