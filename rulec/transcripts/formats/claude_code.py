"""Claude Code: ``~/.claude/projects/FOLDER/SESSION.jsonl``, one record per line."""

import re
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain
from typing import Any

from msgspec import Struct
from msgspec.structs import asdict

from rulec.agents.protocol.agent_spec import as_mapping
from rulec.domain.transcript import Action, TranscriptFormat, Turn, UnreadableLine
from rulec.transcripts import claude_records
from rulec.transcripts.human_text import (
    behind_command,
    command_arguments,
    is_command,
    is_interrupt,
    is_rejection,
    rejection_reason,
    typed_text,
)
from rulec.transcripts.reading import json_records
from rulec.transcripts.reading.json_records import Odd, Record, Scalar, arguments_json, as_string, summary
from rulec.transcripts.reading.tool_actions import actions_of
from rulec.transcripts.reading.turn_builder import TurnBuilder

_ENVELOPE = re.compile(rb'\{(?:"\w+":(?:null|true|false|\d+|"[^"\\]*"),)*?"type":"([\w-]+)"')
_COMMAND = re.compile(r"<command-name>\s*/?([\w:-]+)")
_BARE = {"queue-operation": "operation", "file-history-snapshot": "messageId", "summary": "leafUuid"}


class ClaudeBlock(Struct):
    """One block of a message's content."""

    type: Any = None
    text: Any = None
    id: Any = None
    name: Any = None
    input: Any = None
    tool_use_id: Any = None
    content: Any = None
    is_error: Any = None


class ClaudeMessage(Struct):
    """What a record says."""

    id: Any = None
    content: list[ClaudeBlock | Odd] | dict[str, Any] | Scalar = None

    @property
    def blocks(self) -> list[ClaudeBlock]:
        """The content blocks; a plain string is one text block."""
        if isinstance(self.content, str):
            return [ClaudeBlock(type="text", text=self.content)]
        return [one for one in self.content if isinstance(one, ClaudeBlock)] if isinstance(self.content, list) else []


class ClaudeRecord(Struct):
    """One line of a session; the copy of a result beside it, snapshots and the like are not among its fields."""

    type: Any = None
    isSidechain: Any = None
    entrypoint: Any = None
    sessionId: Any = None
    cwd: Any = None
    timestamp: Any = None
    message: ClaudeMessage | Odd = None
    attachment: Any = None
    operation: Any = None
    content: Any = None
    origin: Any = None
    isApiErrorMessage: Any = None
    isMeta: Any = None
    isCompactSummary: Any = None
    isVisibleInTranscriptOnly: Any = None
    planContent: Any = None

    @property
    def said(self) -> ClaudeMessage:
        """The message, an empty one where there is none."""
        return self.message if isinstance(self.message, ClaudeMessage) else ClaudeMessage()


def _block_actions(block: ClaudeBlock, path: Callable[[str], str]) -> list[Action]:
    """The actions of one tool_use block; ``path`` makes paths relative to the session's folder."""
    tool, given, call = as_string(block.name), as_mapping(block.input), as_string(block.id)
    if done := claude_records.tool_action(tool, given):
        return actions_of([done], call, tool, path)
    place = path(as_string(claude_records.path_argument(given)))
    told = summary(given) if given else ""
    if tool in claude_records.READS:
        return [Action(kind="read", id=call, tool=tool, path=place, output=told)]
    return [Action(kind="other", id=call, tool=tool, path=place, output=told, args=arguments_json(given))]


_LONGEST_PROMPT = 200  # entries and texts remembered: a file that never empties its queue costs no memory


@dataclass(slots=True)
class _QueuedPrompt:
    """One entry of the queue; ``text`` is "" where a program put it there."""

    key: str
    text: str
    line: int
    at: str
    told: bool = False  # its text has come by another way


class _PromptQueue:
    """Entries that wait, that were taken out to be sent as a prompt, and that have just been delivered."""

    def __init__(self) -> None:
        self._entries: deque[_QueuedPrompt] = deque(maxlen=_LONGEST_PROMPT)
        self._taken: deque[_QueuedPrompt] = deque(maxlen=_LONGEST_PROMPT)
        self._delivered: deque[str] = deque(maxlen=_LONGEST_PROMPT)

    def operate(self, operation: str, content: str, line: int, at: str) -> _QueuedPrompt | None:
        """Follow one queue operation; gives the entry that the agent gets to hear in the middle of its work."""
        if operation == "enqueue":
            self._entries.append(_QueuedPrompt(_folded(content), _queued_words(content), line, at))
        elif operation == "popAll":
            self._entries.clear()
        elif operation in ("dequeue", "remove") and (entry := self._pop(_folded(content))):
            if operation == "dequeue":
                self._taken.append(entry)
            elif entry.text and not entry.told:
                self._delivered.append(entry.key)
                return entry
        return None

    def tell(self, text: str) -> bool:
        """Note that a record repeats this text; False where the queue has delivered it already."""
        told = _folded(text)
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

    def rest(self) -> list[_QueuedPrompt]:
        """A person's words that never came by another way, at the end of the file."""
        left = [entry for entry in (*self._taken, *self._entries) if entry.text and not entry.told]
        return sorted(left, key=lambda entry: entry.line)

    def _pop(self, wanted: str) -> _QueuedPrompt | None:
        if wanted and (entry := next((entry for entry in self._entries if entry.key == wanted), None)):
            self._entries.remove(entry)
            return entry
        while self._entries and self._entries[0].told:
            self._entries.popleft()
        return self._entries.popleft() if self._entries else None


def _folded(text: str) -> str:
    """The text with white space folded."""
    return " ".join(text.split())


def _queued_words(content: str) -> str:
    """A person's words in a queued prompt; bare commands, shell lines and notices of programs are none."""
    if content.lstrip().startswith("/"):
        return behind_command(content)
    return claude_records.queued_words(content)


def recognises(head: bytes) -> bool:
    """Whether records have Claude Code's envelope."""
    found = list(json_records.first_records(head))
    if not found:
        return bool(_ENVELOPE.match(head)) and b'"isSidechain":' in head and b'"sessionId":"' in head
    return any(_ours(record) for record in found)


def _ours(record: Record) -> bool:
    kind = record.get("type")
    if isinstance(kind, str) and kind in _BARE:
        return _BARE[kind] in record
    return {"isSidechain", "sessionId", "uuid"} <= record.keys()


def read(lines: Iterable[bytes]) -> Iterator[Turn | UnreadableLine]:
    """Turns in file order; machine text, sub-agents and compaction summaries are left out."""
    reading = _ClaudeCodeReader()
    for found in json_records.read_known_records(lines, ClaudeRecord):
        if isinstance(found, UnreadableLine):
            yield found
        else:
            yield from reading.take(*found)
    yield from reading.end()


class _ClaudeCodeReader:
    """What has to be remembered between the records of one file."""

    def __init__(self) -> None:
        self.session = TurnBuilder("claude-code")
        self.queue = _PromptQueue()
        self.message = ""  # id of the agent's message that is being written
        self.template = ""  # when a slash command was recorded: its expansion has the same time

    def take(self, line: int, record: ClaudeRecord) -> list[Turn]:
        """The turns that this record completes."""
        if record.isSidechain or (as_string(record.entrypoint).startswith("sdk") and not _by_person(record)):
            return []
        if not (self.session.id and self.session.cwd):
            self.session.id = self.session.id or as_string(record.sessionId)
            self.session.cwd = self.session.cwd or as_string(record.cwd)
        kind, at = record.type, as_string(record.timestamp)
        if kind == "assistant":
            return self._agent(line, at, record)
        if kind == "user":
            return self._user(line, at, record)
        if kind == "attachment":
            return self._attachment(line, at, as_mapping(record.attachment))
        if kind == "queue-operation":
            content = json_records.content_text(record.content)
            told = self.queue.operate(as_string(record.operation), content, line, at)
            return self.session.human("queued", told.text, line, at) if told else []
        return []

    def end(self) -> list[Turn]:
        """The turns that are left when the file ends."""
        rest = [self.session.human("queued", one.text, one.line, one.at) for one in self.queue.rest()]
        return [*chain.from_iterable(rest), *self.session.flush()]

    def _agent(self, line: int, at: str, record: ClaudeRecord) -> list[Turn]:
        message = record.said
        done = [] if message.id and message.id == self.message else self.session.go_on()
        self.message, self.template = as_string(message.id), ""
        self.queue.settle()
        for block in message.blocks:
            if block.type == "text" and not record.isApiErrorMessage:
                self.session.say(as_string(block.text), line, at)
            elif block.type == "tool_use":
                if asked := _asked(block):
                    self.session.say(asked, line, at)
                path = partial(self.session.path, cwd=as_string(record.cwd))
                self.session.call(as_string(block.id), partial(_block_actions, block, path), line, at)
        return done

    def _user(self, line: int, at: str, record: ClaudeRecord) -> list[Turn]:
        texts, done = list[str](), list[Turn]()
        for block in record.said.blocks:
            if block.type == "tool_result":
                done += self._result(line, at, block)
            elif block.type == "text":
                texts.append(as_string(block.text))
        return [*done, *self._spoken(line, at, record, texts)] if texts else done

    def _spoken(self, line: int, at: str, record: ClaudeRecord, texts: Sequence[str]) -> list[Turn]:
        if any(map(is_interrupt, texts)):
            self.session.interrupt()
        if claude_records.is_machine(asdict(record)) or (at and at == self.template):
            return []
        if command := next((text for text in texts if is_command(text)), ""):
            self.template = at
            words = command_arguments(command)
            self.queue.tell(f"/{_command_of(command)} {words}")
            return self.session.human("slash_args", words, line, at)
        text = claude_records.typed_words(texts)
        return self.session.human("typed", text, line, at) if text and self.queue.tell(text) else []

    def _result(self, line: int, at: str, block: ClaudeBlock) -> list[Turn]:
        output, failed = json_records.content_text(block.content), block.is_error is True
        rejected = failed and is_rejection(output)
        self.session.result(as_string(block.tool_use_id), output, ok=not failed, rejected=rejected)
        return self.session.human("rejection", rejection_reason(output), line, at) if rejected else []

    def _attachment(self, line: int, at: str, attached: Record) -> list[Turn]:
        if attached.get("type") != "queued_command" or attached.get("commandMode", "prompt") != "prompt":
            return []
        text = typed_text(json_records.content_text(attached.get("prompt")))
        foreign = claude_records.is_foreign(attached) or attached.get("isMeta")
        return self.session.human("queued", text, line, at) if text and not foreign and self.queue.tell(text) else []


def _command_of(text: str) -> str:
    found = _COMMAND.search(text)
    return found[1] if found else ""


def _asked(block: ClaudeBlock) -> str:
    """What a call puts before the person: questions with their options, or a plan."""
    given, tool = as_mapping(block.input), block.name
    if tool == "ExitPlanMode":
        return as_string(given.get("plan"))
    lines = []
    for question in json_records.content_blocks(given.get("questions")) if tool == "AskUserQuestion" else ():
        lines.append(as_string(question.get("question")))
        lines += [
            f"{n}. {as_string(one.get('label'))}"
            for n, one in enumerate(json_records.content_blocks(question.get("options")), 1)
        ]
    return "\n".join(lines)


def _by_person(record: ClaudeRecord) -> bool:
    return as_mapping(record.origin).get("kind") == "human"


PLUG = TranscriptFormat(name="claude-code", recognises=recognises, read=read, roots=(".claude/projects/**/*.jsonl",))
