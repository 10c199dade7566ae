"""Cursor's hooks: .cursor/hooks.json."""

from typing import Any

from rulec.emitters._agent_hooks import Hooks, emitter, line, shot, used
from rulec.emitters._agent_settings import Settings
from rulec.runtime.ledger import DOCTOR

AGENT = "cursor"
PATH = ".cursor/hooks.json"
# Cursor starts a project's hooks in the project; the variable is younger than they are.
COMMAND = line(AGENT, '"${CURSOR_PROJECT_DIR:-.}"')
_DENY, _TOLD = ("permission", "deny"), ("additional_context", "")
_ANY: dict[str, Any] = {
    "conversation_id": DOCTOR,
    "generation_id": DOCTOR,
    "cursor_version": "",
    "workspace_roots": ["{top}"],
}
_COMMAND = {"command": "{command}"}
_WRITTEN = {"file_path": "{path}", "content": "{text}"}
_TURN: dict[str, Any] = {**_ANY, "status": "completed", "loop_count": 0}

_HOOKS = Hooks(
    agent=AGENT,
    title="Cursor",
    settings=Settings(path=PATH, grouped=False, versioned=True),
    command=COMMAND,
    project="CURSOR_PROJECT_DIR",
    beside=("~/.cursor/hooks.json",),
    shots=(
        shot("ask", "beforeShellExecution", _DENY, command="{command}", **_ANY),
        shot("ask", "beforeMCPExecution", _DENY, tool_name="run_command", tool_input=_COMMAND, **_ANY),
        shot("ask", "preToolUse", _DENY, tool_name="Shell", tool_input=_COMMAND, **_ANY),
        shot("done", "postToolUse", _TOLD, tool_name="Write", tool_input=_WRITTEN, tool_output="", **_ANY),
        shot("stop", "stop", ("followup_message", ""), **_TURN),
        shot("prompt", "beforeSubmitPrompt", prompt="{text}", attachments=[], **_ANY),
        shot("start", "sessionStart", **_ANY),
    ),
)

PLUG = emitter(_HOOKS, used(".cursor/", ".cursorrules"))
