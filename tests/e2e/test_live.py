"""A preference voiced today: the hook hears it, the agent proposes it, a person accepts it, the repeat is refused."""

import json
import os
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Run


def _asked(top: Path, event: str, **more: Any) -> subprocess.CompletedProcess[str]:
    """What the agent's program does with its settings: the command in a shell, the JSON on its standard input."""
    hooks = json.loads((top / ".claude/settings.json").read_text())["hooks"][event]
    own = {"hook_event_name": event, "session_id": "s1", "cwd": str(top), "transcript_path": "", **more}
    return subprocess.run(
        ["sh", "-c", hooks[0]["hooks"][0]["command"]],
        input=json.dumps(own),
        cwd=top,
        env={**os.environ, "CLAUDE_PROJECT_DIR": str(top)},
        capture_output=True,
        text=True,
        check=False,
    )


def _bash(top: Path, command: str) -> dict[str, Any]:
    done = _asked(top, "PreToolUse", tool_name="Bash", tool_input={"command": command}, tool_use_id="t1")
    return dict(json.loads(done.stdout)["hookSpecificOutput"]) if done.stdout else {}


def test_from_the_sessions_start_to_the_refusal(gated: Path, rulec: Run) -> None:
    begun = json.loads(_asked(gated, "SessionStart", source="startup").stdout)
    line = begun["hookSpecificOutput"]["additionalContext"]
    command = re.findall(r"`([^`]* propose)`", line)[0]
    offer = {
        "statement": "Use pnpm, never npm.",
        "offence": {"command": "npm install left-pad"},
        "fix": {"command": "pnpm add left-pad"},
    }
    proposing = f"{command} <<'EOF'\n{json.dumps(offer)}\nEOF"
    assert _bash(gated, proposing) == {}, "the gate lets the agent propose"
    said = subprocess.run(["sh", "-c", proposing], cwd=gated, capture_output=True, text=True, check=True).stdout
    assert "use-pnpm is queued: no check was given; proved" in said
    assert _bash(gated, "npm install right-pad") == {}, "nothing is active yet"
    accept = f"{command.removesuffix('propose')}review --accept use-pnpm"
    assert _bash(gated, accept)["permissionDecision"] == "deny", "an agent does not decide"
    rulec("review", "--accept", "use-pnpm")
    refused = _bash(gated, "npm install right-pad")
    assert refused["permissionDecision"] == "deny"
    assert "Use pnpm, never npm." in refused["permissionDecisionReason"]


@pytest.mark.parametrize("text", [None, "<<<<<<< HEAD\n"])
def test_no_message_is_lost_where_the_hook_is_broken(gated: Path, rulec: Run, text: str | None) -> None:
    path = gated / ".git/rulec/hook"
    path.unlink()
    if text:
        path.write_text(text)
    done = _asked(gated, "UserPromptSubmit", prompt="Never use npm.")
    assert done.returncode == 0
    assert '"block"' not in done.stdout
