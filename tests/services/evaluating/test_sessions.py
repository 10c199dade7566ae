"""Sessions of real agents: what counts as refused, what is left of it, and hooks that only tell."""

import json
from pathlib import Path

import pytest

from rulec.services.evaluating.places import RULEC, Yard
from rulec.services.evaluating.real.sessions import leave_only_telling, read_session
from rulec.services.evaluating.tasks import read_tasks
from tests.conftest import Run
from tests.support.eval_tasks import NPM, NPM_RULE, write_answers, write_tasks
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


@pytest.mark.e2e
def test_every_agents_hooks_are_left_that_tell_it_rules(tmp_path: Path) -> None:
    (task,) = read_tasks([write_tasks(tmp_path / "tasks", NPM)])
    with Yard(tmp_path).place(task) as place:
        names = ("claude-code", "codex", "copilot", "cursor", "gemini")
        place.must(*RULEC, "init", "--yes", *(word for name in names for word in ("--agent", name)))
        leave_only_telling(place)
        for path, events in HOOKED.items():
            assert sorted(json.loads((place.top / path).read_text())["hooks"]) == sorted(events)
        assert not [*(place.top / ".git/hooks").iterdir()]


@pytest.mark.e2e
def test_what_a_kept_session_could_not_do_here_is_counted_and_ends_nothing(tmp_path: Path, rulec: Run) -> None:
    answers = write_answers(tmp_path / "answers", npm=NPM_RULE)
    write_answers(answers, **{"npm.2": {**NPM_RULE, "examples": {"invalid": [{"command": "ls"}]}}})
    kept = tmp_path / "kept"
    kept.mkdir()
    session = ClaudeSession(Path("/work/shop")).person("Add it.")
    for path in ("a/../../../out.txt", "a\0b", "x" * 300):
        session.call("Write", {"file_path": f"/work/shop/{path}", "content": "x\n"})
    session.runs("npm install dayjs").runs("git commit -m 'a\0b'").save(kept / "npm.0.none.jsonl")
    given = ["eval", str(write_tasks(tmp_path / "tasks", NPM)), "--rules", str(answers), "--agent", f"recorded:{kept}"]
    measured = json.loads(rulec(*given, "--format", "json").stdout)["measured"]
    (one,) = measured["by session"]
    assert (one["acts"], one["impossible"], one["repeat"]) == (5, 4, True)
    assert measured["by task"][0]["not taken"][0].startswith("npm.2.json: ")
    assert not [*tmp_path.rglob("out.txt")]
    said = rulec(*given, "--report", str(tmp_path / "a.html")).stdout
    assert "1 task, 1 with a rule" in said
    assert "1 session of 1 task," in said
    assert "not taken: npm: npm.2.json: " in said
    assert "npm.2.json: " in (tmp_path / "a.html").read_text()
