"""Copilot's hooks: .github/hooks/rulec.json, beside whatever other files stand there."""

from collections.abc import Sequence
from typing import Any

from rulec.checkout.ledger import DOCTOR_SESSION
from rulec.domain.plugs import HookShot
from rulec.integrations.agent_hooks import AgentHooks, HookSettings, hook_command, hooks_integration

AGENT = "copilot"
PATH = ".github/hooks/rulec.json"
# The CLI may have been started in any folder of the repository.
COMMAND = hook_command(AGENT, '"$(git rev-parse --show-toplevel)"')
_SETTINGS = (".github/copilot/settings.json", ".github/copilot/settings.local.json", "~/.copilot/settings.json")
_CREATED = {"path": "{path}", "file_text": "{text}"}
_RESULT = {"resultType": "success", "textResultForLlm": ""}
_TOLD = ("additionalContext", "")
_SIGNS = (".github/hooks/", ".github/copilot", ".github/instructions/", ".github/agents/")


def _shot(moment: str, event: str, refusal: tuple[str, str] | None = None, **payload: Any) -> HookShot:
    """Copilot names the event nowhere in what it tells."""
    known = {"sessionId": DOCTOR_SESSION, "timestamp": 0, "cwd": "{top}"}
    return HookShot(moment=moment, event=event, payload={**known, **payload}, refusal=refusal)


def _wanted_at_init(paths: Sequence[str]) -> bool:
    return any(path.startswith(_SIGNS) for path in paths)


_HOOKS = AgentHooks(
    agent=AGENT,
    title="Copilot",
    settings=HookSettings(path=PATH, grouped=False, versioned=True),
    command=COMMAND,
    beside=(*_SETTINGS, "~/.copilot/hooks/rulec.json"),
    off=dict.fromkeys((PATH, *_SETTINGS), r'"disableAllHooks"\s*:\s*true'),
    shots=(
        _shot("ask", "preToolUse", ("permissionDecision", "deny"), toolName="bash", toolArgs={"command": "{command}"}),
        _shot("done", "postToolUse", _TOLD, toolName="create", toolArgs=_CREATED, toolResult=_RESULT),
        _shot("stop", "agentStop", ("decision", "block"), transcriptPath="", stopReason="end_turn"),
        _shot("prompt", "userPromptSubmitted", prompt="{text}"),
        _shot("start", "sessionStart", source="startup"),
    ),
)

PLUG = hooks_integration(_HOOKS, _wanted_at_init)
