"""Copilot CLI: ``~/.copilot/session-state/SESSION/events.jsonl``, one ``{type, data, id, timestamp}`` per line."""

import re
from collections.abc import Iterable, Iterator

from rulec.agents.protocol.agent_spec import as_mapping
from rulec.domain.transcript import ActionKind, TranscriptFormat, Turn, UnreadableLine
from rulec.transcripts import human_text
from rulec.transcripts.reading import json_records, tool_actions
from rulec.transcripts.reading.json_records import Record, as_string, content_blocks, content_text
from rulec.transcripts.reading.turn_builder import TurnBuilder

_TYPES = "session|user|assistant|tool|hook|system|permission|subagent|skill"
_START = re.compile(rb'(?:\xef\xbb\xbf)?\s*\{\s*"type"\s*:\s*"(?:%b)\.\w+"\s*,\s*"data"\s*:\s*\{' % _TYPES.encode())
_EVENT = re.compile(rf"(?:{_TYPES})\.\w+|abort")
_KINDS: dict[str, ActionKind] = {
    "bash": "command", "powershell": "command", "shell": "command", "local_shell": "command", "create": "write",
    "edit": "edit", "apply_patch": "edit", "view": "read", "grep": "read", "rg": "read", "glob": "read",
}  # fmt: skip
_EDITOR: dict[object, ActionKind] = {"view": "read", "create": "write", "str_replace": "edit", "insert": "edit"}
_REFUSED = "denied-interactively-by-user"
_PROGRAM = re.compile(r"^\[\[ ## \w+ ## \]\]", re.MULTILINE)  # a prompt that a program filled in


def recognises(head: bytes) -> bool:
    """Whether the lines are Copilot's events."""
    first = next(json_records.first_records(head), None)
    if first is None:
        return bool(_START.match(head))
    kind = as_string(first.get("type"))
    return {"type", "data", "id", "timestamp"} <= first.keys() and bool(_EVENT.fullmatch(kind))


def remote(head: bytes) -> str:
    """The repository, as the session's first event names it."""
    first = next(json_records.first_records(head), None) or {}
    told = as_mapping(as_mapping(first.get("data")).get("context"))
    host, name = as_string(told.get("repositoryHost")), as_string(told.get("repository"))
    return f"https://{host}/{name}" if host and name else ""


def read(lines: Iterable[bytes]) -> Iterator[Turn | UnreadableLine]:
    """Turns in file order; what hooks, skills, sub-agents and programs say is left out."""
    reading = _CopilotReader()
    for found in json_records.read_records(lines):
        if isinstance(found, UnreadableLine):
            yield found
        else:
            yield from reading.take(*found)
    yield from reading.session.flush()


class _CopilotReader:
    """What has to be remembered between the events of one file."""

    def __init__(self) -> None:
        self.session = TurnBuilder("copilot")
        self.working = False  # the agent is at work, so what is typed now is queued
        self.message = ""  # id of the agent's message that is being written
        self.asked: dict[str, str] = {}  # requests for permission and their calls

    def take(self, line: int, record: Record) -> Iterator[Turn]:
        """The turns that this event completes."""
        data, kind, at = (
            as_mapping(record.get("data")),
            as_string(record.get("type")),
            as_string(record.get("timestamp")),
        )
        if record.get("agentId") or data.get("parentToolCallId"):
            return
        self._state(kind, data)
        if kind == "user.message" and data.get("source") in (None, "", "user"):
            text = _typed(as_string(data.get("content")))
            yield from self.session.human("queued" if self.working else "typed", text, line, at)
        elif kind == "assistant.message":
            yield from self._agent(line, at, data)
        elif kind.startswith("permission."):
            yield from self._permission(kind, line, at, data)
        elif kind == "tool.execution_complete":
            self._result(data)

    def _state(self, kind: str, data: Record) -> None:
        if kind in ("session.start", "session.resume"):
            self.session.id = self.session.id or as_string(data.get("sessionId"))
            self.session.cwd = self.session.cwd or as_string(as_mapping(data.get("context")).get("cwd"))
        if kind == "assistant.turn_start":
            self.working = True
        elif kind in ("session.start", "session.resume", "assistant.turn_end", "abort"):
            self.working = False
        if kind == "abort" and data.get("reason", "user_initiated") == "user_initiated":
            self.session.interrupt()

    def _agent(self, line: int, at: str, data: Record) -> Iterator[Turn]:
        message = as_string(data.get("messageId"))
        if not message or message != self.message:
            yield from self.session.go_on()
        self.message = message
        self.session.say(as_string(data.get("content")), line, at)
        for call in content_blocks(data.get("toolRequests")):
            name, tool, given = as_string(call.get("toolCallId")), as_string(call.get("name")), call.get("arguments")
            if isinstance(given, str):
                given = {"input": given}
            kinds = _KINDS if tool != "str_replace_editor" else {tool: _editor(as_mapping(given).get("command"))}
            self.session.call(
                name, tool_actions.tool_actions(name, tool, as_mapping(given), self.session.path, kinds), line, at
            )

    def _permission(self, kind: str, line: int, at: str, data: Record) -> Iterator[Turn]:
        request, result = as_string(data.get("requestId")), as_mapping(data.get("result"))
        if kind == "permission.requested":
            self.asked[request] = as_string(as_mapping(data.get("permissionRequest")).get("toolCallId"))
        elif kind == "permission.completed":
            call = self.asked.pop(request, "") or as_string(data.get("toolCallId"))
            if result.get("kind") == _REFUSED:
                self.session.result(call, "", ok=False, rejected=True)
                yield from self.session.human("rejection", _typed(as_string(result.get("feedback"))), line, at)

    def _result(self, data: Record) -> None:
        result, error = as_mapping(data.get("result")), as_mapping(data.get("error"))
        output = content_text(result.get("content")) or as_string(error.get("message"))
        ok = data.get("success")
        self.session.result(as_string(data.get("toolCallId")), output, ok=ok if isinstance(ok, bool) else None)


def _editor(command: object) -> ActionKind:
    return _EDITOR.get(command, "other") if isinstance(command, str) else "other"


def _typed(text: str) -> str:
    return "" if _PROGRAM.search(text) else human_text.typed_text(text)


PLUG = TranscriptFormat(
    name="copilot", recognises=recognises, read=read, remote=remote, roots=(".copilot/session-state/**/*.jsonl",)
)
