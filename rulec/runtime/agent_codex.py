"""Codex: as Claude Code asks, but a field that it does not know makes it pass the action: only its own are answered."""

from rulec.runtime.agents import ASK, DONE, PROMPT, START, STOP, Agent, Answer, Asked, mapping, text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

MOMENTS = {
    "PreToolUse": ASK, "PostToolUse": DONE, "Stop": STOP, "UserPromptSubmit": PROMPT,
    "SessionStart": START,
}  # fmt: skip
TOOLS = {
    "Bash": "command", "shell": "command", "shell_command": "command", "exec_command": "command",
    "local_shell": "command", "apply_patch": "patch", "Edit": "file", "Write": "file",
}  # fmt: skip


def read(data: "dict[str, Any]") -> Asked:
    """What is asked."""
    name = text(data.get("hook_event_name"))
    asked = Asked(MOMENTS.get(name, ""), name)
    asked.cwd, asked.session, asked.turn = (text(data.get(key)) for key in ("cwd", "session_id", "turn_id"))
    asked.tool, asked.use = text(data.get("tool_name")), text(data.get("tool_use_id"))
    asked.given = data.get("tool_input")
    asked.stopped = data.get("stop_hook_active") is True
    asked.transcript, asked.records = text(data.get("transcript_path")), "codex"
    asked.subagent = text(data.get("agent_id"))
    asked.words = text(data.get("prompt" if asked.moment == PROMPT else "last_assistant_message"))
    kind = TOOLS.get(asked.tool)
    if kind:
        from rulec.runtime import agent_tools  # noqa: PLC0415 (other moments call no tool)

        given = data.get("tool_input")
        if kind == "file" and "*** Begin Patch" in text(mapping(given).get("command")):
            kind = "patch"
        asked.actions = agent_tools.actions(kind, given)
    elif asked.tool.startswith("mcp__"):
        from rulec.runtime import agent_mcp  # noqa: PLC0415 (few calls are of other servers)

        asked.actions = agent_mcp.actions(asked.tool, data.get("tool_input"))
    return asked


def deny(asked: Asked, reason: str) -> Answer:
    """The tool does not run; what it did is held against the agent; the turn goes on."""
    if asked.moment == ASK:
        return _specific(asked, permissionDecision="deny", permissionDecisionReason=reason)
    return Answer({"decision": "block", "reason": reason})


def tell(asked: Asked, words: str) -> Answer:
    """Only the agent gets it."""
    return _specific(asked, additionalContext=words)


def say(asked: Asked, words: str) -> Answer:
    """The person sees it; an event of which we do not know what it takes is answered beside the JSON."""
    return Answer({"systemMessage": words}) if asked.moment else Answer(error=words)


def _specific(asked: Asked, **parts: str) -> Answer:
    return Answer({"hookSpecificOutput": {"hookEventName": asked.event, **parts}})


AGENT = Agent(name="codex", project="", hears=(ASK, DONE, PROMPT, START), read=read, deny=deny, tell=tell, say=say)
