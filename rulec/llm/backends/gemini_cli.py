"""gemini-cli: the installed Gemini CLI, in a separate home folder with the person's login and nothing else.

It stores every session below its home and takes hooks, MCP servers and memory from there; no flag switches that off.
"""

import json
import os
from pathlib import Path

from rulec.agents.gemini import AGENT
from rulec.checkout import private_files
from rulec.domain.plugs import JobOutput
from rulec.llm.clients.agent_cli import SYSTEM_FILE, AgentCli, CliAnswer, json_part, parse_json, sum_counts

_HOME = "home/.gemini"  # below the request's folder
_LOGIN = ("oauth_creds.json", "google_accounts.json", ".env")
_DENY_ALL = '[[rule]]\ntoolName = "*"\ndecision = "deny"\npriority = 999\n'


def read(output: JobOutput) -> CliAnswer | None:
    """The one object that it prints, possibly after notices; an error may be on the other stream."""
    objects = [json_part(_object(text)) for text in (output.out, output.err)]
    whole = next((one for one in objects if json_part(one, "stats") or json_part(one, "error")), None)
    if whole is None:
        return None
    models = {str(name): json_part(use, "tokens") for name, use in json_part(whole, "stats", "models").items()}
    received = {name: sum_counts(use, "candidates", "thoughts") for name, use in models.items()}
    used = sum_counts(json_part(whole, "stats", "tools"), "totalCalls")
    return CliAnswer(
        text=str(whole.get("response") or ""),
        model=max(received, key=lambda name: received[name], default=""),
        sent=sum(sum_counts(use, "prompt") for use in models.values()),
        received=sum(received.values()),
        fault=str(json_part(whole, "error").get("message") or "an error") if json_part(whole, "error") else "",
        tool=", ".join(json_part(whole, "stats", "tools", "byName")) or "a tool" if used else "",
    )


def _object(text: str) -> object:
    at = 0 if text.startswith("{") else text.find("\n{") + 1
    return parse_json(text[at:]) if text[at : at + 1] == "{" else None


def _settings() -> dict[str, str]:
    """Settings that allow no tool, with the person's way to log in."""
    settings = {
        "security": {"auth": {"selectedType": _login()}},
        "tools": {"core": []},
        "hooksConfig": {"enabled": False},
        "context": {"fileName": ["none.md"], "includeDirectoryTree": False},
        "skills": {"enabled": False},
        "experimental": {"enableAgents": False},
        "privacy": {"usageStatisticsEnabled": False},
        "general": {"enableAutoUpdate": False, "enableAutoUpdateNotification": False},
    }
    return {f"{_HOME}/settings.json": json.dumps(settings), "deny.toml": _DENY_ALL}


def _login() -> str:
    own = parse_json(
        (private_files.read_file(str(_own() / "settings.json"), links=True) or b"").decode("utf-8", "replace")
    )
    chosen = json_part(own, "security", "auth").get("selectedType") or json_part(own).get("selectedAuthType")
    usual = "gemini-api-key" if os.environ.get("GEMINI_API_KEY") else "oauth-personal"
    return chosen if isinstance(chosen, str) else usual


def _own() -> Path:
    return Path(os.environ.get("GEMINI_CLI_HOME") or os.environ.get("HOME") or "/") / ".gemini"


def _links() -> dict[str, str]:
    return {f"{_HOME}/{name}": str(_own() / name) for name in _LOGIN}


CLI = AgentCli(
    name="gemini-cli",
    program="gemini",
    install="npm install -g @google/gemini-cli, then gemini once to log in",
    log_in="log in with `gemini`, or set GEMINI_API_KEY",
    argv=(
        *("--output-format", "json", "--prompt", "", "--extensions", "none", "--policy", "{scratch}/deny.toml"),
        *("--approval-mode", "default", "--skip-trust"),
    ),
    read=read,
    environment={
        "GEMINI_CLI_HOME": "{scratch}/home",
        "GEMINI_SYSTEM_MD": f"{{scratch}}/{SYSTEM_FILE}",
        "NO_COLOR": "1",
    },
    keys=("GEMINI_", "GOOGLE_"),
    parents=AGENT.runs_with,
    system=True,
    files=_settings,
    links=_links,
    address="GOOGLE_GEMINI_BASE_URL",
)
PLUG = CLI.backend()
