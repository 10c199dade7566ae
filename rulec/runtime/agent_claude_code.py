"""Claude Code: its hooks' JSON in, ours out."""

from rulec.runtime.agents import ASK, DONE, PROMPT, START, STOP, Agent, Answer, Asked, mapping, text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

MOMENTS = {
    "PreToolUse": ASK, "PostToolUse": DONE, "Stop": STOP, "UserPromptSubmit": PROMPT,
    "SessionStart": START,
}  # fmt: skip


def read(data: "dict[str, Any]") -> Asked:
    """What is asked."""
    name = text(data.get("hook_event_name"))
    asked = Asked(MOMENTS.get(name, ""), name)
    asked.cwd, asked.session = text(data.get("cwd")), text(data.get("session_id"))
    asked.turn = text(data.get("prompt_id"))
    asked.stopped = data.get("stop_hook_active") is True
    asked.tool = text(data.get("tool_name"))
    asked.given = data.get("tool_input")
    asked.transcript, asked.use = text(data.get("transcript_path")), text(data.get("tool_use_id"))
    asked.subagent, asked.words = text(data.get("agent_id")), text(data.get("last_assistant_message"))
    if asked.moment == PROMPT and data.get("source") in (None, "user"):  # programs send messages too
        asked.words = text(data.get("prompt"))
    asked.result = mapping(data.get("tool_response"))
    reader = TOOLS.get(asked.tool)
    if reader:
        asked.actions = [reader(mapping(data.get("tool_input")))]
    elif asked.tool.startswith("mcp__"):
        from rulec.runtime import agent_mcp  # noqa: PLC0415 (few calls are of other servers)

        asked.actions = agent_mcp.actions(asked.tool, data.get("tool_input"))
    return asked


def _bash(given: "dict[str, Any]") -> "dict[str, Any]":
    return {"kind": "command", "command": text(given.get("command"))}


def _write(given: "dict[str, Any]") -> "dict[str, Any]":
    content = text(given.get("content"))
    return {"kind": "write", "path": text(given.get("file_path")), "new": content, "content": content}


def _edit(given: "dict[str, Any]") -> "dict[str, Any]":
    return {"kind": "edit", "path": text(given.get("file_path")), "edits": [_change(given)]}


def _edits(given: "dict[str, Any]") -> "dict[str, Any]":
    listed = given.get("edits")
    changes = [_change(mapping(one)) for one in listed] if isinstance(listed, list) else []
    return {"kind": "edit", "path": text(given.get("file_path")), "edits": changes}


def _change(given: "dict[str, Any]") -> "tuple[str, str, bool]":
    return text(given.get("old_string")), text(given.get("new_string")), given.get("replace_all") is True


def _notebook(given: "dict[str, Any]") -> "dict[str, Any]":
    path = text(given.get("notebook_path")) or text(given.get("file_path"))
    return {"kind": "edit", "path": path, "edits": [], "new": text(given.get("new_source"))}


TOOLS = {"Bash": _bash, "Write": _write, "Edit": _edit, "MultiEdit": _edits, "NotebookEdit": _notebook}


def deny(asked: Asked, reason: str) -> Answer:
    """The tool does not run; what it did is held against the agent; the turn goes on."""
    if asked.moment == ASK:
        return _specific(asked, permissionDecision="deny", permissionDecisionReason=reason)
    return Answer({"decision": "block", "reason": reason})


def tell(asked: Asked, words: str) -> Answer:
    """Only the agent gets it."""
    return _specific(asked, additionalContext=words)


def say(_: Asked, words: str) -> Answer:
    """The person sees it."""
    return Answer({"systemMessage": words})


def _specific(asked: Asked, **parts: str) -> Answer:
    return Answer({"hookSpecificOutput": {"hookEventName": asked.event, **parts}})


AGENT = Agent(
    name="claude-code", project="CLAUDE_PROJECT_DIR", hears=(ASK, DONE, PROMPT, START), read=read, deny=deny, tell=tell,
    say=say,
)  # fmt: skip
