"""Codex's records -> events of the past; where they do not show how something went, nothing is held against it."""

import json
import os
import re

from rulec.agents.protocol import patches, tool_calls
from rulec.agents.protocol.agent_spec import as_mapping, as_text
from rulec.transcripts.human_text import typed_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from rulec.checkout.worktree import Worktree


MARKS = (b'"response_item"', b'"event_msg"', b'"session_meta"')
SHELLS = ("shell", "shell_command", "exec_command", "local_shell", "unified_exec", "container.exec")
READS = ("read_file", "list_dir", "grep_files", "view_image")
QUIET = ("update_plan", "web_search", "tool_search", "list_mcp_resources", "read_mcp_resource", "get_goal")
PROGRAMS = ("exec", "sdk", "mcp")  # sessions that a program drives: what is asked there is nobody's word
MACHINE = ("<", "# AGENTS.md instructions", "Another language model started to solve this problem")
BESIDE = ("# Context from my IDE setup", "# Files mentioned by the user", "# Selected text:")
REQUEST = "## My request for Codex"
LONGEST_WORDS = 8_000
HEADER = 1_000  # the exit code stands before the output, which could say anything
_CODE = re.compile(r"^(?:Exit code:|Process exited with code) (-?\d+)", re.MULTILINE)


def may_matter(line: bytes) -> bool:
    """Whether the line may hold something of the past, by its bytes alone."""
    return any(mark in line for mark in MARKS)


class CodexHistory:
    """Takes records in their order; ``events`` gives what happened."""

    def __init__(self, world: "Worktree", use: str) -> None:
        self.world, self.use = world, use
        self.words = ""  # the agent's, since a person spoke last
        self._driven = False
        self._cwd = world.root
        self._events: "list[dict[str, Any]]" = []
        self._open: "dict[str, list[dict[str, Any]]]" = {}

    def events(self) -> "list[dict[str, Any]]":
        """What happened, the oldest first."""
        return [event for event in self._events if event["kind"] != "none"]

    def take(self, record: "dict[str, Any]") -> None:
        """Take one record, whatever it holds."""
        payload = as_mapping(record.get("payload"))
        kind, what = record.get("type"), as_text(payload.get("type"))
        if kind == "session_meta":
            self._cwd = as_text(payload.get("cwd")) or self._cwd
            asker = payload.get("source")
            told = as_text(payload.get("originator"))
            self._driven = isinstance(asker, dict) or asker in PROGRAMS or any(name in told for name in PROGRAMS)
        elif kind == "event_msg":
            if what == "user_message" and not self._driven:
                self._says(_typed(as_text(payload.get("message"))))
            elif what == "thread_rolled_back":
                self._add({"kind": "gap"})
        elif kind == "response_item":
            self._item(payload, what)

    def _item(self, item: "dict[str, Any]", what: str) -> None:
        call = as_text(item.get("call_id")) or as_text(item.get("id"))
        if what == "message" and item.get("role") == "assistant":
            blocks = item.get("content")
            said = [as_text(as_mapping(one).get("text")) for one in blocks] if isinstance(blocks, list) else []
            self.words = "\n".join(filter(None, [self.words, *said])).strip()[-LONGEST_WORDS:]
        elif what.endswith("_output"):
            self._result(call, item.get("output"))
        elif what.endswith("_call") and call != self.use:
            self._open[call] = [self._add(done) for done in _done(item, what)]

    def _add(self, done: "dict[str, Any]") -> "dict[str, Any]":
        cwd = os.path.join(self._cwd, as_text(done.get("cwd")))
        event: "dict[str, Any]" = {
            "kind": done["kind"],
            "ok": None,
            "tool": as_text(done.get("tool")),
            "root": self.world.root,
        }
        event.update(cwd=self._relative(cwd, ""), world=self.world)
        if done["kind"] == "command":
            event["command"] = done["command"]
        elif "path" in done:
            event["path"] = self._relative(cwd, done["path"])
        if done["kind"] not in ("none", "tool"):
            self._events += [{"kind": "reply", "text": self.words}] if self.words else []
            self.words = ""
        self._events.append(event)
        return event

    def _relative(self, cwd: str, path: str) -> str:
        return self.world.relative(os.path.normpath(os.path.join(cwd, path)))

    def _says(self, said: str) -> None:
        if not said:
            return
        if self.words:
            self._events.append({"kind": "stop", "text": self.words})
        self.words = ""
        self._events.append({"kind": "says", "text": said, "root": self.world.root})

    def _result(self, call: str, output: object) -> None:
        ok = _went_well(output)
        for event in self._open.pop(call, ()):
            event["ok"] = ok
            refused = event["kind"] == "command" and ok is None and not _running(output)
            if refused or (event["kind"] in ("write", "edit", "delete") and ok is not True):
                event["kind"] = "none"


def _done(item: "dict[str, Any]", what: str) -> "list[dict[str, Any]]":
    """What a call does; one that nobody knows may have done anything."""
    name = as_text(item.get("name")) or what[: -len("_call")]
    given = item.get("arguments", item.get("action", item.get("input")))
    if isinstance(given, str) and given.lstrip().startswith("{"):
        try:
            given = json.loads(given)
        except (ValueError, RecursionError):
            given = {}
    if name == "apply_patch":
        return patches.patch_actions(
            given if isinstance(given, str) else tool_calls.first_argument(as_mapping(given), tool_calls.PATCH)
        )
    if name in SHELLS:
        return tool_calls.command_actions(as_mapping(given))
    if name in READS:
        return [{"kind": "read", "path": tool_calls.first_argument(as_mapping(given), tool_calls.PLACE)}]
    return [{"kind": "tool" if name in QUIET else "gap", "tool": name}]


def _went_well(output: object) -> "bool | None":
    """Whether a call went well, as far as its result shows that."""
    if isinstance(output, str) and output.startswith("{"):
        try:
            output = json.loads(output)
        except (ValueError, RecursionError):
            return None
    told = as_mapping(output)
    code = as_mapping(told.get("metadata")).get("exit_code")
    if isinstance(code, int):
        return code == 0
    said = output if isinstance(output, str) else as_text(told.get("output")) or as_text(told.get("content"))
    found = _CODE.search(said[:HEADER].partition("Output:\n")[0])
    if found:
        return int(found[1]) == 0
    return True if said.startswith("Success. Updated the following files") else None


def _running(output: object) -> bool:
    """Whether a command goes on behind the agent's back."""
    return isinstance(output, str) and "running with session" in output[:HEADER]


def _typed(message: str) -> str:
    """The words of a person in this message, or ""."""
    said = message.strip()
    if said.startswith(BESIDE):
        said = said.rpartition(REQUEST)[2].partition("\n")[2].strip() if REQUEST in said else ""
    return "" if said.startswith(MACHINE) else typed_text(said)
