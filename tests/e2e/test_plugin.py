"""The plugin in the real Claude Code: valid, refuses, yields to the repository's settings or they to it, and audits."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Run
from tests.support.messages_replies import Reply, said, tool
from tests.support.messages_server import Asked, MessagesServer
from tests.support.session import ClaudeSession

pytestmark = pytest.mark.claude

ROOT = Path(__file__).parents[2]
FORBIDDEN = "npm install left-pad"
REFUSED = "Use pnpm, never npm"


class Model:
    """Calls these tools one after the other; ``heard`` is what each came to, ``told`` all that was sent."""

    def __init__(self, *calls: Reply) -> None:
        self.calls = calls
        self.heard: list[str] = []
        self.told = ""

    def __call__(self, asked: Asked) -> Reply:
        if not asked.body.get("tools"):  # a name for the session, or the like
            return said("{}")
        self.heard = [json.dumps(block["content"]) for one in asked.body["messages"] for block in _results(one)]
        self.told = json.dumps(asked.body)
        return self.calls[len(self.heard)] if len(self.heard) < len(self.calls) else said("Done.")


def _results(message: dict[str, Any]) -> list[dict[str, Any]]:
    content = message["content"] if isinstance(message["content"], list) else []
    return [block for block in content if block.get("type") == "tool_result"]


def _runs(command: str) -> Reply:
    return tool({"command": command, "description": "work"}, name="Bash")


@pytest.fixture
def top(gated: Path, rulec: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A repository with gates and a rule; npm and pnpm do nothing there."""
    rulec("add", REFUSED, "--yes", "--enforcement", "block")
    tools = tmp_path / "tools"
    tools.mkdir()
    for name in ("npm", "pnpm"):
        (tools / name).write_text("#!/bin/sh\necho installed\n")
        (tools / name).chmod(0o755)
    path = [str(tools), str(Path(sys.executable).parent), os.environ["PATH"]]
    monkeypatch.setenv("PATH", os.pathsep.join(path))
    return gated


def _claude(cwd: Path, prompt: str, *options: str) -> None:
    argv = ["claude", "-p", "--output-format", "json", "--allowedTools", "Bash,Write", "--plugin-dir", str(ROOT)]
    done = subprocess.run([*argv, *options], cwd=cwd, input=prompt, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def _refusals(top: Path) -> int:
    lines = map(json.loads, (top / ".git/rulec/ledger.jsonl").read_text().splitlines())
    return sum(1 for line in lines if (line["slug"], line["outcome"]) == ("use-pnpm", "block"))


def test_the_real_validator_takes_plugin_and_marketplace() -> None:
    argv = ["claude", "plugin", "validate", "--strict", "--json", str(ROOT)]
    done = subprocess.run(argv, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_it_is_installed_from_the_marketplace_with_rulec_itself(tmp_path: Path) -> None:
    home = tmp_path / "claude"
    environment = {**os.environ, "CLAUDE_CONFIG_DIR": str(home)}
    for words in (["marketplace", "add", str(ROOT)], ["install", "rulec@rulec"]):
        argv = ["claude", "plugin", *words]
        done = subprocess.run(argv, capture_output=True, text=True, check=False, env=environment)
        assert done.returncode == 0, done.stdout + done.stderr
    (launcher,) = home.glob("plugins/cache/**/plugin/rulec/hook")
    assert (launcher.parents[2] / "pyproject.toml").is_file()


def test_it_refuses_where_no_settings_of_the_repository_are_read(messages: MessagesServer, top: Path) -> None:
    messages.script = model = Model(_runs(FORBIDDEN), _runs("pnpm add left-pad"))
    _claude(top, "Add left-pad.", "--setting-sources", "user")
    refused, passed = model.heard
    assert REFUSED in refused
    assert "installed" in passed


def test_it_refuses_in_a_subfolder_whose_settings_are_none(messages: MessagesServer, top: Path) -> None:
    (top / "web").mkdir()
    messages.script = model = Model(_runs(FORBIDDEN))
    _claude(top / "web", "Add left-pad.", "--setting-sources", "user")
    assert REFUSED in model.heard[0]


def test_with_the_settings_of_the_repository_each_call_is_judged_once(messages: MessagesServer, top: Path) -> None:
    messages.script = model = Model(*[_runs(f"{FORBIDDEN}@{number}") for number in range(6)])
    _claude(top, "Add left-pad.")
    assert [heard.count("rulec rule use-pnpm") for heard in model.heard] == [1] * 6
    assert _refusals(top) == 6
    messages.script = later = Model()
    _claude(top, "Say hello.")
    assert later.told.count(REFUSED) == 1  # the rules, at the session's start
    assert "This repository has rules for people and agents" in later.told  # CLAUDE.md takes in AGENTS.md


def test_it_says_nothing_where_there_are_no_rules(messages: MessagesServer, repo: Path) -> None:
    messages.script = model = Model(_runs("echo free"))
    _claude(repo, "Say free.", "--setting-sources", "user")
    assert "free" in model.heard[0]
    assert "rulec:" not in model.told.replace("rulec:rulec", "").replace("rulec:audit", "").replace("rulec:learn", "")


def test_its_command_audits_without_any_set_up(
    messages: MessagesServer, repo: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    (repo / "CLAUDE.md").write_text(f"- {REFUSED}\n")
    session = ClaudeSession(repo).person("Add left-pad.").runs(FORBIDDEN).agent("Done.").person("ok thanks")
    command = f'sh "{ROOT}/plugin/rulec/hook" git audit --format markdown {session.save(repo / "session.jsonl")}'
    messages.script = model = Model(_runs(command))
    _claude(repo, f"/rulec:audit {repo / 'session.jsonl'}")
    assert json.dumps(command)[1:-1] in model.told, "the command names another call"
    assert REFUSED in model.heard[0]
    assert FORBIDDEN in model.heard[0]
    assert not (repo / ".rules").exists()
