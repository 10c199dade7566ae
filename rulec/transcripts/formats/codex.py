"""Codex: ``~/.codex/sessions/YYYY/MM/DD/rollout-*.jsonl``, one ``{timestamp, type, payload}`` per line."""

import re
from collections import deque
from collections.abc import Callable, Iterable, Iterator

from rulec.domain.transcript import Action, ActionKind, TranscriptFormat, Turn, UnreadableLine
from rulec.transcripts import codex_records
from rulec.transcripts.reading import json_records, tool_actions
from rulec.transcripts.reading.json_records import Record, as_object, as_string, summary
from rulec.transcripts.reading.turn_builder import TurnBuilder

_SUMMARY = 500


def call_actions(payload: Record, path: Callable[[str], str]) -> list[Action]:
    """The actions of one call."""
    call = codex_records.CodexCall(payload)
    done = tool_actions.actions_of(call.done or (), call.id, call.tool, lambda name: path(name.replace("\\", "/")))
    if any(one.command or one.path for one in done):
        return done
    told = as_string(payload.get("input"))[:_SUMMARY] or summary(as_object(call.given))
    kind: ActionKind = "read" if call.tool in codex_records.READS else "other"
    return [Action(kind=kind, id=call.id, tool=call.tool, output=told)]


_TYPES = frozenset(("session_meta", "turn_context", "response_item", "event_msg", "compacted"))
_START = re.compile(rb'\{"timestamp":"[^"\\]*","type":"(\w+)","payload":\{(?:"type":"(\w+)")?')
_UNREAD = frozenset(
    (b"token_count", b"agent_reasoning", b"reasoning", b"ghost_snapshot", b"agent_message")  # the last is told twice
)
_CALLS = frozenset(("function_call", "custom_tool_call", "local_shell_call", "web_search_call", "tool_search_call"))
_RESULTS = frozenset(("function_call_output", "custom_tool_call_output"))
_REMEMBERED = 200
_REMOTE = re.compile(rb'(?<!\\)"repository_url": ?"([^"\\]{1,300})"')


def recognises(head: bytes) -> bool:
    """Whether the lines are Codex rollout items, or those of its first versions, without a payload."""
    found = list(json_records.first_records(head))
    if not found:
        start = _START.match(head)
        return start is not None and start[1].decode() in _TYPES
    first = found[0]
    if {"timestamp", "type", "payload"} <= first.keys():
        return as_string(first["type"]) in _TYPES and isinstance(first["payload"], dict)
    return {"id", "timestamp", "instructions"} <= first.keys() and all(map(_flat, found[1:]))


def remote(head: bytes) -> str:
    """The address of the repository, as the session's first record has it."""
    found = _REMOTE.search(head.partition(b"\n")[0])
    return found[1].decode("utf-8", "replace") if found else ""


def _flat(record: Record) -> bool:
    return "record_type" in record or as_string(record.get("type")) in {"message", "reasoning", *_CALLS, *_RESULTS}


def read(lines: Iterable[bytes]) -> Iterator[Turn | UnreadableLine]:
    """Turns in file order; what programs inject, and sessions that programs drive, have no human turns."""
    reading = _CodexReader()
    for found in json_records.read_records(lines, lambda _, line: _unread(line)):
        if isinstance(found, UnreadableLine):
            yield found
        else:
            yield from reading.take(*found)
    yield from reading.end()


def _unread(line: bytes) -> bool:
    start = _START.match(line)
    return start is not None and (start[2] in _UNREAD or start[1] == b"compacted")


class _CodexReader:
    """What has to be remembered between the records of one file."""

    def __init__(self) -> None:
        self.session = TurnBuilder("codex")
        self.driven = False  # by a program, not by a person
        self.terminal = True
        self.events = False  # the file has events, so the person's words should stand there
        self.told: deque[str] = deque(maxlen=_REMEMBERED)  # the person's words, which the history repeats later
        self.unsure: list[tuple[str, int, str]] = []  # words in the history, until an event says they are a person's

    def take(self, line: int, record: Record) -> Iterator[Turn]:
        """The turns that this record completes."""
        payload, kind, at = as_object(record.get("payload")), record.get("type"), as_string(record.get("timestamp"))
        if kind == "session_meta" or (not payload and "instructions" in record):
            self._meta(payload or record)
        elif kind == "turn_context":
            self.session.cwd = self.session.cwd or as_string(payload.get("cwd"))
        elif kind == "event_msg":
            self.events = True
            yield from self._event(line, at, payload)
        elif kind == "response_item" or not payload:
            yield from self._item(line, at, payload or record)

    def end(self) -> Iterator[Turn]:
        """The turns that are left when the file ends."""
        yield from self._settle()
        yield from self.session.flush()

    def _meta(self, payload: Record) -> None:
        if self.session.id:
            return
        source, originator = payload.get("source"), as_string(payload.get("originator"))
        self.session.id = as_string(payload.get("id")) or as_string(payload.get("session_id"))
        self.session.cwd = as_string(payload.get("cwd"))
        self.driven = codex_records.is_driven(payload)
        self.terminal = "vscode" not in originator and source != "vscode"

    def _event(self, line: int, at: str, payload: Record) -> Iterator[Turn]:
        kind = payload.get("type")
        if kind == "user_message" and payload.get("kind", "plain") in (None, "plain"):
            said = as_string(payload.get("message")).strip()
            if said not in (text.strip() for text, _, _ in self.unsure):
                self.told.append(said)  # the history repeats it later
            self.unsure = []
            yield from self._human(as_string(payload.get("message")), line, at)
        elif kind == "turn_aborted" and payload.get("reason") == "interrupted":
            self.session.interrupt()

    def _item(self, line: int, at: str, item: Record) -> Iterator[Turn]:
        kind, role = as_string(item.get("type")), item.get("role")
        if kind == "message" and role == "user":
            self.unsure = [*self.unsure[-50:], (json_records.content_text(item.get("content")), line, at)]
        elif kind == "message" and role == "assistant":
            yield from self._goes_on()
            self.session.say(json_records.content_text(item.get("content")), line, at)
        elif kind in _CALLS:
            yield from self._goes_on()
            done = call_actions(item, self.session.path)
            self.session.call(as_string(item.get("call_id")), done, line, at)
        elif kind in _RESULTS:
            text, ok, refused = codex_records.call_outcome(item.get("output"))
            self.session.result(as_string(item.get("call_id")), as_string(text), ok=ok, rejected=refused)

    def _goes_on(self) -> Iterator[Turn]:
        """The agent acts: unconfirmed words before it are settled."""
        yield from self._settle()
        if self.session.waiting:
            yield from self.session.flush()

    def _settle(self) -> Iterator[Turn]:
        """Unconfirmed words: in files without events they are a person's, else they are uncertain."""
        unsure, self.unsure = self.unsure, []
        for text, line, at in unsure:
            if text.strip() in self.told:
                self.told.remove(text.strip())
            elif not text.lstrip().startswith("<"):
                yield from self._human(text, line, at, sure=not self.events)

    def _human(self, message: str, line: int, at: str, *, sure: bool = True) -> Iterator[Turn]:
        if not self.driven:
            words = codex_records.typed_message(message, terminal=self.terminal)
            yield from self.session.human("typed", words, line, at, sure=sure)


PLUG = TranscriptFormat(
    name="codex", recognises=recognises, read=read, remote=remote, roots=(".codex/sessions/**/rollout-*.jsonl",)
)
