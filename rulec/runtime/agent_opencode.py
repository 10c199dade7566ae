"""OpenCode: the plugin that rulec emits asks in JSON of ours, since OpenCode itself knows no hooks but code.

Asked: ``event`` (before, after, prompt, start or idle), ``session``, ``cwd``, ``root``, ``tool``, ``args``, ``call``,
``prompt``, ``words``, ``subagent``. Answered: nothing, or an object with some of ``deny``, ``tell`` and ``say``.
"""

from rulec.runtime.agents import ASK, DONE, PROMPT, START, STOP, Agent, Answer, Asked, text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

MOMENTS = {"before": ASK, "after": DONE, "prompt": PROMPT, "start": START, "idle": STOP}
TOOLS = {
    "bash": "command", "shell": "command", "write": "write", "edit": "edit", "multiedit": "edit", "patch": "patch",
    "apply_patch": "patch",
}  # fmt: skip


def read(data: "dict[str, Any]") -> Asked:
    """What is asked."""
    name = text(data.get("event"))
    asked = Asked(MOMENTS.get(name, ""), name)
    asked.cwd, asked.session, asked.tool = (text(data.get(key)) for key in ("cwd", "session", "tool"))
    asked.given = data.get("args")
    asked.folders = [root] if (root := text(data.get("root"))) else []
    asked.use = text(data.get("call"))
    asked.subagent = asked.session if data.get("subagent") is True else ""
    asked.words = text(data.get("prompt" if asked.moment == PROMPT else "words"))
    if asked.tool in TOOLS:
        from rulec.runtime import agent_tools  # noqa: PLC0415 (other moments call no tool)

        asked.actions = agent_tools.actions(TOOLS[asked.tool], data.get("args"))
    return asked


def deny(_: Asked, reason: str) -> Answer:
    """The plugin throws, adds it to the tool's result, or sends the agent on with it."""
    return Answer({"deny": reason})


def tell(_: Asked, words: str) -> Answer:
    """The plugin adds it to what the agent reads next."""
    return Answer({"tell": words})


def say(_: Asked, words: str) -> Answer:
    """The plugin shows it to the person."""
    return Answer({"say": words})


AGENT = Agent(name="opencode", project="", hears=(ASK, DONE, PROMPT, START), read=read, deny=deny, tell=tell, say=say)
