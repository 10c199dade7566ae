"""What a project may depend on, at the real gates: the command, the manifest at the commit, and nothing beside them."""

import json
from pathlib import Path

import pytest

from tests.conftest import Run
from tests.support.asking import ask_hook

LISTED = '{{\n  "name": "shop",\n  "dependencies": {{\n    {}\n  }}\n}}\n'
OLD = '"left-pad": "^1.0.0"'


@pytest.fixture
def lean(gated: Path, rulec: Run, git: Run) -> Path:
    """A repository with a rule on a package, one on versions and one on an address."""
    (gated / "package.json").write_text(LISTED.format(OLD))
    git("add", "-A")
    git("commit", "-qm", "Start a shop")
    odd = ("--check", "dependency", "--with", "forbid=[is-odd]", "--invalid", "npm install is-odd")
    rulec("add", "Never add the is-odd package.", *odd, "--yes")
    floats = f"{{file: package.json, content: {json.dumps(LISTED.format(OLD))}}}"
    exact = ("--check", "dependency", "--with", "pin=[packages]", "--invalid", floats)
    rulec("add", "Pin exact versions in package.json.", *exact, "--yes")
    bring = ("--check", "dependency", "--with", "forbid=[moment]", "--with", "instead=dayjs")
    load = ("--check", "forbid-import", "--with", "modules=[moment]", "--with", "prefer=dayjs")
    load = (*load, "--with", "language=typescript")
    shown = ("--invalid", "npm install moment", "--invalid", "{file: b.ts, content: import moment from 'moment'}")
    rulec("add", "Use dayjs instead of moment.", *bring, *load, *shown, "--yes")
    git("add", "-A")
    git("commit", "-qm", "Rules", check=False)
    return gated


def _asked(repo: Path, command: str) -> str:
    asked = {"hook_event_name": "PreToolUse", "session_id": "s", "cwd": str(repo), "tool_name": "Bash"}
    done = ask_hook(repo, {**asked, "tool_input": {"command": command}})
    assert done.returncode == 0
    return done.stdout.decode()


def test_the_command_is_refused_and_told_what_to_use_instead(lean: Path) -> None:
    assert "do without is-odd" in _asked(lean, "npm install is-odd")
    assert "use dayjs instead of moment" in _asked(lean, "cd web && yarn add moment")
    assert _asked(lean, "npm uninstall is-odd && npm ci && npm install dayjs") == ""


def test_a_commit_is_refused_for_what_it_brings_in_and_not_for_what_was_there(lean: Path, git: Run) -> None:
    manifest = lean / "package.json"
    manifest.write_text(LISTED.format('"is-odd": "3.0.1",\n    "left-pad": "^1.0.0",\n    "dayjs": "~1.11.0"'))
    git("add", "-A")
    refused = git("commit", "-m", "Count", check=False)
    said = refused.stdout + refused.stderr
    assert refused.returncode == 1
    assert "package.json:4: is-odd 3.0.1" in said
    assert "package.json:6: dayjs ~1.11.0" in said
    assert "left-pad" not in said
    manifest.write_text(LISTED.format('"left-pad": "^1.0.0",\n    "dayjs": "1.11.13"'))
    git("add", "-A")
    git("commit", "-m", "Count without it")


def test_a_refused_import_names_the_module_to_import(lean: Path, git: Run) -> None:
    (lean / "a.ts").write_text("import moment from 'moment';\n")
    git("add", "-A")
    refused = git("commit", "-m", "Show the time", check=False)
    assert refused.returncode == 1
    assert "instead: import dayjs" in refused.stdout + refused.stderr
