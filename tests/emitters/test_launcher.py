"""rulec.sh, which every git hook runs: it finds rulec or it refuses."""

import shutil
import subprocess

import pytest

from .support import render

SAYS = '#!/bin/sh\necho "{name} $*"\n'
PYTHON = """#!/bin/sh
test "$1" = -P || exit 9
case "$2" in -c) exit {knows} ;; -m) shift 3; echo "recorded $*"; exit 7 ;; esac
"""


@pytest.fixture(params=["sh", "dash", "bash"])
def launch(request, tmp_path):
    repo, tools = tmp_path / "repo", tmp_path / "bin"
    repo.mkdir()
    tools.mkdir()
    for name in ("git", request.param):
        (tools / name).symlink_to(shutil.which(name))
    subprocess.run(["git", "init", "-q", "."], cwd=repo, check=True)
    (repo / "rulec.sh").write_text(render("emit/rulec.sh.j2", {}))

    def run(*args, folder=repo):
        argv = [request.param, str(repo / "rulec.sh"), *args]
        environment = {"PATH": str(tools), "HOME": str(tmp_path)}
        done = subprocess.run(argv, cwd=folder, env=environment, capture_output=True, text=True, check=False)
        return done.returncode, done.stdout, done.stderr

    run.repo, run.tools, run.home = repo, tools, tmp_path
    return run


def script(path, text):
    path.write_text(text)
    path.chmod(0o755)
    return path


def record(launch, python, end="\n"):
    (launch.repo / ".git/rulec").mkdir()
    (launch.repo / ".git/rulec/python").write_text(f"{python}{end}")


def test_without_rulec_it_refuses_in_one_line(launch):
    code, out, err = launch("check", "--staged")
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert "pip install rulec" in err


def test_it_hands_over_to_rulec_on_the_path(launch):
    script(launch.tools / "rulec", SAYS.format(name="path"))
    assert launch("check", "--message", "a b")[:2] == (0, "path check --message a b\n")


@pytest.mark.parametrize("end", ["\n", ""])
def test_the_recorded_interpreter_comes_first_and_its_code_is_ours(launch, end):
    script(launch.tools / "rulec", SAYS.format(name="path"))
    record(launch, script(launch.home / "my python", PYTHON.format(knows=0)), end)
    assert launch("check", "--staged")[:2] == (7, "recorded check --staged\n")


def test_the_record_serves_every_worktree(launch):
    record(launch, script(launch.home / "python", PYTHON.format(knows=0)))
    for argv in (["commit", "--allow-empty", "-m", "a"], ["worktree", "add", str(launch.home / "other")]):
        subprocess.run(["git", *argv], cwd=launch.repo, capture_output=True, check=True)
    assert launch("test", folder=launch.home / "other")[0] == 7


@pytest.mark.parametrize("python", ["/nowhere/python", "", "knows nothing"])
def test_a_record_that_has_gone_stale_is_passed_over(launch, python):
    if python == "knows nothing":
        python = script(launch.home / "python", PYTHON.format(knows=1))
    record(launch, python)
    assert launch("check", "--staged")[0] == 2
    script(launch.tools / "rulec", SAYS.format(name="path"))
    assert launch("check", "--staged")[1] == "path check --staged\n"


def test_a_message_whose_path_was_left_out_is_found(launch):
    script(launch.tools / "rulec", SAYS.format(name="path"))
    assert launch("check", "--message")[1] == "path check --message .git/COMMIT_EDITMSG\n"


def test_a_folder_of_the_repository_cannot_stand_in_for_rulec(launch):
    record(launch, shutil.which("python3.11") or shutil.which("python3"))
    (launch.repo / "rulec").mkdir()
    (launch.repo / "rulec/__init__.py").write_text("")
    (launch.repo / "rulec/__main__.py").write_text("print('disarmed')")
    assert "disarmed" not in launch("check", "--staged")[1]
