"""Claude Code: ``~/.claude/projects/FOLDER/SESSION.jsonl``, one record per line."""

import re
from collections.abc import Iterable, Iterator
from functools import partial

from rulec.domain.transcript import TranscriptFormat, Turn, UnreadableLine
from rulec.transcripts import claude_records
from rulec.transcripts.formats import _claude_records
from rulec.transcripts.formats._claude_records import PromptQueue, block_actions
from rulec.transcripts.human_text import (
    command_arguments,
    is_command,
    is_interrupt,
    is_rejection,
    rejection_reason,
    typed_text,
)
from rulec.transcripts.reading import json_records
from rulec.transcripts.reading.json_records import Record, as_object, as_string
from rulec.transcripts.reading.turn_builder import TurnBuilder

_ENVELOPE = re.compile(rb'\{(?:"\w+":(?:null|true|false|\d+|"[^"\\]*"),)*?"type":"([\w-]+)"')
_UNREAD = frozenset(
    (b"progress", b"system", b"file-history-snapshot", b"summary", b"last-prompt", b"custom-title", b"ai-title")
)
_TYPE, _ASIDE = b'"type":"', b'"isSidechain":true'
_EARLY = 1_500
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
    for found in json_records.read_records(lines, reading.passes):
        if isinstance(found, UnreadableLine):
            yield found
        else:
            yield from reading.take(*found)
    yield from reading.end()


def _unread(line: bytes) -> bool:
    """Whether the record says nothing that a turn is made of: a program's notes, or a sub-agent's work."""
    at = line.find(_TYPE) + len(_TYPE)
    if line[at : line.find(b'"', at)] not in _UNREAD and line.find(_ASIDE, 0, at) < 0:
        return False  # most records, without the cost of a pattern
    envelope = _ENVELOPE.match(line)
    return envelope is not None and (envelope[1] in _UNREAD or _ASIDE in envelope[0])


class _ClaudeCodeReader:
    """What has to be remembered between the records of one file."""

    def __init__(self) -> None:
        self.session = TurnBuilder("claude-code")
        self.queue = PromptQueue()
        self.message: str | bytes = ""  # id of the agent's message that is being written, or a record of it
        self.template = ""  # when a slash command was recorded: its expansion has the same time

    def passes(self, number: int, line: bytes) -> bool:
        """Whether the record need not be parsed: it says nothing, or can be read later."""
        if _unread(line):
            return True
        if self.session.waiting or not _claude_records.take_unparsed(self.session, line, number):
            return False
        if line.find(b'"role":"assistant"', 0, _EARLY) >= 0:
            self.message, self.template = line, ""
            self.queue.settle()
        return True

    def take(self, line: int, record: Record) -> Iterator[Turn]:
        """The turns that this record completes."""
        if record.get("isSidechain") or (as_string(record.get("entrypoint")).startswith("sdk") and not _origin(record)):
            return
        self.session.id = self.session.id or as_string(record.get("sessionId"))
        self.session.cwd = self.session.cwd or as_string(record.get("cwd"))
        kind, at = record.get("type"), as_string(record.get("timestamp"))
        if kind == "assistant":
            yield from self._agent(line, at, record)
        elif kind == "user":
            yield from self._user(line, at, record)
        elif kind == "attachment":
            yield from self._attachment(line, at, as_object(record.get("attachment")))
        elif kind == "queue-operation":
            content = json_records.content_text(record.get("content"))
            if told := self.queue.operate(as_string(record.get("operation")), content, line, at):
                yield from self.session.human("queued", told.text, line, at)

    def end(self) -> Iterator[Turn]:
        """The turns that are left when the file ends."""
        for entry in self.queue.rest():
            yield from self.session.human("queued", entry.text, entry.line, entry.at)
        yield from self.session.flush()

    def _agent(self, line: int, at: str, record: Record) -> Iterator[Turn]:
        message = as_object(record.get("message"))
        if self.session.waiting:
            before = self.message if isinstance(self.message, str) else _claude_records.message_id(self.message)
            if not message.get("id") or message.get("id") != before:
                yield from self.session.flush()
        self.message, self.template = as_string(message.get("id")), ""
        self.queue.settle()
        for block in json_records.content_blocks(message.get("content")):
            if block.get("type") == "text" and not record.get("isApiErrorMessage"):
                self.session.say(as_string(block.get("text")), line, at)
            elif block.get("type") == "tool_use":
                if asked := _asked(block):
                    self.session.say(asked, line, at)
                done = block_actions(block, partial(self.session.path, cwd=as_string(record.get("cwd"))))
                self.session.call(as_string(block.get("id")), done, line, at)

    def _user(self, line: int, at: str, record: Record) -> Iterator[Turn]:
        content = json_records.content_blocks(as_object(record.get("message")).get("content"))
        for block in content:
            if block.get("type") == "tool_result":
                yield from self._result(line, at, block)
        texts = [as_string(block.get("text")) for block in content if block.get("type") == "text"]
        if any(map(is_interrupt, texts)):
            self.session.interrupt()
        if not texts or claude_records.is_machine(record) or (at and at == self.template):
            return
        if command := next((text for text in texts if is_command(text)), ""):
            self.template = at
            words = command_arguments(command)
            self.queue.tell(f"/{_command_of(command)} {words}")
            yield from self.session.human("slash_args", words, line, at)
            return
        text = claude_records.typed_words(texts)
        if text and self.queue.tell(text):
            yield from self.session.human("typed", text, line, at)

    def _result(self, line: int, at: str, block: Record) -> Iterator[Turn]:
        output, failed = json_records.content_text(block.get("content")), block.get("is_error") is True
        rejected = failed and is_rejection(output)
        self.session.result(as_string(block.get("tool_use_id")), output, ok=not failed, rejected=rejected)
        if rejected:
            yield from self.session.human("rejection", rejection_reason(output), line, at)

    def _attachment(self, line: int, at: str, attached: Record) -> Iterator[Turn]:
        if attached.get("type") != "queued_command" or attached.get("commandMode", "prompt") != "prompt":
            return
        text = typed_text(json_records.content_text(attached.get("prompt")))
        if text and not claude_records.is_foreign(attached) and not attached.get("isMeta") and self.queue.tell(text):
            yield from self.session.human("queued", text, line, at)


def _command_of(text: str) -> str:
    found = _COMMAND.search(text)
    return found[1] if found else ""


def _asked(block: Record) -> str:
    """What a call puts before the person: questions with their options, or a plan."""
    given, tool = as_object(block.get("input")), block.get("name")
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


def _origin(record: Record) -> object:
    return as_object(record.get("origin")).get("kind") == "human"


PLUG = TranscriptFormat(name="claude-code", recognises=recognises, read=read, roots=(".claude/projects/**/*.jsonl",))
