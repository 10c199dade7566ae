"""The main job with the real tools: a transcript becomes a rule, the next commit that breaks it is refused."""

import json
import os
import re
import subprocess
from pathlib import Path

from tests.conftest import Run
from tests.support.session import ClaudeSession, logger, pnpm


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
    assert "it does: block" in why
    assert "(1 + 3) / (2 + 3 + 0) = 0.80" in why


def test_a_persons_unstaged_work_is_left_alone(gated: Path, rulec: Run, git: Run, tmp_path: Path) -> None:
    guide = gated / "AGENTS.md"
    guide.write_text("# Mine, not committed\n\n" + guide.read_text())
    (gated / "new.txt").write_text("untracked\n")
    rulec("ingest", str(pnpm(gated).save(tmp_path / "s.jsonl")), "--yes", "--enforcement", "block")
    assert guide.read_text().startswith("# Mine, not committed\n")
    assert "Mine" not in git("show", "HEAD:AGENTS.md").stdout
    assert git("status", "--porcelain").stdout.splitlines() == [" M AGENTS.md", "?? new.txt"]


def test_what_is_staged_is_neither_swept_in_nor_in_the_way(gated: Path, rulec: Run, git: Run, tmp_path: Path) -> None:
    (gated / "theirs.txt").write_text("theirs\n")
    git("add", "-A")
    head = git("rev-parse", "HEAD").stdout.strip()
    transcript = str(pnpm(gated).save(tmp_path / "s.jsonl"))
    for argv in (["ingest", transcript, "--yes"], ["add", "Use tabs", "--yes"], ["rollback", "use-pnpm"]):
        rulec(*argv)
    assert git("rev-list", "--count", f"{head}..HEAD").stdout == "3\n"
    assert "theirs.txt" not in git("log", "--name-only", "--format=", f"{head}..HEAD").stdout
    assert git("status", "--porcelain").stdout == "A  theirs.txt\n"


def test_a_merge_under_way_is_refused(gated: Path, rulec: Run, git: Run) -> None:
    (gated / ".git/MERGE_HEAD").write_text(git("rev-parse", "HEAD").stdout)
    assert "a merge is under way" in rulec("add", "Use pnpm, not npm", "--yes", code=2).stderr


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


def test_rules_stay_when_the_gates_are_taken_out(gated: Path, rulec: Run) -> None:
    rulec("add", "Use pnpm, not npm", "--yes")
    rulec("init", "--remove", "--yes")
    assert [path.name for path in (gated / ".rules").glob("*.yaml")] == ["use-pnpm.yaml"]


def test_a_persons_own_sentence_is_a_rule_that_blocks(gated: Path, rulec: Run) -> None:
    rulec("add", "Never use git push --force", "--yes", "--enforcement", "block")
    (row,) = json.loads(rulec("rules", "--format", "json").stdout)
    assert row["acts"] == "block"
    assert "hookSpecificOutput" in _hook(gated, "Bash", {"command": "git push --force origin main"})
    assert _hook(gated, "Bash", {"command": "git push origin main"}) == {}


def test_comments_in_a_rule_survive_and_a_broken_edit_is_off_and_loud(gated: Path, rulec: Run) -> None:
    rulec("add", "Use pnpm, not npm", "--yes", "--enforcement", "block")
    path = gated / ".rules/use-pnpm.yaml"
    path.write_text(path.read_text().replace("severity:", "# since the lockfile war\nseverity:"))
    rulec("compile")
    assert "# since the lockfile war" in path.read_text()
    path.write_text(path.read_text().replace("command: npm", "command: nothing-of-that", 1))
    failed = rulec("compile", code=1).stdout
    assert "FAILED  use-pnpm at examples: did not catch" in failed
    assert json.loads(rulec("rules", "--format", "json").stdout)[0]["acts"] == "audit"
    assert "use-pnpm@1: FAILED at examples" in rulec("test", "use-pnpm", code=1).stdout


def test_doctor_fires_at_the_gates(gated: Path, rulec: Run) -> None:
    rulec("add", "Use pnpm, not npm", "--yes", "--enforcement", "block")
    well = rulec("doctor").stdout
    assert "is refused" in well
    assert "0 wrong" in well
    (gated / ".git/hooks/pre-commit").unlink()
    (gated / ".rules/hook").write_text("exit 0\n")
    ill = rulec("doctor", code=1).stdout
    assert "git hook pre-commit is missing; run rulec hook install" in ill
    assert "artifacts: 1 stale (.rules/hook)" in ill
    assert "'npm' is refused" in ill, "the copy in the git folder runs"


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


def test_a_lasting_wish_that_no_machine_can_check_is_a_reminder_and_says_so(gated: Path, rulec: Run) -> None:
    said = rulec(
        "add", "Always explain your reasoning before a large refactoring.", "--yes", "--enforcement", "warn"
    ).stdout
    assert "no check was read from its words: it will only be a reminder (AGENTS.md)" in said
    (words,) = (gated / ".rules/compiled/words").iterdir()
    assert "explain your reasoning" in words.read_text()


def test_two_people_merge_their_rules_without_conflict(gated: Path, rulec: Run, git: Run, tmp_path: Path) -> None:
    (gated / "AGENTS.md").unlink()
    config = gated / ".rules/config.yaml"
    config.write_text(re.sub(r"(?m)^emitters:.*$", "emitters: [claude-code, pre-commit]", config.read_text()))
    rulec("compile")
    git("add", "-A")
    git("commit", "-qm", "No shared document", "--no-verify")  # one emitter fewer asks a person
    git("switch", "-qc", "theirs")
    rulec("ingest", str(pnpm(gated).save(tmp_path / "1.jsonl")), "--yes", "--enforcement", "block")
    git("switch", "-q", "main")
    rulec("ingest", str(logger(gated).save(tmp_path / "2.jsonl")), "--yes", "--enforcement", "block")
    git("merge", "-q", "--no-edit", "theirs")
    rulec("compile", "--check")
    assert len(json.loads(rulec("rules", "--format", "json").stdout)) == 2


def test_a_session_without_a_correction_gives_no_rule(gated: Path, rulec: Run, tmp_path: Path) -> None:
    session = ClaudeSession(gated).person("Add left-pad.").runs("npm install left-pad").agent("Done.").person("Thanks!")
    said = rulec("ingest", str(session.save(tmp_path / "s.jsonl")), "--yes").stdout
    assert "2 human turns, 0 lasting corrections" in said


def test_a_wish_about_one_folder_is_checked_in_that_folder_alone(gated: Path, rulec: Run, git: Run) -> None:
    rulec("add", "Never use print() in src", "--yes", "--enforcement", "block")
    for folder, code in (("tools", 0), ("src", 1)):
        (gated / folder).mkdir()
        (gated / folder / "a.py").write_text("print(1)\n")
        git("add", "-A")
        assert rulec("check", "--staged", code=code).returncode == code


def test_every_template_of_the_thread_refuses_a_real_change(gated: Path, rulec: Run, git: Run) -> None:
    wishes = {
        "Never commit .env files": (".env", "A=1\n", "Add it"),
        "Never import `requests`": ("a.py", "import requests\n", "Add it"),
        "Do not use os.system": ("a.py", "import os\n\nos.system('x')\n", "Add it"),
        "No TODO comments": ("a.py", "# TODO later\n", "Add it"),
    }
    for wish, (path, content, message) in wishes.items():
        rulec("add", wish, "--yes", "--enforcement", "block")
        (slug,) = [row["slug"] for row in json.loads(rulec("rules", "--format", "json").stdout)]
        (gated / path).write_text(content)
        git("add", "-A")
        refused = git("commit", "-m", message, check=False)
        assert f"refused by {slug}" in refused.stdout + refused.stderr, wish
        git("rm", "-qf", path)
        rulec("rollback", slug)
