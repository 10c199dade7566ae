"""Agents as they call their hooks: by the line that their settings register, with their own JSON, in their folder."""

import json
import os
import subprocess
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

RULE = """\
schema: 1
slug: no-fixme
revision: 1
statement: No FIXME in what is written.
severity: must
enforcement: block
checks:
  - {kind: guard, template: forbid-text, with: {patterns: ["\\\\bFIXME\\\\b"]}}
examples:
  invalid: [{file: a.py, content: "x = 1  # FIXME\\n"}]
  valid: [{file: a.py, content: "x = 1\\n"}]
"""
PROJECT = {"claude-code": "CLAUDE_PROJECT_DIR", "cursor": "CURSOR_PROJECT_DIR", "gemini": "GEMINI_PROJECT_DIR"}
SETTINGS = {
    "claude-code": ".claude/settings.json",
    "codex": ".codex/hooks.json",
    "cursor": ".cursor/hooks.json",
    "gemini": ".gemini/settings.json",
    "copilot": ".github/hooks/rulec.json",
}


@dataclass(frozen=True, slots=True)
class Said:
    """What the hook left behind."""

    code: int
    out: Any
    err: str


def lines(top: Path, agent: str, event: str) -> Iterator[str]:
    """The command lines that an agent's settings register for an event."""
    for entry in json.loads((top / SETTINGS[agent]).read_text())["hooks"][event]:
        for hook in entry.get("hooks", [entry]):
            yield hook.get("command") or hook["bash"]


def ask(top: Path, agent: str, event: str, payload: Mapping[str, Any], cwd: Path | None = None) -> Said:
    """One event, told as that agent tells it: by a shell, in its folder, with its variable."""
    (line,) = lines(top, agent, event)
    environment = {**os.environ, **({PROJECT[agent]: str(top)} if agent in PROJECT else {})}
    given = json.dumps(payload).encode()
    argv = ["bash" if agent == "copilot" else "sh", "-c", line]
    done = subprocess.run(argv, cwd=cwd or top, env=environment, input=given, capture_output=True, check=False)
    out = json.loads(done.stdout) if done.stdout.strip() else None
    return Said(done.returncode, out, done.stderr.decode())
