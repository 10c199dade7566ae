"""Copilot CLI: its JSON names no event, so that the fields tell; also in the form of Visual Studio Code."""

from rulec.runtime.agents import ASK, DONE, PROMPT, START, STOP, Agent, Answer, Asked, opened, text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

MOMENTS = {
    "preToolUse": ASK, "postToolUse": DONE, "agentStop": STOP, "stop": STOP,
    "userPromptSubmitted": PROMPT, "userPromptSubmit": PROMPT, "sessionStart": START,
}  # fmt: skip
TOOLS = {
    "bash": "command", "powershell": "command", "shell": "command", "local_shell": "command", "create": "write",
    "edit": "edit", "write": "write", "str_replace_editor": "file", "apply_patch": "patch",
}  # fmt: skip
HEARS = (DONE, START)
TELLING = (  # the first of these fields that is there tells the event
    ("toolResult", "postToolUse"), ("toolName", "preToolUse"), ("stopReason", "agentStop"),
    ("prompt", "userPromptSubmitted"), ("source", "sessionStart"), ("agentName", "subagentStart"),
    ("reason", "sessionEnd"), ("error", "errorOccurred"),
)  # fmt: skip


def read(data: "dict[str, Any]") -> Asked:
    """What is asked."""
    name = text(data.get("hook_event_name")) or next((event for key, event in TELLING if key in data), "")
    name = name[:1].lower() + name[1:]
    asked = Asked(MOMENTS.get(name, ""), name)
    asked.cwd = text(data.get("cwd"))
    asked.session = text(data.get("sessionId")) or text(data.get("session_id"))
    asked.tool = text(data.get("toolName")) or text(data.get("tool_name"))
    asked.subagent = text(data.get("agentName")) or text(data.get("agent_name"))
    asked.words = text(data.get("prompt"))
    again = data.get("stop_hook_active")
    asked.stopped = again if isinstance(again, bool) else None  # older programs do not say
    asked.given = data["toolArgs"] if "toolArgs" in data else data.get("tool_input")
    if asked.tool in TOOLS:
        from rulec.runtime import agent_tools  # noqa: PLC0415 (other moments call no tool)

        asked.actions = agent_tools.actions(TOOLS[asked.tool], opened(asked.given))
    return asked


def deny(asked: Asked, reason: str) -> Answer:
    """The tool does not run, the turn goes on; what a finished tool did is told."""
    if asked.moment == ASK:
        return Answer({"permissionDecision": "deny", "permissionDecisionReason": reason})
    if asked.moment == STOP:
        return Answer({"decision": "block", "reason": reason})
    return tell(asked, reason)


def tell(asked: Asked, words: str) -> Answer:
    """Its model hears of it after a tool and at the start of a session; at other moments the person does."""
    return Answer({"additionalContext": words}) if asked.moment in HEARS else say(asked, words)


def say(_: Asked, words: str) -> Answer:
    """What hooks complain of is the one thing that a person sees."""
    return Answer(error=words)


def fail(words: str) -> Answer:
    """A denial stops the tool in every version, an exit code does not; other moments pass over it."""
    return Answer({"permissionDecision": "deny", "permissionDecisionReason": words}, error=words)


AGENT = Agent(name="copilot", project="", hears=HEARS, read=read, deny=deny, tell=tell, say=say, fail=fail)
