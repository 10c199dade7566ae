"""Claude Code: its hooks' protocol, settings and files."""

from __future__ import annotations

from rulec.agents.protocol.agent_spec import (
    ADD_STEP,
    AFTER_TOOL,
    APPROVE_PLAN,
    BEFORE_TOOL,
    CHANGE_STEP,
    PROMPT,
    SESSION_START,
    TURN_END,
    WHOLE_LIST,
    AgentSpec,
    HookEvent,
    HookRequest,
    HookResponse,
    InstructionFile,
    ToolAction,
    as_mapping,
    as_text,
    texts_of,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any


MOMENTS = {
    "PreToolUse": BEFORE_TOOL, "PostToolUse": AFTER_TOOL, "Stop": TURN_END, "UserPromptSubmit": PROMPT,
    "SessionStart": SESSION_START,
}  # fmt: skip


def read(data: dict[str, Any]) -> HookRequest:
    """The request in what the agent sends to its hook."""
    name = as_text(data.get("hook_event_name"))
    asked = HookRequest(MOMENTS.get(name, ""), name)
    asked.cwd, asked.session, asked.turn = texts_of(data, "cwd", "session_id", "prompt_id")
    asked.mode, asked.tool, asked.subagent = texts_of(data, "permission_mode", "tool_name", "agent_id")
    asked.transcript, asked.use = texts_of(data, "transcript_path", "tool_use_id")
    asked.words = as_text(data.get("last_assistant_message"))
    asked.given, asked.stopped = data.get("tool_input"), data.get("stop_hook_active") is True
    if asked.moment == PROMPT and data.get("source") in (None, "user"):  # programs send messages too
        asked.words = as_text(data.get("prompt"))
    if asked.moment == PROMPT:
        asked.given = data.get("prompt")
    asked.result = as_mapping(data.get("tool_response"))
    reader = TOOLS.get(asked.tool)
    if reader:
        asked.actions = [reader(as_mapping(data.get("tool_input")))]
    elif asked.tool.startswith("mcp__"):
        from rulec.agents.protocol import mcp_tools  # noqa: PLC0415 (few calls are of other servers)

        asked.actions = mcp_tools.mcp_actions(asked.tool, data.get("tool_input"))
    return asked


def _bash(given: Mapping[str, object]) -> ToolAction:
    return ToolAction(kind="command", command=as_text(given.get("command")))


def _write(given: Mapping[str, object]) -> ToolAction:
    content = as_text(given.get("content"))
    return ToolAction(kind="write", path=as_text(given.get("file_path")), new=content, content=content)


def _edit(given: Mapping[str, object]) -> ToolAction:
    return ToolAction(kind="edit", path=as_text(given.get("file_path")), edits=[_change(given)])


def _edits(given: Mapping[str, object]) -> ToolAction:
    listed = given.get("edits")
    changes = [_change(as_mapping(one)) for one in listed] if isinstance(listed, list) else []
    return ToolAction(kind="edit", path=as_text(given.get("file_path")), edits=changes)


def _change(given: Mapping[str, object]) -> tuple[str, str, bool]:
    return as_text(given.get("old_string")), as_text(given.get("new_string")), given.get("replace_all") is True


def _notebook(given: Mapping[str, object]) -> ToolAction:
    path = as_text(given.get("notebook_path")) or as_text(given.get("file_path"))
    return ToolAction(kind="edit", path=path, new=as_text(given.get("new_source")))


TOOLS = {
    **dict.fromkeys(("Bash", "PowerShell", "Monitor"), _bash),
    "Write": _write,
    "Edit": _edit,
    "MultiEdit": _edits,
    "NotebookEdit": _notebook,
}


def deny(asked: HookRequest, reason: str) -> HookResponse:
    """The tool does not run; what it did is held against the agent; the turn goes on."""
    if asked.moment == BEFORE_TOOL:
        return _specific(asked, permissionDecision="deny", permissionDecisionReason=reason)
    return HookResponse({"decision": "block", "reason": reason})


ASKING_MODES = ("default", "acceptEdits", "plan")  # the others answer by themselves, or nobody is there to answer


def ask(asked: HookRequest, reason: str) -> HookResponse | None:
    """The person is asked, in the modes in which they are; for a sub-agent nobody is."""
    if asked.moment != BEFORE_TOOL or asked.subagent or asked.mode not in ASKING_MODES:
        return None
    return _specific(asked, permissionDecision="ask", permissionDecisionReason=reason)


def tell(asked: HookRequest, words: str) -> HookResponse:
    """Only the agent gets it."""
    return _specific(asked, additionalContext=words)


def say(_: HookRequest, words: str) -> HookResponse:
    """The person sees it."""
    return HookResponse({"systemMessage": words})


def _specific(asked: HookRequest, **parts: str) -> HookResponse:
    return HookResponse({"hookSpecificOutput": {"hookEventName": asked.event, **parts}})


def hook_entry(_: HookEvent, line: str, seconds: int, matcher: str, strict: bool) -> dict[str, Any]:
    """An event's entry in the settings; onFailure: a hook that ends in no answer blocks as well."""
    failing = {"onFailure": "block"} if strict else {}
    hook = {"type": "command", "command": line, "timeout": seconds, **failing}
    return {**({"matcher": matcher} if matcher else {}), "hooks": [hook]}


_NO, _BLOCK = ("hookSpecificOutput.permissionDecision", "deny"), ("decision", "block")
_WRITTEN = {"file_path": "{path}", "content": "{text}"}

AGENT = AgentSpec(
    name="claude-code",
    title="Claude Code",
    moments=MOMENTS,
    hears=(BEFORE_TOOL, AFTER_TOOL, PROMPT, SESSION_START),
    read=read,
    deny=deny,
    ask=ask,
    tell=tell,
    say=say,
    # Of 2.1.330, sdk-tools.d.ts: todos [{content, status, activeForm}]; subject, description -> task {id, subject};
    # taskId, status, subject. Hooks get ExitPlanMode with plan and planFilePath, which older programs left out.
    plan_tools={
        "TodoWrite": WHOLE_LIST,
        "TaskCreate": ADD_STEP,
        "TaskUpdate": CHANGE_STEP,
        "ExitPlanMode": APPROVE_PLAN,
    },
    plan_folders=("$CLAUDE_CONFIG_DIR/plans", "~/.claude/plans"),
    # Sent in a new session where the person has the context cleared as they approve.
    plan_prompt="Implement the following plan:",
    hook_file=".claude/settings.json",
    hook_entry=hook_entry,
    # Copilot and Cursor run the hooks of this file too, where nobody may have set the variable.
    folder='"${CLAUDE_PROJECT_DIR:-.}"',
    project="CLAUDE_PROJECT_DIR",
    example={"hook_event_name": "{event}", "session_id": "{session}", "cwd": "{top}"},
    events=(
        HookEvent(
            "PreToolUse",
            BEFORE_TOOL,
            {"tool_name": "Bash", "tool_input": {"command": "{command}"}},
            _NO,
            matcher="Bash|PowerShell|Monitor|Write|Edit|MultiEdit|NotebookEdit|mcp__.*",
            any_tool=True,
        ),
        HookEvent(
            "PostToolUse",
            AFTER_TOOL,
            {"tool_name": "Write", "tool_input": _WRITTEN, "tool_response": {}},
            _BLOCK,
            matcher="Write|Edit|MultiEdit|NotebookEdit",
        ),
        HookEvent("Stop", TURN_END, {"stop_hook_active": False}, _BLOCK),
        # Without a matcher: a session that was resumed, cleared or compacted has forgotten too.
        HookEvent("SessionStart", SESSION_START, {"source": "startup"}),
        HookEvent("UserPromptSubmit", PROMPT, {"prompt": "{text}"}),
    ),
    settings={
        ".claude/settings.json": "json",
        ".claude/settings.local.json": "json",
        "~/.claude/settings.json": "json",
        "~/.claude/settings.local.json": "json",
        "~/.claude/plugins/cache/*/rulec/": "whole",
    },
    switches=("enabledPlugins",),
    off={"disableAllHooks": True, "allowManagedHooksOnly": True},
    programs=("claude",),
    runs_with=("CLAUDECODE", "CLAUDE_CODE_ENTRYPOINT", "CLAUDE_CODE_SSE_PORT"),
    configured_by=("CLAUDE_CONFIG_DIR",),
    env_files=("CLAUDE_ENV_FILE",),
    records=("~/.claude/projects/**/*.jsonl",),
    signs=(".claude/", "**/CLAUDE.md"),
    default=True,
    documents=(InstructionFile("claude-md", "CLAUDE.md", imports=True),),
    skills=".claude",
)
