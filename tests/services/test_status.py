"""``rulec`` alone remembers what it said, and says anew what changed."""

import json
from pathlib import Path

import pytest

from rulec.services.history import repository_status
from tests.conftest import Run
from tests.support.session import pnpm
from tests.support.world import act


def _remembered(top: Path) -> str:
    return str(json.loads((top / ".git/rulec/status.json").read_text())["files"])


def test_the_state_is_remembered_until_something_changes(gated: Path, rulec: Run, git: Run, tmp_path: Path) -> None:
    rulec("add", "Never use git stash.", "--yes")
    first = rulec().stdout
    known = _remembered(gated)
    assert (rulec().stdout, _remembered(gated)) == (first, known)
    assert "rules: 1 (1 block)" in first
    rulec("ingest", str(pnpm(gated, "rule: Use pnpm, not npm.").save(tmp_path / "t.jsonl")))
    assert "next: rulec review" in rulec().stdout
    path = gated / ".rules/no-git-stash.yaml"
    path.write_text(path.read_text().replace("statement: ", "statement: Please, "))
    assert "next: rulec compile" in rulec().stdout
    git("checkout", "-q", str(path))
    (gated / "AGENTS.md").unlink()
    assert "next: rulec compile" in rulec().stdout


def test_a_damaged_memory_is_none(gated: Path, rulec: Run) -> None:
    said = rulec().stdout
    for text in ("", "[]", '{"files": 1}', "{"):
        (gated / ".git/rulec/status.json").write_text(text)
        assert rulec().stdout == said


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


def test_many_rules_that_nobody_read_here_are_told_as_compiled(gated: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    act(gated, "add", "Use pnpm, not npm", "--yes")
    act(gated, "add", "Never use git stash.", "--yes")
    whole = act(gated).out
    monkeypatch.setattr(repository_status, "MANY", 2)
    assert act(gated).out == whole
    for name in ("parsed", "compiled", "status.json"):
        (gated / ".git/rulec" / name).unlink(missing_ok=True)
    rules, rest = whole.split("\n", 1)
    assert rules == "rules: 2 (2 block)"
    unread = rest.replace(
        "artifacts: current", "artifacts: not yet compared with the rules in this clone (rulec compile --check)"
    )
    assert act(gated).out == f"{rules}\n{unread.replace('next: nothing to do', 'next: rulec compile --check')}"
    assert "every artifact is current" in act(gated, "compile", "--check").out
    assert act(gated).out == whole
