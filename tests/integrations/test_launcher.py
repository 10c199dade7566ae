""".rules/hook in real shells: which rulec it starts, and what it says where there is none."""

import json
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import NamedTuple

import pytest

from rulec.compiling.launcher import launcher
from rulec.hook import start
from rulec.rulebook.config import Config

BASE, OTHER = "git+https://example.com/rulec@" + "a" * 40, "git+https://example.com/evil@" + "b" * 40
SECONDS = 60  # until what runs in the background has run
SAYS = '#!/bin/sh\necho "{name} $*"\n'
PYTHON = '#!/bin/sh\necho "recorded $*"; exit {code}\n'
SHELLS = [name for name in ("sh", "dash", "bash", "ash") if shutil.which(name)]
CALL, START, OTHER_MOMENT, GIT = ["claude-code", "call"], ["claude-code", "start"], ["claude-code"], ["git", "check"]


class Said(NamedTuple):
    code: int
    out: str
    err: str


class Clone:
    """A clone whose only programs are a shell, git, sed and those that a test puts there."""

    def __init__(self, folder: Path, shell: str) -> None:
        self.top, self.tools, self.home, self.shell = folder / "repo", folder / "bin", folder, shell
        self.tools.mkdir()
        for name in {"git", "sed", shell}:
            (self.tools / name).symlink_to(str(shutil.which(name)))
        self.git("init", "-q", "-b", "main", str(self.top), cwd=folder)
        (self.top / ".rules").mkdir()
        self.write(Config(install=BASE))

    def git(self, *words: str, cwd: Path | None = None) -> None:
        who = ["-c", "user.name=n", "-c", "user.email=n@example.com"]
        subprocess.run(["git", *who, *words], cwd=cwd or self.top, check=True, capture_output=True)

    def write(self, config: Config, path: str = ".rules/hook") -> None:
        (self.top / path).write_text(launcher(self.top, config).text or "")

    def program(self, name: str, text: str) -> Path:
        path = self.tools / name
        path.write_text(text)
        path.chmod(0o755)
        return path

    def record(self, python: str, begin: str) -> None:
        (self.top / ".git/rulec").mkdir()
        (self.top / ".git/rulec/record").write_text(f"{python}\n{begin}\n")
        self.write(Config(), ".git/rulec/hook")

    def run(self, words: list[str], path: str = ".rules/hook", **extra: str) -> Said:
        environment = {"PATH": str(self.tools), "HOME": str(self.home), **extra}
        done = subprocess.run(
            [self.shell, path, *words],
            cwd=self.top,
            env=environment,
            input="{}",
            capture_output=True,
            text=True,
            check=False,
        )
        return Said(done.returncode, done.stdout, done.stderr)


@pytest.fixture(params=SHELLS)
def clone(request: pytest.FixtureRequest, tmp_path: Path) -> Clone:
    return Clone(tmp_path, request.param)


def test_it_is_short_and_readable(tmp_path: Path) -> None:
    lines = (launcher(tmp_path, Config(install=BASE)).text or "").splitlines()
    assert len(lines) <= 25
    assert max(map(len, lines)) <= 200


def test_without_rulec_a_session_is_told_once_what_is_missing_and_how_to_install_it(clone: Clone) -> None:
    assert clone.run(CALL) == (0, "", "")
    assert clone.run(OTHER_MOMENT) == (0, "", "")
    code, out, err = clone.run(START)
    said = json.loads(out)["systemMessage"]
    assert (code, said) == (0, err.strip())
    assert f"pip install '{BASE}' && rulec init" in said


def test_without_rulec_calls_are_denied_where_the_team_says_so(clone: Clone) -> None:
    clone.write(Config(install=BASE, on_missing="deny"))
    assert clone.run(CALL)[:2] == (2, "")
    assert clone.run(OTHER_MOMENT) == (0, "", "")
    code, out, _ = clone.run(["copilot", "call"])
    assert (code, json.loads(out)["permissionDecision"]) == (0, "deny")


def test_a_git_hook_never_passes_unchecked_and_names_the_cure(clone: Clone) -> None:
    code, out, err = clone.run(GIT)
    assert (code, out, err.count("\n"), err.strip().endswith("rulec init")) == (2, "", 1, True)


@pytest.mark.parametrize(
    ("python", "begin"),
    [("/nowhere/python", start.__file__), (sys.executable, "/nowhere/start.py"), ("", "")],
)
def test_a_git_hook_whose_record_is_dead_names_the_cure(clone: Clone, python: str, begin: str) -> None:
    clone.record(python, begin)
    for path in (".rules/hook", str(clone.top / ".git/rulec/hook")):
        code, _, err = clone.run(GIT, path)
        assert (code, err.splitlines()[-1].endswith("a person mends it with: rulec init")) == (2, True)


def test_rulec_on_the_path_is_started(clone: Clone) -> None:
    clone.program("rulec", SAYS.format(name="path"))
    assert clone.run(CALL)[:2] == (0, "path hook run claude-code call\n")


@pytest.mark.parametrize("code", [0, 2])
def test_the_record_comes_first_and_its_answer_is_the_answer(clone: Clone, code: int) -> None:
    clone.program("rulec", SAYS.format(name="path"))
    python = clone.program("my python", PYTHON.format(code=code))
    clone.record(str(python), start.__file__)
    for path in (".rules/hook", str(clone.top / ".git/rulec/hook")):
        assert clone.run(CALL, path)[:2] == (code, f"recorded -I -S {start.__file__} claude-code call\n")


def test_the_record_serves_every_work_tree(clone: Clone) -> None:
    clone.record(str(clone.program("my python", PYTHON.format(code=0))), start.__file__)
    clone.git("commit", "-q", "--allow-empty", "-m", "a")
    clone.git("worktree", "add", "-q", str(clone.home / "other"))
    done = subprocess.run(
        [clone.shell, str(clone.top / ".rules/hook"), *CALL],
        cwd=clone.home / "other", env={"PATH": str(clone.tools)}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.stdout.startswith("recorded")


GONE = {
    "the python is gone": ("/nowhere/python", start.__file__),
    "the package is gone": (sys.executable, "/nowhere/start.py"),
    "the package is damaged": ("damaged", start.__file__),
    "the record is empty": ("", ""),
}


@pytest.mark.parametrize(("python", "begin"), GONE.values(), ids=GONE)
def test_a_clone_with_a_record_whose_rulec_does_not_start_denies(clone: Clone, python: str, begin: str) -> None:
    clone.program("rulec", SAYS.format(name="path"))
    if python == "damaged":
        python = str(clone.program("my python", PYTHON.format(code=1)))
    clone.record(python, begin)
    code, out, err = clone.run(CALL)
    assert (code, "path" in out) == (2, False)
    assert "rulec init" in err
    assert clone.run(OTHER_MOMENT).code == 0


def test_a_copy_without_its_record_denies(clone: Clone) -> None:
    clone.record("x", "y")
    (clone.top / ".git/rulec/record").unlink()
    clone.program("rulec", SAYS.format(name="path"))
    for path in (".rules/hook", str(clone.top / ".git/rulec/hook")):
        assert clone.run(CALL, path).code == 2


def test_uvx_runs_the_source_of_the_remotes_base_offline_and_never_a_branchs_own(clone: Clone) -> None:
    clone.git("add", ".rules")
    clone.git("commit", "-qm", "rules")
    clone.git("update-ref", "refs/remotes/origin/main", "HEAD")
    clone.git("symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/main")
    clone.program("uvx", SAYS.format(name="uvx"))
    clone.write(Config(install=OTHER))
    assert clone.run(CALL)[:2] == (0, f"uvx -q --offline --from {BASE} rulec hook run claude-code call\n")


def test_uvx_does_not_run_without_a_remotes_base(clone: Clone) -> None:
    clone.program("uvx", SAYS.format(name="uvx"))
    assert clone.run(CALL) == (0, "", "")


@pytest.mark.parametrize("moment", ["start", "call"])
def test_only_a_sessions_start_downloads(clone: Clone, moment: str) -> None:
    clone.git("add", ".rules")
    clone.git("commit", "-qm", "rules")
    clone.git("update-ref", "refs/remotes/origin/HEAD", "HEAD")
    asked = clone.home / "asked"
    clone.program("uvx", f'#!/bin/sh\necho "$*" >>{asked}\n[ "$2" = --offline ] && exit 1\nexit 0\n')
    clone.run(["claude-code", moment])
    lines = [f"-q --offline --from {BASE} rulec hook run claude-code {moment}"]
    wanted = [*lines, f"-q --from {BASE} rulec --version"] if moment == "start" else lines
    begun = time.monotonic()
    while len(asked.read_text().splitlines()) < len(wanted) and time.monotonic() - begun < SECONDS:
        continue
    assert asked.read_text().splitlines() == wanted


def test_nothing_of_the_work_tree_or_the_environment_stands_in_for_rulec(clone: Clone) -> None:
    clone.record(sys.executable, start.__file__)
    evil = clone.home / "evil"
    for folder in (evil, clone.top):
        (folder / "rulec").mkdir(parents=True)
        for name in ("rulec/__init__.py", "json.py", "sitecustomize.py"):
            (folder / name).write_text("print('disarmed')")
    said = clone.run(
        [*GIT[:1], "--version"], PYTHONPATH=str(evil), PYTHONHOME="/nowhere", PYTHONSTARTUP=str(evil / "json.py")
    )
    assert (said.code, "disarmed" in said.out + said.err, said.out.startswith("rulec ")) == (0, False, True)
    said = clone.run(CALL, PYTHONPATH=str(evil), PYTHONHOME="/nowhere")
    assert (said.code, "disarmed" in said.out + said.err) == (0, False)


def test_the_rulec_on_the_path_runs_a_verb_and_says_nothing_else() -> None:
    program = str(Path(sys.executable).with_name("rulec"))
    done = subprocess.run([program, "hook", "run", "git", "--version"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout.split()[0], done.stderr) == (0, "rulec", "")


@pytest.mark.parametrize("source", ["", ".", "./rulec", "rulec==0.1.0", "git+https://h/r@x' ; touch y '"])
def test_what_is_no_address_is_no_source(tmp_path: Path, source: str) -> None:
    assert "source=''" in (launcher(tmp_path, Config(install=source)).text or "")
