"""Cursor: events in its own names, also where it runs the hooks of Claude Code; it says ``deny`` or nothing."""

from rulec.agents.protocol.agent_spec import (
    AFTER_TOOL,
    BEFORE_TOOL,
    PROMPT,
    SESSION_START,
    TURN_END,
    AgentSpec,
    HookRequest,
    HookResponse,
    as_text,
    decode_arguments,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


MOMENTS = {
    "beforeShellExecution": BEFORE_TOOL, "beforeMCPExecution": BEFORE_TOOL, "preToolUse": BEFORE_TOOL, "postToolUse": AFTER_TOOL,
    "stop": TURN_END, "beforeSubmitPrompt": PROMPT, "userPromptSubmit": PROMPT, "sessionStart": SESSION_START,
}  # fmt: skip
TOOLS = {
    "Shell": "command", "Bash": "command", "run_terminal_cmd": "command", "Write": "file", "Edit": "file",
    "MultiEdit": "edit", "StrReplace": "edit", "EditNotebook": "edit", "NotebookEdit": "edit", "Delete": "delete",
    "ApplyPatch": "patch", "edit_file": "file", "search_replace": "edit", "write": "file", "delete_file": "delete",
}  # fmt: skip


def read(data: "dict[str, Any]") -> HookRequest:
    """What is asked; a folder that is not named is the first of the workspace."""
    name = as_text(data.get("hook_event_name"))
    name = name[:1].lower() + name[1:]
    asked = HookRequest(MOMENTS.get(name, ""), name)
    roots = data.get("workspace_roots")
    asked.folders = [_native(as_text(one)) for one in roots if as_text(one)] if isinstance(roots, list) else []
    asked.cwd = _native(as_text(data.get("cwd"))) or (asked.folders[0] if asked.folders else "")
    asked.session = as_text(data.get("conversation_id")) or as_text(data.get("session_id"))
    asked.tool, asked.words = as_text(data.get("tool_name")), as_text(data.get("prompt"))
    asked.subagent = as_text(data.get("subagent_id")) or as_text(data.get("agent_id"))
    if asked.moment == TURN_END and data.get("status") in ("aborted", "error"):  # a person stopped it; let it be
        asked.moment = ""
    kind, given = TOOLS.get(asked.tool, ""), decode_arguments(data.get("tool_input"))
    asked.given = given
    if name == "beforeMCPExecution":
        from rulec.agents.protocol import mcp_tools  # noqa: PLC0415 (few calls are of other servers)

        kind, asked.actions = "", mcp_tools.mcp_actions(asked.tool, given)
    elif name == "beforeShellExecution":
        kind, given = "command", data
    if kind and asked.moment in (BEFORE_TOOL, AFTER_TOOL):
        from rulec.agents.protocol import tool_calls  # noqa: PLC0415 (other moments call no tool)

        asked.actions = tool_calls.tool_actions(kind, given)
    return asked


def _native(path: str) -> str:
    """A path of Windows as it is written there: ``/c:/x`` is what its links look like."""
    return path[1:] if path[:1] == "/" and path[2:3] == ":" else path


def deny(asked: HookRequest, reason: str) -> HookResponse:
    """The tool does not run; the agent is sent on with a message at the end of its turn; an edit is not undone."""
    if asked.moment == BEFORE_TOOL:
        short = reason.partition("\n")[0]
        return HookResponse({"permission": "deny", "user_message": short, "agent_message": reason})
    if asked.moment == TURN_END:
        return HookResponse({"followup_message": reason})
    return tell(asked, reason)


def tell(asked: HookRequest, words: str) -> HookResponse:
    """The agent gets it where Cursor takes it along; elsewhere it stands in the output of the hooks."""
    if asked.event in ("sessionStart", "postToolUse"):
        return HookResponse({"additional_context": words})
    return HookResponse(error=words)


def say(_: HookRequest, words: str) -> HookResponse:
    """The output of the hooks is the one place that a person sees."""
    return HookResponse(error=words)


AGENT = AgentSpec(
    name="cursor", project="CURSOR_PROJECT_DIR", hears=(SESSION_START,), read=read, deny=deny, tell=tell, say=say
)
