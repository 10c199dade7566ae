"""Claude Code's tool calls as actions, and the prompts that it queued."""

import re
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from rulec.domain.transcript import Action
from rulec.transcripts import claude_records
from rulec.transcripts.human_text import behind_command
from rulec.transcripts.reading import json_records
from rulec.transcripts.reading.json_records import arguments_json, as_object, as_string, content_blocks, summary
from rulec.transcripts.reading.tool_actions import actions_of
from rulec.transcripts.reading.turn_builder import TurnBuilder


def block_actions(block: dict[str, Any], path: Callable[[str], str]) -> list[Action]:
    """The actions of one tool_use block; ``path`` makes paths relative to the session's folder."""
    tool, given, call = as_string(block.get("name")), as_object(block.get("input")), as_string(block.get("id"))
    if done := claude_records.tool_action(tool, given):
        return actions_of([done], call, tool, path)
    place = path(as_string(claude_records.path_argument(given)))
    told = summary(given) if given else ""
    if tool in claude_records.READS:
        return [Action(kind="read", id=call, tool=tool, path=place, output=told)]
    return [Action(kind="other", id=call, tool=tool, path=place, output=told, args=arguments_json(given))]


_LONGEST = 32_768  # bytes of a record that may be kept unread
_EARLY = 1_500  # bytes in which a record of the usual form has said what it is
_CONTENT = re.compile(
    rb'"content":\[\{(?:"type":"tool_use","id":"(?P<call>[\w-]+)",|"tool_use_id":"(?P<done>[\w-]+)","type":"tool_result",'
    rb'|"type":"tool_result","tool_use_id":"(?P<also>[\w-]+)",|"type":"(?P<mind>thinking|redacted_thinking)",)'
)
_UNUSUAL = re.compile(
    rb'"isSidechain":true|"entrypoint":"sdk|"origin":|"isApiErrorMessage"|"name":"(?:AskUserQuestion|ExitPlanMode)"'
)
_SPEAKS, _CALLS = b'"type":"text"', b'"type":"tool_use"'
_COPY = b',"toolUseResult":'
# What stands between the end of a message and the copy, where the copy is the record's own.
_SIMPLE = re.compile(rb'\}\]\}(?:,"\w+":(?:null|true|false|\d+|"[^"\\]*"))*\Z')


def take_unparsed(session: TurnBuilder, line: bytes, number: int) -> bool:
    """Add a call or a result in the midst of the agent's work to the session; False where the record must be parsed.

    What the agent only thought adds nothing.
    """
    found = _CONTENT.search(line, 0, _EARLY)
    if not found or _UNUSUAL.search(line, 0, _EARLY):
        return False
    if found["mind"]:
        return bool(session.id and session.cwd) and _SPEAKS not in line and _CALLS not in line
    if not session.working:
        return False
    if len(line) > _LONGEST:
        line = _without_copy(line)
    if len(line) > _LONGEST:
        return False
    if call := found["call"]:
        if line.count(_CALLS) > 1 or _SPEAKS in line:
            return False
        session.call(call.decode(), partial(_called, line, session.path), number, "")
        return True
    end = _end(line)
    if line.count(b'"tool_use_id":', 0, end) > 1 or line.find(_SPEAKS, 0, end) >= 0 or b'"is_error":true' in line:
        return False
    session.result((found["done"] or found["also"]).decode(), partial(_output, line), ok=True)
    return True


def _end(line: bytes) -> int:
    """Where the second copy of a tool's result begins, or the line ends."""
    copy = line.find(_COPY)
    return copy if copy >= 0 else len(line)


def _without_copy(line: bytes) -> bytes:
    """The record without the second copy of a tool's result and what follows it, where that can be cut off."""
    end = _end(line)
    return line[:end] + b"}" if end < len(line) and _SIMPLE.search(line, max(0, end - _EARLY), end) else line


def message_id(line: bytes) -> str:
    """The id of the message that a record belongs to."""
    record = next(json_records.parse_objects(line), None)
    return as_string(as_object(record.get("message")).get("id")) if isinstance(record, dict) else ""


def _called(line: bytes, path: Callable[[str, str], str]) -> list[Action]:
    record = next(json_records.parse_objects(line), None)
    if not isinstance(record, dict):
        return []
    folder = as_string(record.get("cwd"))
    content = content_blocks(as_object(record.get("message")).get("content"))
    return [action for block in content for action in block_actions(block, lambda name: path(name, folder))]


def _output(line: bytes) -> str:
    record = next(json_records.parse_objects(line[: _end(line)] + b"}"), "")
    if not isinstance(record, dict):  # the copy stands elsewhere than usual
        record = next(json_records.parse_objects(line), "")
    content = content_blocks(as_object(record.get("message")).get("content")) if isinstance(record, dict) else []
    return json_records.content_text(content[0].get("content")) if content else ""


_LONGEST_PROMPT = 200  # entries and texts remembered: a file that never empties its queue costs no memory


@dataclass(slots=True)
class QueuedPrompt:
    """One entry of the queue; ``text`` is "" where a program put it there."""

    key: str
    text: str
    line: int
    at: str
    told: bool = False  # its text has come by another way


class PromptQueue:
    """Entries that wait, that were taken out to be sent as a prompt, and that have just been delivered."""

    def __init__(self) -> None:
        self._entries: deque[QueuedPrompt] = deque(maxlen=_LONGEST_PROMPT)
        self._taken: deque[QueuedPrompt] = deque(maxlen=_LONGEST_PROMPT)
        self._delivered: deque[str] = deque(maxlen=_LONGEST_PROMPT)

    def operate(self, operation: str, content: str, line: int, at: str) -> QueuedPrompt | None:
        """Follow one queue operation; gives the entry that the agent gets to hear in the middle of its work."""
        if operation == "enqueue":
            self._entries.append(QueuedPrompt(folded(content), _words(content), line, at))
        elif operation == "popAll":
            self._entries.clear()
        elif operation in ("dequeue", "remove") and (entry := self._pop(folded(content))):
            if operation == "dequeue":
                self._taken.append(entry)
            elif entry.text and not entry.told:
                self._delivered.append(entry.key)
                return entry
        return None

    def tell(self, text: str) -> bool:
        """Note that a record repeats this text; False where the queue has delivered it already."""
        told = folded(text)
        for entry in self._entries:
            if entry.key == told and not entry.told:
                entry.told = True
                return True
        if any(entry.key in told for entry in self._taken):  # several may have been sent as one prompt
            self._taken = deque((entry for entry in self._taken if entry.key not in told), maxlen=_LONGEST_PROMPT)
            return True
        if told in self._delivered:
            self._delivered.remove(told)
            return False
        return True

    def settle(self) -> None:
        """The agent goes on: what was delivered before is not repeated."""
        self._delivered.clear()

    def rest(self) -> list[QueuedPrompt]:
        """A person's words that never came by another way, at the end of the file."""
        left = [entry for entry in (*self._taken, *self._entries) if entry.text and not entry.told]
        return sorted(left, key=lambda entry: entry.line)

    def _pop(self, wanted: str) -> QueuedPrompt | None:
        if wanted and (entry := next((entry for entry in self._entries if entry.key == wanted), None)):
            self._entries.remove(entry)
            return entry
        while self._entries and self._entries[0].told:
            self._entries.popleft()
        return self._entries.popleft() if self._entries else None


def folded(text: str) -> str:
    """The text with white space folded."""
    return " ".join(text.split())


def _words(content: str) -> str:
    """A person's words in a queued prompt; bare commands, shell lines and notices of programs are none."""
    if content.lstrip().startswith("/"):
        return behind_command(content)
    return claude_records.queued_words(content)
