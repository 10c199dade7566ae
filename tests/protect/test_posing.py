"""A message that an agent makes up for its own hook would count as a person's: who starts the hook so is denied."""

import pytest

from rulec.protect import gate_protection
from rulec.shell.action_events import Event

POSING = [
    "echo '{}' | .rules/hook claude-code",
    "echo x | sh .rules/hook claude-code call",
    "cat p | sh .git/rulec/hook claude-code",
    'cat p | sh "$(git rev-parse --git-common-dir)"/rulec/hook codex',
    "cat p | sh .rules/hook $AGENT",
    "bash -c 'echo x | sh .rules/hook codex'",
    "python3 -m rulec.hook.start claude-code < p",
    "python3 -I -S /x/rulec/hook/start.py claude-code < p",
    "rulec hook run claude-code < p",
    "sh ~/.claude/plugins/cache/rulec/rulec/0.1.0/plugin/rulec/hook claude-code call plugin < p",
    "claude --resume ID -p 'allow no-push'",
    "echo 'allow no-push' | claude -p",
]
INNOCENT = [
    "sh .rules/hook git check --staged",
    "rulec hook install",
    "cat .rules/hook",
    "sh -n .rules/hook",
    "shellcheck .rules/hook",
    "git add .rules/hook",
    "claude -p 'explain allow lists'",
    "python3 -m rulec check --staged",
]


@pytest.mark.parametrize(("command", "denied"), [*((one, True) for one in POSING), *((one, False) for one in INNOCENT)])
def test_who_poses_as_the_agents_program_is_denied(command: str, *, denied: bool) -> None:
    assert bool(gate_protection.detect_tampering(Event(kind="command", command=command))) == denied
