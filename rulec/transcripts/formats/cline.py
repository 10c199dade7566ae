"""Cline and Roo Code: ``tasks/TASK/ui_messages.json`` and ``api_conversation_history.json``, each one JSON list."""

import re
from collections import deque
from collections.abc import Iterable, Iterator

from rulec.agents.protocol.agent_spec import as_mapping, decode_arguments
from rulec.domain.transcript import TranscriptFormat, Turn, UnreadableLine
from rulec.transcripts import human_text
from rulec.transcripts.formats._cline_messages import KINDS, ClineMessages, called_actions, tagged_calls
from rulec.transcripts.reading import json_records
from rulec.transcripts.reading.json_records import Record, as_string, content_blocks, content_text
from rulec.transcripts.reading.turn_builder import TurnBuilder

_HEADER = re.compile(r"\[(\w++)(?: for '[^\n]*'|[^\n\]]*+)\] Result:(?: Done)?[ \t]*(?:\n|\Z)")
_DENIED = "The user denied this operation"
_WHY = re.compile(_DENIED + r"\b.{0,40}\bfollowing feedback:", re.DOTALL)
_ANSWERED = frozenset(("attempt_completion", "ask_followup_question", "plan_mode_respond", "new_task", "condense"))
_BELIEVED = frozenset(name for name, kind in KINDS.items() if kind in ("command", "write", "edit"))
_SAID = (
    "<feedback>", "<answer>", "<user_message>", "The user provided the following feedback:\n<feedback>",
    "The user has provided feedback on the results.", "The user provided feedback", "New instructions for task",
    "You seem to be having trouble proceeding. The user has provided", "[TASK RESUMPTION]",
)  # fmt: skip
_OPENING = re.compile(r"<(feedback|answer|user_message)>")
_EXPLICIT = "<explicit_instructions", "</explicit_instructions>"
_CWD = re.compile(r"^# Current W(?:orking|orkspace) Directory \(([^()\n]{1,500})\) Files$", re.MULTILINE)
_SKIPPED = re.compile(r"Tool \[(\w++)\] was not executed")
_FAILED = ("The tool execution failed", "[ERROR]", "Error", '{"status":"error"', "Tool [")
_CODE = re.compile(r"[Ee]xit code:? (-?\d+)")


class ClineHistory:
    """What has to be remembered between the messages of one file."""

    def __init__(self) -> None:
        self.session = TurnBuilder("cline")
        self.begun = False
        self.calls: dict[str, deque[str]] = {}  # open calls by tool: results name no more than that
        self.commands: dict[str, str] = {}  # and the command, which may have many lines, by call
        self.tools: dict[str, str] = {}  # tools by call
        self.number = 0

    def take(self, line: int, message: Record) -> Iterator[Turn]:
        """The turns that this message completes."""
        at = json_records.iso_time(message.get("ts"))
        content = content_blocks(message.get("content"))
        if message.get("isSummary"):
            return
        if message.get("role") == "assistant":
            yield from self._agent(content, line, at)
        elif message.get("role") == "user":
            yield from self._user(content, line, at)
            self.begun = True

    def end(self) -> Iterator[Turn]:
        """The turns that are left when the file ends."""
        yield from self.session.flush()

    def _agent(self, content: list[Record], line: int, at: str) -> Iterator[Turn]:
        yield from self.session.go_on()
        self.calls, self.tools, self.commands = {}, {}, {}
        for block in content:
            if block.get("type") == "text":
                words, calls = tagged_calls(as_string(block.get("text")))
                self.session.say(words, line, at)
                for tool, given in calls:
                    self._call("", tool, given, line, at)
            elif block.get("type") == "tool_use":
                given = as_mapping(block.get("input"))
                self._call(as_string(block.get("id")), as_string(block.get("name")), given, line, at)

    def _call(self, name: str, tool: str, given: Record, line: int, at: str) -> None:
        if tool in _ANSWERED:
            self.tools[name] = tool
            self.session.say(as_string(given.get("result") or given.get("question") or given.get("response")), line, at)
            return
        self.number += 1
        name = name or f"{self.number}"
        self.calls.setdefault(tool, deque()).append(name)
        self.tools[name] = tool
        self.commands[name] = as_string(given.get("command"))
        self.session.call(name, called_actions(name, tool, given, self.session.path), line, at)

    def _user(self, content: list[Record], line: int, at: str) -> Iterator[Turn]:
        told: list[tuple[bool, str]] = []  # whether it refuses a call, and the words
        bare = ""  # the tool whose result is the next block: the first versions wrote it so
        for block in content:
            if block.get("type") == "tool_result":
                name = as_string(block.get("tool_use_id"))
                told.append(self._result(name, self.tools.get(name, ""), content_text(block.get("content"))))
            elif block.get("type") == "text":
                text = as_string(block.get("text"))
                if bare:
                    told.append(self._result(self._named(bare), bare, text))
                    bare = ""
                elif header := self._header(text):
                    bare = header[0] if not header[1].strip() else ""
                    if not bare:
                        told.append(self._result(self._named(header[0]), *header))
                elif skipped := _SKIPPED.match(text):
                    self._result(self._named(skipped[1]), "", text)
                else:
                    told.append((False, self._said(text)))
        for refusal, words in told:
            yield from self.session.human("rejection" if refusal else "typed", human_text.typed_text(words), line, at)

    def _header(self, text: str) -> tuple[str, str] | None:
        """Tool and output of a result with its header."""
        for tool, waiting in self.calls.items():
            command = self.commands.get(waiting[0], "") if waiting else ""
            if "\n" in command and text.startswith(f"[{tool} for '"):  # its lines may imitate the end of the header
                header = f"[{tool} for '{command}'] Result:\n"
                return (tool, text[len(header) :]) if text.startswith(header) else None
        found = _HEADER.match(text)
        return (found[1], text[found.end() :]) if found else None

    def _named(self, tool: str) -> str:
        waiting = self.calls.get(tool)
        return waiting.popleft() if waiting else ""

    def _result(self, name: str, tool: str, output: str) -> tuple[bool, str]:
        """Join a result to its call; gives the words of a person in it, where only Cline can have written them."""
        if tool in _ANSWERED:
            return False, self._said(output)
        denied = tool in _BELIEVED and output.startswith((_DENIED, '{"status":"denied"'))
        self.session.result(name, output, ok=_went_well(tool, output, denied=denied), rejected=denied)
        if not denied:
            return False, ""
        return True, _tagged(output) if _WHY.match(output) else as_string(
            as_mapping(decode_arguments(output)).get("feedback")
        )

    def _said(self, text: str) -> str:
        """A person's words in a block that is no result."""
        if text.startswith("<environment_details>"):
            if not self.session.cwd and (found := _CWD.search(text)):
                self.session.cwd = found[1]
            return ""
        if text.startswith("[TASK RESUMPTION]"):
            self.session.interrupt()
        if text.startswith(_EXPLICIT[0]):
            text = text.partition(_EXPLICIT[1])[2].lstrip()
        if not self.begun and text.startswith("<task>"):
            return text.removeprefix("<task>").partition("</task>")[0]
        return _tagged(text) if text.lstrip().startswith(_SAID) else ""


def _tagged(text: str) -> str:
    """The text in the first tag that holds a person's words."""
    found = _OPENING.search(text)
    return text[found.end() :].partition(f"</{found[1]}>")[0] if found else ""


def _went_well(tool: str, output: str, *, denied: bool) -> bool | None:
    if denied or output.startswith(_FAILED):
        return False
    if KINDS.get(tool) != "command":
        return True
    code = _CODE.search(output[:300].partition("Output:")[0])
    return int(code[1]) == 0 if code else None


_SHOWN = re.compile(
    rb'(?:\xef\xbb\xbf)?\s*\[\s*\{\s*"ts"\s*:\s*\d+\s*,\s*"type"\s*:\s*"(?:say|ask)"\s*,\s*"(?:say|ask)"'
)
_HISTORY = re.compile(
    rb'(?:\xef\xbb\xbf)?\s*\[\s*\{\s*"role"\s*:\s*"user"\s*,\s*"content"\s*:\s*(?:"|\[\s*\{\s*"type"\s*:\s*"text"\s*,'
    rb'\s*"text"\s*:\s*")(?:\\n)*<(?:task|user_message|explicit_instructions type=[^>]{1,80})>'
)


def recognises(head: bytes) -> bool:
    """Whether the file opens as one of the two lists."""
    return bool(_SHOWN.match(head) or _HISTORY.match(head))


def read(lines: Iterable[bytes]) -> Iterator[Turn | UnreadableLine]:
    """Turns in file order; the file is gathered whole, and refused where it is larger than ``_whole.LIMIT``."""
    text = json_records.gather_text(lines)
    reading: ClineMessages | ClineHistory | None = None
    for found in json_records.document_members(text) if isinstance(text, str) else (text,):
        if isinstance(found, UnreadableLine):
            yield found
            continue
        message = as_mapping(found.value)
        if reading is None:
            reading = ClineHistory() if "role" in message else ClineMessages()
        yield from reading.take(found.line, message)
    if reading:
        yield from reading.end()


_STORES = (".config/Code/User/globalStorage", "Library/Application Support/Code/User/globalStorage")
_EXTENSIONS = ("saoudrizwan.claude-dev", "rooveterinaryinc.roo-cline")

# Not api_conversation_history.json: it repeats what the person said and saw.
PLUG = TranscriptFormat(
    name="cline",
    recognises=recognises,
    read=read,
    roots=(
        *(f"{store}/{name}/tasks/*/ui_messages.json" for store in _STORES for name in _EXTENSIONS),
        ".cline/data/tasks/*/ui_messages.json",
    ),
)
