"""An evaluation leaves the repository alone from which it is started, and what it runs ends with it."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from evaluation.tests.conftest import ROOT, Evaluated
from evaluation.tests.small_tasks import NPM, NPM_RULE, install_claude, write_answers, write_tasks
from tests.conftest import Run
from tests.support.started import wait_until

SLEEPS = "#!/bin/sh\necho $$ >>{pids}\nexec sleep 60\n"


def test_an_inherited_git_folder_leads_no_git_to_it(
    repo: Path, tmp_path: Path, evaluated: Evaluated, git: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    tasks = write_tasks(tmp_path / "tasks", {**NPM, "tasks": [], "innocent": []})
    answers = write_answers(tmp_path / "answers", npm=NPM_RULE)
    state = [git("rev-parse", "HEAD").stdout, (repo / ".git/config").read_text()]
    monkeypatch.setenv("GIT_DIR", str(repo / ".git"))
    monkeypatch.setenv("GIT_INDEX_FILE", str(repo / ".git/index"))
    evaluated(str(tasks), "--prepare", str(tmp_path / "questions"), cwd=tmp_path)
    measured = evaluated(str(tasks), "--rules", str(answers), "--format", "json", cwd=tmp_path).stdout
    assert json.loads(measured)["measured"]["tasks with a rule"] == 1
    assert [git("rev-parse", "HEAD").stdout, (repo / ".git/config").read_text()] == state
    assert not (repo / ".git/rulec").exists()


@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, 143), (signal.SIGINT, 130)])
def test_a_signal_ends_the_program_that_works_and_begins_no_other(
    repo: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: signal.Signals, code: int
) -> None:
    pids = tmp_path / "pids"
    install_claude(tmp_path / "bin", SLEEPS.format(pids=pids), monkeypatch)
    tasks, answers = write_tasks(tmp_path / "tasks", NPM), write_answers(tmp_path / "answers", npm=NPM_RULE)
    argv = [str(tasks), "--rules", str(answers), "--agent", "claude-code", "--keep", str(tmp_path / "kept")]
    running = subprocess.Popen(
        [sys.executable, "-m", "evaluation", "eval", *argv],
        cwd=repo,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stderr=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        text=True,
    )
    wait_until(pids.exists, running)
    running.send_signal(number)
    _, said = running.communicate(timeout=20)
    assert running.returncode == code
    assert "decided" not in said
    (pid,) = map(int, pids.read_text().split())
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)
