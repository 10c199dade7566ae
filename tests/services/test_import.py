"""Files that people wrote for agents become rules: resolved, proved, accepted, known again, and told when they go."""

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Run
from tests.support.terminal import on_terminal

pytestmark = pytest.mark.e2e  # many real processes: CI runs these

CLAUDE = """\
# Us

Acorn is a shop for garden tools. It has a web front and an API.

## Commands

- `pnpm dev`: start everything

## Rules

- Always use pnpm, never npm.
- Never call `eval()`
- Keep answers short and plain.

## Don't

- Commit `.env` files
"""


def _imported(rulec: Run, *args: str) -> dict[str, Any]:
    return dict(json.loads(rulec("import", *args, "--yes", "--format", "json").stdout))


def _slugs(rulec: Run) -> dict[str, str]:
    return {row["slug"]: row["acts"] for row in json.loads(rulec("rules", "--format", "json").stdout)}


def _evidence(repo: Path, slug: str) -> str:
    texts = [path.read_text() for path in sorted((repo / ".rules/evidence" / slug).iterdir())]
    return next(text for text in texts if "kind: accepted" in text)


@pytest.fixture
def written(gated: Path, git: Run) -> Path:
    (gated / "CLAUDE.md").write_text(CLAUDE)
    git("add", "-A")
    git("commit", "-qm", "Write down how we work")
    return gated


def test_a_file_becomes_rules_one_commit_each_and_the_same_again_changes_nothing(
    written: Path, rulec: Run, git: Run
) -> None:
    before = git("rev-parse", "HEAD").stdout.strip()
    told = rulec("import", "--yes").stdout
    assert told.splitlines()[-1] == "4 rules: 3 checked (block), 1 reminder, 3 left out: no instructions"
    assert _slugs(rulec) == {
        "dont-commit-env": "block",
        "keep-answers-short-and-plain": "remind",
        "dont-call-eval": "block",
        "use-pnpm": "block",
    }
    bodies = git("log", "--format=%B%x00", f"{before}..").stdout.split("\0")[:-1]
    assert len(bodies) == 4
    assert all("Resolution: NEW" in body and "Evidence: " in body for body in bodies)
    assert git("status", "--porcelain").stdout == ""

    item = _evidence(written, "dont-commit-env")
    for line in ("transcript: CLAUDE.md", "turn: 17", "quote: Commit `.env` files", "weight: 3.0"):
        assert f"{line}\n" in item
    written_at = git("log", "-1", "--format=%aI", before).stdout.strip()
    assert written_at[:10] in item

    head = git("rev-parse", "HEAD").stdout
    again = _imported(rulec)
    assert again["counts"] == {"known": 4, "left": 3}
    assert again["gone"] == []
    assert git("rev-parse", "HEAD").stdout == head


def test_what_changed_is_resolved_what_went_is_told_and_what_moved_is_known(
    written: Path, rulec: Run, git: Run
) -> None:
    rulec("import", "--yes")
    text = CLAUDE.replace("- Never call `eval()`\n", "").replace("- Keep answers short and plain.\n", "")
    text = text.replace("never npm.", "never npm or yarn.") + "\n# Also\n\n- Never call `eval()`\n"
    (written / "CLAUDE.md").write_text(text)
    done = _imported(rulec)
    assert done["gone"] == ["keep-answers-short-and-plain"]
    (row,) = done["rules"]
    assert (row["slug"], row["resolution"]["decision"], row["from"]) == ("use-pnpm", "UPDATE", "CLAUDE.md:11")
    assert done["counts"] == {"check block": 1, "known": 2, "left": 3}
    rule = (written / ".rules/use-pnpm.yaml").read_text()
    assert "revision: 2" in rule
    assert "yarn" in rule
    assert "rulec retire keep-answers-short-and-plain (was CLAUDE.md:13)" in rulec("import", "--yes").stdout
    assert _imported(rulec)["rules"] == []


def test_a_look_writes_nothing_and_needs_no_repository(tmp_path: Path, rulec: Run) -> None:
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes/CONVENTIONS.md").write_text(CLAUDE)
    said = rulec("import", "CONVENTIONS.md", "--dry-run", cwd=tmp_path / "notes").stdout
    assert "CONVENTIONS.md:11  use-pnpm (must): Always use pnpm, never npm.\n    guard forbid-command" in said
    assert "CONVENTIONS.md:13  keep-answers-short-and-plain (should)" in said
    assert said.endswith("4 rules: 3 checked (block), 1 reminder, 3 left out: no instructions\n")
    assert [path.name for path in (tmp_path / "notes").rglob("*")] == ["CONVENTIONS.md"]


def test_without_a_person_all_waits_and_nothing_is_active(written: Path, rulec: Run, git: Run) -> None:
    head = git("rev-parse", "HEAD").stdout
    said = rulec("import").stdout
    assert "4 proposals wait for you, not active yet: rulec review" in said
    assert git("rev-parse", "HEAD").stdout == head
    rulec("review", "--accept", "use-pnpm", "--reject", "dont-call-eval")
    assert _slugs(rulec) == {"use-pnpm": "block"}
    assert "transcript: CLAUDE.md" in _evidence(written, "use-pnpm")
    assert _imported(rulec)["counts"] == {"check block": 1, "known": 1, "left": 3, "rejected": 1, "reminder": 1}


@pytest.mark.e2e
def test_a_person_decides_card_by_card_or_on_all_at_once(written: Path, rulec: Run) -> None:
    argv = [sys.executable, "-m", "rulec", "import", "CLAUDE.md"]
    code, seen = on_terminal(
        written,
        argv,
        [("these 4", "o\n"), ("[a]ccept", "a\n"), ("[a]ccept", "r\n"), ("[a]ccept", "l\n"), ("[a]", "a\n")],
    )
    assert code == 0, seen
    assert "CLAUDE.md:11  Always use pnpm, never npm." in seen
    assert 'said:     "Commit `.env` files"' in seen
    assert "2 rules: 2 checked (block), 0 reminders, 1 rejected, 1 left for later" in seen
    code, seen = on_terminal(written, argv, [("[a]ccept", "a\n")])
    assert "1 rule: 0 checked, 1 reminder, 2 already there, 1 rejected before" in seen


def test_what_would_have_stood_in_the_way_is_not_accepted_unseen(gated: Path, rulec: Run, git: Run) -> None:
    (gated / "AGENTS.md").write_text("# Rules\n\n- Never write `down` in commit messages.\n")
    git("commit", "-qam", "Write it down")
    said = rulec("import", "--yes").stdout
    assert "commits would have been refused" in said
    assert said.count("-> later: rulec review") == 1
    assert _slugs(rulec) == {}


MDC = '---\ndescription: x\nglobs: ["services/**/*.py"]\nalwaysApply: false\n---\n\n- Never import `requests`\n'
COPILOT = '---\napplyTo: "**/*.js,**/*.jsx"\n---\n\n- No `console.log`.\n'


def test_every_kind_of_file_is_found_and_its_head_says_where_it_holds(gated: Path, rulec: Run) -> None:
    files = {
        ".cursor/rules/python.mdc": MDC,
        ".github/instructions/web.instructions.md": COPILOT,
        ".github/copilot-instructions.md": "# Rules\n\n- Never use git stash.\n",
        ".cursorrules": "Never force-push.\n",
        ".windsurfrules": "- Never run `rm -rf /`.\n",
        ".clinerules/a.md": "# Rules\n\n- Never use `sudo`.\n",
        "web/AGENTS.md": "# Rules\n\n- Never call `alert()`.\n",
        "node_modules/x/AGENTS.md": "# Rules\n\n- Never do this.\n",
        "GEMINI.md": "# Rules\n\n- Say what you ran.\n",
        "notes.md": "# Rules\n\n- Never read this.\n",
    }
    for name, text in files.items():
        (gated / name).parent.mkdir(parents=True, exist_ok=True)
        (gated / name).write_text(text)
    (gated / "CLAUDE.md").unlink(missing_ok=True)
    (gated / "CLAUDE.md").symlink_to("GEMINI.md")
    done = _imported(rulec, "--no-commit")
    assert set(done["files"]) == (
        {*files, "AGENTS.md", "CLAUDE.md"} - {"node_modules/x/AGENTS.md", "notes.md", "GEMINI.md"}
    )
    rows = {row["slug"]: row for row in done["rules"]}
    assert all(
        rows[slug]["proved"]
        for slug in ("dont-import-requests", "no-console-log", "dont-call-alert", "no-git-push-force")
    )
    assert "services/**/*.py" in (gated / ".rules/dont-import-requests.yaml").read_text()
    assert "'**/*.jsx'" in (gated / ".rules/no-console-log.yaml").read_text().replace('"', "'")
    assert "web/" in (gated / ".rules/dont-call-alert.yaml").read_text()


def test_one_section_of_any_file_is_read_on_request(gated: Path, rulec: Run) -> None:
    text = "# Welcome\n\nNever fear.\n\n# Code style\n\nUse pnpm, not npm.\n\n# Thanks\n\nAlways.\n"
    (gated / "CONTRIBUTING.md").write_text(text)
    done = _imported(rulec, "CONTRIBUTING.md#code style", "--no-commit")
    assert [row["slug"] for row in done["rules"]] == ["use-pnpm"]


def test_our_own_block_is_nobodys_wish(gated: Path, rulec: Run) -> None:
    rulec("add", "Never use git stash.", "--yes")
    exported = rulec("snapshot", "--document", "agents-md").stdout
    assert "git stash" in exported
    for text in ((gated / "AGENTS.md").read_text(), exported):
        (gated / "AGENTS.md").write_text(text)
        assert _imported(rulec, "AGENTS.md")["counts"] == {}


def test_a_secret_does_not_reach_the_rulebook(gated: Path, rulec: Run) -> None:
    secret = "ghp_" + "a1B2" * 8
    (gated / "CLAUDE.md").write_text(f"# Rules\n\n- Never push with the token {secret} to main.\n")
    said = rulec("import", "CLAUDE.md", "--yes", "--no-commit").stdout
    kept = "".join(path.read_text() for path in (gated / ".rules").rglob("*.yaml"))
    assert "CLAUDE.md" in kept
    assert secret not in kept + said


def test_what_no_person_can_have_written_is_refused_in_one_line(tmp_path: Path, rulec: Run) -> None:
    (tmp_path / "big.md").write_bytes(b"# a\n" * 25_000_000)
    (tmp_path / "latin.md").write_bytes("# Grüße\n".encode("latin-1"))
    (tmp_path / "binary.md").write_bytes(b"a\0b\n")
    (tmp_path / "many.md").write_text("# Rules\n\n" + "".join(f"- Never use x{n}.\n" for n in range(501)))
    (tmp_path / "empty").mkdir()
    said = {
        "big.md": "big.md: has 100,000 kB, which is too large for an instruction file",
        "latin.md": "latin.md: is not UTF-8",
        "binary.md": "binary.md: is no text",
        "many.md": "many.md: holds 501 sentences that say how to work",
        "empty": "empty: holds no instruction file",
        "nowhere.md": "nowhere.md: is not a file",
        "#x": "the name is empty",
    }
    for name, words in said.items():
        done = rulec("import", name, "--dry-run", code=2, cwd=tmp_path)
        assert done.stderr.startswith(f"rulec: {words}")
        assert done.stderr.count("\n") == 1
        assert done.stdout == ""


def test_a_repository_without_such_a_file_is_told_what_to_name(repo: Path, rulec: Run) -> None:
    assert "rulec import PATH" in rulec("import", "--dry-run", code=2).stderr


def test_an_export_is_a_document_on_standard_output(written: Path, rulec: Run) -> None:
    rulec("add", "Never use git stash.", "--yes")
    before = (written / "CLAUDE.md").read_text()
    said = rulec("snapshot", "--document", "cursor-rules").stdout
    assert said.startswith("---\ndescription: ")
    assert "- Never use git stash." in said
    assert said.endswith("<!-- rulec:end -->\n")
    assert (written / "CLAUDE.md").read_text() == before
    assert "known are agents-md, claude-md" in rulec("snapshot", "--document", "word", code=2).stderr


def test_documents_that_are_there_lead_to_the_rules_until_init_removes_that_to_the_byte(
    repo: Path, rulec: Run, git: Run
) -> None:
    texts = {"CLAUDE.md": "# Us\r\n\r\n- be kind\r\n", "GEMINI.md": "@AGENTS.md\n", ".cursorrules": "Be kind."}
    for name, text in texts.items():
        (repo / name).write_bytes(text.encode())
    git("add", "-A")
    git("commit", "-qm", "Write it down")
    rulec("init", "--yes", "--no-ci")
    git("add", "-A")
    git("commit", "-qm", "Put up the gates")
    rulec("add", "Never use git stash.", "--yes")
    assert git("status", "--porcelain").stdout == ""
    assert "@AGENTS.md" in (repo / "CLAUDE.md").read_text()
    for name in ("AGENTS.md", ".cursor/rules/rulec.mdc"):
        (command,) = re.findall("^    (grep .+)$", (repo / name).read_text().replace("\r", ""), re.MULTILINE)
        said = subprocess.run(["sh", "-c", command], cwd=repo, capture_output=True, text=True, check=True).stdout
        assert "Never use git stash." in said
    assert (repo / "GEMINI.md").read_text() == "@AGENTS.md\n"
    assert not (repo / ".github").exists()
    rulec("init", "--remove", "--yes")
    assert {name: (repo / name).read_bytes().decode() for name in texts} == texts
    assert not (repo / ".cursor").exists()


def test_a_link_to_another_document_is_left_alone(repo: Path, rulec: Run, git: Run) -> None:
    (repo / "CLAUDE.md").symlink_to("AGENTS.md")
    (repo / "AGENTS.md").write_text("# Us\n")
    git("add", "-A")
    git("commit", "-qm", "Write it down")
    rulec("init", "--yes", "--no-ci")
    assert "claude-md" not in (repo / ".rules/config.yaml").read_text()
    assert (repo / "AGENTS.md").read_text().count("rulec:begin") == 1


def test_the_budget_is_a_setting(gated: Path, rulec: Run) -> None:
    config = gated / ".rules/config.yaml"
    config.write_text(config.read_text() + "budget: 99\n")
    assert "must be 200 or more" in rulec("compile", code=2).stderr
