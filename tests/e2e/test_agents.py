"""Each agent in a repository of rulec init's: what is registered refuses the bad and is silent on the good."""

import json
import os
import subprocess
from pathlib import Path

import pytest

from tests.support.agents import RULE, Said, ask, lines
from tests.support.world import act, at_home, run

AGENTS = ("claude-code", "codex", "cursor", "gemini", "copilot", "opencode")


@pytest.fixture(scope="module")
def top(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository with the hooks of every agent and two rules: one of commands, one of text."""
    with at_home(tmp_path_factory.mktemp("home")):
        repo = tmp_path_factory.mktemp("agents") / "repo"
        (repo / "web").mkdir(parents=True)
        run(repo, "init", "-q", "-b", "main", "--template=")
        run(repo, "commit", "-q", "--allow-empty", "-m", "Start")
        act(repo, "init", "--yes", "--no-ci", *(word for agent in AGENTS for word in ("--agent", agent)))
        (repo / ".rules/no-fixme.yaml").write_text(RULE)
        act(repo, "compile")
        run(repo, "add", "-A")
        run(repo, "commit", "-q", "--no-verify", "-m", "Put up the gates")
        act(repo, "add", "Use pnpm, never npm", "--yes", "--enforcement", "block")
        return repo


def base(top: Path, event: str) -> dict[str, object]:
    return {"hook_event_name": event, "session_id": "s1", "cwd": str(top), "transcript_path": None}


def write(tool: str, top: Path, text: str) -> dict[str, object]:
    return {"tool_name": tool, "tool_input": {"file_path": f"{top}/a.py", "content": text}}


def patch(path: str, text: str) -> str:
    return f"*** Begin Patch\n*** Add File: {path}\n+{text}\n*** End Patch"


def cursor(top: Path, event: str) -> dict[str, object]:
    return {
        "hook_event_name": event, "conversation_id": "c1", "generation_id": "g1", "model": "m",
        "cursor_version": "2.4.1", "workspace_roots": [str(top)], "user_email": None,
    }  # fmt: skip


def copilot(top: Path) -> dict[str, object]:
    return {"sessionId": "s1", "timestamp": 1, "cwd": str(top)}


# agent, event, its JSON about a command or a text, and where its refusal stands
SHELL = {
    "claude-code": (
        "PreToolUse",
        lambda t, c: base(t, "PreToolUse") | {"tool_name": "Bash", "tool_input": {"command": c}, "tool_use_id": "u"},
        lambda out: out["hookSpecificOutput"]["permissionDecision"] == "deny",
    ),
    "codex": (
        "PreToolUse",
        lambda t, c: (
            base(t, "PreToolUse")
            | {"turn_id": "t", "model": "m", "permission_mode": "default"}
            | {"tool_name": "Bash", "tool_input": {"command": c}, "tool_use_id": "u"}
        ),
        lambda out: out["hookSpecificOutput"]["permissionDecision"] == "deny",
    ),
    "cursor": (
        "beforeShellExecution",
        lambda t, c: cursor(t, "beforeShellExecution") | {"command": c, "cwd": ""},
        lambda out: out["permission"] == "deny",
    ),
    "gemini": (
        "BeforeTool",
        lambda t, c: (
            base(t, "BeforeTool") | {"timestamp": "x", "tool_name": "run_shell_command", "tool_input": {"command": c}}
        ),
        lambda out: out["decision"] == "deny",
    ),
    "copilot": (
        "preToolUse",
        lambda t, c: copilot(t) | {"toolName": "bash", "toolArgs": json.dumps({"command": c, "description": "x"})},
        lambda out: out["permissionDecision"] == "deny",
    ),
}
WRITE = {
    "claude-code": ("PreToolUse", lambda t, x: base(t, "PreToolUse") | write("Write", t, x)),
    "codex": (
        "PreToolUse",
        lambda t, x: base(t, "PreToolUse") | {"tool_name": "apply_patch", "tool_input": {"command": patch("a.py", x)}},
    ),
    "cursor": ("preToolUse", lambda t, x: cursor(t, "preToolUse") | write("Write", t, x)),
    "gemini": ("BeforeTool", lambda t, x: base(t, "BeforeTool") | write("write_file", t, x)),
    "copilot": (
        "preToolUse",
        lambda t, x: copilot(t) | {"toolName": "create", "toolArgs": {"path": f"{t}/a.py", "file_text": x}},
    ),
}


def said(answer: Said) -> str:
    return json.dumps(answer.out)


@pytest.mark.parametrize("agent", SHELL)
def test_a_command_that_a_rule_forbids_is_refused_and_another_meets_silence(top: Path, agent: str) -> None:
    event, payload, refused = SHELL[agent]
    answer = ask(top, agent, event, payload(top, "cd web && npm install left-pad"))
    assert answer.code == 0
    assert refused(answer.out), answer
    for part in ("use-pnpm", "pnpm"):
        assert part in said(answer)
    for harmless in ("pnpm add left-pad", "git status", "grep -r 'npm install' docs"):
        assert ask(top, agent, event, payload(top, harmless)) == Said(0, None, "")


@pytest.mark.parametrize("agent", WRITE)
def test_a_file_that_a_rule_forbids_is_refused_before_it_is_written(top: Path, agent: str) -> None:
    event, payload = WRITE[agent]
    answer = ask(top, agent, event, payload(top, "x = 1  # FIXME"))
    assert answer.code == 0
    assert SHELL[agent][2](answer.out), answer
    assert "no-fixme" in said(answer)
    assert ask(top, agent, event, payload(top, "x = 1")) == Said(0, None, "")


@pytest.mark.parametrize("agent", SHELL)
def test_going_around_the_gate_is_refused_to_every_agent(top: Path, agent: str) -> None:
    event, payload, refused = SHELL[agent]
    for command in ("git commit --no-verify -m x", "rulec init --remove --yes"):
        assert refused(ask(top, agent, event, payload(top, command)).out), command


@pytest.mark.parametrize("agent", WRITE)
def test_no_agent_may_take_its_own_hooks_away(top: Path, agent: str) -> None:
    event, payload, refused = SHELL[agent]
    for path in (".claude/settings.json", ".codex/hooks.json", ".cursor/hooks.json", ".gemini/settings.json"):
        assert refused(ask(top, agent, event, payload(top, f"echo '{{}}' > {path}")).out), path
    for path in (".github/hooks/rulec.json", ".opencode/plugins/rulec.ts"):
        assert refused(ask(top, agent, event, payload(top, f"rm {path}")).out), path


def test_another_program_that_runs_claude_codes_hooks_finds_the_gate(top: Path) -> None:
    """Copilot reads that file too, sets no variable, and refuses every tool whose hook ends in an error."""
    (line,) = lines(top, "claude-code", "PreToolUse")
    given = json.dumps({"hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": {"command": "ls"}}).encode()
    environment = {name: value for name, value in os.environ.items() if name != "CLAUDE_PROJECT_DIR"}
    argv = ["sh", "-c", line]
    done = subprocess.run(argv, cwd=top / "web", env=environment, input=given, capture_output=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


@pytest.mark.parametrize("agent", ["codex", "copilot"])
def test_an_agent_that_was_started_in_a_folder_of_the_repository_finds_the_gate(top: Path, agent: str) -> None:
    event, payload, refused = SHELL[agent]
    answer = ask(top, agent, event, payload(top / "web", "npm ci"), cwd=top / "web")
    assert refused(answer.out)


STOP = {
    "claude-code": ("Stop", lambda t: base(t, "Stop") | {"stop_hook_active": False}, "reason"),
    "codex": ("Stop", lambda t: base(t, "Stop") | {"turn_id": "t", "stop_hook_active": False}, "reason"),
    "cursor": ("stop", lambda t: cursor(t, "stop") | {"status": "completed", "loop_count": 0}, "followup_message"),
    "gemini": ("AfterAgent", lambda t: base(t, "AfterAgent") | {"prompt": "x", "stop_hook_active": False}, "reason"),
    "copilot": ("agentStop", lambda t: copilot(t) | {"transcriptPath": "", "stopReason": "end_turn"}, "reason"),
}


@pytest.mark.parametrize("agent", STOP)
def test_a_turn_that_leaves_what_a_rule_forbids_is_held_until_it_is_gone(top: Path, agent: str) -> None:
    event, payload, where = STOP[agent]
    writes, written = WRITE[agent]
    ask(top, agent, writes, written(top, "x = 1"))  # so that the file is known as the session's own work
    left = top / "a.py"
    left.write_text("x = 1  # FIXME\n")
    try:
        assert "no-fixme" in ask(top, agent, event, payload(top)).out[where]
    finally:
        left.unlink()
    assert ask(top, agent, event, payload(top)) == Said(0, None, "")


START = {
    "claude-code": ("SessionStart", lambda t: base(t, "SessionStart") | {"source": "startup"}),
    "codex": ("SessionStart", lambda t: base(t, "SessionStart") | {"source": "startup"}),
    "cursor": ("sessionStart", lambda t: cursor(t, "sessionStart")),
    "gemini": ("SessionStart", lambda t: base(t, "SessionStart") | {"source": "startup"}),
    "copilot": ("sessionStart", lambda t: copilot(t) | {"source": "new", "initialPrompt": "x"}),
}


@pytest.mark.parametrize("agent", START)
def test_a_session_starts_with_the_rules(top: Path, agent: str) -> None:
    event, payload = START[agent]
    assert "use-pnpm" in said(ask(top, agent, event, payload(top)))


@pytest.mark.parametrize("agent", [agent for agent in AGENTS if agent != "opencode"])
def test_nothing_is_held_up_where_the_gate_is_gone_and_the_agent_is_told(top: Path, agent: str, tmp_path: Path) -> None:
    """What the settings register ends well without rulec's files, as after a checkout of an old commit."""
    events = {"claude-code": "UserPromptSubmit", "codex": "UserPromptSubmit", "cursor": "beforeSubmitPrompt"}
    event = {**events, "gemini": "BeforeAgent", "copilot": "userPromptSubmitted"}[agent]
    empty = tmp_path / "empty"
    for path in (".claude/settings.json", ".codex/hooks.json", ".cursor/hooks.json", ".gemini/settings.json"):
        (empty / path).parent.mkdir(parents=True, exist_ok=True)
        (empty / path).write_text((top / path).read_text())
    (empty / ".github/hooks").mkdir(parents=True)
    (empty / ".github/hooks/rulec.json").write_text((top / ".github/hooks/rulec.json").read_text())
    run(empty, "init", "-q", "--template=")
    assert ask(empty, agent, event, {"prompt": "hello"}).code == 0
    before, payload, _ = SHELL[agent]
    assert ask(empty, agent, before, payload(empty, "ls")).code == 0


def test_init_writes_what_is_asked_for_and_says_what_codex_wants(top: Path, tmp_path: Path) -> None:
    repo = tmp_path / "repo"
    repo.mkdir()
    run(repo, "init", "-q", "--template=")
    told = act(repo, "init", "--yes", "--no-ci", "--agent", "codex", "--agent", "cursor").out
    assert "wrote     .codex/hooks.json" in told
    assert "wrote     .cursor/hooks.json" in told
    assert ".claude/settings.json" not in told
    assert "for Codex: trust its hooks once in /hooks" in told
    assert len(told.splitlines()) < 20
    assert "everything is in place" in act(repo, "init", "--yes").out
    act(repo, "init", "--remove", "--yes")
    assert not [path for path in repo.rglob("*.json") if ".git/" not in str(path)]


def test_without_a_name_init_takes_the_agents_whose_files_are_there(tmp_path: Path) -> None:
    repo = tmp_path / "repo"
    for path in (".gemini/settings.json", ".github/copilot-instructions.md", ".opencode/agent/x.md"):
        (repo / path).parent.mkdir(parents=True, exist_ok=True)
        (repo / path).write_text("{}\n" if path.endswith(".json") else "x\n")
    run(repo, "init", "-q", "--template=")
    told = act(repo, "init", "--yes", "--no-ci").out
    for path in (".gemini/settings.json", ".github/hooks/rulec.json", ".opencode/plugins/rulec.ts"):
        assert f"wrote     {path}" in told
    for path in (".claude/", ".codex/", ".cursor/hooks"):
        assert path not in told
    act(repo, "init", "--remove", "--yes")
    assert (repo / ".gemini/settings.json").read_text() == "{}\n"
    assert not (repo / ".opencode/plugins").exists() or not list((repo / ".opencode/plugins").iterdir())
