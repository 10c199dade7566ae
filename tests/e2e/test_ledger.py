"""What real gates note on the way from a refusal to the commit, and what a person is told of it afterwards."""

import json
from pathlib import Path
from typing import Any

from tests.conftest import Run
from tests.support.asking import ask_hook

WORDS = ("topsecret", "left-pad")


def _hook(repo: Path, event: str, **more: Any) -> dict[str, Any]:
    done = ask_hook(repo, {"session_id": "s1", "cwd": str(repo), "hook_event_name": event, **more})
    assert done.returncode == 0
    answer: dict[str, Any] = json.loads(done.stdout or b"{}")
    return answer


def _bash(repo: Path, command: str) -> dict[str, Any]:
    return _hook(repo, "PreToolUse", tool_name="Bash", tool_input={"command": command})


def test_from_the_refusal_to_the_evidence(gated: Path, rulec: Run, git: Run) -> None:
    for wish in ("Use pnpm, never npm", "No TODO comments"):
        rulec("add", wish, "--yes", "--enforcement", "block")
    assert _bash(gated, "npm install left-pad --token=topsecret")
    assert _bash(gated, "npm install left-pad")
    assert _hook(gated, "Stop") == {}
    (gated / "a.py").write_text("x = 1  # TODO topsecret\n")
    git("add", "a.py")
    assert git("commit", "-m", "Add it", check=False).returncode
    (gated / "a.py").write_text("x = 1\n")
    git("add", "a.py")
    git("commit", "-m", "Add it")
    lines = (gated / ".git/rulec/ledger.jsonl").read_text()
    assert not any(word in lines for word in WORDS)
    rows = {row["slug"]: row for row in json.loads(rulec("report", "--format", "json").stdout)["rules"]}
    told = {slug: (row["fired"], row["fixed"], row["rate"], row["by_gate"]) for slug, row in rows.items()}
    assert told == {
        "use-pnpm": (2, 2, 1.0, {"ask": 2}),
        "no-todo-comments": (1, 1, 1.0, {"commit": 1}),
    }
    assert "seen: 3 findings since " in rulec().stdout
    rulec("report", "--commit", "--yes")
    assert "5 lines to tally" not in rulec().stdout
    assert "caught 2 (2 blocked, 2 fixed)" in rulec("why", "use-pnpm").stdout
    text = rulec("report", "use-pnpm").stdout
    assert "fixed: 2 of 2 (100%)" in text
    assert "by gate: tool call 2" in text


def test_what_ci_finds_is_noted_on_no_machine(gated: Path, rulec: Run, git: Run) -> None:
    rulec("add", "No TODO comments", "--yes", "--enforcement", "block")
    (gated / "a.py").write_text("x = 1  # TODO\n")
    git("add", "a.py")
    git("commit", "-qm", "Add it", "--no-verify")
    rulec("check", "--base", "HEAD~1", code=1)
    assert not (gated / ".git/rulec/ledger.jsonl").exists()


def test_what_is_excepted_at_the_commit_is_counted_as_that(gated: Path, rulec: Run, git: Run) -> None:
    rulec("add", "No TODO comments", "--yes", "--enforcement", "block")
    rulec("except", "no-todo-comments", "--until", "2999-01-01", "--reason", "old tree", "--path", "old/**")
    (gated / "old").mkdir()
    (gated / "old/a.py").write_text("x = 1  # TODO\n")
    git("add", "old/a.py")
    git("commit", "-m", "Add it")
    (row,) = json.loads(rulec("report", "--format", "json").stdout)["rules"]
    assert (row["fired"], row["excepted"], row["fixed"]) == (0, 1, 0)
