"""Claude Code's records -> events of the past: what ran and how it went, what was read and written, who said what."""

from __future__ import annotations

import os

from rulec.agents.protocol.agent_spec import ToolAction, as_mapping, as_text
from rulec.shell.action_events import Event
from rulec.transcripts import claude_records
from rulec.transcripts.edited_lines import edits_of
from rulec.transcripts.human_text import command_arguments, is_command, is_rejection, rejection_reason
from rulec.transcripts.run_output import ran_no_tests, shows_failure

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from rulec.checkout.worktree import Worktree


MARKS = (b'"message"', b'"queued_command"', b'"queue-operation"')
UNREAD = (b'"type":"progress"', b'"type":"file-history-snapshot"', b'"type":"system"')
HEAD = 400  # bytes of a line in which its type stands
DELEGATES = ("Task", "Agent")  # behind them another agent works, unseen here
LONGEST_WORDS = 8_000
QUEUED = 200
OBJECTED = "Stop hook feedback"  # how the program begins what a hook has against the end of a turn


def may_matter(line: bytes) -> bool:
    """Whether the line may hold something of the past, by its bytes alone."""
    return any(mark in line for mark in MARKS) and not any(mark in line[:HEAD] for mark in UNREAD)


class ClaudeHistory:
    """Takes records in their order; ``events`` gives what happened."""

    def __init__(self, world: Worktree, use: str, *, inside: bool) -> None:
        self.world, self.use, self.inside = world, use, inside
        self.words = ""  # the agent's, since a person spoke last
        self._events: list[Event] = []
        self._open: dict[str, list[Event]] = {}  # calls without a result so far
        self._asked: dict[str, list[str]] = {}  # the questions of forms without an answer so far
        self._queued: list[str] = []
        self._at = ""  # the time of the record that is taken
        self._template = ""  # when a slash command was recorded: its expansion has the same time, and is nobody's words

    def events(self) -> list[Event]:
        """What happened, the oldest first."""
        for event in (one for events in self._open.values() for one in events):
            event.pending = True
        return [event for event in self._events if event.kind != "none"]

    def take(self, record: dict[str, Any]) -> None:
        """Take one record, whatever it holds."""
        if (record.get("isSidechain") is True) != self.inside:
            return
        self._at = as_text(record.get("timestamp"))
        kind = record.get("type")
        if kind == "assistant":
            self._agent(record)
        elif kind == "user":
            self._user(record)
        elif kind == "attachment":
            attached = as_mapping(record.get("attachment"))
            if attached.get("type") == "queued_command" and not claude_records.is_foreign(attached):
                self._queue(_words(attached.get("prompt")))
        elif kind == "queue-operation" and record.get("operation") == "enqueue":
            self._queue(_words(record.get("content")))

    def _agent(self, record: dict[str, Any]) -> None:
        for block in claude_records.message_blocks(record):
            if block.get("type") == "text" and not record.get("isApiErrorMessage"):
                self.words = f"{self.words}\n{as_text(block.get('text'))}".strip()[-LONGEST_WORDS:]
            elif block.get("type") == "tool_use" and block.get("id") != self.use:
                self._call(block, as_text(record.get("cwd")) or self.world.root)

    def _call(self, block: dict[str, Any], cwd: str) -> None:
        tool, given = as_text(block.get("name")), as_mapping(block.get("input"))
        done_by_it = [own] if (own := claude_records.tool_action(tool, given)) else _others(tool, given)
        events = [event for done in done_by_it if (event := self._event(tool, done, cwd))]
        if not events:
            return
        call = as_text(block.get("id"))
        for event in events:
            event.background = given.get("run_in_background") is True
        if tool == claude_records.ASKS:
            self._asked[call] = claude_records.questions_of(given)
        self._told()
        self._events += events
        self._open[call] = events

    def _event(self, tool: str, done: ToolAction, cwd: str) -> Event | None:
        cwd = os.path.join(cwd, done.cwd)
        event = Event(kind=done.kind, cwd=self._relative(cwd, ""), tool=tool, began=self._at, command=done.command)
        event.root, event.world = self.world.root, self.world
        if done.path:
            event.path, event.whole_path = self._names(cwd, done.path)
            event.edits = edits_of(done)
            event.everywhere = any(every for _, _, every in done.edits)
        elif done.kind not in ("command", "gap", "none", "tool"):
            return None
        return event

    def _told(self) -> None:
        """Note what the agent said before it acts."""
        if self.words:
            self._events.append(Event(kind="reply", text=self.words))
        self.words = ""

    def _relative(self, cwd: str, path: str) -> str:
        return self.world.relative(os.path.normpath(os.path.join(cwd, os.path.expanduser(path))))

    def _names(self, cwd: str, path: str) -> tuple[str, str]:
        """A file as rules name it, and its absolute path."""
        whole = os.path.normpath(os.path.join(cwd, os.path.expanduser(path)))
        return self.world.name_of(self.world.relative(whole)), whole

    def _user(self, record: dict[str, Any]) -> None:
        texts = []
        for block in claude_records.message_blocks(record):
            if block.get("type") == "tool_result":
                self._result(block, record)
            elif block.get("type") == "text":
                texts.append(as_text(block.get("text")))
        if self.words and any(text.startswith(OBJECTED) for text in texts):
            self._events.append(Event(kind="stop", text=self.words))
            self.words = ""
        if not texts or claude_records.is_machine(record) or (self._at and self._at == self._template):
            return
        command = next((text for text in texts if is_command(text)), "")
        self._template = self._at if command else ""
        said = _slash(command) if command else claude_records.typed_words(texts)
        if said in self._queued:
            self._queued.remove(said)
        else:
            self._says(said)

    def _queue(self, said: str) -> None:
        """Take a message that a person typed while the agent worked; a later record may repeat it."""
        if said and said not in self._queued:
            self._queued = [*self._queued, said][-QUEUED:]
            self._says(said)

    def _says(self, said: str) -> None:
        if not said:
            return
        if self.words:
            self._events.append(Event(kind="stop", text=self.words))
        self.words = ""
        self._events.append(Event(kind="says", text=said, root=self.world.root, at=self._at))

    def _result(self, block: dict[str, Any], record: dict[str, Any]) -> None:
        output = _words(block.get("content"), raw=True)
        call = as_text(block.get("tool_use_id"))
        asked = self._asked.pop(call, None)
        for event in self._open.pop(call, ()):
            event.ok, event.at = block.get("is_error") is not True, self._at
            event.nothing, event.failed = ran_no_tests(output), shows_failure(output)
            if asked is not None and event.ok:
                self._form(claude_records.form_answers(asked, record.get("toolUseResult"), output))
            if event.ok:
                continue
            if event.kind != "command" or not _ran(output):
                event.kind = "none"  # it was refused, by a person, a hook or the program
            # other people's tools write what they like
            if is_rejection(output) and not event.tool.startswith("mcp__"):
                self._says(rejection_reason(output))

    def _form(self, answers: list[tuple[str, str]]) -> None:
        """A form of questions, and what a person chose or typed: each is a turn of the agent and one of the person."""
        for question, answer in answers:
            self._events.append(Event(kind="stop", text=question[-LONGEST_WORDS:]))
            self._says(answer[:LONGEST_WORDS])


def _ran(output: str) -> bool:
    """Whether the result of a failed command is that of one which ran."""
    refused = any(word in output[:200].lower() for word in ("hook", "permission", "denied"))
    return output.startswith("Exit code") or (output.startswith("Error: ") and not refused)


def _others(tool: str, given: Mapping[str, object]) -> list[ToolAction]:
    """The actions of another server's tool, or of one that no rule judges but that may be what had to come first."""
    if tool.startswith("mcp__"):
        from rulec.agents.protocol import mcp_tools  # noqa: PLC0415 (few calls are of other servers)

        done = mcp_tools.mcp_actions(tool, given)
        if done:
            return done
    return [_other(tool, given)]


def _other(tool: str, given: Mapping[str, object]) -> ToolAction:
    path = claude_records.path_argument(given)
    if tool in claude_records.READS:
        return ToolAction(kind="read", path=path)
    if tool in DELEGATES:
        return ToolAction(kind="gap")
    name = tool.rpartition("__")[2].lower() if tool.startswith("mcp__") else ""
    if name and path and name.startswith(("read", "view", "get", "open")):
        return ToolAction(kind="read", path=path)
    return ToolAction(kind="tool")


def _slash(text: str) -> str:
    """A slash command as a person typed it, with its name."""
    name = text.partition("<command-name>")[2].partition("</command-name>")[0].strip()
    return f"{name} {command_arguments(text)}".strip()


def _words(value: object, *, raw: bool = False) -> str:
    """The text of content that is a string or a list of blocks; only what a person typed unless it is asked for raw."""
    if isinstance(value, list):
        value = "\n".join(as_text(block.get("text")) for block in value if isinstance(block, dict))
    return as_text(value) if raw else claude_records.queued_words(as_text(value))
