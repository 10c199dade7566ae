"""What a person does at a card beside yes and no: edit it, or press Ctrl-C."""

import json
import os
import shutil
import sys
from pathlib import Path

import pytest

from tests.conftest import Run
from tests.support.session import pnpm
from tests.support.terminal import on_terminal

pytestmark = pytest.mark.e2e

RULEC = [sys.executable, "-m", "rulec"]
ASKED = "[l]ater"


def _slugs(rulec: Run) -> list[str]:
    return [row["slug"] for row in json.loads(rulec("rules", "--format", "json").stdout)]


def _editor(folder: Path, *edits: str) -> dict[str, str]:
    """An editor that makes one edit each time it is opened, the last one ever after."""
    count = folder / "opened"
    cases = "\n".join(f'  {number}) sed -i {edit} "$1";;' for number, edit in enumerate(edits[:-1]))
    script = folder / "editor.sh"
    script.write_text(
        f"#!/bin/sh\nn=$(cat {count} 2>/dev/null || echo 0)\necho $((n + 1)) > {count}\n"
        f'cp "$1" {folder}/seen.$n\ncase $n in\n{cases}\n  *) sed -i {edits[-1]} "$1";;\nesac\n'
    )
    script.chmod(0o755)
    return {"EDITOR": str(script), "VISUAL": str(script)}


def test_a_rule_is_edited_proved_again_and_keeps_the_persons_comments(gated: Path, rulec: Run, tmp_path: Path) -> None:
    transcript = str(pnpm(gated).save(tmp_path / "t.jsonl"))
    editor = _editor(tmp_path, "-e 's/^statement:.*/statement: The lockfile is pnpm-made.  # since May/'")
    answers = [(ASKED, "e\n"), (ASKED, "a\n")]
    code, seen = on_terminal(gated, [*RULEC, "ingest", transcript], answers, editor)
    assert (code, seen.count("refuses: ")) == (0, 2), seen
    written = (gated / ".rules/use-pnpm.yaml").read_text()
    assert "statement: The lockfile is pnpm-made.  # since May" in written
    assert "#:" not in written
    assert "edited in review" in rulec("why", "use-pnpm").stdout
    rulec("test")


def test_an_update_is_edited_on_top_of_the_file_there_is(gated: Path, rulec: Run, git: Run, tmp_path: Path) -> None:
    rulec("add", "Use pnpm instead of npm.", "--yes")
    path = gated / ".rules/use-pnpm.yaml"
    path.write_text(f"# asked for by Ana\n{path.read_text()}")
    git("commit", "-qam", "Say who asked", "--no-verify")
    editor = _editor(tmp_path, "-e 's/^severity:.*/severity: must/'")
    argv = [*RULEC, "add", "Use pnpm instead of npm or yarn."]
    code, seen = on_terminal(gated, argv, [(ASKED, "e\n"), (ASKED, "a\n")], editor)
    assert (code, "[n]ew rule beside it" in seen) == (0, True), seen
    written = path.read_text()
    assert written.startswith("# asked for by Ana\n")
    assert "severity: must" in written
    assert "revision: 2" in written
    assert "\nResolution: UPDATE use-pnpm -- " in git("log", "-1", "--format=%B").stdout
    assert git("status", "--porcelain").stdout == ""


@pytest.mark.parametrize(
    ("edit", "says"),
    [
        (
            "-e 's/^severity:.*/severity: huge/'",
            "the edited rule:7: severity 'huge' is not one of must, should, style; choose one of them",
        ),
        ("-e 's/template: .*/template: no-such-template/'", "no-such-template"),
        ("-e 's/command: npm install.*/command: make all}/'", "its check fails at examples: did not catch 'make all'"),
        ("-e 's/^slug:.*/slug: Use Pnpm/'", "'Use Pnpm' is no slug"),
        ("-e '1,$d'", "the edited rule"),
    ],
)
def test_what_is_wrong_with_an_edit_is_a_line_and_edited_again(
    gated: Path, rulec: Run, tmp_path: Path, edit: str, says: str
) -> None:
    transcript = str(pnpm(gated).save(tmp_path / "t.jsonl"))
    editor = _editor(tmp_path, edit, "-e 's/^#: the.*//'")
    code, seen = on_terminal(
        gated, [*RULEC, "ingest", transcript], [(ASKED, "e\n"), ("Edit again?", "n\n"), (ASKED, "a\n")], editor
    )
    assert (code, "1 accepted" in seen) == (0, True), seen
    assert "  -> unchanged" in seen
    assert len([line for line in seen.splitlines() if line.startswith("  -> ") and says in line]) == 1
    assert "Traceback" not in seen


def test_an_editor_that_is_not_there_loses_nothing(gated: Path, tmp_path: Path) -> None:
    transcript = str(pnpm(gated).save(tmp_path / "t.jsonl"))
    missing = {"EDITOR": "/nonexistent/editor", "VISUAL": ""}
    code, seen = on_terminal(gated, [*RULEC, "ingest", transcript], [(ASKED, "e\n"), (ASKED, "a\n")], missing)
    assert (code, "1 accepted" in seen) == (0, True), seen


def test_ctrl_c_at_a_question_loses_nothing_that_was_decided(gated: Path, rulec: Run, git: Run, tmp_path: Path) -> None:
    session = pnpm(gated).person("Go on.").runs("git stash").agent("Done.").person("Never use git stash.")
    transcript = str(session.runs("git status").agent("Ok.").save(tmp_path / "t.jsonl"))
    code, seen = on_terminal(gated, [*RULEC, "ingest", transcript], [(ASKED, "a\n"), (ASKED, "\x03")])
    assert (code, "interrupted; what was decided is written" in seen) == (130, True), seen
    assert _slugs(rulec) == ["use-pnpm"]
    assert git("status", "--porcelain").stdout == ""
    said = rulec("ingest", transcript, "--yes").stdout
    assert "1 accepted, 0 rejected, 0 left for later, 1 known already" in said


@pytest.mark.parametrize("step", ["read-tree", "commit-tree", "update-ref", "update-index"])
def test_ctrl_c_in_the_middle_of_writing_counts_once_it_is_written(
    gated: Path, rulec: Run, git: Run, tmp_path: Path, step: str
) -> None:
    real, folder = shutil.which("git"), tmp_path / "bin"
    folder.mkdir()
    (folder / "git").write_text(
        f'#!/bin/sh\ncase " $* " in *" {step} "*)\n'
        f"  [ -e {folder}/pressed ] || {{ : > {folder}/pressed; kill -INT 0; }};;\nesac\n"
        f'exec {real} "$@"\n'
    )  # as the terminal does it: to rulec and to every tool that it runs
    (folder / "git").chmod(0o755)
    session = pnpm(gated).person("Go on.").runs("git stash").agent("Done.").person("Never use git stash.")
    transcript = str(session.runs("git status").agent("Ok.").save(tmp_path / "t.jsonl"))
    path = {"PATH": f"{folder}:{os.environ['PATH']}"}
    code, seen = on_terminal(gated, [*RULEC, "ingest", transcript], [(ASKED, "a\n")], path)
    assert (code, "interrupted; what was decided is written" in seen) == (130, True), seen
    assert (folder / "pressed").exists()
    assert _slugs(rulec) == ["use-pnpm"]
    assert git("status", "--porcelain").stdout == ""
    rulec("compile", "--check")
    assert "1 known already" in rulec("ingest", transcript, "--yes").stdout


def test_details_show_the_rest_of_a_card_and_quit_leaves_all_others_unseen(
    gated: Path, rulec: Run, tmp_path: Path
) -> None:
    for number, text in enumerate(
        ("rule: Never use git stash.", "rule: Use pnpm, not npm.", "rule: Never use eval().")
    ):
        session = pnpm(gated, text)
        rulec("ingest", str(session.save(tmp_path / f"{number}.jsonl")))
    waiting = len(json.loads(rulec("review", "--format", "json").stdout))
    assert waiting > 1
    answers = [("[o]ne by one", "o\n"), (ASKED, "d\n"), (ASKED, "q\n")]
    code, seen = on_terminal(gated, [*RULEC, "review"], answers)
    assert code == 0, seen
    assert f"card 1 of {waiting}" in seen
    assert f"card 2 of {waiting}" not in seen
    assert "check:    guard " in seen, "the details have each check in full"
    assert f"{waiting} left for later" in seen
    assert len(json.loads(rulec("review", "--format", "json").stdout)) == waiting
