"""OpenCode: what ``opencode export`` writes, one JSON object of a session and its messages."""

import re
from collections.abc import Iterable, Iterator
from typing import Any

from rulec.agents.protocol.agent_spec import as_mapping
from rulec.domain.transcript import ActionKind, TranscriptFormat, Turn, UnreadableLine
from rulec.transcripts import human_text
from rulec.transcripts.reading import json_records, tool_actions
from rulec.transcripts.reading.json_records import Record, as_string, content_blocks
from rulec.transcripts.reading.turn_builder import TurnBuilder

KINDS: dict[str, ActionKind] = {
    "bash": "command", "shell": "command", "write": "write", "edit": "edit", "multiedit": "edit", "patch": "edit",
    "apply_patch": "edit", "read": "read", "glob": "read", "grep": "read", "list": "read", "ls": "read",
}  # fmt: skip
_REFUSED = "The user rejected permission to use this specific tool call"
_FEEDBACK = " with the following feedback: "


def call_outcome(state: Record) -> tuple[str, bool | None]:
    """What a call printed and whether it went well."""
    status = state.get("status")
    if status == "error":
        return as_string(state.get("error")), False
    if status != "completed":
        return "", None
    code = as_mapping(state.get("metadata")).get("exit")
    return as_string(state.get("output")), code == 0 if isinstance(code, int) else True


def was_refused(tool: str, state: Record) -> bool:
    """Whether the person refused this call."""
    return state.get("status") == "error" and tool in KINDS and as_string(state.get("error")).startswith(_REFUSED)


def refusal_reason(state: Record) -> str:
    """Why the person refused, in their words; only OpenCode's own tools are believed, others write their own errors."""
    return as_string(state.get("error")).partition(_FEEDBACK)[2]


def was_aborted(state: Record) -> bool:
    """Whether the person stopped the agent during this call."""
    return state.get("status") == "error" and as_string(state.get("error")).startswith("Tool execution aborted")


_START = re.compile(rb'(?:\xef\xbb\xbf)?\s*\{\s*"info"\s*:\s*\{')
_ID = re.compile(rb'"id"\s*:\s*"ses_')
_WRITTEN = ("subtask", "compaction")  # parts of messages that OpenCode sends in the person's name


def recognises(head: bytes) -> bool:
    """Whether the file opens with the description of an OpenCode session."""
    return bool(_START.match(head) and _ID.search(head))


def read(lines: Iterable[bytes]) -> Iterator[Turn | UnreadableLine]:
    """Turns in file order; the file is gathered whole, and refused where it is larger than ``_whole.LIMIT``."""
    text = json_records.gather_text(lines)
    if isinstance(text, UnreadableLine):
        yield text
        return
    reading = _OpenCodeReader(_info(text))
    for found in json_records.document_members(text):
        if isinstance(found, UnreadableLine):
            yield found
        elif found.key == "messages":
            yield from reading.take(found.line, as_mapping(found.value))
    yield from reading.session.flush()


def _info(text: str) -> Record:
    """The session's description, wherever it is in the file."""
    found = (
        member
        for member in json_records.document_members(text)
        if not isinstance(member, UnreadableLine) and member.key == "info"
    )
    first = next(found, None)
    return as_mapping(first.value) if first else {}


class _OpenCodeReader:
    """What has to be remembered between the messages of one file."""

    def __init__(self, info: Record) -> None:
        self.session = TurnBuilder("opencode", as_string(info.get("id")), as_string(info.get("directory")))
        self.driven = bool(info.get("parentID"))  # a sub-agent's session: its prompts are the parent agent's

    def take(self, line: int, message: Record) -> Iterator[Turn]:
        """The turns that this message completes."""
        info, parts = as_mapping(message.get("info")), _parts(message.get("parts"))
        at = json_records.iso_time(as_mapping(info.get("time")).get("created"))
        if info.get("role") == "user" and not self.driven:
            if not any(part.get("type") in _WRITTEN for part in parts):
                yield from self.session.human("typed", _typed(parts), line, at)
        elif info.get("role") == "assistant" and info.get("summary") is not True:
            yield from self._agent(line, at, info, parts)

    def _agent(self, line: int, at: str, info: Record, parts: list[Record]) -> Iterator[Turn]:
        yield from self.session.go_on()
        for part in parts:
            if part.get("type") == "text" and not part.get("synthetic"):
                self.session.say(as_string(part.get("text")), line, at)
            elif part.get("type") == "tool":
                yield from self._call(line, at, part, as_string(as_mapping(info.get("path")).get("cwd")))
        if as_mapping(info.get("error")).get("name") == "MessageAbortedError":
            self.session.interrupt()

    def _call(self, line: int, at: str, part: Record, cwd: str) -> Iterator[Turn]:
        call, tool, state = as_string(part.get("callID")), as_string(part.get("tool")), as_mapping(part.get("state"))

        def path(name: str) -> str:
            return self.session.path(name, cwd)

        done = tool_actions.tool_actions(call, tool, as_mapping(state.get("input")), path, KINDS)
        output, ok = call_outcome(state)
        refused = was_refused(tool, state)
        self.session.call(call, done, line, at)
        self.session.result(call, output, ok=ok, rejected=refused)
        if refused and not self.driven:
            yield from self.session.human("rejection", refusal_reason(state), line, at)
        if was_aborted(state):
            self.session.interrupt()


def _parts(value: Any) -> list[Record]:
    return content_blocks(value) if isinstance(value, list) else []


def _typed(parts: list[Record]) -> str:
    """The words a person typed: OpenCode marks the texts that it adds."""
    texts = [
        as_string(part.get("text"))
        for part in parts
        if part.get("type") == "text" and not part.get("synthetic") and not part.get("ignored")
    ]
    return human_text.typed_text("\n".join(filter(None, texts)))


# Exports have no home of their own; this is where OpenCode keeps its data.
PLUG = TranscriptFormat(name="opencode", recognises=recognises, read=read, roots=(".local/share/opencode/*.json",))
