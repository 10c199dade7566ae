"""rulec.sh, which every git hook runs: it finds rulec or it refuses."""

import os
import shutil
import subprocess
import sys

import pytest

from .support import render

SAYS = '#!/bin/sh\necho "{name} $*"\n'
PYTHON = """#!/bin/sh
test "$1 $2" = "-E -P" || exit 9
test {knows} = 0 || exit 86
shift 4; echo "recorded $*"; exit 7
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

    def run(*args, folder=repo, **extra):
        argv = [request.param, str(repo / "rulec.sh"), *args]
        environment = {"PATH": str(tools), "HOME": str(tmp_path), **extra}
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


MERGE = [
    ("COMMIT_EDITMSG", {"COMMIT_EDITMSG": 1}),
    ("COMMIT_EDITMSG", {"COMMIT_EDITMSG": 1, "MERGE_MSG": 2}),
    ("MERGE_MSG", {"COMMIT_EDITMSG": 1, "MERGE_MSG": 2, "MERGE_HEAD": 2}),
    ("MERGE_MSG", {"COMMIT_EDITMSG": 2, "MERGE_MSG": 2, "MERGE_HEAD": 2}),
    ("MERGE_MSG", {"MERGE_MSG": 2, "MERGE_HEAD": 2}),
    ("COMMIT_EDITMSG", {"COMMIT_EDITMSG": 3, "MERGE_MSG": 2, "MERGE_HEAD": 2}),
    ("COMMIT_EDITMSG", {"COMMIT_EDITMSG": 3, "MERGE_HEAD": 2}),
]


@pytest.mark.parametrize(("name", "files"), MERGE)
def test_a_merges_message_is_the_one_that_was_written_last(launch, name, files):
    script(launch.tools / "rulec", SAYS.format(name="path"))
    for file, second in files.items():
        (launch.repo / ".git" / file).write_text("x")
        os.utime(launch.repo / ".git" / file, (second, second))
    assert launch("check", "--message")[1] == f"path check --message .git/{name}\n"


def test_git_merges_with_the_message_that_is_found(launch):
    def git(*args):
        return subprocess.run(["git", *args], cwd=launch.repo, capture_output=True, text=True, check=False)

    git("commit", "--allow-empty", "-m", "first")
    git("checkout", "-b", "topic")
    git("commit", "--allow-empty", "-m", "topic")
    git("checkout", "-")
    git("commit", "--allow-empty", "-m", "main")
    script(launch.tools / "rulec", '#!/bin/sh\nIFS= read -r line <"$3"; echo "judged $line" >&2; exit 1\n')
    hook = f'#!/bin/sh\nPATH="{launch.tools}:$PATH" exec sh ./rulec.sh check --message\n'
    script(launch.repo / ".git/hooks/commit-msg", hook)
    merged = git("merge", "--no-edit", "topic")
    assert merged.returncode != 0
    assert "judged Merge branch 'topic'" in merged.stderr
    assert "judged mine" in git("commit", "-m", "mine").stderr


def test_a_folder_of_the_repository_cannot_stand_in_for_rulec(launch):
    record(launch, shutil.which("python3.11") or shutil.which("python3"))
    (launch.repo / "rulec").mkdir()
    (launch.repo / "rulec/__init__.py").write_text("")
    (launch.repo / "rulec/__main__.py").write_text("print('disarmed')")
    assert "disarmed" not in launch("check", "--staged")[1]


def test_the_environment_cannot_name_another_rulec(launch):
    record(launch, shutil.which("python3.11") or shutil.which("python3"))
    (launch.home / "evil/rulec").mkdir(parents=True)
    for name in ("evil/rulec/__init__.py", "evil/rulec/__main__.py", "evil/sitecustomize.py"):
        (launch.home / name).write_text("print('disarmed')")
    _, out, err = launch("check", "--staged", PYTHONPATH=str(launch.home / "evil"), PYTHONHOME="/nowhere")
    assert "disarmed" not in out + err


def test_an_interpreter_that_knows_no_such_option_is_passed_over(launch):
    old = '#!/bin/sh\necho "unknown option -P" >&2\nexit 2\n'
    record(launch, script(launch.home / "python", old))
    code, out, err = launch("check", "--staged")
    assert (code, out, err.count("\n")) == (2, "", 1)


def test_the_installation_of_these_tests_is_found(launch):
    record(launch, sys.executable)
    assert "rulec" in launch("--help")[1]
