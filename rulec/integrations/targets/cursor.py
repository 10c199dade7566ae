"""Cursor's hooks: .cursor/hooks.json."""

from typing import Any

from rulec.checkout.ledger import DOCTOR_SESSION
from rulec.integrations.agent_hooks import (
    AgentHooks,
    HookSettings,
    hook_command,
    hooks_integration,
    probe_shot,
    wanted_where_used,
)

AGENT = "cursor"
PATH = ".cursor/hooks.json"
# Cursor starts a project's hooks in the project; the variable is younger than they are.
COMMAND = hook_command(AGENT, '"${CURSOR_PROJECT_DIR:-.}"')
_DENY, _TOLD = ("permission", "deny"), ("additional_context", "")
_ANY: dict[str, Any] = {
    "conversation_id": DOCTOR_SESSION,
    "generation_id": DOCTOR_SESSION,
    "cursor_version": "",
    "workspace_roots": ["{top}"],
}
_COMMAND = {"command": "{command}"}
_WRITTEN = {"file_path": "{path}", "content": "{text}"}
_TURN: dict[str, Any] = {**_ANY, "status": "completed", "loop_count": 0}

_HOOKS = AgentHooks(
    agent=AGENT,
    title="Cursor",
    settings=HookSettings(path=PATH, grouped=False, versioned=True),
    command=COMMAND,
    project="CURSOR_PROJECT_DIR",
    beside=("~/.cursor/hooks.json",),
    shots=(
        probe_shot("ask", "beforeShellExecution", _DENY, command="{command}", **_ANY),
        probe_shot("ask", "beforeMCPExecution", _DENY, tool_name="run_command", tool_input=_COMMAND, **_ANY),
        probe_shot("ask", "preToolUse", _DENY, tool_name="Shell", tool_input=_COMMAND, **_ANY),
        probe_shot("done", "postToolUse", _TOLD, tool_name="Write", tool_input=_WRITTEN, tool_output="", **_ANY),
        probe_shot("stop", "stop", ("followup_message", ""), **_TURN),
        probe_shot("prompt", "beforeSubmitPrompt", prompt="{text}", attachments=[], **_ANY),
        probe_shot("start", "sessionStart", **_ANY),
    ),
)

PLUG = hooks_integration(_HOOKS, wanted_where_used(".cursor/", ".cursorrules"))
