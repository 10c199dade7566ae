"""What each agent sends to a hook, as it sends it, and which answers it takes."""

import json
from typing import Any

Payload = dict[str, Any]
NAMES = ("claude-code", "codex", "cursor", "gemini", "copilot", "opencode")


def _claude(top: str, event: str, **more: Any) -> Payload:
    base = {"session_id": "s1", "transcript_path": "", "cwd": top, "permission_mode": "default"}
    return {**base, "hook_event_name": event, **more}


def _codex(top: str, event: str, **more: Any) -> Payload:
    base = {"session_id": "s1", "turn_id": "t1", "transcript_path": None, "cwd": top, "model": "m"}
    return {**base, "permission_mode": "default", "hook_event_name": event, **more}


def _cursor(top: str, event: str, **more: Any) -> Payload:
    base = {"conversation_id": "s1", "generation_id": "g1", "model": "m", "cursor_version": "2.9.1", "user_email": None}
    return {**base, "hook_event_name": event, "workspace_roots": [top], "cwd": "", **more}


def _gemini(top: str, event: str, **more: Any) -> Payload:
    base = {"session_id": "s1", "transcript_path": "", "cwd": top, "timestamp": "2026-11-22T09:00:00.000Z"}
    return {**base, "hook_event_name": event, **more}


def _copilot(top: str, **more: Any) -> Payload:
    return {"sessionId": "s1", "timestamp": 1763802000000, "cwd": top, **more}


def _opencode(top: str, event: str, **more: Any) -> Payload:
    return {"event": event, "session": "s1", "cwd": top, "root": top, **more}


def runs(agent: str, top: str, command: str) -> Payload:
    """The question before a command is run."""
    given = {"command": command}
    return {
        "claude-code": _claude(top, "PreToolUse", tool_name="Bash", tool_input=given, tool_use_id="u1"),
        "codex": _codex(top, "PreToolUse", tool_name="Bash", tool_input=given, tool_use_id="u1"),
        "cursor": _cursor(top, "beforeShellExecution", **given),
        "gemini": _gemini(top, "BeforeTool", tool_name="run_shell_command", tool_input=given),
        "copilot": _copilot(top, toolName="bash", toolArgs=json.dumps({**given, "description": "x"})),
        "opencode": _opencode(top, "before", tool="bash", args=given, call="c1"),
    }[agent]


def writes(agent: str, top: str, path: str, content: str) -> Payload:
    """The question before a file is written."""
    whole = f"{top}/{path}"
    patch = f"*** Begin Patch\n*** Add File: {path}\n" + "".join(f"+{line}\n" for line in content.splitlines())
    given = {"file_path": whole, "content": content}
    return {
        "claude-code": _claude(top, "PreToolUse", tool_name="Write", tool_input=given, tool_use_id="u1"),
        "codex": _codex(top, "PreToolUse", tool_name="apply_patch", tool_input={"command": f"{patch}*** End Patch\n"}),
        "cursor": _cursor(top, "preToolUse", tool_name="Write", tool_input=given),
        "gemini": _gemini(top, "BeforeTool", tool_name="write_file", tool_input=given),
        "copilot": _copilot(top, toolName="create", toolArgs={"path": whole, "file_text": content}),
        "opencode": _opencode(top, "before", tool="write", args={"filePath": whole, "content": content}, call="c1"),
    }[agent]


def edits(agent: str, top: str, path: str, old: str, new: str, *, done: bool = False) -> Payload:
    """The question before an edit of one line, or after it."""
    whole = f"{top}/{path}"
    patch = f"*** Begin Patch\n*** Update File: {path}\n@@\n-{old}\n+{new}\n*** End Patch\n"
    given = {"file_path": whole, "old_string": old, "new_string": new}
    name, tells = ("PostToolUse", {"tool_response": {}}) if done else ("PreToolUse", {})
    result = {"toolResult": {"resultType": "success", "textResultForLlm": "ok"}} if done else {}
    own, output = ("postToolUse", {"tool_output": "{}"}) if done else ("preToolUse", {})
    cursor = _cursor(top, own, tool_name="StrReplace", tool_input={**given, "path": whole}, **output)
    ours = {"filePath": whole, "oldString": old, "newString": new}
    return {
        "claude-code": _claude(top, name, tool_name="Edit", tool_input=given, tool_use_id="u1", **tells),
        "codex": _codex(top, name, tool_name="apply_patch", tool_input={"command": patch}, **tells),
        "cursor": cursor,
        "gemini": _gemini(top, "AfterTool" if done else "BeforeTool", tool_name="replace", tool_input=given, **tells),
        "copilot": _copilot(top, toolName="edit", toolArgs={"path": whole, "old_str": old, "new_str": new}, **result),
        "opencode": _opencode(top, "after" if done else "before", tool="edit", args=ours, call="c1"),
    }[agent]


def stops(agent: str, top: str, *, active: bool = False, **more: Any) -> Payload:
    """The end of a turn, once more after it was blocked."""
    return {
        "claude-code": _claude(top, "Stop", stop_hook_active=active, **more),
        "codex": _codex(top, "Stop", stop_hook_active=active, last_assistant_message=None, **more),
        "cursor": _cursor(top, "stop", status="completed", loop_count=int(active), **more),
        "gemini": _gemini(top, "AfterAgent", prompt="x", prompt_response="y", stop_hook_active=active, **more),
        "copilot": _copilot(top, transcriptPath="", stopReason="end_turn", **more),
        "opencode": _opencode(top, "idle", **more),
    }[agent]


def says(agent: str, top: str, text: str) -> Payload:
    """A person's message."""
    return {
        "claude-code": _claude(top, "UserPromptSubmit", prompt=text),
        "codex": _codex(top, "UserPromptSubmit", prompt=text),
        "cursor": _cursor(top, "beforeSubmitPrompt", prompt=text, attachments=[]),
        "gemini": _gemini(top, "BeforeAgent", prompt=text),
        "copilot": _copilot(top, prompt=text),
        "opencode": _opencode(top, "prompt", prompt=text),
    }[agent]


def begins(agent: str, top: str) -> Payload:
    """A session's begin."""
    return {
        "claude-code": _claude(top, "SessionStart", source="startup"),
        "codex": _codex(top, "SessionStart", source="startup"),
        "cursor": _cursor(top, "sessionStart", session_id="s1", composer_mode="agent"),
        "gemini": _gemini(top, "SessionStart", source="startup"),
        "copilot": _copilot(top, source="new", initialPrompt="x"),
        "opencode": _opencode(top, "start"),
    }[agent]


def specific(event: str, *keys: str) -> Payload:
    """The shape of an answer below its event's name."""
    known = {"permissionDecision": ["deny"]}
    return {"hookSpecificOutput": {"hookEventName": [event], **{key: known.get(key, str) for key in keys}}}


_DENY = ("permissionDecision", "permissionDecisionReason")
_SAYS = {"systemMessage": str}
_BLOCKS = {"decision": ["block"], "reason": str}
_PERMISSION = {"permission": ["deny"], "user_message": str, "agent_message": str}
_NESTED = {
    "PreToolUse": [_SAYS, specific("PreToolUse", *_DENY), specific("PreToolUse", "additionalContext")],
    "PostToolUse": [_SAYS, _BLOCKS, specific("PostToolUse", "additionalContext")],
    "Stop": [_SAYS, _BLOCKS],
    "UserPromptSubmit": [_SAYS, specific("UserPromptSubmit", "additionalContext")],
    "SessionStart": [_SAYS, specific("SessionStart", "additionalContext")],
}
_ASKS = {"permissionDecision": ["ask"], "permissionDecisionReason": str}
_QUESTION = {"hookSpecificOutput": {"hookEventName": ["PreToolUse"], **_ASKS}}
# agent -> event -> shapes; an answer has all keys of one or more of them, and no other key
TAKES: dict[str, dict[str, list[Payload]]] = {
    "claude-code": {**_NESTED, "PreToolUse": [*_NESTED["PreToolUse"], _QUESTION]},
    "codex": _NESTED,
    "cursor": {
        "beforeShellExecution": [_PERMISSION],
        "preToolUse": [_PERMISSION],
        "beforeMCPExecution": [_PERMISSION],
        "postToolUse": [{"additional_context": str}],
        "sessionStart": [{"additional_context": str}],
        "stop": [{"followup_message": str}],
        "beforeSubmitPrompt": [],
    },
    "gemini": {
        "BeforeTool": [_SAYS, {"decision": ["deny"], "reason": str}],
        "AfterTool": [_SAYS, specific("AfterTool", "additionalContext")],
        "AfterAgent": [_SAYS, {"decision": ["deny"], "reason": str}],
        "BeforeAgent": [_SAYS, specific("BeforeAgent", "additionalContext")],
        "SessionStart": [_SAYS, specific("SessionStart", "additionalContext")],
    },
    "copilot": {
        "preToolUse": [{"permissionDecision": ["deny"], "permissionDecisionReason": str}],
        "agentStop": [_BLOCKS],
        "postToolUse": [{"additionalContext": str}],
        "sessionStart": [{"additionalContext": str}],
    },
    "opencode": {
        "before": [{"deny": str}, {"tell": str}, {"say": str}],
        "after": [{"deny": str}, {"tell": str}, {"say": str}],
        "idle": [{"deny": str}, {"say": str}],
        "prompt": [{"tell": str}, {"say": str}],
        "start": [{"tell": str}, {"say": str}],
    },
}


def refused(agent: str, event: str, out: Payload) -> str:
    """Why the agent would not understand this answer; "" where it would."""
    left = dict(out)
    for shape in TAKES[agent].get(event, []):
        if set(shape) <= set(left) and not any(_differs(left[key], wanted) for key, wanted in shape.items()):
            left = {key: value for key, value in left.items() if key not in shape}
    return f"{agent} at {event}: {left}" if left else ""


def _differs(value: Any, wanted: Any) -> bool:
    if isinstance(wanted, dict):
        same = isinstance(value, dict) and set(value) == set(wanted)
        return not same or any(_differs(value[key], one) for key, one in wanted.items())
    return value not in wanted if isinstance(wanted, list) else not (isinstance(value, str) and value.strip())
