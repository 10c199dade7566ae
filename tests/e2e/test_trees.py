"""Which work tree and repository judge an action, and whose change holds the end of a turn: a real hook, real git."""

import json
import subprocess
import time
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.hook.test_hook import repository
from tests.support import guard_rules as rules
from tests.support import payloads
from tests.support.asking import ask_hook
from tests.support.session import ClaudeSession
from tests.support.world import act

pytestmark = pytest.mark.e2e
TABLE = yaml.safe_load((Path(__file__).parents[1] / "cases/trees.yaml").read_text())
PROJECT = {"claude-code": "CLAUDE_PROJECT_DIR", "cursor": "CURSOR_PROJECT_DIR", "gemini": "GEMINI_PROJECT_DIR"}
FILES = {
    "src/gen/a.py": "x = 1\n",
    "README.md": "x\n",
    "gen.sh": "echo made > src/gen/a.py\n",
    "db/1.sql": "select 1;\n",
}


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The repository ``one``, whose first commit has no rules."""
    work: Path = tmp_path_factory.mktemp("trees")
    (work / "one").mkdir()
    _run(work, "git init -qb main one && git -C one commit -q --allow-empty -m First && git -C one tag first")
    top = repository(
        work / "one",
        rules.command("npm", "npm"),
        rules.command("main", "git commit", on_branch=["main"]),
        rules.path("vendor", "vendor/lib/**"),
        rules.text("print", r"print\(", globs=["*.py"]),
        rules.path("old", "db/*.sql", existing=True),
    )
    for slug in ("pnpm", "no-print", "licence"):
        (top / f".rules/compiled/guard/{slug}.json").unlink()
    (work / "yarn.json").write_text(json.dumps(rules.command("yarn", "yarn")))
    for name, text in FILES.items():
        (top / name).parent.mkdir(exist_ok=True, parents=True)
        (top / name).write_text(text)
    _run(top, "git add -A && git commit -qm All")
    _run(
        top, "git checkout -qb other && echo x > src/gen/b.py && git add -A && git commit -qm B && git checkout -q main"
    )
    return work


@pytest.fixture
def work(made: Path, tmp_path: Path) -> Path:
    """A copy of it."""
    _run(tmp_path, f"cp -a {made}/. .; git -C one status --short")
    return tmp_path


def _run(folder: Path, script: str) -> None:
    subprocess.run(["bash", "-ec", script], cwd=folder, check=True, capture_output=True)


def _answer(done: "subprocess.CompletedProcess[bytes]") -> tuple[str, str]:
    """The rules that refuse, and all that is said."""
    said = (done.stdout + done.stderr).decode()
    assert "Traceback" not in said
    refuses = any(word in said for word in ('"deny"', '"block"', '"followup_message"', '"decision": "deny"'))
    slugs = [part.partition(":")[0] for part in said.split("rulec rule ")[1:]]
    return " ".join(dict.fromkeys(slugs)) if refuses else "", said


@pytest.mark.parametrize("case", TABLE["trees"], ids=lambda case: case["what"])
def test_the_right_tree_judges(work: Path, case: dict[str, Any]) -> None:
    made = case.get("made", "")
    _run(work, TABLE["states"].get(made, made))
    agent, project = case.get("agent", "claude-code"), work / case.get("project", "one")
    cwd, asks = work / case.get("cwd", "one"), case["asks"]
    if "run" in asks:
        asked = payloads.runs(agent, str(cwd), asks["run"])
    elif "write" in asks:
        asked = {**payloads.writes(agent, str(work), asks["write"], asks.get("text", "x\n"))}
        asked.update({"workspace_roots": [str(cwd)]} if agent == "cursor" else {"cwd": str(cwd)})
    else:
        asked = payloads.stops(agent, str(cwd))
    place = project if agent in PROJECT else cwd  # the settings' command line goes to the project where one is named
    done = ask_hook(project, asked, agent, cwd=place, **{PROJECT.get(agent, "X_PROJECT"): str(project)})
    refused, said = _answer(done)
    if case["answer"].startswith("told: "):
        assert case["answer"].removeprefix("told: ") in said
        assert not refused
    else:
        assert refused == case["answer"], said
        assert case.get("says", "") in said
        assert case.get("unsaid", "Traceback") not in said


def _stamped(session: ClaudeSession, began: datetime) -> None:
    session.lines[-1]["timestamp"] = f"{began:%Y-%m-%dT%H:%M:%S.%f}"[:-3] + "Z"


def _given(tool: str, value: str, top: Path, step: dict[str, Any]) -> dict[str, Any]:
    place = str((top / value).resolve())
    return {
        "Bash": {"command": value},
        "Write": {"file_path": place, "content": step.get("text", "x\n")},
        "Edit": {"file_path": place, "old_string": step.get("old", ""), "new_string": step.get("new", "")},
        "Read": {"file_path": str(top / "src/gen/a.py")},
        "WebFetch": {"url": "https://example.org", "prompt": "x"},
        "AskUserQuestion": {"questions": [{"question": "So?"}]},
    }[tool]


def _play(top: Path, session: ClaudeSession, step: dict[str, Any], record: Path) -> None:
    """One call of the agent or of its sub-agent, with what a person does while it runs, or what a person does alone."""
    tool, value = next(((name, step[name]) for name in ("Bash", "Write", "Edit") if name in step), ("", ""))
    if "during" in step:
        tool, _, value = step["during"].partition(": ")
    if "subagent" in step:
        session.asks("Task", {"prompt": "x"})
        inner = ClaudeSession(top, timed=True)
        inner.asks("Bash", {"command": step["subagent"]})
        _run(top, step["subagent"])
        _run(top, step.get("person", ""))
        inner.answered()
        for line in inner.lines:
            line["isSidechain"] = True
        folder = record.with_suffix("") / "subagents"
        folder.mkdir(parents=True, exist_ok=True)
        inner.save(folder / "agent-a1.jsonl")
        session.answered()
    elif tool:
        given = _given(tool, value, top, step)
        session.asks(tool, given)
        if tool == "Write":
            (top / value).parent.mkdir(exist_ok=True)
            (top / value).write_text(given["content"])
        elif tool == "Edit":
            text = (top / value).read_text()
            assert given["old_string"] in text
            (top / value).write_text(text.replace(given["old_string"], given["new_string"], 1))
        elif tool == "Bash":
            _run(top, value)
        _run(top, step.get("person", ""))
        session.answered()
    else:
        _let_pass(0.25)
        _run(top, step["person"])
        _let_pass(0.25)


def _let_pass(seconds: float) -> None:
    """Wait until the clock by which files and calls are told apart has gone on."""
    begun = time.time()
    while time.time() - begun < seconds:
        continue


@pytest.mark.parametrize("case", TABLE["charging"], ids=lambda case: case["what"])
def test_the_end_of_a_turn_is_held_for_the_sessions_own_work(work: Path, case: dict[str, Any]) -> None:
    top, agent, record = work / "one", case.get("agent", "claude-code"), work / "t.jsonl"
    if "before" in case:
        _run(top, case["before"])
        _let_pass(2.1)  # more than the clocks of files and processes may differ
    variable = {PROJECT[agent]: str(top)}
    ask_hook(top, payloads.begins(agent, str(top)), agent, **variable)
    session = ClaudeSession(top, timed=True).person("Go on.")
    for step in case["does"]:
        _play(top, session, step, record)
    session.save(record)
    asked = payloads.stops(agent, str(top), **({"transcript_path": str(record)} if agent == "claude-code" else {}))
    held, said = _answer(ask_hook(top, asked, agent, **variable))
    told = case.get("told", "")
    assert case.get("held", "") in (held, held.split(" ")[0], held.split(" ")[-1]), said
    assert case.get("says", "").format(work=work) in said, said
    assert "no call of this session is known to have changed" not in said, "what follows may name the call"
    assert "not certain" not in said, "what is seen is seen; only whose it is, is not known"
    if told:
        assert f"rulec rule {told}:" in said
        again = _answer(ask_hook(top, asked, agent, **variable))[1]
        assert f"rulec rule {told}:" not in again, "it is told once"
    elif "held" not in case:
        assert not said


def test_rules_that_are_not_checked_out_are_not_taken_for_none(work: Path) -> None:
    _run(work, "git -C one sparse-checkout set --cone src")
    for words in (["check", "--all"], ["check", "src/gen/a.py"]):
        said = act(work / "one", *words, code=2)
        assert "not checked out" in said.err
        assert "git sparse-checkout add .rules" in said.err


def test_another_users_folder_is_refused_in_gits_words(work: Path) -> None:
    _run(work, "chown -R 12345 one")
    said = act(work / "one/src", "check", "--all", code=2)
    assert "dubious ownership" in said.err
    assert f"git config --global --add safe.directory {work}/one" in said.err
    assert "git init" not in said.err


def test_a_session_whose_hook_was_not_loaded_is_told_at_its_first_commit(
    work: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    top = work / "one"
    (top / ".claude").mkdir()
    (top / ".claude/settings.json").write_text('{"hooks": {"PreToolUse": [".rules/hook"]}}')
    assert "has not called its hook" not in act(top, "check", "--staged").err
    monkeypatch.setenv("CLAUDECODE", "1")
    assert "has not called its hook here: a session begun in a subfolder" in act(top, "check", "--staged").err
    assert "has not called its hook" not in act(top, "check", "--staged").err, "it is told once"
    for path in (top / ".git/rulec").glob("unhooked-*"):
        path.unlink()
    ask_hook(top, payloads.runs("claude-code", str(top), "ls"))
    assert "has not called its hook" not in act(top, "check", "--staged").err
