"""Gemini CLI: ``~/.gemini/tmp/PROJECT/chats/session-*.jsonl``, its older ``.json`` form, and ``logs.json``."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import chain, islice
from typing import Any

from rulec.agents.protocol.agent_spec import as_mapping
from rulec.domain.transcript import ActionKind, TranscriptFormat, Turn, UnreadableLine
from rulec.transcripts import human_text
from rulec.transcripts.human_text import behind_command
from rulec.transcripts.reading import json_records, tool_actions
from rulec.transcripts.reading.json_records import Record, as_string, content_blocks
from rulec.transcripts.reading.turn_builder import TurnBuilder

KINDS: dict[str, ActionKind] = {
    "run_shell_command": "command", "write_file": "write", "replace": "edit", "edit": "edit", "smart_edit": "edit",
    "read_file": "read", "read_many_files": "read", "list_directory": "read", "glob": "read", "grep_search": "read",
    "search_file_content": "read",
}  # fmt: skip
_CODE = re.compile(r"^Exit Code: (-?\d+)[ \t]*$", re.MULTILINE)
_STATUS = {"success": True, "error": False, "cancelled": False}


def call_outcome(call: Record) -> tuple[str, bool | None, bool]:
    """What a call printed, whether it went well, and whether the person refused it."""
    status = as_string(call.get("status"))
    output, error = _response(call.get("result"))
    ok = _STATUS.get(status)
    if ok and call.get("name") == "run_shell_command":
        codes = _CODE.findall(output)
        ok = not codes or codes[-1].strip("-0") == ""  # the last one: the output before it could say anything
    refused = status == "cancelled" and "did not allow" in error[:200]
    return output or error, ok, refused


def _response(result: object) -> tuple[str, str]:
    if isinstance(result, str):
        return as_string(result), ""
    output, error = [], []
    for part in content_blocks([result] if isinstance(result, dict) else result):
        response = as_mapping(as_mapping(part.get("functionResponse")).get("response"))
        output += [as_string(response.get("output")), as_string(part.get("text"))]
        error += [as_string(response.get("error"))]
    return "\n".join(filter(None, output)), "\n".join(filter(None, error))


_HEADER = re.compile(rb'(?:\xef\xbb\xbf)?\s*\{\s*"sessionId"\s*:\s*"[^"]*"\s*,\s*"projectHash"\s*:\s*"')
_LOG = re.compile(rb'(?:\xef\xbb\xbf)?\s*\[\s*\{\s*"sessionId"\s*:\s*"[^"]*"\s*,\s*"messageId"\s*:\s*\d+\s*,\s*"type"')
_WHOLE = re.compile(rb"(?:\xef\xbb\xbf)?\s*(?:\[|\{\s*$)")
_WINDOW = 1_000  # messages that may still be replaced or taken back: memory stays bounded whatever the file holds
_COMMAND = re.compile(r"[/?!]\s*\Z|/[A-Za-z][\w:-]*(?:\s|\Z)|!")
_REFERENCED = "--- Content from referenced files ---"
_MACHINE = (
    "<session_context>", "<hook_context>", "<state_snapshot>", "This is the Gemini CLI. We are setting up the context",
    "System: Please continue", "System: Potential loop", "I ran the following shell command:",
)  # fmt: skip


def recognises(head: bytes) -> bool:
    """Whether the file opens as a recorded chat or as the log of prompts."""
    return bool(_HEADER.match(head) or _LOG.match(head))


def read(lines: Iterable[bytes]) -> Iterator[Turn | UnreadableLine]:
    """Turns in file order, each message as it was written last; what was taken back, and commands, are left out."""
    reading = _GeminiReader()
    lines = iter(lines)
    start = list(islice(lines, 1))
    whole = any(_WHOLE.match(line) for line in start)
    for found in _members(chain(start, lines)) if whole else json_records.read_records(chain(start, lines)):
        if isinstance(found, UnreadableLine):
            yield found
        else:
            yield from reading.take(*found)
    yield from reading.end()


def _members(lines: Iterable[bytes]) -> Iterator[tuple[int, Record] | UnreadableLine]:
    """A whole-file form as the records that the line form would have."""
    text = json_records.gather_text(lines)
    for found in json_records.document_members(text) if isinstance(text, str) else (text,):
        if isinstance(found, UnreadableLine):
            yield found
        elif found.key in ("", "messages"):
            yield found.line, as_mapping(found.value)
        else:
            yield found.line, {found.key: found.value}


@dataclass(slots=True)
class _GeminiReader:
    """What has to be remembered between the records of one file."""

    session: TurnBuilder = field(default_factory=lambda: TurnBuilder("gemini"))
    held: dict[str, tuple[int, Record]] = field(default_factory=dict)  # messages by id, which may still change
    told: set[str] = field(default_factory=set)
    driven: bool = False  # by an agent, not by a person

    def take(self, line: int, record: Record) -> Iterator[Turn]:
        """The turns that this record completes."""
        if isinstance(back := record.get("$rewindTo"), str):
            self._rewind(back)
        elif "messageId" in record and "message" in record:
            self.session.id = as_string(record.get("sessionId"))
            yield from self._human(line, record, record["message"])
        elif "type" in record and ("content" in record or "toolCalls" in record):
            self._hold(line, record)
        else:
            self._meta(line, as_mapping(record.get("$set")) or record)
        while len(self.held) > _WINDOW:
            yield from self._tell(next(iter(self.held)))

    def end(self) -> Iterator[Turn]:
        """The turns that are left when the file ends."""
        for name in list(self.held):
            yield from self._tell(name)
        yield from self.session.flush()

    def _meta(self, line: int, patch: Record) -> None:
        self.session.id = self.session.id or as_string(patch.get("sessionId"))
        self.driven = self.driven or patch.get("kind") == "subagent"
        for folder in _strings(patch.get("directories"))[:1]:
            self.session.cwd = self.session.cwd or folder
        history = content_blocks(
            patch.get("messages")
        )  # the model's memory, rewritten: what it lost was said all the same
        known = {_said(record) for _, record in self.held.values()} if history else set()
        for message in history:
            name = as_string(message.get("id"))
            if name in self.held or _said(message) not in known:
                self._hold(line, message)

    def _hold(self, line: int, record: Record) -> None:
        name = as_string(record.get("id")) or f"#{line}.{len(self.held)}"
        if name in self.told:
            return
        for bulky in ("thoughts", "tokens"):
            record.pop(bulky, None)
        for call in content_blocks(record.get("toolCalls")):
            call.pop("resultDisplay", None)
        self.held[name] = (self.held[name][0] if name in self.held else line, record)

    def _rewind(self, name: str) -> None:
        names = list(self.held)
        start = names.index(name) if name in self.held else 0 if name in self.told else len(names)
        for later in names[start:]:
            del self.held[later]

    def _tell(self, name: str) -> Iterator[Turn]:
        line, record = self.held.pop(name)
        self.told.add(name)
        kind, at = record.get("type"), as_string(record.get("timestamp"))
        if kind == "user" and not self.driven:
            shown = record.get("displayContent")  # what was typed, where files were put into the content
            yield from self._human(line, record, shown or record.get("content"))
        elif kind == "gemini":
            yield from self.session.go_on()
            self.session.say("".join(_texts(record.get("content"))), line, at)
            for call in content_blocks(record.get("toolCalls")):
                self._call(call, line, at)
        elif kind == "info" and "".join(_texts(record.get("content"))).startswith("Request cancelled"):
            self.session.interrupt()

    def _call(self, call: Record, line: int, at: str) -> None:
        name = as_string(call.get("id"))
        given = as_mapping(call.get("args"))
        done = tool_actions.tool_actions(name, as_string(call.get("name")), given, self.session.path, KINDS)
        output, ok, refused = call_outcome(call)
        self.session.call(name, done, line, at)
        self.session.result(name, output, ok=ok, rejected=refused)
        if call.get("status") == "cancelled":
            self.session.interrupt()

    def _human(self, line: int, record: Record, content: object) -> Iterator[Turn]:
        text, at = _typed(content), as_string(record.get("timestamp"))
        if _COMMAND.match(text):
            yield from self.session.human("slash_args", behind_command(text), line, at)
        else:
            yield from self.session.human("typed", text, line, at)


def _typed(content: object) -> str:
    """The words a person typed into this message, or ""."""
    parts = [part for part in _texts(content) if not part.lstrip().startswith(_MACHINE)]
    text = human_text.typed_text("\n".join(parts).partition(_REFERENCED)[0])
    return "" if text == "Please continue." else text


def _texts(content: Any) -> list[str]:
    if isinstance(content, dict):
        content = [content]
    if isinstance(content, list):
        return [text for part in content if (text := as_string(part.get("text") if isinstance(part, dict) else part))]
    return [as_string(content)]


def _said(record: Record) -> tuple[str, str]:
    return as_string(record.get("type")), " ".join("".join(_texts(record.get("content"))).split())


def _strings(value: object) -> list[str]:
    return [as_string(item) for item in value if isinstance(item, str)] if isinstance(value, list) else []


# Not logs.json: it repeats the prompts of the chats without what the agent did.
PLUG = TranscriptFormat(
    name="gemini",
    recognises=recognises,
    read=read,
    roots=(".gemini/tmp/*/chats/**/*.jsonl", ".gemini/tmp/*/chats/session-*.json"),
)
