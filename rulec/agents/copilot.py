"""Copilot CLI: its JSON names no event, so the fields show which it is; also in Visual Studio Code's form."""

from __future__ import annotations

from rulec.agents.protocol.agent_spec import (
    AFTER_TOOL,
    BEFORE_TOOL,
    PROMPT,
    SESSION_START,
    TURN_END,
    WHOLE_LIST,
    AgentSpec,
    HookEvent,
    HookRequest,
    HookResponse,
    InstructionFile,
    as_mapping,
    as_text,
    decode_arguments,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


MOMENTS = {
    "preToolUse": BEFORE_TOOL, "postToolUse": AFTER_TOOL, "agentStop": TURN_END, "stop": TURN_END,
    "userPromptSubmitted": PROMPT, "userPromptSubmit": PROMPT, "sessionStart": SESSION_START,
}  # fmt: skip
TOOLS = {
    "bash": "command", "powershell": "command", "shell": "command", "local_shell": "command", "create": "write",
    "edit": "edit", "write": "write", "str_replace_editor": "file", "apply_patch": "patch",
    "write_bash": "typed", "write_powershell": "typed", "run_in_terminal": "command", "create_file": "write",
    "replace_string_in_file": "edit", "multi_replace_string_in_file": "edits", "insert_edit_into_file": "edit",
    "edit_notebook_file": "edit", "create_and_run_task": "task",
}  # fmt: skip
HEARS = (AFTER_TOOL, SESSION_START)
RESULTS = ("toolResult", "tool_result", "tool_response")
TELLING = (  # the first of these fields that is there tells the event
    ("toolResult", "postToolUse"), ("toolName", "preToolUse"), ("stopReason", "agentStop"),
    ("prompt", "userPromptSubmitted"), ("source", "sessionStart"), ("agentName", "subagentStart"),
    ("reason", "sessionEnd"), ("error", "errorOccurred"),
)  # fmt: skip


def read(data: dict[str, Any]) -> HookRequest:
    """The request in what the agent sends to its hook."""
    name = as_text(data.get("hook_event_name")) or next((event for key, event in TELLING if key in data), "")
    name = name[:1].lower() + name[1:]
    asked = HookRequest(MOMENTS.get(name, ""), name)
    asked.cwd = as_text(data.get("cwd"))
    asked.session = as_text(data.get("sessionId")) or as_text(data.get("session_id"))
    asked.tool = as_text(data.get("toolName")) or as_text(data.get("tool_name"))
    asked.subagent = as_text(data.get("agentName")) or as_text(data.get("agent_name"))
    asked.words = as_text(data.get("prompt"))
    again = data.get("stop_hook_active")
    asked.stopped = again if isinstance(again, bool) else None  # older programs do not say
    asked.given = data["toolArgs"] if "toolArgs" in data else data.get("tool_input")
    asked.result = next((as_mapping(data[key]) for key in RESULTS if key in data), {})
    if asked.tool in TOOLS:
        from rulec.agents.protocol import tool_calls  # noqa: PLC0415 (other moments call no tool)

        asked.actions = tool_calls.tool_actions(TOOLS[asked.tool], decode_arguments(asked.given))
    return asked


def deny(asked: HookRequest, reason: str) -> HookResponse:
    """The tool does not run, the turn goes on; after a tool has run, the agent gets the reason."""
    if asked.moment == BEFORE_TOOL:
        return HookResponse({"permissionDecision": "deny", "permissionDecisionReason": reason})
    if asked.moment == TURN_END:
        return HookResponse({"decision": "block", "reason": reason})
    return tell(asked, reason)


def tell(asked: HookRequest, words: str) -> HookResponse:
    """The agent gets it after a tool and at the start of a session; at other moments the person does."""
    return HookResponse({"additionalContext": words}) if asked.moment in HEARS else say(asked, words)


def say(_: HookRequest, words: str) -> HookResponse:
    """What hooks complain of is the one thing that a person sees."""
    return HookResponse(error=words)


def fail(words: str) -> HookResponse:
    """A denial stops the tool in every version, an exit code does not; other moments pass over it."""
    return HookResponse({"permissionDecision": "deny", "permissionDecisionReason": words}, error=words)


def hook_entry(_: HookEvent, line: str, seconds: int, matcher: str, strict: bool) -> dict[str, Any]:
    """An event's entry in the file of hooks."""
    matched = {"matcher": matcher} if matcher else {}
    return {"type": "command", **matched, "bash": line, "timeoutSec": seconds}


_CREATED = {"path": "{path}", "file_text": "{text}"}
_RESULT = {"resultType": "success", "textResultForLlm": ""}

AGENT = AgentSpec(
    name="copilot",
    title="Copilot",
    moments=MOMENTS,
    hears=HEARS,
    read=read,
    deny=deny,
    tell=tell,
    say=say,
    fail=fail,
    # The command line: todos, a Markdown checklist; Visual Studio Code: todoList [{id, title, status: not-started, …}]
    plan_tools=dict.fromkeys(("update_todo", "manage_todo_list"), WHOLE_LIST),
    hook_file=".github/hooks/rulec.json",
    hook_entry=hook_entry,
    versioned=True,
    example={"sessionId": "{session}", "timestamp": 0, "cwd": "{top}"},  # no event is named
    events=(
        HookEvent(  # without a matcher, for older versions know none here
            "preToolUse",
            BEFORE_TOOL,
            {"toolName": "bash", "toolArgs": {"command": "{command}"}},
            ("permissionDecision", "deny"),
        ),
        HookEvent(
            "postToolUse",
            AFTER_TOOL,
            {"toolName": "create", "toolArgs": _CREATED, "toolResult": _RESULT},
            ("additionalContext", ""),
            matcher="create|edit|str_replace_editor|apply_patch|create_file|replace_string_in_file"
            "|multi_replace_string_in_file|insert_edit_into_file|edit_notebook_file",
        ),
        HookEvent("agentStop", TURN_END, {"transcriptPath": "", "stopReason": "end_turn"}, ("decision", "block")),
        HookEvent("sessionStart", SESSION_START, {"source": "startup"}),
        HookEvent("userPromptSubmitted", PROMPT, {"prompt": "{text}"}),
    ),
    settings={
        ".github/hooks/rulec.json": "whole",
        ".github/hooks/": "json",
        ".github/copilot/settings.json": "json",
        ".github/copilot/settings.local.json": "json",
        "~/.copilot/hooks/": "json",
        "~/.copilot/hooks/rulec.json": "json",
        "~/.copilot/config.json": "json",
        "~/.copilot/settings.json": "json",
        "~/.copilot/installed-plugins/*/rulec/": "whole",
    },
    off={"disableAllHooks": True},
    programs=("copilot",),
    configured_by=("COPILOT_HOME",),
    signs=(".github/hooks/", ".github/copilot", ".github/instructions/", ".github/agents/"),
    documents=(
        InstructionFile("copilot-instructions", ".github/copilot-instructions.md", signs=(".github/instructions/",)),
    ),
)
