"""Cline's ``ui_messages.json``: what the person saw, said and was asked."""

import json
import re
from collections.abc import Iterator

from rulec.domain.transcript import Action, Turn
from rulec.transcripts import human_text
from rulec.transcripts.formats._cline_calls import shown_actions
from rulec.transcripts.reading import json_documents
from rulec.transcripts.reading.json_records import Record, as_object, as_string
from rulec.transcripts.reading.turn_builder import TurnBuilder

_CWD = re.compile(r"^# Current W(?:orking|orkspace) Directory \(([^()\n]{1,500})\) Files$", re.MULTILINE)
_WORDS = ("text", "completion_result", "followup", "plan_mode_respond")
_TOOLS = ("tool", "use_mcp_server", "browser_action_launch")
_ASKED_FIRST = " REQ_APP"  # behind a command that needed the person's yes


class ClineMessages:
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
        text, at = as_string(message.get("text")), json_documents.iso_time(message.get("ts"))
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
        if kind in ("command", *_TOOLS, *_WORDS) and text.strip() and self.session.waiting:
            yield from self.session.flush()
        if kind in _WORDS:
            self.session.say(_words(text), line, at)
        elif kind in _TOOLS:
            self._open(shown_actions(self._name(), _json(text), self.session.path), line, at, asked=asked)
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
        return as_object(json.loads(text))
    except (ValueError, RecursionError):
        return {}
