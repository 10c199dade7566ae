"""Codex: ``~/.codex/sessions/YYYY/MM/DD/rollout-*.jsonl``, one ``{timestamp, type, payload}`` per line."""

import re
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any

from msgspec import UNSET, Struct
from msgspec.structs import asdict

from rulec.agents.protocol.agent_spec import as_mapping
from rulec.domain.transcript import Action, ActionKind, TranscriptFormat, Turn, UnreadableLine
from rulec.transcripts import codex_records
from rulec.transcripts.reading import json_records, tool_actions
from rulec.transcripts.reading.json_records import Odd, Record, as_string, summary
from rulec.transcripts.reading.turn_builder import OUTPUT, CallOutcome, TurnBuilder

_SUMMARY = 500


class CodexItem(Struct):
    """What a line says; in the first versions the line itself is one."""

    type: Any = None
    role: Any = None
    content: Any = None
    id: Any = None
    call_id: Any = None
    name: Any = None
    arguments: Any = None
    action: Any = None
    input: Any = None
    output: Any = None
    message: Any = None
    kind: Any = "plain"
    reason: Any = None
    session_id: Any = None
    cwd: Any = None
    source: Any = None
    originator: Any = None
    instructions: Any = UNSET


class CodexRecord(CodexItem):
    """One line of a rollout."""

    timestamp: Any = None
    payload: CodexItem | Odd = None


def call_actions(item: CodexItem, path: Callable[[str], str]) -> list[Action]:
    """The actions of one call."""
    call = codex_records.CodexCall(asdict(item))
    done = tool_actions.actions_of(call.done or (), call.id, call.tool, lambda name: path(name.replace("\\", "/")))
    if any(one.command or one.path for one in done):
        return done
    told = as_string(item.input)[:_SUMMARY] or summary(as_mapping(call.given))
    kind: ActionKind = "read" if call.tool in codex_records.READS else "other"
    return [Action(kind=kind, id=call.id, tool=call.tool, output=told)]


_TYPES = frozenset(("session_meta", "turn_context", "response_item", "event_msg", "compacted"))
_START = re.compile(rb'\{"timestamp":"[^"\\]*","type":"(\w+)","payload":\{(?:"type":"(\w+)")?')
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
    for found in json_records.read_known_records(lines, CodexRecord):
        if isinstance(found, UnreadableLine):
            yield found
        else:
            yield from reading.take(*found)
    yield from reading.end()


class _CodexReader:
    """What has to be remembered between the records of one file."""

    def __init__(self) -> None:
        self.session = TurnBuilder("codex")
        self.driven = False  # by a program, not by a person
        self.terminal = True
        self.events = False  # the file has events, so the person's words should stand there
        self.told: deque[str] = deque(maxlen=_REMEMBERED)  # the person's words, which the history repeats later
        self.unsure: list[tuple[str, int, str]] = []  # words in the history, until an event says they are a person's

    def take(self, line: int, record: CodexRecord) -> list[Turn]:
        """The turns that this record completes."""
        bare = not isinstance(record.payload, CodexItem)
        item = record.payload if isinstance(record.payload, CodexItem) else record
        kind, at = record.type, as_string(record.timestamp)
        if kind == "session_meta" or (bare and record.instructions is not UNSET):
            self._meta(item)
        elif kind == "turn_context":
            self.session.cwd = self.session.cwd or as_string(item.cwd)
        elif kind == "event_msg":
            self.events = True
            return self._event(line, at, item)
        elif kind == "response_item" or bare:
            return self._item(line, at, item)
        return []

    def end(self) -> list[Turn]:
        """The turns that are left when the file ends."""
        return [*self._settle(), *self.session.flush()]

    def _meta(self, item: CodexItem) -> None:
        if self.session.id:
            return
        self.session.id = as_string(item.id) or as_string(item.session_id)
        self.session.cwd = as_string(item.cwd)
        self.driven = codex_records.is_driven(asdict(item))
        self.terminal = "vscode" not in as_string(item.originator) and item.source != "vscode"

    def _event(self, line: int, at: str, item: CodexItem) -> list[Turn]:
        if item.type == "user_message" and item.kind in (None, "plain"):
            said = as_string(item.message).strip()
            if said not in (text.strip() for text, _, _ in self.unsure):
                self.told.append(said)  # the history repeats it later
            self.unsure = []
            return self._human(as_string(item.message), line, at)
        if item.type == "turn_aborted" and item.reason == "interrupted":
            self.session.interrupt()
        return []

    def _item(self, line: int, at: str, item: CodexItem) -> list[Turn]:
        kind = as_string(item.type)
        if kind in _RESULTS:
            self.session.answer(as_string(item.call_id), partial(_outcome, item.output))
        elif kind in _CALLS:
            done = self._goes_on()
            self.session.call(as_string(item.call_id), partial(call_actions, item, self.session.path), line, at)
            return done
        elif kind == "message" and item.role == "user":
            self.unsure = [*self.unsure[-50:], (json_records.content_text(item.content), line, at)]
        elif kind == "message" and item.role == "assistant":
            done = self._goes_on()
            self.session.say(json_records.content_text(item.content), line, at)
            return done
        return []

    def _goes_on(self) -> list[Turn]:
        """The agent acts: unconfirmed words before it are settled."""
        done = self._settle() if self.unsure else []
        return [*done, *self.session.go_on()]

    def _settle(self) -> list[Turn]:
        """Unconfirmed words: in files without events they are a person's, else they are uncertain."""
        done, unsure, self.unsure = list[Turn](), self.unsure, []
        for text, line, at in unsure:
            if text.strip() in self.told:
                self.told.remove(text.strip())
            elif not text.lstrip().startswith("<"):
                done += self._human(text, line, at, sure=not self.events)
        return done

    def _human(self, message: str, line: int, at: str, *, sure: bool = True) -> list[Turn]:
        if self.driven:
            return []
        words = codex_records.typed_message(message, terminal=self.terminal)
        return self.session.human("typed", words, line, at, sure=sure)


def _outcome(output: object) -> CallOutcome:
    text, ok, refused = codex_records.call_outcome(output)
    return CallOutcome(as_string(text[:OUTPUT]), ok=ok, rejected=refused)


PLUG = TranscriptFormat(
    name="codex", recognises=recognises, read=read, remote=remote, roots=(".codex/sessions/**/rollout-*.jsonl",)
)
