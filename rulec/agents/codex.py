"""Codex: its protocol is Claude Code's, but an unknown field in an answer makes it pass the action."""

from __future__ import annotations

from rulec.agents.protocol.agent_spec import (
    AFTER_TOOL,
    BEFORE_TOOL,
    PROMPT,
    SESSION_START,
    TURN_END,
    AgentSpec,
    HookEvent,
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
    "local_shell": "command", "container.exec": "command", "unified_exec": "command", "apply_patch": "patch",
    "write_stdin": "typed", "Edit": "file", "Write": "file",
}  # fmt: skip


def read(data: dict[str, Any]) -> HookRequest:
    """The request in what the agent sends to its hook."""
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
    """The person sees it; at an unknown event on standard error, since unknown JSON would pass the action."""
    return HookResponse({"systemMessage": words}) if asked.moment else HookResponse(error=words)


def _specific(asked: HookRequest, **parts: str) -> HookResponse:
    return HookResponse({"hookSpecificOutput": {"hookEventName": asked.event, **parts}})


def hook_entry(_: HookEvent, line: str, seconds: int, matcher: str, strict: bool) -> dict[str, Any]:
    """An event's entry in the settings; Codex trusts each by its hash, so nothing in it depends on the rules."""
    hook = {"type": "command", "command": line, "timeout": seconds}
    return {**({"matcher": matcher} if matcher else {}), "hooks": [hook]}


_NO, _BLOCK = ("hookSpecificOutput.permissionDecision", "deny"), ("decision", "block")
_PATCH = "*** Begin Patch\n*** Add File: {path}\n+{text}\n*** End Patch\n"

AGENT = AgentSpec(
    name="codex",
    title="Codex",
    moments=MOMENTS,
    hears=(BEFORE_TOOL, AFTER_TOOL, PROMPT, SESSION_START),
    read=read,
    deny=deny,
    tell=tell,
    say=say,
    hook_file=".codex/hooks.json",
    hook_entry=hook_entry,
    example={"hook_event_name": "{event}", "session_id": "{session}", "cwd": "{top}", "turn_id": "t"},
    events=(
        HookEvent(
            "PreToolUse",
            BEFORE_TOOL,
            {"tool_name": "Bash", "tool_input": {"command": "{command}"}},
            _NO,
            # Edit and Write are its other names of apply_patch
            matcher="Bash|write_stdin|apply_patch|Edit|Write|mcp__.*",
        ),
        HookEvent(
            "PostToolUse",
            AFTER_TOOL,
            {"tool_name": "apply_patch", "tool_input": {"command": _PATCH}},
            _BLOCK,
            matcher="apply_patch|Edit|Write",
        ),
        HookEvent("Stop", TURN_END, {"stop_hook_active": False}, _BLOCK),
        HookEvent("SessionStart", SESSION_START, {"source": "startup"}),
        HookEvent("UserPromptSubmit", PROMPT, {"prompt": "{text}"}),
    ),
    trust="trust its hooks once in /hooks: until then Codex skips them without a word",
    settings={
        ".codex/hooks.json": "json",
        ".codex/config.toml": "toml",
        "~/.codex/hooks.json": "json",
        "~/.codex/config.toml": "toml",
        "~/.codex/plugins/cache/*/rulec/": "whole",
    },
    off={"features.hooks": False, "features.codex_hooks": False},
    toml_words=("hook", "trust", "notify"),
    programs=("codex",),
    runs_with=("CODEX_SANDBOX", "CODEX_SANDBOX_NETWORK_DISABLED", "CODEX_THREAD_ID"),
    configured_by=("CODEX_HOME",),
    records=("~/.codex/sessions/**/*.jsonl",),
    signs=(".codex/",),
)
