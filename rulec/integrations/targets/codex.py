"""Codex's hooks: .codex/hooks.json, which it runs once a person has trusted them."""

from typing import Any

from rulec.integrations.agent_hooks import (
    AgentHooks,
    HookSettings,
    hook_command,
    hooks_integration,
    probe_shot,
    wanted_where_used,
)

AGENT = "codex"
PATH = ".codex/hooks.json"
_CONFIG = (".codex/config.toml", "~/.codex/config.toml")
# Codex starts its hooks where the session stands, which may be any folder of the repository.
COMMAND = hook_command(AGENT, '"$(git rev-parse --show-toplevel)"')
_DENY, _BLOCK = ("hookSpecificOutput.permissionDecision", "deny"), ("decision", "block")
_ANY: dict[str, Any] = {"turn_id": "t"}
_PATCH = "*** Begin Patch\n*** Add File: {path}\n+{text}\n*** End Patch\n"

_HOOKS = AgentHooks(
    agent=AGENT,
    title="Codex",
    settings=HookSettings(path=PATH),
    command=COMMAND,
    beside=("~/.codex/hooks.json", *_CONFIG),
    off=dict.fromkeys(_CONFIG, r"(?m)^\s*(?:codex_)?hooks\s*=\s*false"),
    trust="trust its hooks once in /hooks: until then Codex skips them without a word",
    shots=(
        probe_shot("ask", "PreToolUse", _DENY, tool_name="Bash", tool_input={"command": "{command}"}, **_ANY),
        probe_shot("done", "PostToolUse", _BLOCK, tool_name="apply_patch", tool_input={"command": _PATCH}, **_ANY),
        probe_shot("stop", "Stop", _BLOCK, stop_hook_active=False, **_ANY),
        probe_shot("prompt", "UserPromptSubmit", prompt="{text}", **_ANY),
        probe_shot("start", "SessionStart", source="startup"),
    ),
)

PLUG = hooks_integration(_HOOKS, wanted_where_used(".codex/"))
