"""What a dry run says is what the run does, of every verb that has one; and a dry run does nothing."""

import re
from collections.abc import Callable
from pathlib import Path

import click
import pytest

from rulec.cli.group import rulec
from tests.support.session import ClaudeSession
from tests.support.world import act, at_home, run

RULE = """\
slug: no-npm
statement: Never use npm.
checks:
  - {kind: guard, template: forbid-command, with: {commands: [npm]}}
examples: {invalid: [{command: npm x}], valid: [{command: ls}]}
"""
DOCUMENT = """\
# How we work

- Never use npm or yarn; use pnpm.
- Never commit .env files.
- Be kind to each other.

The build takes a minute.
"""


def _import(top: Path) -> tuple[object, object]:
    (top / "NOTES.md").write_text(DOCUMENT)
    said, done = (act(top, "import", "NOTES.md", how).out for how in ("--dry-run", "--yes"))
    named = re.findall(r"^NOTES\.md:\d+  (\S+) \(", said, re.MULTILINE)
    assert named
    return (sorted(named), said.splitlines()[-1]), (_rules(top), done.splitlines()[-1])


def _ingest(top: Path) -> tuple[object, object]:
    session = ClaudeSession(top).person("Add left-pad.").runs("npm install left-pad").agent("Done.")
    session.person("No, always use pnpm, never npm.").runs("pnpm add left-pad").agent("Done.")
    path = str(session.save(top.parent / "session.jsonl"))
    said = act(top, "ingest", path, "--dry-run").out
    act(top, "ingest", path, "--yes")
    return re.findall(r"^  ([a-z-]+): ", said, re.MULTILINE), _rules(top)


def _compile(top: Path) -> tuple[object, object]:
    (top / ".rules/no-npm.yaml").write_text(RULE)
    said = act(top, "compile", "--check", code=1).out
    done = act(top, "compile").out
    act(top, "compile", "--check")
    written = [path for path in re.findall(r"^wrote +(\S+)$", done, re.MULTILINE) if "/evidence/" not in path]
    stale, unproved = (re.findall(rf"^{what}: (\S+)$", said, re.MULTILINE) for what in ("missing or stale", "unproved"))
    return (stale, unproved), (written, re.findall(r"^proved +(\S+):", done, re.MULTILINE))


def _rules(top: Path) -> list[str]:
    return sorted(path.stem for path in (top / ".rules").glob("*.yaml") if path.stem != "config")


DRY = {"import": _import, "ingest": _ingest, "compile": _compile}


def test_every_verb_with_a_dry_run_is_here() -> None:
    options = {name: {text for one in verb.params for text in one.opts} for name, verb in rulec.commands.items()}
    flags = {one.opts[0] for one in rulec.commands["compile"].params if isinstance(one, click.Option) and one.is_flag}
    assert "--check" in flags
    assert {name for name, known in options.items() if "--dry-run" in known} | {"compile"} == set(DRY)


@pytest.mark.parametrize("verb", DRY)
def test_the_run_does_what_its_dry_run_said(verb: str, tmp_path: Path) -> None:
    top = tmp_path / "repo"
    with at_home(tmp_path / "home"):
        top.mkdir()
        run(top, "init", "-q", "-b", "main")
        act(top, "init", "--yes", "--agent", "claude-code", "--no-ci")
        run(top, "add", "-A")
        run(top, "commit", "-qm", "Set up rulec", "--no-verify")
        compare: Callable[[Path], tuple[object, object]] = DRY[verb]
        said, done = compare(top)
    assert said == done


@pytest.mark.parametrize("argv", [("import", "NOTES.md", "--dry-run"), ("compile", "--check")])
def test_a_dry_run_writes_nothing(argv: tuple[str, ...], tmp_path: Path) -> None:
    top = tmp_path / "repo"
    with at_home(tmp_path / "home"):
        top.mkdir()
        run(top, "init", "-q", "-b", "main")
        act(top, "init", "--yes", "--agent", "claude-code", "--no-ci")
        (top / "NOTES.md").write_text(DOCUMENT)
        (top / ".rules/no-npm.yaml").write_text(RULE)
        before = run(top, "status", "--porcelain", "-uall")
        act(top, *argv, code=None)
        assert run(top, "status", "--porcelain", "-uall") == before
