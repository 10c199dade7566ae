"""The README is true: its screens are current, its commands run, and nothing of the product is missing from it."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from rulec import __version__, cli, registry
from rulec.host.templates import library
from tests.conftest import REAL_HOME
from tests.support.screens import screens, shown
from tests.support.session import pnpm
from tests.support.terminal import on_terminal

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text()
BLOCKS = re.findall(r"```sh\n(.*?)```", README, re.DOTALL)


@pytest.mark.e2e
def test_every_screen_is_what_the_tools_print_today() -> None:
    assert shown() == {name: text.rstrip() + "\n" for name, text in screens().items()}


def test_every_verb_template_and_plug_is_in_the_documents() -> None:
    text = README + (ROOT / "CHANGELOG.md").read_text()
    names = [*cli.rulec.commands, *library().templates(), *registry.emitters(), *registry.readers()]  # type: ignore[attr-defined]
    spoken = {"github-actions": "GitHub", "agents-md": "AGENTS.md", "claude-code": "Claude Code", "codex": "Codex"}
    missing = [name for name in names if not re.search(rf"\b{re.escape(spoken.get(name, name))}\b", text)]
    assert missing == []
    assert f"## {__version__}" in text


@pytest.mark.e2e
def test_the_first_command_works_in_a_fresh_clone(tmp_path: Path) -> None:
    clone = tmp_path / "clone"
    ignored = shutil.ignore_patterns(".git", ".venv", "*cache*", "*.egg-info", "dist")
    shutil.copytree(ROOT, clone, ignore=ignored)
    environment = {**os.environ, "HOME": REAL_HOME}  # pip keeps what it downloaded there
    for name in ("http_proxy", "https_proxy"):  # this one test is about installing
        environment.pop(name, None)
    done = subprocess.run(
        ["bash", "-c", BLOCKS[0]], cwd=clone, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.count("as it should be") == 4
    assert "THIS IS WRONG" not in done.stdout


def test_ci_runs_the_second_command_to_the_letter() -> None:
    assert BLOCKS[1].strip() in (ROOT / ".ci/run").read_text().splitlines()
    assert BLOCKS[1].strip().endswith("pytest -n auto")


ANSWERS = {"init": [("install the git hooks?", "y\n")], "ingest": [("[l]ater", "a\n")], "add": [("[l]ater", "a\n")]}


@pytest.mark.e2e
@pytest.mark.parametrize("block", BLOCKS[2:], ids=lambda block: block.split("\n")[0][:30])
def test_the_other_commands_run_as_they_stand(block: str, repo: Path, rulec: object, tmp_path: Path) -> None:
    pnpm(repo).save(repo / "transcript.jsonl")
    (repo / "CLAUDE.md").write_text("# Rules\n\n- Never commit .env files.\n- Keep functions small.\n")
    (repo / ".git/info/exclude").write_text("transcript.jsonl\nCLAUDE.md\n")
    if "rulec init" not in block:
        for line in ("rulec init", "rulec ingest transcript.jsonl"):
            _run(line, repo)
    for line in block.splitlines():
        command = line.partition("  #")[0].strip()
        if command and not command.startswith(("pip install", "cd ")):  # the first test installs
            _run(command, repo)


def _run(command: str, repo: Path) -> None:
    words = [word for word in command.split()[1:] if not word.startswith("-")]
    verb = words[0] if command.startswith("rulec ") and words else ""
    bin_dir = Path(sys.executable).parent
    line = f"PATH={bin_dir}:$PATH; {command}"
    code, seen = on_terminal(repo, ["bash", "-c", line], list(ANSWERS.get(verb, [])))
    assert code == 0, f"{command}\n{seen}"
