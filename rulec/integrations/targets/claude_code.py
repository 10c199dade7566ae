"""Claude Code's hooks, spliced into .claude/settings.json."""

from collections.abc import Sequence

from rulec.integrations.agent_hooks import AgentHooks, HookSettings, hook_command, hooks_integration, probe_shot

AGENT = "claude-code"
PATH = ".claude/settings.json"
# Copilot and Cursor run the hooks of this file too, where nobody may have set the variable.
COMMAND = hook_command(AGENT, '"${CLAUDE_PROJECT_DIR:-$(git rev-parse --show-toplevel)}"')
_OTHER_AGENTS = (".codex/", ".cursor/", ".cursorrules", ".gemini/", "GEMINI.md", ".opencode/", ".clinerules", ".aider")
_BESIDE = (".claude/settings.local.json", "~/.claude/settings.json", "~/.claude/settings.local.json")
_DENY, _BLOCK = ("hookSpecificOutput.permissionDecision", "deny"), ("decision", "block")
_WRITTEN = {"file_path": "{path}", "content": "{text}"}


def _wanted_at_init(paths: Sequence[str]) -> bool:
    """Where Claude Code is used, or where no agent has left files yet."""
    claude = any(path.startswith(".claude/") or path.rpartition("/")[2] == "CLAUDE.md" for path in paths)
    return claude or not any(path.startswith(_OTHER_AGENTS) for path in paths)


_HOOKS = AgentHooks(
    agent=AGENT,
    title="Claude Code",
    settings=HookSettings(path=PATH),
    command=COMMAND,
    project="CLAUDE_PROJECT_DIR",
    beside=_BESIDE,
    off=dict.fromkeys((PATH, *_BESIDE), r'"disableAllHooks"\s*:\s*true'),
    shots=(
        probe_shot("ask", "PreToolUse", _DENY, tool_name="Bash", tool_input={"command": "{command}"}),
        probe_shot("done", "PostToolUse", _BLOCK, tool_name="Write", tool_input=_WRITTEN, tool_response={}),
        probe_shot("stop", "Stop", _BLOCK, stop_hook_active=False),
        probe_shot("prompt", "UserPromptSubmit", prompt="{text}"),
        probe_shot("start", "SessionStart", source="startup"),
    ),
)

PLUG = hooks_integration(_HOOKS, _wanted_at_init)
