"""Codex: as Claude Code asks, but a field that it does not know makes it pass the action: only its own are answered."""

from rulec.agents.protocol.agent_spec import (
    AFTER_TOOL,
    BEFORE_TOOL,
    PROMPT,
    SESSION_START,
    TURN_END,
    AgentSpec,
    HookRequest,
    HookResponse,
    as_mapping,
    as_text,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


MOMENTS = {
    "PreToolUse": BEFORE_TOOL, "PostToolUse": AFTER_TOOL, "Stop": TURN_END, "UserPromptSubmit": PROMPT,
    "SessionStart": SESSION_START,
}  # fmt: skip
TOOLS = {
    "Bash": "command", "shell": "command", "shell_command": "command", "exec_command": "command",
    "local_shell": "command", "apply_patch": "patch", "Edit": "file", "Write": "file",
}  # fmt: skip


def read(data: "dict[str, Any]") -> HookRequest:
    """What is asked."""
    name = as_text(data.get("hook_event_name"))
    asked = HookRequest(MOMENTS.get(name, ""), name)
    asked.cwd, asked.session, asked.turn = (as_text(data.get(key)) for key in ("cwd", "session_id", "turn_id"))
    asked.tool, asked.use = as_text(data.get("tool_name")), as_text(data.get("tool_use_id"))
    asked.given = data.get("tool_input")
    asked.stopped = data.get("stop_hook_active") is True
    asked.transcript, asked.records = as_text(data.get("transcript_path")), "codex"
    asked.subagent = as_text(data.get("agent_id"))
    asked.words = as_text(data.get("prompt" if asked.moment == PROMPT else "last_assistant_message"))
    kind = TOOLS.get(asked.tool)
    if kind:
        from rulec.agents.protocol import tool_calls  # noqa: PLC0415 (other moments call no tool)

        given = data.get("tool_input")
        if kind == "file" and "*** Begin Patch" in as_text(as_mapping(given).get("command")):
            kind = "patch"
        asked.actions = tool_calls.tool_actions(kind, given)
    elif asked.tool.startswith("mcp__"):
        from rulec.agents.protocol import mcp_tools  # noqa: PLC0415 (few calls are of other servers)

        asked.actions = mcp_tools.mcp_actions(asked.tool, data.get("tool_input"))
    return asked


def deny(asked: HookRequest, reason: str) -> HookResponse:
    """The tool does not run; what it did is held against the agent; the turn goes on."""
    if asked.moment == BEFORE_TOOL:
        return _specific(asked, permissionDecision="deny", permissionDecisionReason=reason)
    return HookResponse({"decision": "block", "reason": reason})


def tell(asked: HookRequest, words: str) -> HookResponse:
    """Only the agent gets it."""
    return _specific(asked, additionalContext=words)


def say(asked: HookRequest, words: str) -> HookResponse:
    """The person sees it; an event of which we do not know what it takes is answered beside the JSON."""
    return HookResponse({"systemMessage": words}) if asked.moment else HookResponse(error=words)


def _specific(asked: HookRequest, **parts: str) -> HookResponse:
    return HookResponse({"hookSpecificOutput": {"hookEventName": asked.event, **parts}})


AGENT = AgentSpec(
    name="codex",
    project="",
    hears=(BEFORE_TOOL, AFTER_TOOL, PROMPT, SESSION_START),
    read=read,
    deny=deny,
    tell=tell,
    say=say,
)
