"""Sessions of real agents: what counts as refused, what is left of it, and hooks that only tell."""

import json
from pathlib import Path

from evaluation.experiment.places import RULEC, Yard
from evaluation.experiment.sessions import leave_only_telling, read_session
from evaluation.experiment.tasks import read_tasks
from evaluation.tests.small_tasks import NPM, write_tasks
from tests.support.session import ClaudeSession

HOOKED = {
    ".claude/settings.json": ["SessionStart", "UserPromptSubmit"],
    ".codex/hooks.json": ["SessionStart", "UserPromptSubmit"],
    ".cursor/hooks.json": ["sessionStart", "beforeSubmitPrompt"],
    ".gemini/settings.json": ["SessionStart", "BeforeAgent"],
    ".github/hooks/rulec.json": ["sessionStart", "userPromptSubmitted"],
}


def test_a_refusal_is_one_that_names_a_rule(tmp_path: Path) -> None:
    session = ClaudeSession(Path("/work/shop")).person("Add it.")
    session.call("Bash", {"command": "npm install a"}, "connection refused by registry", failed=True)
    session.call("Bash", {"command": "npm install b"}, "refused by use-pnpm-2: pnpm", failed=True)
    session.call("Bash", {"command": "npm install c"}, "refused by use-pnpm: pnpm", failed=True)
    session.save(tmp_path / "a.jsonl")
    found = read_session(tmp_path / "a.jsonl", 0, "gates", ["use-pnpm"])
    assert found.refused == 1
    assert [act["command"] for act in found.acts] == ["npm install a", "npm install b"]


def test_every_agents_hooks_are_left_that_tell_it_rules(tmp_path: Path) -> None:
    (task,) = read_tasks([write_tasks(tmp_path / "tasks", NPM)])
    with Yard(tmp_path).place(task) as place:
        names = ("claude-code", "codex", "copilot", "cursor", "gemini")
        place.must(*RULEC, "init", "--yes", *(word for name in names for word in ("--agent", name)))
        leave_only_telling(place)
        for path, events in HOOKED.items():
            assert sorted(json.loads((place.top / path).read_text())["hooks"]) == sorted(events)
        assert not [*(place.top / ".git/hooks").iterdir()]
