"""What an agent asks of a hook, how it is answered, and the form in which each agent describes both."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


BEFORE_TOOL, AFTER_TOOL, TURN_END = "ask", "done", "stop"  # before a tool runs, after it ran, the end of a turn
PROMPT = "prompt"  # a person sent a message
SESSION_START = "start"  # a session begins, or begins anew
NO_ACTION = "other"  # the kind of an action that no rule judges
NAMES = ("claude-code", "codex", "copilot", "cursor", "gemini", "opencode")


class HookRequest:
    """What an agent asks: which moment, which folder, which actions."""

    __slots__ = (
        "actions",
        "cwd",
        "event",
        "folders",
        "given",
        "moment",
        "records",
        "result",
        "session",
        "stopped",
        "subagent",
        "tool",
        "transcript",
        "turn",
        "use",
        "words",
    )  # fmt: skip

    def __init__(self, moment: str, event: str = "") -> None:
        self.moment, self.event = moment, event  # in our words, and in the agent's
        self.cwd = self.session = self.turn = self.tool = ""
        self.folders: "list[str]" = []  # others that may be the project's
        self.transcript = (
            ""  # the file in which the agent's program records this session, where we can read such a file
        )
        self.records = ""  # in whose form; "" is Claude Code's
        self.use = ""  # the call's name in it
        self.subagent = ""  # the sub-agent that asks
        self.words = ""  # the agent's last ones, at the end of a turn; a person's, where they sent a message
        self.given: object = None  # what the tool is called with, as the agent sent it
        self.actions: "list[dict[str, Any]]" = []  # one patch may touch many files
        self.result: "dict[str, Any]" = {}
        self.stopped: "bool | None" = None  # the turn goes on because we blocked its end; None: this agent does not say

    @property
    def action(self) -> "dict[str, Any]":
        """The first thing that is to be done."""
        return self.actions[0] if self.actions else {"kind": NO_ACTION}


class HookResponse:
    """Exit code, what goes to the agent as JSON, and what goes to standard error."""

    __slots__ = ("code", "error", "out")

    def __init__(self, out: "dict[str, Any] | None" = None, code: int = 0, error: str = "") -> None:
        self.out, self.code, self.error = out or {}, code, error

    def plus(self, other: "HookResponse") -> "HookResponse":
        """Both in one."""
        out = dict(self.out)
        for key, value in other.out.items():
            known = out.get(key)
            out[key] = f"{known}\n\n{value}" if isinstance(known, str) else value
        error = "\n".join(filter(None, (self.error, other.error)))
        return HookResponse(out, max(self.code, other.code), error)


class AgentSpec:
    """One agent's protocol: a reader of its JSON and the answers it understands."""

    __slots__ = ("deny", "fail", "hears", "name", "project", "read", "say", "tell")

    def __init__(self, **parts: "Any") -> None:
        self.name: str = parts["name"]  # as scopes know it
        self.project: str = parts["project"]  # the variable that holds the project's folder, or ""
        self.hears: "tuple[str, ...]" = parts["hears"]  # the moments at which its model can be told something
        self.read = parts["read"]  # its JSON -> Asked
        self.deny = parts["deny"]  # asked, reason -> the tool does not run, or the turn does not end
        self.tell = parts["tell"]  # asked, text -> the agent gets it; where it cannot, the person may
        self.say = parts["say"]  # asked, text -> the person sees it
        self.fail = parts.get("fail", _fail)  # text -> nothing is known but that it must not go on


def _fail(text: str) -> HookResponse:
    return HookResponse(code=2, error=text)


def find_agent(name: str) -> "AgentSpec | None":
    """The agent of that name; the files of the others are not even looked at."""
    if name not in NAMES:
        return None
    known: AgentSpec = __import__(agent_module(name), fromlist=["AGENT"]).AGENT
    return known


def agent_module(name: str) -> str:
    """The module that knows an agent's protocol."""
    return f"rulec.agents.{name.replace('-', '_')}"


def asking_agent(name: str, data: "dict[str, Any]") -> str:
    """Who really asks: Cursor runs the hooks of Claude Code too, and speaks its own language to them."""
    return "cursor" if name == "claude-code" and ("cursor_version" in data or "workspace_roots" in data) else name


def why_unreadable(asked: HookRequest) -> str:
    """What keeps us from knowing what is asked; "" where it is known, or none of our moments."""
    if not asked.event:
        return "what the agent sent names no event"
    if asked.moment != BEFORE_TOOL:
        return ""
    if not asked.tool and not asked.actions:
        return "what the agent sent names no tool"
    named = [action.get("command") or action.get("path") for action in asked.actions]
    wanted = "path" if "path" in asked.action else "command"
    return "" if any(named) or not named else f"what the agent sent names no {wanted}"


def as_text(value: object) -> str:
    """The value where it is text."""
    return value if isinstance(value, str) else ""


def as_mapping(value: object) -> "dict[str, Any]":
    """The value where it is an object."""
    return value if isinstance(value, dict) else {}


def decode_arguments(value: object) -> object:
    """Arguments, which some agents send as JSON in a string."""
    if not isinstance(value, str) or not value.lstrip().startswith("{"):
        return value
    import json  # noqa: PLC0415 (few agents do)

    try:
        return json.loads(value)
    except (ValueError, RecursionError):
        return value
