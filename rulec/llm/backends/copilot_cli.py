"""copilot-cli: the installed GitHub Copilot CLI, in a separate home folder with the person's login and nothing else.

It stores every session below its home and takes hooks, MCP servers and instructions from there.
"""

import json
import os
from pathlib import Path

from rulec.domain.plugs import JobOutput
from rulec.llm.clients.agent_cli import AgentCli, CliAnswer, json_lines, json_part, sum_counts

_HOME = "home"  # below the request's folder
_LOGIN = "config.json"  # what it manages itself; a person's settings are in another file
_NO_TOOL = "none"  # a name that no tool has: with a list of tools the model sees those in it alone


def read(output: JobOutput) -> CliAnswer | None:
    """The last message of the assistant among the events."""
    events = json_lines(output)
    messages = [json_part(one, "data") for one in events if one.get("type") == "assistant.message"]
    faults = [json_part(one, "data") for one in events if str(one.get("type")).endswith("error")]
    ends = [one for one in events if one.get("type") == "result"]
    if not messages and not faults and not ends:
        return None
    wanted = [json_part(tool) for one in messages for tool in one.get("toolRequests") or ()]
    wanted += [json_part(one, "data") for one in events if str(one.get("type")).startswith("tool.execution")]
    uses = [json_part(one, "data") for one in events if one.get("type") == "assistant.usage"]
    last = messages[-1] if messages else {}
    failed = bool(output.code) or (bool(ends) and bool(ends[-1].get("exitCode"))) or not messages
    return CliAnswer(
        text=str(last.get("content") or ""),
        model=str(last.get("model") or ""),
        sent=sum(sum_counts(use, "inputTokens") for use in uses),
        received=sum(sum_counts(use, "outputTokens") for use in uses),
        fault=str(faults[-1].get("message") or "an error") if failed and faults else "",
        tool=str(wanted[0].get("name") or wanted[0].get("toolName") or "a tool") if wanted else "",
    )


def _links() -> dict[str, str]:
    own = os.environ.get("COPILOT_HOME") or str(Path(os.environ.get("HOME") or "/") / ".copilot")
    return {f"{_HOME}/{_LOGIN}": str(Path(own) / _LOGIN)}


CLI = AgentCli(
    name="copilot-cli",
    program="copilot",
    install="npm install -g @github/copilot, then copilot once to log in",
    log_in="log in with `copilot login`, or set COPILOT_GITHUB_TOKEN",
    argv=(
        *("--silent", "--output-format", "json", "--available-tools", _NO_TOOL, "--disable-builtin-mcps"),
        *("--no-custom-instructions", "--disallow-temp-dir", "--no-ask-user", "--no-auto-update", "--no-remote"),
        *("--no-remote-export", "--no-color", "--log-level", "none"),
    ),
    read=read,
    environment={"COPILOT_HOME": f"{{scratch}}/{_HOME}", "COPILOT_ALLOW_ALL": "false"},
    keys=("COPILOT_", "GH_", "GITHUB_"),
    files=lambda: {f"{_HOME}/settings.json": json.dumps({"disableAllHooks": True, "memory": False})},
    links=_links,
    address="COPILOT_PROVIDER_BASE_URL",
)
PLUG = CLI.backend()
