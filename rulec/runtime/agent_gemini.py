"""Gemini CLI: ``decision: deny`` keeps a tool from running and a turn from ending; nothing but JSON may be printed."""

from rulec.runtime.agents import ASK, DONE, PROMPT, START, STOP, Agent, Answer, Asked, text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

MOMENTS = {"BeforeTool": ASK, "AfterTool": DONE, "AfterAgent": STOP, "BeforeAgent": PROMPT, "SessionStart": START}
TOOLS = {
    "run_shell_command": "command", "write_file": "write", "replace": "edit", "edit": "edit", "smart_edit": "edit",
}  # fmt: skip


def read(data: "dict[str, Any]") -> Asked:
    """What is asked."""
    name = text(data.get("hook_event_name"))
    asked = Asked(MOMENTS.get(name, ""), name)
    asked.cwd, asked.session = text(data.get("cwd")), text(data.get("session_id"))
    asked.stopped = data.get("stop_hook_active") is True
    asked.tool = text(data.get("tool_name"))
    asked.given = data.get("tool_input")
    asked.words = text(data.get("prompt" if asked.moment == PROMPT else "prompt_response"))
    if asked.tool in TOOLS:
        from rulec.runtime import agent_tools  # noqa: PLC0415 (other moments call no tool)

        asked.actions = agent_tools.actions(TOOLS[asked.tool], data.get("tool_input"))
    elif asked.tool.startswith("mcp_"):
        from rulec.runtime import agent_mcp  # noqa: PLC0415 (few calls are of other servers)

        asked.actions = agent_mcp.actions(asked.tool, data.get("tool_input"))
    return asked


def deny(asked: Asked, reason: str) -> Answer:
    """The tool does not run, the turn goes on; after an edit the reason stands below the tool's own result."""
    if asked.moment == DONE:
        return tell(asked, reason)
    return Answer({"decision": "deny", "reason": reason})


def tell(asked: Asked, words: str) -> Answer:
    """The agent gets it; before a tool runs only the person can be told."""
    if asked.moment == ASK:
        return say(asked, words)
    return Answer({"hookSpecificOutput": {"hookEventName": asked.event, "additionalContext": words}})


def say(_: Asked, words: str) -> Answer:
    """The person sees it."""
    return Answer({"systemMessage": words})


AGENT = Agent(
    name="gemini", project="GEMINI_PROJECT_DIR", hears=(DONE, PROMPT, START), read=read, deny=deny, tell=tell, say=say
)
