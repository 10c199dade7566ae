"""The documentation is true: screens and generated pages are current, commands run, and nothing is missing."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from rulec import __version__, registry
from rulec.cli import group
from tests.conftest import REAL_HOME
from tests.support import template_pages
from tests.support.screens import PAGES, screens, shown
from tests.support.session import pnpm
from tests.support.terminal import on_terminal

ROOT = Path(__file__).parents[1]
README = ROOT / "README.md"
CI = (ROOT / ".ci/run").read_text().splitlines()
BLOCK = re.compile(r"(?:<!-- file: (\S+) -->\n)?```(\w*)\n(.*?)```", re.DOTALL)
BUILDS = BLOCK.findall(README.read_text())[:2]  # the two commands: they build this project, the others use it
NOT_HERE = ("pip install", "cd ")  # the first test installs, and a repository is there already


def _blocks(page: Path) -> list[tuple[str, str, str]]:
    """Path, language and text of the blocks that say something: a file to be written, or commands."""
    blocks = [block for block in BLOCK.findall(page.read_text()) if block[0] or block[1] == "sh"]
    return [block for block in blocks if block not in BUILDS]


def test_the_readme_is_short() -> None:
    assert len(README.read_text().splitlines()) <= 180


@pytest.mark.e2e
def test_every_screen_is_what_the_tools_print_today() -> None:
    now = screens()
    assert {name for name, _ in shown()} == {*now}
    assert [name for name, text in shown() if text != now[name].rstrip() + "\n"] == []


def test_the_pages_of_the_templates_are_current() -> None:
    assert template_pages.main(["--check"]) == 0


def test_every_verb_and_plug_is_in_the_documents() -> None:
    text = "".join(page.read_text() for page in PAGES)
    plugs = (registry.emitters(), registry.readers(), registry.reporters(), registry.backends())
    names = [name for some in plugs for name in some]
    verbs = [name for name, verb in group.rulec.commands.items() if not verb.hidden]  # type: ignore[attr-defined]
    missing = [name for name in names if not re.search(rf"`{re.escape(name)}`", text)]
    assert missing + [verb for verb in verbs if not re.search(rf"\brulec {verb}\b", text)] == []
    assert f"## {__version__}" in (ROOT / "CHANGELOG.md").read_text()


def test_every_link_of_the_readme_leads_somewhere() -> None:
    links = re.findall(r"\]\(([^)#]+)", README.read_text())
    assert [link for link in links if not (ROOT / link).exists()] == []


@pytest.mark.parametrize("page", ["docs/benchmarks.md", "evaluation/measurements.md"])
def test_what_the_benchmarks_name_is_there(page: str) -> None:
    """Their commands take minutes or data that is not here; that each program and test is there is held anyway."""
    text = (ROOT / page).read_text()
    benches = [f"evaluation/bench/{name}.py" for name in re.findall(r"python -m evaluation bench (\w+)", text)]
    named = [*re.findall(r"(?<![\w/.-])(?:tests|evaluation)/[\w/.-]*\w", text), *benches]
    assert named
    assert [name for name in named if not (ROOT / name).exists()] == []


@pytest.mark.e2e
def test_the_first_command_works_in_a_fresh_clone(tmp_path: Path) -> None:
    clone = tmp_path / "clone"
    ignored = shutil.ignore_patterns(".git", ".venv", "__pycache__", ".*cache*", "*.egg-info", "dist", "build")
    shutil.copytree(ROOT, clone, ignore=ignored)
    environment = {**os.environ, "HOME": REAL_HOME}  # pip keeps what it downloaded there
    for name in ("http_proxy", "https_proxy"):  # this one test is about installing
        environment.pop(name, None)
    done = subprocess.run(
        ["bash", "-c", BUILDS[0][2]], cwd=clone, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.count("as it should be") == 4
    assert "THIS IS WRONG" not in done.stdout


def test_ci_runs_the_second_command_to_the_letter() -> None:
    assert BUILDS[1][2].strip() in CI
    assert BUILDS[1][2].strip().endswith("pytest -n auto")


def test_ci_runs_what_contributors_are_told_to_run() -> None:
    told = [line for *_, text in _blocks(ROOT / "docs/contributing.md") for line in text.splitlines()]
    assert [line for line in told if line not in CI] == []


ANSWERS = {
    "init": [("install the git hooks?", "y\n")],
    "ingest": [("[l]ater", "a\n")],
    "add": [("[l]ater", "a\n")],
    "evolve": [("[l]ater", "l\n")],
}
USED = [page for page in PAGES if page.name != "contributing.md" and _blocks(page)]


INSTALL = "install: git+https://example.com/rulec\n"
SET_UP = [
    "rulec init",
    "git add .rules .github AGENTS.md CLAUDE.md .pre-commit-config.yaml && git commit -m 'Set up rulec'",
    "rulec ingest transcript.jsonl",
]


@pytest.mark.e2e
@pytest.mark.parametrize("page", USED, ids=lambda page: page.stem)
def test_the_commands_of_a_page_run_in_their_order(page: Path, repo: Path) -> None:
    pnpm(repo).save(repo / "transcript.jsonl")
    (repo / "CLAUDE.md").write_text("# Rules\n\n- Never commit .env files.\n- Keep functions small.\n")
    (repo / ".git/info/exclude").write_text("transcript.jsonl\n")
    (repo / ".rules").mkdir()  # the rulec that runs here comes from a folder, from which no CI could install it
    (repo / ".rules/config.yaml").write_text(f"schema: 1\n{INSTALL}")
    steps = [(path, [text] if path else _commands(text)) for path, _, text in _blocks(page)]
    told = [command for path, commands in steps if not path for command in commands]
    if SET_UP[0] not in told:
        steps.insert(0, ("", SET_UP))
    for path, texts in steps:
        for text in texts:
            if path:
                (repo / path).parent.mkdir(parents=True, exist_ok=True)
                (repo / path).write_text(text + (_install_line(repo) if path.endswith("config.yaml") else ""))
            else:
                _run(text, repo)


def _install_line(repo: Path) -> str:
    """Where others get rulec from, as ``rulec init`` wrote it: another source is a change that a person approves."""
    return "".join(re.findall(r"(?m)^install:.*\n", (repo / ".rules/config.yaml").read_text()))


def _commands(text: str) -> list[str]:
    """The lines of a block without their comments, but for what is no part of this repository's story."""
    lines = [re.split(r"\s{2,}#", line)[0].strip() for line in text.splitlines()]
    return [line for line in lines if line and not line.startswith(NOT_HERE)]


def _run(command: str, repo: Path) -> None:
    words = [word for word in command.split()[1:] if not word.startswith("-")]
    verb = words[0] if command.startswith("rulec ") and words else ""
    bin_dir = Path(sys.executable).parent
    line = f"export EDITOR=true PATH={bin_dir}:$PATH; {command}"
    code, seen = on_terminal(repo, ["bash", "-c", line], list(ANSWERS.get(verb, [])))
    assert code == 0, f"{command}\n{seen}"
