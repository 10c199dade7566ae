"""Gemini CLI: ``decision: deny`` keeps a tool from running and a turn from ending; nothing but JSON may be printed."""

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
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


MOMENTS = {
    "BeforeTool": BEFORE_TOOL,
    "AfterTool": AFTER_TOOL,
    "AfterAgent": TURN_END,
    "BeforeAgent": PROMPT,
    "SessionStart": SESSION_START,
}
TOOLS = {
    "run_shell_command": "command", "write_file": "write", "replace": "edit", "edit": "edit", "smart_edit": "edit",
}  # fmt: skip


def read(data: dict[str, Any]) -> HookRequest:
    """The request in what the agent sends to its hook."""
    name = as_text(data.get("hook_event_name"))
    asked = HookRequest(MOMENTS.get(name, ""), name)
    asked.cwd, asked.session = as_text(data.get("cwd")), as_text(data.get("session_id"))
    asked.stopped = data.get("stop_hook_active") is True
    asked.tool = as_text(data.get("tool_name"))
    asked.given, asked.result = data.get("tool_input"), as_mapping(data.get("tool_response"))
    asked.words = as_text(data.get("prompt" if asked.moment == PROMPT else "prompt_response"))
    if asked.tool in TOOLS:
        from rulec.agents.protocol import tool_calls  # noqa: PLC0415 (other moments call no tool)

        asked.actions = tool_calls.tool_actions(TOOLS[asked.tool], data.get("tool_input"))
    elif asked.tool.startswith("mcp_"):
        from rulec.agents.protocol import mcp_tools  # noqa: PLC0415 (few calls are of other servers)

        asked.actions = mcp_tools.mcp_actions(asked.tool, data.get("tool_input"))
    return asked


def deny(asked: HookRequest, reason: str) -> HookResponse:
    """The tool does not run, the turn goes on; after an edit the reason is added to the tool's result."""
    if asked.moment == AFTER_TOOL:
        return tell(asked, reason)
    return HookResponse({"decision": "deny", "reason": reason})


def tell(asked: HookRequest, words: str) -> HookResponse:
    """The agent gets it; before a tool runs only the person can get it."""
    if asked.moment == BEFORE_TOOL:
        return say(asked, words)
    return HookResponse({"hookSpecificOutput": {"hookEventName": asked.event, "additionalContext": words}})


def say(_: HookRequest, words: str) -> HookResponse:
    """The person sees it."""
    return HookResponse({"systemMessage": words})


def hook_entry(_: HookEvent, line: str, seconds: int, matcher: str, strict: bool) -> dict[str, Any]:
    """An event's entry in the settings, whose timeouts are milliseconds."""
    hook = {"type": "command", "name": "rulec", "command": line, "timeout": seconds * 1000}
    return {**({"matcher": matcher} if matcher else {}), "hooks": [hook]}


_NO = ("decision", "deny")
_WRITTEN = {"file_path": "{path}", "content": "{text}"}

AGENT = AgentSpec(
    name="gemini",
    title="Gemini CLI",
    moments=MOMENTS,
    hears=(AFTER_TOOL, PROMPT, SESSION_START),
    read=read,
    deny=deny,
    tell=tell,
    say=say,
    # geminicli.com/docs/tools/todos: todos [{description, status: pending, in_progress, completed, cancelled, blocked}]
    plan_tools={"write_todos": WHOLE_LIST},
    hook_file=".gemini/settings.json",
    hook_entry=hook_entry,
    folder='"$GEMINI_PROJECT_DIR"',
    project="GEMINI_PROJECT_DIR",
    example={"hook_event_name": "{event}", "session_id": "{session}", "cwd": "{top}"},
    events=(
        HookEvent(
            "BeforeTool",
            BEFORE_TOOL,
            {"tool_name": "run_shell_command", "tool_input": {"command": "{command}"}},
            _NO,
            matcher="run_shell_command|write_file|replace|edit|mcp_.*",
            any_tool=True,
        ),
        HookEvent(
            "AfterTool",
            AFTER_TOOL,
            {"tool_name": "write_file", "tool_input": _WRITTEN, "tool_response": {}},
            ("hookSpecificOutput.additionalContext", ""),
            matcher="write_file|replace|edit",
        ),
        HookEvent("AfterAgent", TURN_END, {"prompt": "", "prompt_response": "", "stop_hook_active": False}, _NO),
        HookEvent("SessionStart", SESSION_START, {"source": "startup"}),
        HookEvent("BeforeAgent", PROMPT, {"prompt": "{text}"}),
    ),
    settings={".gemini/settings.json": "json", "~/.gemini/settings.json": "json"},
    off={"hooksConfig.enabled": False, "tools.enableHooks": False},
    programs=("gemini",),
    runs_with=("GEMINI_CLI",),
    configured_by=("GEMINI_CLI_HOME",),
    signs=(".gemini/", "GEMINI.md"),
    documents=(InstructionFile("gemini-md", "GEMINI.md", signs=(".gemini/",), imports=True),),
)
