"""The main job with the real tools: a transcript becomes a rule, the next commit that breaks it is refused."""

import json
import os
import subprocess
from pathlib import Path

from tests.conftest import Run
from tests.support.session import logger, pnpm


def _hook(top: Path, tool: str, given: dict[str, str], event: str = "PreToolUse") -> dict[str, object]:
    settings = json.loads((top / ".claude/settings.json").read_text())
    command = settings["hooks"][event][0]["hooks"][0]["command"]
    payload = {"session_id": "s", "cwd": str(top), "hook_event_name": event, "tool_name": tool, "tool_input": given}
    environment = {**os.environ, "CLAUDE_PROJECT_DIR": str(top)}
    argv, stdin = ["sh", "-c", command], json.dumps(payload)
    done = subprocess.run(argv, cwd=top, env=environment, input=stdin, capture_output=True, text=True, check=True)
    return json.loads(done.stdout) if done.stdout.strip() else {}


def test_a_corrected_command_is_refused_at_the_tool_call(gated: Path, rulec: Run, tmp_path: Path, git: Run) -> None:
    said = rulec("ingest", str(pnpm(gated).save(tmp_path / "s.jsonl")), "--yes", "--enforcement", "block").stdout
    assert 'said:     "pnpm, not npm."' in said
    assert "refuses: " in said
    answer = _hook(gated, "Bash", {"command": "cd web && npm ci"})["hookSpecificOutput"]
    assert isinstance(answer, dict)
    assert answer["permissionDecision"] == "deny"
    for part in ("use-pnpm", "pnpm, not npm.", "npm ci", "2026-11-19"):
        assert part in str(answer["permissionDecisionReason"])
    assert _hook(gated, "Bash", {"command": "pnpm add lodash"}) == {}
    assert _hook(gated, "Bash", {"command": "grep -r 'npm install' docs"}) == {}
    message = git("log", "-1", "--format=%B").stdout
    assert "Resolution: NEW use-pnpm -- " in message
    assert git("status", "--porcelain").stdout == ""
    changed = git("show", "--name-only", "--format=", "HEAD").stdout.split()
    assert all(path.startswith(".rules/") or path == "AGENTS.md" for path in changed), changed


def test_corrected_code_is_refused_at_the_commit_until_the_rule_is_rolled_back(
    gated: Path, rulec: Run, git: Run, tmp_path: Path
) -> None:
    rulec("ingest", str(logger(gated).save(tmp_path / "s.jsonl")), "--yes", "--enforcement", "block")
    (slug,) = [row["slug"] for row in json.loads(rulec("rules", "--format", "json").stdout)]
    (gated / "src").mkdir()
    (gated / "src/app.py").write_text("def run(x):\n    print(x)\n")
    git("add", "-A")
    refused = git("commit", "-m", "Run it", check=False)
    text = refused.stdout + refused.stderr
    assert refused.returncode == 1
    for part in (
        f"refused by {slug}",
        "src/app.py:2: print(x)",
        "Never use print(), use the logger.",
        f"rulec why {slug}",
    ):
        assert part in text
    git("reset", "-q")
    rulec("rollback", slug)
    git("add", "-A")
    passed = git("commit", "-m", "Run it")
    assert passed.returncode == 0
    assert "ROLLBACK" in rulec("why", slug).stdout


def test_the_staged_content_is_judged_not_the_work_tree(gated: Path, rulec: Run, git: Run, tmp_path: Path) -> None:
    rulec("ingest", str(logger(gated).save(tmp_path / "s.jsonl")), "--yes", "--enforcement", "block")
    (gated / "app.py").write_text("print(1)\n")
    git("add", "-A")
    (gated / "app.py").write_text("x = 1\n")
    assert rulec("check", "--staged", code=1).stdout.startswith("refused by ")
    git("add", "-A")
    (gated / "app.py").write_text("print(1)\n")
    rulec("check", "--staged")


def test_a_change_cannot_take_its_own_gate_away(gated: Path, rulec: Run, git: Run, tmp_path: Path) -> None:
    rulec("ingest", str(logger(gated).save(tmp_path / "s.jsonl")), "--yes", "--enforcement", "block")
    (gated / "app.py").write_text("print(1)\n")
    git("rm", "-qr", ".rules/compiled/semgrep")
    git("add", "-A")
    assert rulec("check", "--staged", code=1).stdout.startswith("refused by ")


def test_lines_that_stood_there_before_do_not_block(repo: Path, rulec: Run, git: Run, tmp_path: Path) -> None:
    (repo / "old.py").write_text("print(1)\nx = 2\n")
    git("add", "-A")
    git("commit", "-qm", "Old code")
    rulec("init", "--yes", "--agent", "claude-code")
    git("add", "-A")
    git("commit", "-qm", "Gates")
    rulec("ingest", str(logger(repo).save(tmp_path / "s.jsonl")), "--yes", "--enforcement", "block")
    (repo / "old.py").write_text("print(1)\nx = 3\n")
    git("add", "-A")
    assert "1 pre-existing" in rulec("check", "--staged").stdout
    git("commit", "-qm", "Change the other line")
    assert rulec("check", "--base", "HEAD~1").returncode == 0
    assert "refused by" in rulec("check", "old.py", code=1).stdout


def test_the_same_transcript_twice_changes_nothing(gated: Path, rulec: Run, git: Run, tmp_path: Path) -> None:
    transcript = str(pnpm(gated).save(tmp_path / "s.jsonl"))
    rulec("ingest", transcript, "--yes")
    before = git("rev-parse", "HEAD").stdout
    assert "1 known already" in rulec("ingest", transcript, "--yes").stdout
    assert git("rev-parse", "HEAD").stdout == before
    assert git("status", "--porcelain").stdout == ""


def test_the_same_wish_from_another_session_is_more_evidence(gated: Path, rulec: Run, tmp_path: Path) -> None:
    rulec("ingest", str(pnpm(gated).save(tmp_path / "1.jsonl")), "--yes")
    for number in (2, 3):
        again = pnpm(gated)
        lines = again.text().replace("5e55-0001", f"5e55-100{number}")
        (tmp_path / f"{number}.jsonl").write_text(lines)
        assert "NOOP use-pnpm" in rulec("ingest", str(tmp_path / f"{number}.jsonl"), "--yes").stdout
    why = rulec("why", "use-pnpm").stdout
    assert why.count('said: "pnpm, not npm."') == 3
    assert "what it finds: block" in why
    assert "(1 + 3) / (2 + 3 + 0) = 0.80" in why


def test_init_twice_changes_nothing_and_remove_takes_it_all_out(repo: Path, rulec: Run, git: Run) -> None:
    (repo / ".pre-commit-config.yaml").write_text("# ours\nrepos:\n- repo: local   # a comment\n  hooks: []\n")
    (repo / ".claude").mkdir()
    (repo / ".claude/settings.json").write_text('{"model": "x",\n "hooks": {}}')
    (repo / "AGENTS.md").write_text("# Agents\n\nBe kind.")
    (repo / ".git/hooks/pre-commit").write_text("#!/bin/sh\nexit 0\n")
    before = _tree(repo)
    rulec("init", "--yes")
    first = _tree(repo)
    assert "rules.yml is in no commit yet; commit .github/workflows/rules.yml" in rulec("init", "--yes").stdout
    rulec("compile")
    assert _tree(repo) == first
    rulec("compile", "--check")
    assert f"kept {repo / '.git/rulec'}, what rulec recorded" in rulec("init", "--remove", "--yes").stdout
    assert _tree(repo) == before


def _tree(top: Path) -> dict[str, str]:
    skip = (".git/rulec", ".git/index", ".git/objects", ".rules/.cache")
    files = [p for p in top.rglob("*") if p.is_file() and not p.relative_to(top).as_posix().startswith(skip)]
    return {path.relative_to(top).as_posix(): path.read_text(errors="replace") for path in files}


def test_a_persons_own_sentence_is_a_rule_that_blocks(gated: Path, rulec: Run) -> None:
    rulec("add", "Never use git push --force", "--yes", "--enforcement", "block")
    (row,) = json.loads(rulec("rules", "--format", "json").stdout)
    assert row["acts"] == "block"
    assert "hookSpecificOutput" in _hook(gated, "Bash", {"command": "git push --force origin main"})
    assert _hook(gated, "Bash", {"command": "git push origin main"}) == {}


def test_the_status_names_one_next_step(repo: Path, rulec: Run, git: Run) -> None:
    assert rulec().stdout.endswith("next: rulec init\n")
    rulec("init", "--yes", "--agent", "claude-code", "--no-ci")
    assert "next: git add .rules .claude/settings.json " in rulec().stdout
    git("add", "-A")
    git("commit", "-qm", "Gates")
    assert "next: rulec ingest TRANSCRIPT, or rulec add TEXT" in rulec().stdout
    rulec("add", "Use pnpm, not npm", "--yes")
    assert "next: nothing to do" in rulec().stdout
    (repo / ".rules/compiled/guard/use-pnpm.json").unlink()
    assert "artifacts: 1 stale or missing" in rulec().stdout
    assert "next: rulec compile" in rulec().stdout
