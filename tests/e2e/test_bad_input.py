"""Bad input gets one line that says what, where and what to do; exit 2; nothing is written."""

import json
import os
from pathlib import Path

import pytest

from tests.conftest import Run
from tests.support.session import pnpm


def _refused(rulec: Run, git: Run, *argv: str, says: tuple[str, ...]) -> None:
    before = git("rev-parse", "HEAD", check=False).stdout, git("status", "--porcelain").stdout
    done = rulec(*argv, code=2)
    assert done.stderr.startswith("rulec: ")
    assert done.stderr.count("\n") == 1, done.stderr
    for part in says:
        assert part in done.stderr
    assert ";" in done.stderr, "no word on what to do"
    assert before == (git("rev-parse", "HEAD", check=False).stdout, git("status", "--porcelain").stdout)


def test_outside_a_repository(tmp_path: Path, rulec: Run) -> None:
    for argv in ((), ("init", "--yes"), ("add", "x", "--yes"), ("check", "--staged"), ("rules",)):
        done = rulec(*argv, code=2, cwd=tmp_path)
        assert "is not inside a git work tree; run git init" in done.stderr
        assert list(tmp_path.iterdir()) in ([], [tmp_path / "repo"])


def test_without_a_rulebook(rulec: Run, git: Run, repo: Path) -> None:
    for argv in (("add", "x", "--yes"), ("compile",), ("rules",), ("why", "x"), ("rollback", "x")):
        _refused(rulec, git, *argv, says=(str(repo), "has no rulebook", "run rulec init"))


TRANSCRIPTS = {
    "missing": (None, "no such file"),
    "empty": (b"", "is empty"),
    "blank": (b"\n\n \n", "is empty"),
    "prose": (b"Dear diary, today I met a coding agent.\n", "is in no format that rulec reads"),
    "binary": (bytes(range(256)) * 100, "is in no format that rulec reads"),
}


@pytest.mark.parametrize("name", TRANSCRIPTS)
def test_no_transcript(gated: Path, rulec: Run, git: Run, tmp_path: Path, name: str) -> None:
    content, says = TRANSCRIPTS[name]
    path = tmp_path / "t.jsonl"
    if content is not None:
        path.write_bytes(content)
    for more in (("--yes",), ("--dry-run",), ("--dry-run", "--format", "json")):
        _refused(rulec, git, "ingest", str(path), *more, says=(str(path), says))
    _refused(rulec, git, "ingest", str(tmp_path), "--yes", says=("is a folder",))
    _refused(rulec, git, "ingest", os.devnull, "--yes", says=(os.devnull, "is not a plain file"))
    _refused(rulec, git, "ingest", "", "--yes", says=("TRANSCRIPT is empty", "leave it out to read all sessions"))


def test_broken_glued_and_truncated_lines_are_counted_and_the_good_ones_used(
    gated: Path, rulec: Run, tmp_path: Path
) -> None:
    lines = pnpm(gated).text().splitlines()
    damaged = [lines[0] + lines[1], '{"type": "user", "mess', *lines[2:], lines[-1][:80]]
    (tmp_path / "t.jsonl").write_bytes("\n".join(damaged).encode() + b"\n\xff\xfe{]\n")
    said = rulec("ingest", str(tmp_path / "t.jsonl"), "--yes").stdout
    assert "NEW use-pnpm" in said
    assert "3 damaged lines were passed over (line 2: " in said


RULE = "slug: use-pnpm\nstatement: Use pnpm.\nenforcement: block\n{more}"
CHECK = "checks:\n  - kind: guard\n    template: {template}\n    with: {{{given}}}\n"
RULES = {
    "a wrong key": ("colour: red\n", ".rules/use-pnpm.yaml:4", "colour is not a known key"),
    "a wrong type": ("revision: two\n", ".rules/use-pnpm.yaml:4", "revision must be a whole number"),
    "not YAML": ("checks: [\n", ".rules/use-pnpm.yaml:", "not valid YAML"),
    "no such template": (CHECK.format(template="magic", given=""), ".rules/use-pnpm.yaml:5: ", "no template 'magic'"),
    "a missing parameter": (
        CHECK.format(template="forbid-command", given=""), ".rules/use-pnpm.yaml:5: ", "commands is missing",
    ),
    "a parameter's type": (
        CHECK.format(template="forbid-command", given="commands: npm"), "use-pnpm", "commands must be a list",
    ),
    "an unknown parameter": (
        CHECK.format(template="forbid-command", given="commands: [a], hue: red"), "use-pnpm", "no parameter 'hue'",
    ),
    "a template outside its folder": (CHECK.format(template="../../x", given=""), "use-pnpm", "no template '../../x'"),
}  # fmt: skip


@pytest.mark.parametrize("name", RULES)
def test_a_rule_file_that_is_wrong(gated: Path, rulec: Run, git: Run, name: str) -> None:
    more, where, says = RULES[name]
    (gated / ".rules/use-pnpm.yaml").write_text(RULE.format(more=more))
    _refused(rulec, git, "compile", says=(where, says))


def test_a_file_that_is_not_named_by_its_slug(gated: Path, rulec: Run, git: Run) -> None:
    (gated / ".rules/other.yaml").write_text(RULE.format(more=""))
    _refused(rulec, git, "compile", says=(".rules/other.yaml", "name the file use-pnpm.yaml"))


@pytest.mark.parametrize("slug", ["../../etc/passwd", "a/b", "Üse", "", "use pnpm", "config"])
def test_a_slug_that_leads_out_of_its_folder(gated: Path, rulec: Run, git: Run, slug: str) -> None:
    (gated / ".rules/x.yaml").write_text(RULE.replace("use-pnpm", json.dumps(slug), 1).format(more=""))
    _refused(rulec, git, "compile", says=(".rules/x.yaml:1", "is no slug"))


@pytest.mark.parametrize("argv", [("why", "../x"), ("test", "no-such")])
def test_a_rule_that_is_not_there(gated: Path, rulec: Run, git: Run, argv: tuple[str, str]) -> None:
    _refused(rulec, git, *argv, says=(argv[1],))


EXISTING = {
    ".pre-commit-config.yaml": ("repos: [\n", "not valid YAML"),
    ".claude/settings.json": ('{"hooks": ', ""),
    "AGENTS.md": ("<!-- rulec:begin (generated by rulec; edit .rules/, not this block) -->\nno end\n", ""),
}


@pytest.mark.parametrize("path", EXISTING)
def test_an_existing_file_that_cannot_be_read_is_left_as_it_is(repo: Path, rulec: Run, git: Run, path: str) -> None:
    text, says = EXISTING[path]
    (repo / path).parent.mkdir(exist_ok=True)
    (repo / path).write_text(text)
    _refused(rulec, git, "init", "--yes", "--agent", "claude-code", says=(f"{path}:", says))
    assert (repo / path).read_text() == text
    assert not (repo / ".rules").exists()


@pytest.mark.parametrize(
    ("argv", "says"),
    [
        (("init", "--yes", "--agent", "emacs"), "no hooks for the agent 'emacs'"),
        (("ingest", "x.jsonl", "--reader", "morse"), "no such file"),
        (("check",), "say what to check"),
        (("check", "--staged", "--all"), "say what to check"),
        (("check", "--base", "no-such"), "is not a commit here"),
        (("check", "--base=--output=/tmp/x"), "is not a commit here"),
        (("check", "no-such-file.py"), "no such file"),
        (("check", "--staged", "--format", "morse"), "no format 'morse'"),
        (("add", "  ", "--yes"), "the rule is empty"),
        (("rollback", "use-pnpm"), "has no history"),
        (("frobnicate",), "No such command"),
    ],
)
def test_words_that_do_not_fit(gated: Path, rulec: Run, git: Run, argv: tuple[str, ...], says: str) -> None:
    _refused(rulec, git, *argv, says=(says,))


def test_nobody_to_ask_is_never_a_yes(gated: Path, rulec: Run, git: Run, tmp_path: Path) -> None:
    head = git("rev-parse", "HEAD").stdout
    assert "nobody can be asked" in rulec("add", "Use pnpm, not npm", code=2).stderr
    assert "nobody can be asked here" in rulec("ingest", str(pnpm(gated).save(tmp_path / "t.jsonl"))).stdout
    assert git("rev-parse", "HEAD").stdout == head


def test_a_damaged_artifact_refuses_and_never_passes(gated: Path, rulec: Run, git: Run) -> None:
    rulec("add", "Never commit .env files", "--yes", "--enforcement", "block")
    (artifact,) = (gated / ".rules/compiled/guard").iterdir()
    artifact.write_text("{}\n")
    git("add", "-A")
    git("commit", "-qm", "Damage", "--no-verify")
    (gated / "x.txt").write_text("x\n")
    git("add", "-A")
    _refused(
        rulec, git, "check", "--staged", says=(artifact.relative_to(gated).as_posix(), "is not an artifact of rulec")
    )
    assert git("commit", "-m", "X", check=False).returncode != 0


def test_a_folder_that_cannot_be_made(repo: Path, rulec: Run, git: Run) -> None:
    (repo / ".rules").write_text("in the way\n")
    _refused(rulec, git, "init", "--yes", says=("cannot be written",))
    assert (repo / ".rules").read_text() == "in the way\n"


def test_a_transcript_from_standard_input(gated: Path, rulec: Run) -> None:
    assert "NEW use-pnpm" in rulec("ingest", "-", "--yes", stdin=pnpm(gated).text()).stdout
