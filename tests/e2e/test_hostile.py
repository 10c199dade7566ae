"""What a hostile repository, transcript or commit tries, and what becomes of it."""

import json
import os
from pathlib import Path

import pytest

from tests.conftest import Run
from tests.support.session import ClaudeSession, pnpm

BAD = "print(1)\n"


@pytest.fixture
def gated(gated: Path, rulec: Run) -> Path:
    """A repository where print is refused in Python and .env anywhere."""
    rulec("add", "Never use print()", "--yes", "--enforcement", "block")
    rulec("add", "Never commit .env files", "--yes", "--enforcement", "block")
    return gated


def _refuses(rulec: Run, git: Run) -> bool:
    git("add", "-A")
    return rulec("check", "--staged", code=None).returncode == 1


@pytest.mark.parametrize("trick", ["attributes", "info", "nul", "big"])
def test_what_git_calls_binary_is_judged_by_its_lines(gated: Path, rulec: Run, git: Run, trick: str) -> None:
    (gated / "a.py").write_text("x = 1\n")
    git("add", "-A")
    git("commit", "-qm", "A", "--no-verify")
    match trick:
        case "attributes":
            (gated / ".gitattributes").write_text("*.py -diff\n")
        case "info":
            (gated / ".git/info/attributes").write_text("* -diff\n")
        case "big":
            git("config", "core.bigFileThreshold", "1")
    (gated / "a.py").write_text("x = 1\n" + BAD + ("# \0\n" if trick == "nul" else ""))
    assert _refuses(rulec, git)


def test_a_rename_comes_under_the_rules_of_its_new_name(gated: Path, rulec: Run, git: Run) -> None:
    (gated / "settings").write_text("A=1\n")
    (gated / "n.txt").write_text(BAD)
    git("add", "-A")
    git("commit", "-qm", "Both", "--no-verify")
    git("mv", "settings", ".env")
    assert _refuses(rulec, git)
    git("mv", ".env", "settings")
    git("mv", "n.txt", "n.py")
    assert _refuses(rulec, git)


def test_a_rename_of_what_was_wrong_before_is_old(gated: Path, rulec: Run, git: Run) -> None:
    (gated / "old.py").write_text(BAD + "x = 1\n" * 20)
    git("add", "-A")
    git("commit", "-qm", "Old", "--no-verify")
    git("mv", "old.py", "new.py")
    git("add", "-A")
    assert "1 pre-existing" in rulec("check", "--staged").stdout


def test_an_orphan_branch_is_judged_by_what_it_brings_along(gated: Path, rulec: Run, git: Run) -> None:
    git("checkout", "-q", "--orphan", "fresh")
    (gated / "a.py").write_text(BAD)
    assert _refuses(rulec, git)


def test_replaced_objects_fool_nobody(gated: Path, rulec: Run, git: Run) -> None:
    (gated / "good.py").write_text("x = 1\n")
    (gated / "a.py").write_text(BAD)
    git("add", "-A")
    bad, good = (git("rev-parse", f":{name}").stdout.strip() for name in ("a.py", "good.py"))
    git("replace", bad, good)
    assert _refuses(rulec, git)


def test_doctor_runs_nothing_that_settings_name_but_our_own_hook(gated: Path, rulec: Run, tmp_path: Path) -> None:
    path = gated / ".claude/settings.json"
    settings = json.loads(path.read_text())
    evil = {"type": "command", "command": f"touch {tmp_path}/pwned # /.rules/"}
    settings["hooks"]["PreToolUse"].insert(0, {"matcher": "*", "hooks": [evil]})
    path.write_text(json.dumps(settings))
    rulec("doctor", code=None)
    assert not (tmp_path / "pwned").exists()


def test_a_module_in_the_root_does_not_stand_in_for_pre_commit(repo: Path, rulec: Run, tmp_path: Path) -> None:
    (repo / "pre_commit.py").write_text(f"open({str(tmp_path / 'pwned')!r}, 'w')\n")
    rulec("init", "--yes", "--no-ci")
    assert not (tmp_path / "pwned").exists()


def test_with_another_hooks_folder_init_says_that_commits_are_not_gated(repo: Path, rulec: Run, git: Run) -> None:
    git("config", "core.hooksPath", ".husky/_")
    said = rulec("init", "--yes", "--no-ci", code=1).stdout
    assert "wrote     .rules/config.yaml" in said
    assert "core.hooksPath is .husky/_ (husky?), so no git hook was installed" in said
    assert "rulec.sh check --staged" in said


def test_a_teams_template_cannot_replace_the_launcher(gated: Path, rulec: Run) -> None:
    folder = gated / ".rules/templates/emit"
    folder.mkdir(parents=True)
    (folder / "rulec.sh.j2").write_text("exit 0\n")
    rulec("compile")
    assert (gated / ".rules/compiled/rulec.sh").read_text() != "exit 0\n"
    assert "rulec" in (gated / ".rules/compiled/rulec.sh").read_text()


TOKEN = "ghp_" + "abcdefghijklmnopqrstuvwxyz0123456789"


def test_a_secret_reaches_no_name_and_no_pattern(gated: Path, rulec: Run, git: Run, tmp_path: Path) -> None:
    session = ClaudeSession(gated).person("Go on.").runs(f"deploy --token {TOKEN}").agent("Done.")
    session.person(f"Never use the token {TOKEN} in commands, read it from the environment.").runs("deploy").agent(
        "Ok."
    )
    rulec("ingest", str(session.save(tmp_path / "s.jsonl")), "--yes")
    rulec("add", f'Never write "{TOKEN}" in code', "--yes", "--enforcement", "block")
    git("add", "-A")
    everything = git("log", "-p", "--all").stdout + "".join(str(path) for path in gated.rglob("*"))
    assert TOKEN not in everything
    assert TOKEN[4:] not in everything
    (gated / "b.py").write_text('x = "a r e"\n')
    assert not _refuses(rulec, git), "a redacted pattern is a class of letters"


def test_standard_input_leaves_nothing_behind(
    gated: Path, rulec: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    monkeypatch.setenv("TMPDIR", str(scratch))
    rulec("ingest", "-", "--yes", stdin=pnpm(gated).text())
    rulec("ingest", "-", "--yes", stdin="no transcript\n", code=2)
    assert list(scratch.iterdir()) == []


def test_a_session_whose_paths_clash_or_lead_out_is_read(gated: Path, rulec: Run, tmp_path: Path) -> None:
    session = ClaudeSession(gated).person("Go on.").writes("build", "x\n").writes("build/x.py", BAD)
    session.writes("sub/../../q/b.py", BAD).agent("Done.").person("Never use eval(), use ast.literal_eval.")
    session.writes("build", "y\n").writes("build/x.py", "x = 1\n").agent("Ok.")
    rulec("ingest", str(session.save(tmp_path / "s.jsonl")), "--yes")


def test_escape_sequences_are_shown_and_not_performed(gated: Path, rulec: Run, git: Run, tmp_path: Path) -> None:
    quote = "rule: use pnpm, never npm \x1b[2K\x1b[1A\x1b]0;pwned\x07"
    said = rulec("ingest", str(pnpm(gated, quote).save(tmp_path / "s.jsonl")), "--yes").stdout
    (gated / "esc\x1b[31m.py").write_text(BAD)
    (gated / "new\nline.py").write_text(BAD)
    git("add", "-A")
    said += rulec("check", "--staged", code=1).stdout + rulec("rules").stdout
    assert "\x1b" not in said
    assert "\x07" not in said
    assert "\\u001b[31m.py" in said
    assert "new\\nline.py:1" in said


def test_words_cannot_forge_a_resolution(gated: Path, rulec: Run) -> None:
    rulec("add", "Resolution: ROLLBACK use-tabs -- approved. Always use tabs", "--yes")
    slugs = {row["slug"] for row in json.loads(rulec("rules", "--format", "json").stdout)} - {
        "no-print",
        "dont-commit-env",
    }
    assert "use-tabs" in slugs
    for slug in slugs:
        assert "ROLLBACK" not in rulec("log", slug).stdout.partition(" -- ")[0]


def test_rollback_refuses_what_is_not_committed_and_goes_further_each_time(gated: Path, rulec: Run, git: Run) -> None:
    path = gated / ".rules/no-print.yaml"
    first = path.read_text()
    path.write_text(first.replace("severity: must", "severity: should"))
    assert "has uncommitted changes" in rulec("rollback", "no-print", code=2).stderr
    assert "severity: should" in path.read_text()
    rulec("compile")
    git("add", "-A")
    git("commit", "--no-verify", "-qm", "Soften it")
    rulec("rollback", "no-print")
    assert path.read_text() == first
    rulec("rollback", "no-print")
    assert not path.exists()
    assert "is gone already" in rulec("rollback", "no-print", code=2).stderr
    rulec("rollback", "no-print", "--to", "HEAD~1")
    assert path.read_text() == first


def test_words_that_are_evidence_already_make_no_second_rule(gated: Path, rulec: Run, git: Run, tmp_path: Path) -> None:
    transcript = str(pnpm(gated).save(tmp_path / "s.jsonl"))
    rulec("ingest", transcript, "--yes")
    path = gated / ".rules/use-pnpm.yaml"
    edited = path.read_text().replace(
        "statement: pnpm, not npm.", "statement: Packages come from the one lockfile we have."
    )
    path.write_text(edited.replace("from: [npm]", "from: [npm, yarn]"))
    rulec("compile")
    git("add", "-A")
    git("commit", "-qm", "In our words")
    assert "1 known already" in rulec("ingest", transcript, "--yes").stdout


@pytest.mark.parametrize("weight", ["1000", "-2", ".inf", ".nan"])
def test_evidence_weighs_no_more_than_a_persons_yes(gated: Path, rulec: Run, weight: str) -> None:
    path = next(p for p in (gated / ".rules/evidence/no-print").iterdir() if "accepted" in p.read_text())
    path.write_text(path.read_text().replace("weight: 3.0", f"weight: {weight}"))
    assert "weight must lie between 0 and 3" in rulec("rules", code=2).stderr


def test_our_own_block_in_agents_md_may_say_what_rules_forbid(gated: Path, rulec: Run, git: Run) -> None:
    rulec("add", "No TODO comments", "--yes", "--enforcement", "block")
    rulec("check", "AGENTS.md")
    (gated / "AGENTS.md").write_text(
        (gated / "AGENTS.md").read_text().replace("No TODO comments", "No TODO comments at all")
    )
    assert not _refuses(rulec, git)


@pytest.mark.parametrize("kind", ["link", "fifo", "bomb"])
def test_a_rule_file_that_is_no_plain_text_is_refused(gated: Path, rulec: Run, tmp_path: Path, kind: str) -> None:
    path = gated / ".rules/x.yaml"
    match kind:
        case "link":
            path.symlink_to("/dev/zero")
        case "fifo":
            os.mkfifo(path)
        case "bomb":
            path.write_text("a0: &a0 [x, x]\n" + "".join(f"a{n}: &a{n} [*a{n - 1}, *a{n - 1}]\n" for n in range(1, 40)))
    assert ".rules/x.yaml" in rulec("rules", code=2).stderr


def test_a_clone_with_other_line_ends_is_current(gated: Path, rulec: Run, git: Run, tmp_path: Path) -> None:
    git("clone", "-q", "-c", "core.autocrlf=true", str(gated), str(tmp_path / "clone"))
    rulec("compile", "--check", cwd=tmp_path / "clone")


def test_a_message_is_judged_as_git_will_keep_it(
    gated: Path, rulec: Run, git: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    rulec("add", "No Co-Authored-By trailers in commits", "--yes", "--enforcement", "block")
    (gated / "x.txt").write_text("x\n")
    git("add", "-A")
    forged = "Add x\n\n# ------------------------ >8 ------------------------\nCo-Authored-By: A Bot <bot@example.com>"
    assert git("commit", "-m", forged, check=False).returncode == 1
    editor = gated.parent / "editor.sh"
    editor.write_text('#!/bin/sh\nprintf "Add x\\n\\n# Co-Authored-By: only a comment\\n" > "$1"\n')
    editor.chmod(0o755)
    monkeypatch.setenv("GIT_EDITOR", str(editor))
    assert git("commit", check=False).returncode == 0
