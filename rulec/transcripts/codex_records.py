"""Codex's records, as mining and the hook read them: a person's words, what drives a session, how a call ended."""

from __future__ import annotations

import json
import re

from rulec.agents.codex import TOOLS
from rulec.agents.protocol import tool_calls
from rulec.agents.protocol.agent_spec import as_mapping, as_text, decode_arguments

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


READS = ("read_file", "list_dir", "grep_files", "view_image")
_CODE = re.compile(
    r"(?:^Exit code: |^Process exited with code |^failed in sandbox .{0,200}exit code: )(-?\d+)", re.MULTILINE
)
HEADER = 1_000  # the exit code stands before the output, which could say anything
NEVER_RAN = ("error: ", "failed in sandbox", "execution error", "aborted by user", "apply_patch verification")
_PROGRAMS = ("exec", "sdk", "mcp")
_MACHINE = (
    "# AGENTS.md instructions", "<environment_context>", "<user_instructions>", "<permissions instructions>",
    "<turn_aborted>", "<skill>", "<user_shell_command>", "<subagent_notification>", "<INSTRUCTIONS>", "<user_action>",
    "<collaboration_mode>", "<personality_spec>", "<model_switch>", "<apps_instructions>", "<skills_instructions>",
    "<plugins_instructions>", "<hook_prompt", "<codex_internal_context", "<goal_context>", "<realtime_conversation>",
    "Another language model started to solve this problem", "You are performing a CONTEXT CHECKPOINT COMPACTION",
    "You must fully embody this agent's persona",
)  # fmt: skip
_PREAMBLES = ("# Context from my IDE setup", "# Files mentioned by the user", "# Selected text:")
_REQUEST = re.compile(r"^## My request for Codex:?[ \t]*$", re.MULTILINE)
_INPUT = re.compile(r"^## User Input[ \t]*\n+```text\n", re.MULTILINE)
_AFTER_INPUT = "\n```\n\nYou **MUST** consider"
_OLD_INPUT = re.compile(r"^User input:[ \t]*\n\n", re.MULTILINE)
_OLD_TEMPLATE = "as a command argument - you **MUST** consider it before proceeding"


def typed_message(message: str, *, terminal: bool = False) -> str:
    """The words a person typed into this message, or ""; ``terminal``: it came from a program that trims them.

    A prompt file's text starts with the empty line behind its front matter, which nobody can type there.
    """
    text = message.strip()
    if text.startswith(_PREAMBLES):
        parts = list(_REQUEST.finditer(text))  # the last one: a selected file may hold such a line too
        return typed_message(text[parts[-1].end() :]) if parts else ""
    if text.startswith(_MACHINE):
        return ""
    if found := _INPUT.search(text, 0, 2_000):
        return _until(text[found.end() - 1 :], _AFTER_INPUT, "\n```")
    if _OLD_TEMPLATE in text[:2_000]:
        asked = _OLD_INPUT.search(text)
        return _until(text[asked.end() - 1 :], "\n\n") if asked else ""
    return "" if terminal and message.startswith("\n") else text


def _until(text: str, *ends: str) -> str:
    for end in ends:
        before, found, _ = text.partition(end)
        if found:
            return before.strip()
    return ""


class CodexCall:
    """One call of a tool: its name, its arguments, and what it does, None of a tool that neither runs nor writes."""

    __slots__ = ("done", "given", "id", "tool")

    def __init__(self, item: dict[str, Any]) -> None:
        self.id = as_text(item.get("call_id")) or as_text(item.get("id"))
        self.tool = as_text(item.get("name")) or as_text(item.get("type"))[: -len("_call")]
        given = next((given for key in ("arguments", "action", "input") if (given := item.get(key)) is not None), None)
        self.given = decode_arguments(given)
        kind = TOOLS.get(self.tool, "")
        self.done = tool_calls.tool_actions(kind, self.given) if kind else None


def is_driven(meta: dict[str, Any]) -> bool:
    """Whether a program drives the session, by its first record: its messages are no person's words."""
    source, originator = meta.get("source"), as_text(meta.get("originator"))
    return isinstance(source, dict) or source in _PROGRAMS or any(name in originator for name in _PROGRAMS)


def call_outcome(output: object) -> tuple[str, bool | None, bool]:
    """What a call printed, whether it went well, and whether the person refused it."""
    inner = _inner(output)
    text = _content_text(inner.get("output", inner.get("content"))) if inner else _content_text(output)
    code = as_mapping(inner.get("metadata")).get("exit_code")
    refused = text.startswith(("exec command rejected by user", "rejected by user", "patch rejected by user"))
    if isinstance(code, int):
        return text, code == 0, refused
    if isinstance(inner.get("success"), bool):
        return text, inner["success"], refused
    return text, False if refused else _went_well(text), refused


def has_exit_code(output: object) -> bool:
    """Whether the result says with which code a command ended: then it has run."""
    text, inner = call_outcome(output)[0], _inner(output)
    code = as_mapping(inner.get("metadata")).get("exit_code")
    return isinstance(code, int) or bool(_CODE.search(text[:HEADER].partition("Output:\n")[0]))


def _inner(output: object) -> dict[str, Any]:
    if isinstance(output, str) and output.startswith('{"'):
        try:
            output = json.loads(output)
        except (ValueError, RecursionError):
            return {}
    found = as_mapping(output)
    return found if {"output", "content"} & found.keys() else {}


def _went_well(text: str) -> bool | None:
    header = text[:HEADER].partition("Output:\n")[0]
    if code := _CODE.search(header):
        return int(code[1]) == 0
    if text.startswith(NEVER_RAN):
        return False
    return True if text.startswith("Success. Updated the following files") else None


def _content_text(value: object) -> str:
    """The text of content that is a string or a list of blocks."""
    if isinstance(value, list):
        return "\n".join(filter(None, (as_text(as_mapping(block).get("text")) for block in value)))
    return as_text(value)
