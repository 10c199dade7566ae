"""The one place that knows how agents speak: their hook's JSON in, our answer in their form out."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

ASK, DONE, STOP = "ask", "done", "stop"  # before a tool runs, after it ran, the end of a turn
PROMPT = "prompt"  # a person sent a message
START = "start"  # a session begins, or begins anew


class Asked:
    """What an agent asks: which moment, which folder, which action."""

    __slots__ = (
        "action", "cwd", "moment", "result", "session", "stopped", "subagent", "tool", "transcript", "turn", "use",
        "words",
    )  # fmt: skip

    def __init__(self, moment: str) -> None:
        self.moment = moment
        self.cwd = self.session = self.turn = self.tool = ""
        self.transcript = ""  # the file in which the agent's program records this session
        self.use = ""  # the call's name in it
        self.subagent = ""  # the sub-agent that asks
        self.words = ""  # the agent's last ones, at the end of a turn; a person's, where they sent a message
        self.action: "dict[str, Any]" = {"kind": "other"}
        self.result: "dict[str, Any]" = {}
        self.stopped = False  # the turn goes on because we blocked its end


class Agent:
    """One agent's protocol: a reader of its JSON and the answers it understands."""

    __slots__ = ("block", "context", "deny", "name", "opens", "project", "read", "say", "tell")

    def __init__(self, **parts: "Any") -> None:
        self.name: str = parts["name"]  # as scopes know it
        self.project: str = parts["project"]  # the variable that holds the project's folder
        self.read = parts["read"]
        self.deny = parts["deny"]  # reason -> answer that keeps the tool from running
        self.tell = parts["tell"]  # text -> answer that only the agent gets
        self.block = parts["block"]  # reason -> answer after a tool ran or at the end of a turn
        self.context = parts["context"]  # text -> answer that the agent gets with a person's message
        self.opens = parts["opens"]  # text -> answer that the agent gets when a session begins
        self.say = parts["say"]  # text -> answer that the person sees


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _map(value: object) -> "dict[str, Any]":
    return value if isinstance(value, dict) else {}


def _claude_read(data: "dict[str, Any]") -> Asked:
    moments = {"PreToolUse": ASK, "PostToolUse": DONE, "Stop": STOP, "SubagentStop": STOP}
    moments.update(UserPromptSubmit=PROMPT, SessionStart=START)
    asked = Asked(moments.get(_text(data.get("hook_event_name")), ""))
    asked.cwd, asked.session = _text(data.get("cwd")), _text(data.get("session_id"))
    asked.turn = _text(data.get("prompt_id"))
    asked.stopped = data.get("stop_hook_active") is True
    asked.tool = _text(data.get("tool_name"))
    asked.transcript, asked.use = _text(data.get("transcript_path")), _text(data.get("tool_use_id"))
    asked.subagent, asked.words = _text(data.get("agent_id")), _text(data.get("last_assistant_message"))
    if asked.moment == PROMPT and data.get("source") in (None, "user"):  # programs send messages too
        asked.words = _text(data.get("prompt"))
    asked.result = _map(data.get("tool_response"))
    reader = CLAUDE_TOOLS.get(asked.tool)
    if reader:
        asked.action = reader(_map(data.get("tool_input")))
    return asked


def _bash(given: "dict[str, Any]") -> "dict[str, Any]":
    return {"kind": "command", "command": _text(given.get("command"))}


def _write(given: "dict[str, Any]") -> "dict[str, Any]":
    content = _text(given.get("content"))
    return {"kind": "write", "path": _text(given.get("file_path")), "new": content, "content": content}


def _edit(given: "dict[str, Any]") -> "dict[str, Any]":
    return {"kind": "edit", "path": _text(given.get("file_path")), "edits": [_change(given)]}


def _edits(given: "dict[str, Any]") -> "dict[str, Any]":
    listed = given.get("edits")
    changes = [_change(_map(one)) for one in listed] if isinstance(listed, list) else []
    return {"kind": "edit", "path": _text(given.get("file_path")), "edits": changes}


def _change(given: "dict[str, Any]") -> "tuple[str, str, bool]":
    return _text(given.get("old_string")), _text(given.get("new_string")), given.get("replace_all") is True


def _notebook(given: "dict[str, Any]") -> "dict[str, Any]":
    path = _text(given.get("notebook_path")) or _text(given.get("file_path"))
    return {"kind": "edit", "path": path, "edits": [], "new": _text(given.get("new_source"))}


CLAUDE_TOOLS = {"Bash": _bash, "Write": _write, "Edit": _edit, "MultiEdit": _edits, "NotebookEdit": _notebook}


def _before(**parts: str) -> "dict[str, Any]":
    return {"hookSpecificOutput": {"hookEventName": "PreToolUse", **parts}}


KNOWN = (
    Agent(
        name="claude-code",
        project="CLAUDE_PROJECT_DIR",
        read=_claude_read,
        deny=lambda reason: _before(permissionDecision="deny", permissionDecisionReason=reason),
        tell=lambda text: _before(additionalContext=text),
        block=lambda reason: {"decision": "block", "reason": reason},
        context=lambda text: {"hookSpecificOutput": {"hookEventName": "UserPromptSubmit", "additionalContext": text}},
        opens=lambda text: {"hookSpecificOutput": {"hookEventName": "SessionStart", "additionalContext": text}},
        say=lambda text: {"systemMessage": text},
    ),
)
AGENTS = {agent.name: agent for agent in KNOWN}
