"""Cursor: it sends its own events even to Claude Code's hooks; answers are ``deny`` or nothing."""

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
    as_text,
    decode_arguments,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


MOMENTS = {
    "beforeShellExecution": BEFORE_TOOL, "beforeMCPExecution": BEFORE_TOOL, "preToolUse": BEFORE_TOOL,
    "postToolUse": AFTER_TOOL, "stop": TURN_END, "beforeSubmitPrompt": PROMPT, "userPromptSubmit": PROMPT,
    "sessionStart": SESSION_START,
}  # fmt: skip
TOOLS = {
    "Shell": "command", "Bash": "command", "run_terminal_cmd": "command", "Write": "file", "Edit": "file",
    "MultiEdit": "edit", "StrReplace": "edit", "EditNotebook": "edit", "NotebookEdit": "edit", "Delete": "delete",
    "ApplyPatch": "patch", "edit_file": "file", "search_replace": "edit", "write": "file", "delete_file": "delete",
}  # fmt: skip


def read(data: dict[str, Any]) -> HookRequest:
    """The request in what Cursor sends to its hook; a folder that it does not name is the first of the workspace."""
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
    """The agent gets it at the events where Cursor supports that; elsewhere it is in the output of the hooks."""
    if asked.event in ("sessionStart", "postToolUse"):
        return HookResponse({"additional_context": words})
    return HookResponse(error=words)


def say(_: HookRequest, words: str) -> HookResponse:
    """The output of the hooks is the one place that a person sees."""
    return HookResponse(error=words)


def hook_entry(event: HookEvent, line: str, seconds: int, matcher: str, strict: bool) -> dict[str, Any]:
    """An event's entry in the file of hooks; failClosed: a hook that ends in no answer blocks as well."""
    entry: dict[str, Any] = {"command": line, **({"matcher": matcher} if matcher else {}), "timeout": seconds}
    if strict:
        entry["failClosed"] = True
    if event.moment == TURN_END:
        entry["loop_limit"] = 3
    return entry


_NO, _TOLD = ("permission", "deny"), ("additional_context", "")
_COMMAND = {"command": "{command}"}
_WRITTEN = {"file_path": "{path}", "content": "{text}"}
_HEAD = "---\ndescription: The rules of this repository\nalwaysApply: true\n---\n\n"

AGENT = AgentSpec(
    name="cursor",
    title="Cursor",
    moments=MOMENTS,
    hears=(SESSION_START,),
    read=read,
    deny=deny,
    tell=tell,
    say=say,
    # todos [{id, content, status}], with merge: true only those that change; hooks' names of tools are the agent's own
    plan_tools=dict.fromkeys(("TodoWrite", "todo_write"), WHOLE_LIST),
    poses_as=("claude-code", ("cursor_version", "workspace_roots")),
    hook_file=".cursor/hooks.json",
    hook_entry=hook_entry,
    versioned=True,
    folder='"${CURSOR_PROJECT_DIR:-.}"',  # hooks start in the project; the variable is younger than they are
    project="CURSOR_PROJECT_DIR",
    example={
        "hook_event_name": "{event}",
        "session_id": "{session}",
        "cwd": "{top}",
        "conversation_id": "{session}",
        "generation_id": "{session}",
        "cursor_version": "",
        "workspace_roots": ["{top}"],
    },
    events=(
        # A command is asked about where a shell is about to run it, which no build of Cursor skips.
        HookEvent("beforeShellExecution", BEFORE_TOOL, _COMMAND, _NO),
        HookEvent("beforeMCPExecution", BEFORE_TOOL, {"tool_name": "run_command", "tool_input": _COMMAND}, _NO),
        HookEvent(
            "preToolUse",
            BEFORE_TOOL,
            {"tool_name": "Shell", "tool_input": _COMMAND},
            _NO,
            matcher="Write|Edit|MultiEdit|StrReplace|Delete|ApplyPatch|NotebookEdit|EditNotebook",
            any_tool=True,
        ),
        # Not afterFileEdit: what a hook says there, nobody is given.
        HookEvent(
            "postToolUse",
            AFTER_TOOL,
            {"tool_name": "Write", "tool_input": _WRITTEN, "tool_output": ""},
            _TOLD,
            matcher="Write|Edit|MultiEdit|StrReplace|ApplyPatch|NotebookEdit|EditNotebook",
        ),
        HookEvent("stop", TURN_END, {"status": "completed", "loop_count": 0}, ("followup_message", "")),
        HookEvent("sessionStart", SESSION_START, {}),
        HookEvent("beforeSubmitPrompt", PROMPT, {"prompt": "{text}", "attachments": []}),
    ),
    settings={".cursor/hooks.json": "json", "~/.cursor/hooks.json": "json"},
    programs=("cursor-agent",),
    runs_with=("CURSOR_AGENT",),
    signs=(".cursor/", ".cursorrules"),
    documents=(
        InstructionFile("cursor-rules", ".cursor/rules/rulec.mdc", signs=(".cursorrules", ".cursor/"), head=_HEAD),
    ),
)
