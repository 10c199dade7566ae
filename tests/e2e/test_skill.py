"""A whole round as the skill tells it, each call of the agent through its hook: it mines, and cannot accept."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Run
from tests.support.asking import ask_hook
from tests.support.session import ClaudeSession

QUOTE = "our lockfile is pnpm's, npm writes a second one"  # no word list finds a rule in it
WISH = {
    "turn": 2,
    "quote": QUOTE,
    "statement": "Use pnpm, never npm, to install packages.",
    "when": "installing JavaScript packages",
    "do": "run `pnpm add NAME`",
    "category": "tooling",
    "severity": "must",
    "holds": "next time",
    "sure": "high",
    "offence": "a2.1",
    "fix": "a3.1",
    "invalid": [{"command": "npm install left-pad"}],
    "valid": [{"command": "pnpm add left-pad"}, {"command": "grep -r 'npm install' docs"}],
    "check": None,
}
STANDING = """\
schema: 1
slug: no-force-push
revision: 1
statement: Never force-push.
category: git
severity: must
enforcement: block
checks:
  - {kind: guard, template: forbid-command, with: {commands: ["git push --force"]}}
examples:
  invalid: [{command: git push --force}]
  valid: [{command: git push}]
"""
DRAFT = {
    "wish": 1,
    "examples": {"invalid": [{"command": "npm install x"}], "valid": [{"command": "pnpm add x"}]},
    "alternatives": [{"checks": [{"template": "forbid-command", "with": {"commands": ["npm"], "instead": "pnpm"}}]}],
}
CHALLENGE = {
    "wish": 1,
    "invalid": [{"session": [{"file": "setup.sh", "content": "npm ci\n"}, {"command": "sh setup.sh"}]}],
    "valid": [{"command": "grep -rn 'npm install' docs"}],
}


class Agent:
    """Does what its hook lets pass; a call that is denied is not made."""

    def __init__(self, top: Path) -> None:
        self.top = top

    def denied(self, tool: str, **given: str) -> str:
        payload = {"session_id": "s", "cwd": str(self.top), "hook_event_name": "PreToolUse"}
        done = ask_hook(self.top, {**payload, "tool_name": tool, "tool_input": given})
        assert done.returncode == 0
        told: dict[str, Any] = json.loads(done.stdout or "{}").get("hookSpecificOutput", {})
        return str(told.get("permissionDecisionReason", "")) if told.get("permissionDecision") == "deny" else ""

    def runs(self, command: str, code: int = 0) -> str:
        assert not self.denied("Bash", command=command), command
        done = subprocess.run(["sh", "-c", command], cwd=self.top, capture_output=True, text=True, check=False)
        assert done.returncode == code, f"{command}: {done.stdout}{done.stderr}"
        return done.stdout

    def writes(self, path: Path, text: str) -> None:
        assert not self.denied("Write", file_path=str(path), content=text), path
        path.write_text(text)


@pytest.fixture
def agent(gated: Path, git: Run, monkeypatch: pytest.MonkeyPatch) -> Agent:
    """In a repository with gates and one rule, where rulec is on the path."""
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    (gated / ".rules/no-force-push.yaml").write_text(STANDING)
    subprocess.run(["rulec", "compile"], cwd=gated, check=True, capture_output=True)
    git("add", "-A")
    git("commit", "-qm", "Add a rule", "--no-verify")
    return Agent(gated)


def test_an_agent_mines_what_a_person_accepts(agent: Agent, repo: Path, rulec: Run, git: Run, tmp_path: Path) -> None:
    session = ClaudeSession(repo).person("Add left-pad.").runs("npm install left-pad").agent("Done.")
    session.person(f"hm, {QUOTE}").runs("pnpm add left-pad").agent("Done with pnpm.").person("ok thanks")
    transcript = session.save(tmp_path / "session.jsonl")
    assert "1 prompt waits in .rulec/exchange" in agent.runs(f"rulec ingest {transcript} --backend exchange")
    (prompt,) = (repo / ".rulec/exchange").glob("*.prompt.md")
    assert QUOTE in agent.runs(f"cat {prompt.relative_to(repo)}")
    answer = prompt.with_name(prompt.name.replace(".prompt.md", ".answer.json"))
    agent.writes(answer, json.dumps({"wishes": [WISH]}))

    (repo / "notes.txt").write_text("in the midst of it\n")
    agent.runs("git add -A && git commit -qm 'Add notes'")
    assert git("show", "--name-only", "--format=", "HEAD").stdout.split() == ["notes.txt"]

    go_on = "sh .rules/hook git ingest --continue"
    assert "1 wish waits for a mo" in agent.runs(go_on)
    for step, answer_on_wish, then in (
        ("challenge", CHALLENGE, "1 wish waits for a mo"),
        ("draft", DRAFT, "1 proposal waits for you"),
    ):
        (asked,) = (repo / ".rulec/exchange").glob(f"*-{step}-*.prompt.md")
        assert QUOTE in asked.read_text()
        place = asked.with_name(asked.name.replace(".prompt.md", ".answer.json"))
        agent.writes(place, json.dumps({"wishes": [answer_on_wish]}))
        assert then in agent.runs(go_on)
    assert not (repo / ".rulec").exists()
    for command in (
        "rulec review --accept use-pnpm-never-npm",
        "rulec ingest --continue --yes",
        "script -qc 'rulec review' x",
    ):
        assert "protect-the-gate" in agent.denied("Bash", command=command)
    assert not agent.denied("Bash", command="npm install x")  # nothing holds before a person says so

    rulec("review", "--accept", "use-pnpm-never-npm")
    assert "use-pnpm-never-npm" in agent.denied("Bash", command="npm install x")
    assert QUOTE in agent.runs("rulec why use-pnpm-never-npm")


def test_an_agent_writes_a_check_until_it_is_proved_and_a_person_accepts(agent: Agent, rulec: Run) -> None:
    assert "forbid-command: " in agent.runs("rulec templates --catalogue")
    rule: dict[str, Any] = {
        "statement": "Install packages with pnpm.",
        "checks": [{"template": "forbid-command", "with": {"commands": ["npm install"]}}],
        "examples": {"invalid": [{"command": "npm ci"}, {"command": "npm i x"}], "valid": [{"command": "npm view x"}]},
    }
    assert "did not catch 'npm ci'" in agent.runs(f"rulec try <<'EOF'\n{json.dumps(rule)}\nEOF", code=1)
    rule["checks"][0]["with"] = {"commands": ["npm install|ci"]}
    assert '"proved": true' in agent.runs(f"rulec try <<'EOF'\n{json.dumps(rule)}\nEOF")
    told = agent.runs(f"rulec propose <<'EOF'\n{json.dumps(rule)}\nEOF")
    assert "it is not active until the person accepts it" in told
    assert not agent.denied("Bash", command="npm ci")
    rulec("review", "--accept", told.partition(" ")[0])
    assert agent.denied("Bash", command="cd web && npm ci")


def test_what_waits_for_answers_trips_no_gate(agent: Agent, repo: Path, rulec: Run, git: Run, tmp_path: Path) -> None:
    session = ClaudeSession(repo).person("Add left-pad.").runs("npm install left-pad").person(f"hm, {QUOTE}")
    agent.runs(f"rulec ingest {session.save(tmp_path / 'session.jsonl')} --backend exchange")
    assert (repo / ".rulec/exchange").is_dir()
    assert git("status", "--porcelain").stdout == ""
    rulec("check", "--all")
    rulec("compile", "--check")
