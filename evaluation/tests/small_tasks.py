"""Small tasks of an evaluation, and rules that a reader might have written for them."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

NPM: dict[str, Any] = {
    "id": "npm",
    "family": "packages",
    "quote": "pnpm, not npm please",
    "statement": "Use pnpm, never npm.",
    "enforce": "command",
    "setup": {"package.json": '{"name": "shop"}\n'},
    "offence": {"command": "npm install zod"},
    "fix": {"command": "pnpm add zod"},
    "tasks": [
        {
            "prompt": "Add a library for dates.",
            "bad": {"command": "npm install dayjs"},
            "good": {"command": "pnpm add dayjs"},
        },
        {
            "prompt": "Say in the guide how it is installed.",
            "bad": {"write": {"path": "GUIDE.md", "content": "Run npm install.\n"}},
            "good": {"write": {"path": "GUIDE.md", "content": "Run pnpm install.\n"}},
        },
    ],
    "innocent": [{"command": "git log --grep npm"}],
    "target_words": ["npm", "pnpm"],
}
WIP: dict[str, Any] = {
    "id": "wip",
    "family": "messages",
    "quote": "no [wip] in commit messages",
    "statement": "Commit messages never say [wip].",
    "enforce": "text",
    "setup": {"a.txt": "a\n"},
    "offence": {"commit": {"files": {"a.txt": "b\n"}, "message": "Change a [wip]"}},
    "fix": {"commit": {"files": {"a.txt": "b\n"}, "message": "Change a"}},
    "tasks": [
        {
            "prompt": "Add a second file.",
            "bad": {"commit": {"files": {"c.txt": "c\n"}, "message": "Add c [wip]"}},
            "good": {"commit": {"files": {"c.txt": "c\n"}, "message": "Add c"}},
        }
    ],
    "innocent": [{"commit": {"files": {"wip.txt": "[wip]\n"}, "message": "Add a list of what is in progress"}}],
}
NPM_RULE: dict[str, Any] = {
    "statement": "Use pnpm, never npm.",
    "checks": [{"template": "forbid-command", "with": {"commands": ["npm"], "prefer": "pnpm"}}],
    "examples": {"invalid": [{"command": "npm install zod"}], "valid": [{"command": "pnpm add zod"}]},
}


def write_tasks(folder: Path, *tasks: dict[str, Any]) -> Path:
    """A folder with a file for each task."""
    folder.mkdir(parents=True, exist_ok=True)
    for task in tasks:
        (folder / f"{task['id']}.json").write_text(json.dumps(task), "utf-8")
    return folder


def write_answers(folder: Path, **rules: dict[str, Any]) -> Path:
    """A folder with a rule for each task, as a reader leaves it."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, rule in rules.items():
        (folder / f"{name}.json").write_text(json.dumps(rule), "utf-8")
    return folder


def install_claude(folder: Path, text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Put a script before all else on PATH that stands for Claude Code's program."""
    folder.mkdir()
    program = folder / "claude"
    program.write_text(text)
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")
