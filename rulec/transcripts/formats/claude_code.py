"""Claude Code: ``~/.claude/projects/FOLDER/SESSION.jsonl``, one record per line."""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import chain

from msgspec.structs import asdict

from rulec.agents.protocol.agent_spec import as_mapping
from rulec.domain.transcript import TranscriptFormat, Turn, UnreadableLine
from rulec.transcripts import claude_records
from rulec.transcripts.formats._claude_records import ClaudeBlock, ClaudeRecord, PromptQueue, block_actions
from rulec.transcripts.human_text import (
    command_arguments,
    is_command,
    is_interrupt,
    is_rejection,
    rejection_reason,
    typed_text,
)
from rulec.transcripts.reading import json_records
from rulec.transcripts.reading.json_records import Record, as_string
from rulec.transcripts.reading.turn_builder import TurnBuilder

_ENVELOPE = re.compile(rb'\{(?:"\w+":(?:null|true|false|\d+|"[^"\\]*"),)*?"type":"([\w-]+)"')
_COMMAND = re.compile(r"<command-name>\s*/?([\w:-]+)")
_BARE = {"queue-operation": "operation", "file-history-snapshot": "messageId", "summary": "leafUuid"}


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
        self.queue = PromptQueue()
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
                self.session.call(as_string(block.id), partial(block_actions, block, path), line, at)
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
