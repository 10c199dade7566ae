"""``rulec`` alone says how the repository stands, and the next step."""

import json
from pathlib import Path

import pytest

from rulec.services.history import repository_status
from tests.conftest import Run
from tests.support.session import pnpm
from tests.support.world import act


def test_the_state_follows_what_changes(gated: Path, rulec: Run, git: Run, tmp_path: Path) -> None:
    rulec("add", "Never use git stash.", "--yes")
    assert "rules: 1 (1 block)" in rulec().stdout
    rulec("ingest", str(pnpm(gated, "rule: Use pnpm, not npm.").save(tmp_path / "t.jsonl")))
    assert "next: rulec review" in rulec().stdout
    path = gated / ".rules/no-git-stash.yaml"
    path.write_text(path.read_text().replace("statement: ", "statement: Please, "))
    assert "next: rulec compile" in rulec().stdout
    git("checkout", "-q", str(path))
    (gated / "AGENTS.md").unlink()
    assert "next: rulec compile" in rulec().stdout


def test_a_fresh_clone_hears_that_its_gates_are_not_up(gated: Path, rulec: Run, git: Run) -> None:
    rulec("add", "Use pnpm, not npm", "--yes")
    assert "next: nothing to do" in rulec().stdout
    for hook in (gated / ".git/hooks").iterdir():
        hook.unlink()
    said = rulec().stdout
    assert "wrong: git hook pre-commit is missing; run rulec init\n" in said
    assert said.endswith("next: rulec init\n")
    rulec("init", "--yes")
    assert "wrong:" not in rulec().stdout


def test_what_an_agent_did_since_is_said(gated: Path, rulec: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    gates = "gates: commits, commit messages, pushes, Claude Code"
    assert gates in rulec().stdout
    monkeypatch.setenv("CLAUDECODE", "1")
    assert "wrong: Claude Code runs this and has not called its hook here in this session" in act(gated).out
    monkeypatch.delenv("CLAUDECODE")
    assert gates in act(gated).out
    place = Path.home() / ".claude/projects/x/session.jsonl"
    place.parent.mkdir(parents=True)
    place.write_text(json.dumps({"type": "user", "cwd": str(gated)}) + "\n")
    assert "wrong: Claude Code has worked here and never called its hook" in act(gated).out


def test_many_rules_are_told_as_compiled(gated: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    act(gated, "add", "Use pnpm, not npm", "--yes")
    act(gated, "add", "Never use git stash.", "--yes")
    whole = act(gated).out
    monkeypatch.setattr(repository_status, "MANY", 2)
    apart = "not yet compared with the rules in this clone (rulec compile --check)"
    assert act(gated).out == whole.replace("artifacts: current", f"artifacts: {apart}")
    assert "every artifact is current" in act(gated, "compile", "--check").out
    assert act(gated).out == whole
