"""What a checked-out branch of a stranger, or a fork's pull request, tries to run under any verb: nothing runs."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from rulec.agents.claude_code import AGENT
from rulec.integrations.hook_settings import hook_command
from tests.conftest import Run
from tests.support import payloads
from tests.support.world import act, at_home, copy, run

pytestmark = pytest.mark.e2e  # many real processes: CI runs these

SHELL, LAUNCHER = ".rules/compiled/shell/no-env.sh", ".rules/hook"
STANDING_IN = ("sitecustomize", "json", "re", "yaml", "jinja2")
OTHER = ".rules/compiled/shell/other.sh"
RULE = """\
schema: 1
slug: no-env
revision: 1
statement: Never commit .env files.
severity: must
enforcement: block
checks:
  - {kind: shell, template: %s, with: {%s}}
examples:
  invalid: [{file: .env, content: "A=1\\nB=2\\n"}]
  valid: [{file: src/app.py, content: "x = 1\\n"}]
"""
TEMPLATE = """\
{#
checks: Whatever a stranger likes
kind: shell
parameters:
  lines: {type: int, doc: "a number"}
avoid: git add .env
prefer: git add src
limits: None.
#}
%s
"""
LOCAL = "repos:\n- repo: local\n  hooks: [{id: x, name: x, language: system, always_run: true, entry: touch %s}]\n"
Way = Callable[[Path, str], None]


def _write(path: str, form: str) -> Way:
    def way(top: Path, mark: str) -> None:
        (top / path).parent.mkdir(parents=True, exist_ok=True)
        (top / path).write_text(form % mark if "%s" in form else form)

    return way


def _put(path: str, at: str, form: str) -> Way:
    """Insert a line of the stranger's behind a text of a file."""

    def way(top: Path, mark: str) -> None:
        text = (top / path).read_text()
        assert at in text
        (top / path).write_text(text.replace(at, at + form % mark, 1))

    return way


def _both(*ways: Way) -> Way:
    def way(top: Path, mark: str) -> None:
        for one in ways:
            one(top, mark)

    return way


def _copied(top: Path, _: str) -> None:
    (top / OTHER).write_text((top / SHELL).read_text().replace("no-env", "other"))


def _settings(top: Path, mark: str) -> None:
    path = top / ".claude/settings.json"
    data = json.loads(path.read_text())
    for groups in data["hooks"].values():
        groups[0]["hooks"][0]["command"] = f"touch {mark}; sh .rules/hook"
    path.write_text(json.dumps(data))


RAW = RULE % ("raw-shell", "script: '%s'")
OWN = RULE % ("evil", "lines: 1")
WAYS: dict[str, Way] = {
    "a compiled script replaced": _write(SHELL, "touch %s\n"),
    "a compiled script that begins so": _put(SHELL, "exec 3>&1\n", "touch %s\n"),
    "a compiled script with a line in its body": _put(SHELL, "rulec_body() {\n", "touch %s\n"),
    "a compiled script with a line at its end": _put(SHELL, "rulec_code=$?\n", "touch %s\n"),
    "a compiled script with a line among its comments": _put(SHELL, "# generated", "\ntouch %s\n#"),
    "a compiled script of no rule": _both(_copied, _put(OTHER, "exec 3>&1\n", "touch %s\n")),
    "a scope with a command": _put(SHELL, '"scope": {', '"environments": ["x) touch %s ;; y"], '),
    "a template of its own": _both(
        _write(".rules/templates/checks/evil.j2", TEMPLATE % "touch %s"), _write(".rules/no-env.yaml", OWN)
    ),
    "a template in the place of ours": _write(".rules/templates/checks/max-lines.j2", TEMPLATE % "touch %s"),
    "a template that hides it": _both(
        _write(".rules/templates/checks/evil.j2", TEMPLATE % "sed -n '1e touch %s' README.md"),
        _write(".rules/no-env.yaml", OWN),
    ),
    "a raw script": _write(".rules/no-env.yaml", RAW % "touch %s"),
    "a raw script with a substitution": _write(".rules/no-env.yaml", RAW % "echo $(touch %s)"),
    "the launcher replaced": _write(LAUNCHER, "touch %s\n"),
    "the launcher": _put(LAUNCHER, "#!/bin/sh\n", "touch %s\n"),
    "a package of our name": _write("rulec/__init__.py", "open('%s', 'w').close()\n"),
    "a module of Python's name": _both(
        *(_write(f"{name}.py", "open('%s', 'w').close()\n") for name in STANDING_IN)
    ),
    "the agents' settings": _settings,
    "a hook of pre-commit": _write(".pre-commit-config.yaml", LOCAL),
    "git's attributes": _write(".gitattributes", "* filter=x diff=x merge=x\n"),
    "a submodule": _write(".gitmodules", '[submodule "x"]\n\tpath = x\n\turl = ext::touch %s\n'),
    "a rulebook to extend": _put(".rules/config.yaml", "", "extends: ['ext::sh -c touch %s']\n"),
}  # fmt: skip
VERBS = (
    ("check", "--all"), ("check", "--staged"), ("check", "--base", "main"), ("test",), ("diff", "main"),
    ("compile", "--check"), ("rules",), ("snapshot",), ("report",), ("why", "no-env"),
)  # fmt: skip


@pytest.fixture(scope="module")
def _ours(_gated: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    with at_home(tmp_path_factory.mktemp("home")):
        top = copy(_gated, tmp_path_factory.mktemp("ours") / "repo")
        (top / ".rules/no-env.yaml").write_text(RULE % ("max-lines", "lines: 1"))
        act(top, "compile")
        run(top, "add", "-A")
        run(top, "commit", "-qm", "rule", "--no-verify")
        run(top, "checkout", "-qb", "stranger")
    return top


@pytest.fixture
def ours(repo: Path, _ours: Path) -> Path:
    """A repository with a rule that a script checks."""
    return copy(_ours, repo)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("committed", [True, False], ids=["committed", "in the work tree"])
def test_a_strangers_branch_runs_nothing(
    ours: Path, rulec: Run, git: Run, tmp_path: Path, way: str, *, committed: bool
) -> None:
    mark = tmp_path / "ran"
    (ours / ".env").write_text("A=1\n")
    WAYS[way](ours, str(mark))
    (ours / ".git/rulec/scripts.json").unlink()  # as on a machine that has compiled nothing of it
    git("add", "-A")
    if committed:
        git("commit", "-qm", "theirs", "--no-verify")
    ran = []
    for verb in VERBS:
        said = rulec(*verb, code=None)
        assert said.returncode in (0, 1, 2), (verb, said.stderr)
        if mark.exists():
            ran.append(verb)
            mark.unlink()
    for question in (
        payloads.runs("claude-code", str(ours), "git commit -m x"),
        payloads.stops("claude-code", str(ours)),
    ):
        argv, env = ["sh", "-c", hook_command(AGENT, "ask")], {**os.environ, "CLAUDE_PROJECT_DIR": str(ours)}
        subprocess.run(argv, cwd=ours, env=env, input=json.dumps(question).encode(), capture_output=True, check=False)
        if mark.exists():
            ran.append(("hook", str(question.get("hook_event_name"))))
            mark.unlink()
    assert ran == []


EXAMINED = (
    "a compiled script replaced",
    "the launcher replaced",
    "the launcher",
    "the agents' settings",
    "a hook of pre-commit",
)


@pytest.mark.e2e
def test_doctor_runs_nothing_of_a_strangers_branch(ours: Path, git: Run, tmp_path: Path) -> None:
    ran = []
    for way in EXAMINED:
        mark = tmp_path / "ran"
        WAYS[way](ours, str(mark))
        git("add", "-A")
        argv = [sys.executable, "-P", "-m", "rulec", "doctor"]
        subprocess.run(argv, cwd=ours, capture_output=True, check=False)
        if mark.exists():
            ran.append(way)
            mark.unlink()
        git("reset", "-q", "--hard")
    assert ran == []
