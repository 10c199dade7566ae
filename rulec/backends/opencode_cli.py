"""opencode-cli: the installed OpenCode, `opencode run`, with a configuration of ours in the place of the person's.

Who is asked is what OpenCode itself prefers among the services that the person is logged in to, or `models.model`,
written as PROVIDER/MODEL. Sessions are kept in memory alone.
"""

import json
from typing import Any

from rulec.backends._cli_runner import SYSTEM, Cli, Said, count, lines, part
from rulec.ports import Output

_AGENT = "rulec"
_CONFIG = {
    "share": "disabled",
    "autoupdate": False,
    "permission": {"*": "deny"},
    "agent": {
        _AGENT: {
            "mode": "primary",
            "prompt": f"{{file:{{scratch}}/{SYSTEM}}}",
            "permission": {"*": "deny"},
            "tools": {"*": False},
        }
    },
}


def read(output: Output) -> Said | None:
    """The text of the last step among the events."""
    events = lines(output)
    texts, uses, tools, faults = list[str](), list[Any](), list[str](), list[str]()
    for one in events:
        piece = part(one, "part")
        if one.get("type") == "step_start":
            texts = []
        elif one.get("type") == "text":
            texts.append(str(piece.get("text") or ""))
        elif one.get("type") == "tool_use":
            tools.append(str(piece.get("tool") or "a tool"))
        elif one.get("type") == "step_finish":
            uses.append(piece)
        elif one.get("type") == "error":
            error = part(one, "error")
            faults.append(
                str(part(error, "data").get("message") or error.get("message") or error.get("name") or "an error")
            )
    if not (texts or uses or faults):
        return None
    prices = [use["cost"] for use in uses if isinstance(use.get("cost"), int | float)]
    spent = [part(use, "tokens") for use in uses]
    return Said(
        text="\n".join(texts),
        sent=sum(count(use, "input") + count(part(use, "cache"), "read", "write") for use in spent),
        received=sum(count(use, "output", "reasoning") for use in spent),
        dollars=float(sum(prices)) if prices else None,
        fault=faults[-1] if faults else "",
        tool=tools[0] if tools else "",
    )


CLI = Cli(
    name="opencode-cli",
    program="opencode",
    install="npm install -g opencode-ai, then opencode auth login",
    log_in="log in with `opencode auth login`; what your opencode.json says is not taken in",
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
    parents=("OPENCODE", "OPENCODE_CONFIG", "OPENCODE_CONFIG_DIR", "OPENCODE_PERMISSION"),
    system=True,
)
PLUG = CLI.backend()
