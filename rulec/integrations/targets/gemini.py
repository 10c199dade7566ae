"""Gemini CLI's hooks, spliced into .gemini/settings.json."""

from rulec.integrations.agent_hooks import (
    AgentHooks,
    HookSettings,
    hook_command,
    hooks_integration,
    probe_shot,
    wanted_where_used,
)

AGENT = "gemini"
PATH = ".gemini/settings.json"
COMMAND = hook_command(AGENT, '"$GEMINI_PROJECT_DIR"')
_DENY = ("decision", "deny")
_WRITTEN = {"file_path": "{path}", "content": "{text}"}
_TOLD = ("hookSpecificOutput.additionalContext", "")
_SHELL = "run_shell_command"

_HOOKS = AgentHooks(
    agent=AGENT,
    title="Gemini CLI",
    settings=HookSettings(path=PATH),
    command=COMMAND,
    project="GEMINI_PROJECT_DIR",
    beside=("~/.gemini/settings.json",),
    off=dict.fromkeys((PATH, "~/.gemini/settings.json"), r'"hooksConfig"\s*:\s*\{[^{}]*"enabled"\s*:\s*false'),
    shots=(
        probe_shot("ask", "BeforeTool", _DENY, tool_name=_SHELL, tool_input={"command": "{command}"}),
        probe_shot("done", "AfterTool", _TOLD, tool_name="write_file", tool_input=_WRITTEN, tool_response={}),
        probe_shot("stop", "AfterAgent", _DENY, prompt="", prompt_response="", stop_hook_active=False),
        probe_shot("prompt", "BeforeAgent", prompt="{text}"),
        probe_shot("start", "SessionStart", source="startup"),
    ),
)

PLUG = hooks_integration(_HOOKS, wanted_where_used(".gemini/", "GEMINI.md"))
