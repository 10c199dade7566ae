"""OpenCode: it has plugins and no hooks, so rulec's plugin, of OpenCode 1 and 2, sends JSON of rulec's form.

Asked: ``event`` (before, after, prompt, start or idle), ``session``, ``cwd``, ``root``, ``tool``, ``args``, ``call``,
``prompt``, ``words``, ``subagent``, ``parent``. Answered: nothing, or an object with some of ``deny``, ``tell`` and
``say``.
"""

from __future__ import annotations

from rulec.agents.protocol.agent_spec import (
    AFTER_TOOL,
    BEFORE_TOOL,
    PROMPT,
    SESSION_START,
    TURN_END,
    WHOLE_LIST,
    AgentSpec,
    HookEvent,
    HookRequest,
    HookResponse,
    as_text,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


MOMENTS = {"before": BEFORE_TOOL, "after": AFTER_TOOL, "prompt": PROMPT, "start": SESSION_START, "idle": TURN_END}
TOOLS = {
    "bash": "command", "shell": "command", "write": "write", "edit": "edit", "multiedit": "edit", "patch": "patch",
    "apply_patch": "patch",
}  # fmt: skip


def read(data: dict[str, Any]) -> HookRequest:
    """The request in what the agent sends to its hook."""
    name = as_text(data.get("event"))
    asked = HookRequest(MOMENTS.get(name, ""), name)
    asked.cwd, asked.session, asked.tool = (as_text(data.get(key)) for key in ("cwd", "session", "tool"))
    asked.given = data.get("args")
    asked.folders = [root] if (root := as_text(data.get("root"))) else []
    asked.use = as_text(data.get("call"))
    asked.subagent = asked.session if data.get("subagent") is True else ""
    asked.parent = as_text(data.get("parent"))
    asked.words = as_text(data.get("prompt" if asked.moment == PROMPT else "words"))
    if asked.tool in TOOLS:
        from rulec.agents.protocol import tool_calls  # noqa: PLC0415 (other moments call no tool)

        asked.actions = tool_calls.tool_actions(TOOLS[asked.tool], data.get("args"))
    return asked


def deny(_: HookRequest, reason: str) -> HookResponse:
    """The plugin throws, adds it to the tool's result, or sends the agent on with it."""
    return HookResponse({"deny": reason})


def tell(_: HookRequest, words: str) -> HookResponse:
    """The plugin adds it to what the agent reads next."""
    return HookResponse({"tell": words})


def say(_: HookRequest, words: str) -> HookResponse:
    """The plugin shows it to the person."""
    return HookResponse({"say": words})


_NO = ("deny", "")
_EDIT = {"filePath": "{path}", "content": "{text}"}

AGENT = AgentSpec(
    name="opencode",
    title="OpenCode",
    moments=MOMENTS,
    hears=(BEFORE_TOOL, AFTER_TOOL, PROMPT, SESSION_START),
    read=read,
    deny=deny,
    tell=tell,
    say=say,
    # todos [{content, status: pending, in_progress, completed, cancelled, priority}]
    plan_tools={"todowrite": WHOLE_LIST},
    hook_file=".opencode/plugins/rulec.ts",
    folder=".",
    example={"session": "{session}", "cwd": "{top}", "root": "{top}"},
    events=(
        HookEvent(
            "tool.execute.before",
            BEFORE_TOOL,
            {"event": "before", "tool": "bash", "args": {"command": "{command}"}, "call": "c"},
            _NO,
        ),
        HookEvent(
            "tool.execute.after", AFTER_TOOL, {"event": "after", "tool": "write", "args": _EDIT, "call": "c"}, _NO
        ),
        HookEvent("session.idle", TURN_END, {"event": "idle"}, _NO),
        HookEvent("chat.message", PROMPT, {"event": "prompt", "prompt": "{text}"}),
        HookEvent("chat.message", SESSION_START, {"event": "start"}),
    ),
    settings={
        ".opencode/plugins/rulec.ts": "whole",
        ".opencode/plugin{,s}/rulec*": "whole",
        "opencode/plugin{,s}/rulec*": "whole",
        "~/.config/opencode/plugins/rulec.ts": "whole",
        "~/.config/opencode/plugin{,s}/rulec*": "whole",
        "~/.config/opencode/opencode.json": "json",
        "/opencode.json": "json",
    },
    switches=("plugin", "plugins"),
    programs=("opencode",),
    runs_with=("OPENCODE",),
    configured_by=("OPENCODE_CONFIG", "OPENCODE_CONFIG_DIR"),
    signs=(".opencode/", "opencode.json"),
)
