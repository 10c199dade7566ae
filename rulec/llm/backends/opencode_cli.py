"""opencode-cli: the installed OpenCode, `opencode run`, with a configuration of rulec's instead of the person's.

Who is asked is what OpenCode itself prefers among the services that the person is logged in to, or `models.model`,
written as PROVIDER/MODEL. Sessions are kept in memory alone.
"""

import json
from typing import Any

from rulec.agents.opencode import AGENT
from rulec.domain.plugs import JobOutput
from rulec.llm.clients.agent_cli import SYSTEM_FILE, AgentCli, CliAnswer, json_lines, json_part, sum_counts

_AGENT = "rulec"
_CONFIG = {
    "share": "disabled",
    "autoupdate": False,
    "permission": {"*": "deny"},
    "agent": {
        _AGENT: {
            "mode": "primary",
            "prompt": f"{{file:{{scratch}}/{SYSTEM_FILE}}}",
            "permission": {"*": "deny"},
            "tools": {"*": False},
        }
    },
}


def read(output: JobOutput) -> CliAnswer | None:
    """The text of the last step among the events."""
    events = json_lines(output)
    texts, uses, tools, faults = list[str](), list[Any](), list[str](), list[str]()
    for one in events:
        piece = json_part(one, "part")
        if one.get("type") == "step_start":
            texts = []
        elif one.get("type") == "text":
            texts.append(str(piece.get("text") or ""))
        elif one.get("type") == "tool_use":
            tools.append(str(piece.get("tool") or "a tool"))
        elif one.get("type") == "step_finish":
            uses.append(piece)
        elif one.get("type") == "error":
            error = json_part(one, "error")
            faults.append(
                str(json_part(error, "data").get("message") or error.get("message") or error.get("name") or "an error")
            )
    if not (texts or uses or faults):
        return None
    prices = [use["cost"] for use in uses if isinstance(use.get("cost"), int | float)]
    spent = [json_part(use, "tokens") for use in uses]
    return CliAnswer(
        text="\n".join(texts),
        sent=sum(sum_counts(use, "input") + sum_counts(json_part(use, "cache"), "read", "write") for use in spent),
        received=sum(sum_counts(use, "output", "reasoning") for use in spent),
        dollars=float(sum(prices)) if prices else None,
        fault=faults[-1] if faults else "",
        tool=tools[0] if tools else "",
    )


CLI = AgentCli(
    name="opencode-cli",
    program="opencode",
    install="npm install -g opencode-ai, then opencode auth login",
    log_in="log in with `opencode auth login`; your opencode.json is not read",
    argv=("run", "--pure", "--format", "json", "--agent", _AGENT, "--title", "rulec"),  # a title spares a request
    read=read,
    environment={
        "XDG_CONFIG_HOME": "{scratch}/config",  # no MCP servers, plugins, instructions of the person's
        "OPENCODE_CONFIG_CONTENT": json.dumps(_CONFIG),
        "OPENCODE_DB": ":memory:",
        "OPENCODE_DISABLE_PROJECT_CONFIG": "1",
        "OPENCODE_DISABLE_CLAUDE_CODE": "1",
        "OPENCODE_DISABLE_EXTERNAL_SKILLS": "1",
        "OPENCODE_DISABLE_LSP_DOWNLOAD": "1",
        "OPENCODE_DISABLE_AUTOUPDATE": "1",
    },
    keys=("OPENCODE_", "ANTHROPIC_", "OPENAI_", "GEMINI_", "GOOGLE_", "AWS_", "AZURE_", "GITHUB_", "OPENROUTER_"),
    parents=(*AGENT.runs_with, "OPENCODE_CONFIG", "OPENCODE_CONFIG_DIR", "OPENCODE_PERMISSION"),
    system=True,
)
PLUG = CLI.backend()
