"""A rule in the person's editor or from a script: valid and proved, or not written at all."""

import sys
from pathlib import Path

import pytest

from tests.conftest import Run
from tests.support.terminal import on_terminal

RULEC = [sys.executable, "-m", "rulec"]


def _text(top: Path, slug: str = "use-pnpm") -> str:
    return (top / f".rules/{slug}.yaml").read_text()


def test_a_script_says_what_the_file_shall_be(ruled: Path, rulec: Run, git: Run) -> None:
    text = _text(ruled).replace("commands: [npm]", "commands: [npm, yarn]").replace("revision: 1", "revision: 9")
    said = rulec("edit", "use-pnpm", "--file", "-", "--because", "yarn too", stdin=text).stdout
    assert said.startswith("edited use-pnpm, revision 2: commit ")
    assert "commands: [npm, yarn]" in _text(ruled)
    assert "do: run pnpm  # the comment of a person\n# and another one\n" in _text(ruled)
    assert "revision: 2\n" in _text(ruled), "the next revision, whatever was typed"
    trailers = git("log", "-1", "--format=%(trailers:only,unfold)").stdout.strip().splitlines()
    assert trailers[:2] == ["Resolution: UPDATE use-pnpm -- yarn too", "Rule: use-pnpm@2"]
    assert trailers[2].startswith("Evidence: "), "it was proved anew"
    assert '"yarn"' in (ruled / ".rules/compiled/guard/use-pnpm.json").read_text()
    assert git("status", "--porcelain").stdout == ""
    rulec("compile", "--check")


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("command: npm install left-pad", "command: cargo add x", "its check fails at examples: did not catch"),
        ("command: pnpm add left-pad", "command: npm add left-pad", "its check fails at examples: caught the valid"),
        ("severity: should", "severity: awful", "standard input:6: severity 'awful' is not one of"),
        ("template: forbid-command", "template: no-such", "standard input:11: no template 'no-such'"),
        ("statement: Use pnpm, never npm.", "retired: because", "statement is missing"),
        ("category: tooling", "category: tooling\nretired: because", "are for the archive only"),
        ("slug: use-pnpm", "slug: no-stash", "the slug no-stash is taken"),
        ("slug: use-pnpm", "slug: ../x", "'../x' is no slug"),
        ("schema: 1", "schema: [", "not valid YAML"),
        ("schema: 1", "\x00", "standard input:1: not valid YAML"),
    ],
)
def test_what_is_wrong_is_not_written(ruled: Path, rulec: Run, git: Run, *, old: str, new: str, says: str) -> None:
    before = _text(ruled)
    refused = rulec("edit", "use-pnpm", "--file", "-", stdin=before.replace(old, new), code=2).stderr
    assert says in refused
    assert refused.count("\n") == 1
    assert (_text(ruled), git("status", "--porcelain").stdout) == (before, "")


def test_an_unchanged_file_is_no_change(ruled: Path, rulec: Run, git: Run) -> None:
    head = git("rev-parse", "HEAD").stdout
    for text in (_text(ruled), _text(ruled).replace("\n", "\r\n")):
        (ruled.parent / "same.yaml").write_bytes(text.encode())
        assert rulec("edit", "use-pnpm", "--file", "../same.yaml").stdout == "use-pnpm is unchanged\n"
    assert git("rev-parse", "HEAD").stdout == head


def test_a_file_that_is_no_text_is_refused(ruled: Path, rulec: Run) -> None:
    (ruled.parent / "x.yaml").write_bytes(b"\xff\xfe")
    assert "is not UTF-8" in rulec("edit", "use-pnpm", "--file", "../x.yaml", code=2).stderr
    assert "No such file" in rulec("edit", "use-pnpm", "--file", "../nope.yaml", code=2).stderr


def test_a_new_slug_takes_history_and_evidence_along(ruled: Path, rulec: Run, git: Run) -> None:
    text = _text(ruled).replace("slug: use-pnpm", "slug: pnpm-only")
    said = rulec("edit", "use-pnpm", "--file", "-", stdin=text).stdout
    assert said.startswith("use-pnpm is pnpm-only now, revision 2: commit ")
    assert "supersedes: [use-pnpm]\n" in _text(ruled, "pnpm-only")
    assert "superseded_by: pnpm-only\n" in _text(ruled, "archive/use-pnpm")
    assert "# the comment of a person" in _text(ruled, "pnpm-only")
    assert "pnpm-only    block" in rulec("rules").stdout, "it blocks as before: its evidence came along"
    assert "before that, use-pnpm:" in rulec("why", "pnpm-only").stdout
    assert git("status", "--porcelain").stdout == ""
    rulec("compile", "--check")
    body = git("log", "-1", "--format=%B").stdout
    assert "Resolution: SUPERSEDE use-pnpm -- a person named it pnpm-only\nRule: pnpm-only@2\nEvidence: " in body


def _edited(top: Path, script: str, answers: list[tuple[str, str]]) -> tuple[int, str]:
    editor = top.parent / "editor.sh"
    editor.write_text(f"#!/bin/sh\n{script}\n")
    editor.chmod(0o755)
    environment = {"VISUAL": str(editor), "EDITOR": "false"}
    return on_terminal(top, [*RULEC, "edit", "no-stash"], answers, environment)


@pytest.mark.e2e
def test_a_person_edits_until_nothing_is_wrong(ruled: Path) -> None:
    wrong_then_right = """
grep -q audits "$1" && { grep -q "#: the edited rule:" "$1" || exit 1; sed -i s/audits/warn/ "$1"; exit; }
sed -i 's/enforcement: audit/enforcement: audits/' "$1"
"""
    code, seen = _edited(ruled, wrong_then_right, [("Edit again?", "y\n")])
    assert code == 0, seen
    assert "enforcement 'audits' is not one of auto, audit, warn, block" in seen
    assert "edited no-stash, revision 2: commit " in seen
    assert "enforcement: warn\n" in _text(ruled, "no-stash")
    assert "#:" not in _text(ruled, "no-stash"), "our notes to the person are not theirs"


@pytest.mark.e2e
def test_who_gives_up_leaves_the_rule_as_it_was(ruled: Path, git: Run) -> None:
    code, seen = _edited(ruled, """sed -i 's/checks:/chex:/' "$1" """, [("Edit again?", "n\n")])
    assert (code, "no-stash is unchanged" in seen) == (0, True), seen
    code, seen = _edited(ruled, "exit 0", [])
    assert (code, "no-stash is unchanged" in seen) == (0, True), seen
    assert git("status", "--porcelain").stdout == ""


@pytest.mark.e2e
def test_what_others_commit_meanwhile_is_not_overwritten(ruled: Path, git: Run) -> None:
    script = """
sed -i 's/severity: must/severity: style/' .rules/no-stash.yaml && git commit -qam "Meanwhile"
sed -i 's/severity: must/severity: should/' "$1"
"""
    code, seen = _edited(ruled, script, [])
    assert (code, ".rules/no-stash.yaml: was changed while it was edited" in seen) == (2, True), seen
    assert "severity: style" in _text(ruled, "no-stash")
    assert git("status", "--porcelain").stdout == ""


def test_without_a_terminal_a_script_has_to_say_what(ruled: Path, rulec: Run) -> None:
    refused = rulec("edit", "use-pnpm", code=2).stderr
    assert "standard input is no terminal, so no editor can be opened; pass --file PATH, or --file -" in refused


def test_a_secret_is_kept_out_and_what_the_file_held_before_is_not_touched(ruled: Path, rulec: Run, git: Run) -> None:
    path, mail, key = ruled / ".rules/use-pnpm.yaml", "robot@example.org", "ghp_" + "a1B2" * 9
    path.write_text(path.read_text().replace("  valid: [", f"  valid: [{{command: git commit --author {mail}}}, "))
    rulec("compile")
    git("add", "-A")
    git("commit", "-qm", "An address that the rule is about")
    text = path.read_text().replace("severity: should", f"severity: must\nrationale: said with {key} and {mail}")
    said = rulec("edit", "use-pnpm", "--file", "-", stdin=text).stdout
    assert "; what looked like a secret in it is redacted: commit " in said
    assert f"command: git commit --author {mail}" in path.read_text()
    assert key not in path.read_text()
    assert f"and {mail}" not in path.read_text()
