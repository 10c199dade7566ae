"""What an agent asks of a hook, how it is answered, and the form in which each agent describes both."""

from __future__ import annotations

from rulec.domain.record import Record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any


BEFORE_TOOL, AFTER_TOOL, TURN_END = "ask", "done", "stop"  # before a tool runs, after it ran, the end of a turn
PROMPT = "prompt"  # a person sent a message
SESSION_START = "start"  # a session begins, or begins anew
NO_ACTION = "other"  # the kind of an action that no rule judges
# What a call of an agent's own tool does to its plan or todo list.
WHOLE_LIST, ADD_STEP, CHANGE_STEP, APPROVE_PLAN = "list", "add", "change", "approve"


class ToolAction(Record):
    """One thing that a call of a tool does: runs a command, or writes, edits or deletes a file."""

    kind: str  # command, write, edit, delete; in a record also read, tool, gap
    tool: str = ""
    command: str = ""
    cwd: str = ""  # the folder that the call names
    path: str | None = None  # None of what is about no file, "" of a call that lacks it
    new: str | None = None
    content: str | None = None  # the whole file, where the call gives it
    edits: Sequence[tuple[str, str, bool]] = ()  # what is replaced by what, and whether everywhere
    moved_from: str = ""  # the file that moves to the path
    source: str = ""  # another file that the call names


class HookRequest:
    """What an agent asks: which moment, which folder, which actions."""

    __slots__ = (
        "actions",
        "cwd",
        "event",
        "folders",
        "given",
        "mode",
        "moment",
        "parent",
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
        self.folders: list[str] = []  # others that may be the project's
        self.transcript = (
            ""  # the file in which the agent's program records this session, where we can read such a file
        )
        self.records = ""  # in whose form; "" is Claude Code's
        self.use = ""  # the call's name in it
        self.subagent = ""  # the sub-agent that asks
        self.parent = ""  # the session that started it, where the sub-agent has one of its own
        self.words = ""  # the agent's last ones, at the end of a turn; a person's, where they sent a message
        self.mode = ""  # in which the agent's program asks the person for permission, in its words
        self.given: object = None  # what the tool is called with, as the agent sent it
        self.actions: list[ToolAction] = []  # one patch may touch many files
        self.result: Mapping[str, object] = {}
        self.stopped: bool | None = None  # the turn goes on because we blocked its end; None: this agent does not say

    @property
    def main_session(self) -> str:
        """The session whose plan this is about."""
        return self.parent or self.session

    @property
    def action(self) -> ToolAction:
        """The first thing that is to be done."""
        return self.actions[0] if self.actions else ToolAction(kind=NO_ACTION)


class HookResponse:
    """Exit code, what goes to the agent as JSON, and what goes to standard error."""

    __slots__ = ("code", "error", "out")

    def __init__(self, out: dict[str, Any] | None = None, code: int = 0, error: str = "") -> None:
        self.out, self.code, self.error = out or {}, code, error

    def plus(self, other: HookResponse) -> HookResponse:
        """Both in one."""
        out = dict(self.out)
        for key, value in other.out.items():
            known = out.get(key)
            out[key] = f"{known}\n\n{value}" if isinstance(known, str) else value
        error = "\n".join(filter(None, (self.error, other.error)))
        return HookResponse(out, max(self.code, other.code), error)


class HookEvent:
    """An event at which an agent runs its hooks: how it is registered, and what the agent sends with it.

    In ``payload`` {command}, {path} and {text} stand for what rulec doctor tries the hook with. ``refusal`` is the
    place of a refusal in the answer and the word there, "" for any word; None where nothing can be refused.
    """

    __slots__ = ("any_tool", "matcher", "moment", "name", "payload", "refusal")

    def __init__(
        self,
        name: str,
        moment: str,
        payload: dict[str, Any],
        refusal: tuple[str, str] | None = None,
        *,
        matcher: str = "",
        any_tool: bool = False,
    ) -> None:
        self.name, self.moment, self.payload, self.refusal = name, moment, payload, refusal
        self.matcher = matcher  # a pattern of the tools at which the hook runs
        self.any_tool = any_tool  # tools that rules name are added to it


class InstructionFile:
    """A document that an agent reads before its work, and into which rulec writes the rules in words."""

    __slots__ = ("head", "imports", "name", "path", "signs")

    def __init__(
        self, name: str, path: str, *, signs: tuple[str, ...] = (), head: str = "", imports: bool = False
    ) -> None:
        self.name, self.path = name, path  # the name among the integrations
        self.signs = signs  # beginnings of paths that show that the document is wanted, too
        self.head = head  # what the file begins with, where rulec makes it
        self.imports = imports  # it may take in AGENTS.md, where the rules are already


def _cannot_ask(_: HookRequest, __: str) -> None:
    return None


def _fail(text: str) -> HookResponse:
    return HookResponse(code=2, error=text)


class AgentSpec:
    """All that rulec knows of one agent: the protocol of its hooks, its files, programs and variables.

    A new agent is one module in rulec.agents with an AGENT of this class.
    """

    name: str  # as scopes and --agent know it
    title: str  # as people call it

    # The protocol of its hooks.
    moments: dict[str, str]  # its events that are moments of ours
    hears: tuple[str, ...]  # the moments at which its model can be told something
    read: Callable[[dict[str, Any]], HookRequest]
    deny: Callable[[HookRequest, str], HookResponse]  # the tool does not run, or the turn does not end
    # Its program asks the person whether the tool may run; None where it does not, or answers that itself.
    ask: Callable[[HookRequest, str], HookResponse | None] = staticmethod(_cannot_ask)
    tell: Callable[[HookRequest, str], HookResponse]  # the agent gets the text; where it cannot, the person may
    say: Callable[[HookRequest, str], HookResponse]  # the person sees the text
    fail: Callable[[str], HookResponse] = staticmethod(_fail)  # nothing is known but that it must not go on
    poses_as: tuple[str, tuple[str, ...]] = ("", ())  # the agent whose hooks it runs, too; fields that show it

    # Its own plans and todo lists.
    plan_tools: Mapping[str, str] = {}  # tool -> what a call of it does to the list
    plan_folders: tuple[str, ...] = ()  # where it keeps plans, with variables; the first one that is there
    plan_prompt: str = ""  # how the message begins with which its program starts to work on an approved plan

    # The hooks in its settings.
    hook_file: str  # where they are registered
    # event, command line, seconds, matcher, whether a broken hook blocks -> its entry; None: the file is a plugin,
    # made from the template emit/NAME.SUFFIX.j2
    hook_entry: Callable[[HookEvent, str, int, str, bool], dict[str, Any]] | None = None
    versioned: bool = False  # the file has to say that it is of version 1
    folder: str = '"$(git rev-parse --show-toplevel)"'  # how its shell says where the project is
    project: str = ""  # the variable that holds the project's folder
    example: dict[str, Any]  # what it sends with every event; {event}, {session} and {top} are filled in
    events: tuple[HookEvent, ...]
    trust: str = ""  # what a person has to do once before it runs any hook

    # What may disarm the gate.
    settings: dict[str, str]  # path or glob -> how it is read: json, toml; whole: nobody edits it
    off: Mapping[str, bool] = {}  # setting -> the value with which no hook runs
    switches: tuple[str, ...] = ()  # other settings that decide which hooks run
    toml_words: tuple[str, ...] = ()  # what lines of TOML that speak of hooks hold
    programs: tuple[str, ...] = ()  # its command-line programs
    runs_with: tuple[str, ...] = ()  # variables that it sets for what it runs
    configured_by: tuple[str, ...] = ()  # variables that lead it to other settings
    env_files: tuple[str, ...] = ()  # variables that name a file which its shells read
    records: tuple[str, ...] = ()  # where it keeps the transcripts that the hook reads

    # Where it is used, and what it reads.
    signs: tuple[str, ...]  # beginnings of paths that show its use; **/NAME: a file of that name anywhere
    default: bool = False  # its hooks are wanted where no agent has left a sign
    documents: tuple[InstructionFile, ...] = ()
    skills: str = ".agents"  # the folder below which it looks for skills

    def __init__(self, **parts: Any) -> None:
        for key, value in parts.items():
            if key not in AgentSpec.__annotations__:
                raise TypeError(f"an agent has no {key}")
            setattr(self, key, value)


def find_agent(name: str) -> AgentSpec | None:
    """The agent of that name; the modules of the others are not loaded for it in the compiled hook."""
    from rulec.agents.protocol import agent_tables  # noqa: PLC0415 (agents import this module)

    if name not in agent_tables.NAMES:
        return None
    known: AgentSpec = __import__(f"rulec.agents.{name.replace('-', '_')}", fromlist=["AGENT"]).AGENT
    return known


def all_agents() -> list[AgentSpec]:
    """Every agent's spec, by name."""
    from rulec.agents.protocol import agent_tables  # noqa: PLC0415 (as above)

    return [spec for name in agent_tables.NAMES if (spec := find_agent(name))]


def agents_around(variables: Mapping[str, str]) -> list[str]:
    """The agents whose programs run something with these variables."""
    return [agent.name for agent in all_agents() if any(variables.get(name) for name in agent.runs_with)]


def asking_agent(name: str, data: dict[str, Any]) -> str:
    """The agent that really asks: Cursor runs the hooks of Claude Code too, and sends its own fields."""
    from rulec.agents.protocol import agent_tables  # noqa: PLC0415 (as above)

    posing = agent_tables.POSING.get(name, {})
    return next((other for other, fields in posing.items() if any(field in data for field in fields)), name)


def why_unreadable(asked: HookRequest) -> str:
    """What keeps us from knowing what is asked; "" where it is known, or none of our moments."""
    if not asked.event:
        return "what the agent sent names no event"
    if asked.moment != BEFORE_TOOL:
        return ""
    if not asked.tool and not asked.actions:
        return "what the agent sent names no tool"
    named = [action.command or action.path for action in asked.actions]
    wanted = "command" if asked.action.path is None else "path"
    return "" if any(named) or not named else f"what the agent sent names no {wanted}"


def has_failed(result: Mapping[str, object]) -> bool:
    """Whether the result of a tool's call says that it did nothing, in the words of any agent."""
    wrong = result.get("error") or result.get("is_error") or result.get("success") is False
    return bool(wrong) or result.get("resultType", "success") != "success"


def as_text(value: object) -> str:
    """The value where it is text."""
    return value if isinstance(value, str) else ""


def texts_of(data: Mapping[str, object], *keys: str) -> list[str]:
    """The values under these keys, "" where one is no text."""
    return [value if isinstance(value := data.get(key), str) else "" for key in keys]


def as_mapping(value: object) -> dict[str, object]:
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
