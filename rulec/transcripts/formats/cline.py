"""Cline and Roo Code: ``tasks/TASK/ui_messages.json``, one JSON list of what the person saw."""

import json
import re
from collections.abc import Iterable, Iterator

from rulec.agents.protocol.agent_spec import as_mapping
from rulec.domain.transcript import Action, ActionKind, TranscriptFormat, Turn, UnreadableLine
from rulec.transcripts import human_text
from rulec.transcripts.reading import json_records, tool_actions
from rulec.transcripts.reading.json_records import Record, as_string, summary
from rulec.transcripts.reading.turn_builder import TurnBuilder

_SHOWN: dict[str, ActionKind] = {
    "newFileCreated": "write", "editedExistingFile": "edit", "appliedDiff": "edit", "insertContent": "edit",
    "searchAndReplace": "edit", "fileDeleted": "delete", "readFile": "read", "listFilesTopLevel": "read",
    "listFilesRecursive": "read", "listCodeDefinitionNames": "read", "searchFiles": "read", "codebaseSearch": "read",
}  # fmt: skip
_MARK = re.compile(r"(?:[-<]{3,} SEARCH>?|(={3,})|[+>]{3,} REPLACE>?)\s*")


def _actions(call: str, given: Record, path: tool_actions.MakePath) -> list[Action]:
    """The actions of one tool as the person saw it."""
    tool = as_string(given.get("tool")) or as_string(given.get("toolName")) or "tool"
    kind, place = _SHOWN.get(tool, "other"), path(as_string(given.get("path")))
    content = as_string(given.get("content"))
    if kind == "write":
        return [Action(kind=kind, id=call, tool=tool, path=place, new=content)]
    if kind == "edit":
        return _edits(call, tool, place, as_string(given.get("diff")) or content)
    return [Action(kind=kind, id=call, tool=tool, path=place, output="" if kind == "delete" else summary(given))]


def _edits(call: str, tool: str, place: str, diff: str) -> list[Action]:
    blocks = list(_searched(diff))
    if not blocks:
        old, new = _hunks(diff) if "\n@@ " in f"\n{diff}" else ("", diff)
        blocks = [(old, new)]
    return [Action(kind="edit", id=call, tool=tool, path=place, old=old, new=new) for old, new in blocks]


def _searched(diff: str) -> Iterator[tuple[str, str]]:
    """Old and new text of every SEARCH/REPLACE block."""
    sides: tuple[list[str], list[str]] = ([], [])
    side = -1
    for line in diff.split("\n"):
        mark = _MARK.fullmatch(line)
        if mark and "SEARCH" in line:
            sides, side = ([], []), 0
        elif mark and mark[1] and side == 0:
            side = 1
        elif mark and "REPLACE" in line and side == 1:
            yield "\n".join(sides[0]), "\n".join(sides[1])
            side = -1
        elif side >= 0 and not (
            side == 0 and not sides[0] and line.startswith((":start_line:", ":end_line:", "-----"))
        ):
            sides[side].append(line)


def _hunks(diff: str) -> tuple[str, str]:
    lines = [line for line in diff.split("\n") if not line.startswith(("---", "+++", "@@", "Index:", "=====", "\\"))]
    old = [line[1:] for line in lines if not line.startswith("+")]
    new = [line[1:] for line in lines if not line.startswith("-")]
    return "\n".join(old), "\n".join(new)


_CWD = re.compile(r"^# Current W(?:orking|orkspace) Directory \(([^()\n]{1,500})\) Files$", re.MULTILINE)
_WORDS = ("text", "completion_result", "followup", "plan_mode_respond")
_TOOLS = ("tool", "use_mcp_server", "browser_action_launch")
_ASKED_FIRST = " REQ_APP"  # behind a command that needed the person's yes


class _ClineReader:
    """What has to be remembered between the messages of one file."""

    def __init__(self) -> None:
        self.session = TurnBuilder("cline")
        self.begun = False
        self.before: tuple[int, Record] | None = None
        self.call = ""  # of the action that is open
        self.asked = False  # the person has to allow it
        self.refused = False  # the person just did not
        self.output: list[str] = []
        self.number = 0

    def take(self, line: int, message: Record) -> Iterator[Turn]:
        """The turns that this message completes: those of the one before, for what follows it says what it meant."""
        before, self.before = self.before, (line, message)
        if before:
            yield from self._take(*before, message)

    def _take(self, line: int, message: Record, after: Record) -> Iterator[Turn]:
        kind = as_string(message.get("say")) or as_string(message.get("ask"))
        text, at = as_string(message.get("text")), json_records.iso_time(message.get("ts"))
        if kind == "command_output":
            self.output.append(text)
            return
        said = message.get("type") == "say"
        if not self.begun and at:
            self.session.id = str(message["ts"])  # the task's folder is named so, give or take
        feedback = said and kind == "user_feedback"
        self._close(rejected=feedback and self.asked and not self.output and after.get("say") != "command_output")
        if feedback or (said and kind in ("text", "task") and not self.begun):
            yield from self.session.human(
                "rejection" if self.refused else "typed", human_text.typed_text(text), line, at
            )
        elif not message.get("partial"):
            yield from self._agent(kind, text, line, at, asked=not said)
        self.begun = True

    def end(self) -> Iterator[Turn]:
        """The turns that are left when the file ends."""
        if self.before:
            yield from self._take(*self.before, {})
        self._close(rejected=False)
        yield from self.session.flush()

    def _agent(self, kind: str, text: str, line: int, at: str, *, asked: bool) -> Iterator[Turn]:
        if kind in ("command", *_TOOLS, *_WORDS) and text.strip():
            yield from self.session.go_on()
        if kind in _WORDS:
            self.session.say(_words(text), line, at)
        elif kind in _TOOLS:
            self._open(_actions(self._name(), _json(text), self.session.path), line, at, asked=asked)
        elif kind == "command":
            command = text.removesuffix(_ASKED_FIRST.strip()).removesuffix(" ")
            self._open(
                [Action(kind="command", id=self._name(), tool="command", command=command)], line, at, asked=asked
            )
        elif kind == "resume_task":
            self.session.interrupt()
        elif kind == "api_req_started" and ("cancelReason" in text or not self.session.cwd):
            self._request(_json(text))  # the others are long, and tell nothing new

    def _request(self, request: Record) -> None:
        if request.get("cancelReason") == "user_cancelled":
            self.session.interrupt()
        if not self.session.cwd and (found := _CWD.search(as_string(request.get("request")))):
            self.session.cwd = found[1]

    def _name(self) -> str:
        self.number += 1
        return f"{self.number}"

    def _open(self, actions: list[Action], line: int, at: str, *, asked: bool) -> None:
        self.call, self.asked = actions[0].id, asked
        self.session.call(self.call, actions, line, at)

    def _close(self, *, rejected: bool) -> None:
        """The open action is done, or refused."""
        self.refused = rejected and bool(self.call)
        if self.call:
            ok = False if rejected else None
            self.session.result(self.call, "\n".join(self.output), ok=ok, rejected=rejected)
        self.call, self.asked, self.output = "", False, []


def _words(text: str) -> str:
    """The agent's words, which some versions wrap in JSON."""
    inner = _json(text) if text.startswith("{") else {}
    return as_string(inner.get("question")) or as_string(inner.get("response")) or text


def _json(text: str) -> Record:
    try:
        return as_mapping(json.loads(text))
    except (ValueError, RecursionError):
        return {}


_LIST = re.compile(
    rb'(?:\xef\xbb\xbf)?\s*\[\s*\{\s*"ts"\s*:\s*\d+\s*,\s*"type"\s*:\s*"(?:say|ask)"\s*,\s*"(?:say|ask)"'
)
# api_conversation_history.json, which lies beside it: results of tools stand there where a person's words do
_SENT = re.compile(
    rb'(?:\xef\xbb\xbf)?\s*\[\s*\{\s*"role"\s*:\s*"user"\s*,\s*"content"\s*:\s*(?:"|\[\s*\{\s*"type"\s*:\s*"text"\s*,'
    rb'\s*"text"\s*:\s*")(?:\\n)*<(?:task|user_message|explicit_instructions type=[^>]{1,80})>'
)


def recognises(head: bytes) -> bool:
    """Whether the file opens as the list of what the person saw, or as that of what the model was sent."""
    return bool(_LIST.match(head) or _SENT.match(head))


def read(lines: Iterable[bytes]) -> Iterator[Turn | UnreadableLine]:
    """Turns in file order; the file is gathered whole, and refused where it is larger than ``json_records.LIMIT``."""
    text, reading = json_records.gather_text(lines), _ClineReader()
    for found in json_records.document_members(text) if isinstance(text, str) else (text,):
        if isinstance(found, UnreadableLine):
            yield found
        elif "role" in as_mapping(found.value):
            yield UnreadableLine(found.line, "what the model was sent: name the ui_messages.json that lies beside it")
            return
        else:
            yield from reading.take(found.line, as_mapping(found.value))
    yield from reading.end()


_STORES = (".config/Code/User/globalStorage", "Library/Application Support/Code/User/globalStorage")
_EXTENSIONS = ("saoudrizwan.claude-dev", "rooveterinaryinc.roo-cline")

PLUG = TranscriptFormat(
    name="cline",
    recognises=recognises,
    read=read,
    roots=(
        *(f"{store}/{name}/tasks/*/ui_messages.json" for store in _STORES for name in _EXTENSIONS),
        ".cline/data/tasks/*/ui_messages.json",
    ),
)
