"""OpenCode: what ``opencode export`` writes, one JSON object of a session and its messages."""

import re
from collections.abc import Iterable, Iterator
from typing import Any

from rulec.model.transcript import Damage, Turn
from rulec.ports import Reader
from rulec.readers import _opencode_parts, _tools, _whole
from rulec.readers._jsonl import Record, blocks, mapping, string
from rulec.readers._session import Session
from rulec.runtime import human

_START = re.compile(rb'(?:\xef\xbb\xbf)?\s*\{\s*"info"\s*:\s*\{')
_ID = re.compile(rb'"id"\s*:\s*"ses_')
_WRITTEN = ("subtask", "compaction")  # parts of messages that OpenCode sends in the person's name


def recognises(head: bytes) -> bool:
    """Whether the file opens with the description of an OpenCode session."""
    return bool(_START.match(head) and _ID.search(head))


def read(lines: Iterable[bytes]) -> Iterator[Turn | Damage]:
    """Turns in file order; the file is gathered whole, and refused where it is larger than ``_whole.LIMIT``."""
    text = _whole.gather(lines)
    if isinstance(text, Damage):
        yield text
        return
    reading = _Reading(_info(text))
    for found in _whole.members(text):
        if isinstance(found, Damage):
            yield found
        elif found.key == "messages":
            yield from reading.take(found.line, mapping(found.value))
    yield from reading.session.flush()


def _info(text: str) -> Record:
    """The session's description, wherever it stands in the file."""
    found = (member for member in _whole.members(text) if not isinstance(member, Damage) and member.key == "info")
    first = next(found, None)
    return mapping(first.value) if first else {}


class _Reading:
    """What has to be remembered between the messages of one file."""

    def __init__(self, info: Record) -> None:
        self.session = Session("opencode", string(info.get("id")), string(info.get("directory")))
        self.driven = bool(info.get("parentID"))  # a sub-agent's session: its prompts are the parent agent's

    def take(self, line: int, message: Record) -> Iterator[Turn]:
        """The turns that this message completes."""
        info, parts = mapping(message.get("info")), _parts(message.get("parts"))
        at = _whole.moment(mapping(info.get("time")).get("created"))
        if info.get("role") == "user" and not self.driven:
            if not any(part.get("type") in _WRITTEN for part in parts):
                yield from self.session.human("typed", _typed(parts), line, at)
        elif info.get("role") == "assistant" and info.get("summary") is not True:
            yield from self._agent(line, at, info, parts)

    def _agent(self, line: int, at: str, info: Record, parts: list[Record]) -> Iterator[Turn]:
        if self.session.waiting:
            yield from self.session.flush()
        for part in parts:
            if part.get("type") == "text" and not part.get("synthetic"):
                self.session.say(string(part.get("text")), line, at)
            elif part.get("type") == "tool":
                yield from self._call(line, at, part, string(mapping(info.get("path")).get("cwd")))
        if mapping(info.get("error")).get("name") == "MessageAbortedError":
            self.session.interrupt()

    def _call(self, line: int, at: str, part: Record, cwd: str) -> Iterator[Turn]:
        call, tool, state = string(part.get("callID")), string(part.get("tool")), mapping(part.get("state"))

        def path(name: str) -> str:
            return self.session.path(name, cwd)

        done = _tools.actions(call, tool, mapping(state.get("input")), path, _opencode_parts.KINDS)
        output, ok = _opencode_parts.outcome(state)
        refused = _opencode_parts.refused(tool, state)
        self.session.call(call, done, line, at)
        self.session.result(call, output, ok=ok, rejected=refused)
        if refused and not self.driven:
            yield from self.session.human("rejection", _opencode_parts.reason(state), line, at)
        if _opencode_parts.aborted(state):
            self.session.interrupt()


def _parts(value: Any) -> list[Record]:
    return blocks(value) if isinstance(value, list) else []


def _typed(parts: list[Record]) -> str:
    """The words a person typed: OpenCode marks the texts that it adds."""
    texts = [
        string(part.get("text"))
        for part in parts
        if part.get("type") == "text" and not part.get("synthetic") and not part.get("ignored")
    ]
    return human.typed("\n".join(filter(None, texts)))


# Exports have no home of their own; this is where OpenCode keeps its data.
PLUG = Reader(name="opencode", recognises=recognises, read=read, roots=(".local/share/opencode/*.json",))
