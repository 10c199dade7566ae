"""Codex's records -> events of the past; where they do not show how something went, nothing is held against it."""

from __future__ import annotations

import os
import re

from rulec.agents.protocol import tool_calls
from rulec.agents.protocol.agent_spec import ToolAction, as_mapping, as_text
from rulec.shell.action_events import FILE_KINDS, Event
from rulec.transcripts import codex_records
from rulec.transcripts.edited_lines import edits_of
from rulec.transcripts.human_text import typed_text
from rulec.transcripts.run_output import ran_no_tests, shows_failure

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from rulec.checkout.worktree import Worktree


MARKS = (b'"response_item"', b'"event_msg"', b'"session_meta"')
TYPES = "write_stdin"  # the tool that types into a running command, or waits for it
_GOES_ON = re.compile(r"running with session ID (\d+)")
QUIET = ("update_plan", "web_search", "tool_search", "list_mcp_resources", "read_mcp_resource", "get_goal")
LONGEST_WORDS = 8_000


def may_matter(line: bytes) -> bool:
    """Whether the line may hold something of the past, by its bytes alone."""
    return any(mark in line for mark in MARKS)


class CodexHistory:
    """Takes records in their order; ``events`` gives what happened."""

    def __init__(self, world: Worktree, use: str) -> None:
        self.world, self.use = world, use
        self.words = ""  # the agent's, since a person spoke last
        self._driven = False
        self._at = ""  # the time of the record that is taken
        self._cwd = world.root
        self._events: list[Event] = []
        self._open: dict[str, list[Event]] = {}
        self._shells: dict[str, list[Event]] = {}  # what goes on by itself, by the number that it was given

    def events(self) -> list[Event]:
        """What happened, the oldest first."""
        for event in (one for events in self._open.values() for one in events):
            event.pending = True
        return [event for event in self._events if event.kind != "none"]

    def take(self, record: dict[str, Any]) -> None:
        """Take one record, whatever it holds."""
        payload = as_mapping(record.get("payload"))
        self._at = as_text(record.get("timestamp"))
        kind, what = record.get("type"), as_text(payload.get("type"))
        if kind == "session_meta":
            self._cwd = as_text(payload.get("cwd")) or self._cwd
            self._driven = codex_records.is_driven(payload)
        elif kind == "event_msg":
            if what == "user_message" and not self._driven:
                self._says(_typed(as_text(payload.get("message"))))
            elif what == "thread_rolled_back":
                self._add(ToolAction(kind="gap"))
        elif kind == "response_item":
            self._item(payload, what)

    def _item(self, item: dict[str, Any], what: str) -> None:
        if what == "message" and item.get("role") == "assistant":
            blocks = item.get("content")
            said = [as_text(as_mapping(one).get("text")) for one in blocks] if isinstance(blocks, list) else []
            self.words = "\n".join(filter(None, [self.words, *said])).strip()[-LONGEST_WORDS:]
        elif what.endswith("_output"):
            self._result(as_text(item.get("call_id")) or as_text(item.get("id")), item.get("output"))
        elif what.endswith("_call"):
            call = codex_records.CodexCall(item)
            if call.id == self.use:
                return
            given = as_mapping(call.given)
            if call.tool == TYPES and not as_text(given.get("chars")):  # it only waits for what runs there
                self._open[call.id] = self._shells.get(str(given.get("session_id")), [])
                return
            self._open[call.id] = [self._add(done) for done in _done(call)]

    def _add(self, done: ToolAction) -> Event:
        cwd = os.path.join(self._cwd, done.cwd)
        event = Event(kind=done.kind, tool=done.tool, cwd=self._relative(cwd, ""), began=self._at, command=done.command)
        event.root, event.world = self.world.root, self.world
        if done.path is not None:
            event.whole_path = os.path.normpath(os.path.join(cwd, done.path))
            event.path = self.world.name_of(self.world.relative(event.whole_path))
            event.edits = edits_of(done)
            event.everywhere = any(every for _, _, every in done.edits)
        if done.kind not in ("none", "tool"):
            self._events += [Event(kind="reply", text=self.words)] if self.words else []
            self.words = ""
        self._events.append(event)
        return event

    def _relative(self, cwd: str, path: str) -> str:
        return self.world.relative(os.path.normpath(os.path.join(cwd, path)))

    def _says(self, said: str) -> None:
        if not said:
            return
        if self.words:
            self._events.append(Event(kind="stop", text=self.words))
        self.words = ""
        self._events.append(Event(kind="says", text=said, root=self.world.root, at=self._at))

    def _result(self, call: str, output: object) -> None:
        text, ok, refused = codex_records.call_outcome(output)
        goes_on = _GOES_ON.search(text[: codex_records.HEADER])
        if goes_on:
            self._shells[goes_on[1]] = self._open.get(call, [])
        unknown = ok is None and not goes_on
        unknown = unknown or (ok is False and not codex_records.has_exit_code(output))
        for event in self._open.pop(call, ()):
            event.ok, event.nothing, event.at = ok, ran_no_tests(text), self._at
            event.failed = shows_failure(text)
            event.background = ok is None and not unknown
            never_ran = event.kind == "command" and (refused or unknown)
            if never_ran or (event.kind in FILE_KINDS and ok is not True):
                event.kind = "none"


def _done(call: codex_records.CodexCall) -> list[ToolAction]:
    """The actions of a call; an unknown tool may have done anything."""
    if call.done is not None:
        return call.done
    if call.tool in codex_records.READS:
        path = tool_calls.first_argument(as_mapping(call.given), tool_calls.PLACE)
        return [ToolAction(kind="read", path=path)]
    return [ToolAction(kind="tool" if call.tool in QUIET else "gap", tool=call.tool)]


def _typed(message: str) -> str:
    """The words of a person in this message, or ""; what begins as a tag may be any program's."""
    said = codex_records.typed_message(message)
    return "" if said.startswith("<") else typed_text(said)
