"""Gemini CLI's hooks, spliced into .gemini/settings.json."""

from rulec.emitters._agent_hooks import Hooks, emitter, line, shot, used
from rulec.emitters._agent_settings import Settings

AGENT = "gemini"
PATH = ".gemini/settings.json"
COMMAND = line(AGENT, '"$GEMINI_PROJECT_DIR"')
_DENY = ("decision", "deny")
_WRITTEN = {"file_path": "{path}", "content": "{text}"}
_TOLD = ("hookSpecificOutput.additionalContext", "")
_SHELL = "run_shell_command"

_HOOKS = Hooks(
    agent=AGENT,
    title="Gemini CLI",
    settings=Settings(path=PATH),
    command=COMMAND,
    project="GEMINI_PROJECT_DIR",
    beside=("~/.gemini/settings.json",),
    off=dict.fromkeys((PATH, "~/.gemini/settings.json"), r'"hooksConfig"\s*:\s*\{[^{}]*"enabled"\s*:\s*false'),
    shots=(
        shot("ask", "BeforeTool", _DENY, tool_name=_SHELL, tool_input={"command": "{command}"}),
        shot("done", "AfterTool", _TOLD, tool_name="write_file", tool_input=_WRITTEN, tool_response={}),
        shot("stop", "AfterAgent", _DENY, prompt="", prompt_response="", stop_hook_active=False),
        shot("prompt", "BeforeAgent", prompt="{text}"),
        shot("start", "SessionStart", source="startup"),
    ),
)

PLUG = emitter(_HOOKS, used(".gemini/", "GEMINI.md"))
