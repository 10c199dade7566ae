"""Codex's hooks: .codex/hooks.json, which it runs once a person has trusted them."""

from typing import Any

from rulec.emitters._agent_hooks import Hooks, emitter, line, shot, used
from rulec.emitters._agent_settings import Settings

AGENT = "codex"
PATH = ".codex/hooks.json"
_CONFIG = (".codex/config.toml", "~/.codex/config.toml")
# Codex starts its hooks where the session stands, which may be any folder of the repository.
COMMAND = line(AGENT, '"$(git rev-parse --show-toplevel)"')
_DENY, _BLOCK = ("hookSpecificOutput.permissionDecision", "deny"), ("decision", "block")
_ANY: dict[str, Any] = {"turn_id": "t"}
_PATCH = "*** Begin Patch\n*** Add File: {path}\n+{text}\n*** End Patch\n"

_HOOKS = Hooks(
    agent=AGENT,
    title="Codex",
    settings=Settings(path=PATH),
    command=COMMAND,
    beside=("~/.codex/hooks.json", *_CONFIG),
    off=dict.fromkeys(_CONFIG, r"(?m)^\s*(?:codex_)?hooks\s*=\s*false"),
    trust="trust its hooks once in /hooks: until then Codex skips them without a word",
    shots=(
        shot("ask", "PreToolUse", _DENY, tool_name="Bash", tool_input={"command": "{command}"}, **_ANY),
        shot("done", "PostToolUse", _BLOCK, tool_name="apply_patch", tool_input={"command": _PATCH}, **_ANY),
        shot("stop", "Stop", _BLOCK, stop_hook_active=False, **_ANY),
        shot("prompt", "UserPromptSubmit", prompt="{text}", **_ANY),
        shot("start", "SessionStart", source="startup"),
    ),
)

PLUG = emitter(_HOOKS, used(".codex/"))
