"""What a person types and gets back: exit codes, help, questions on a real terminal."""

import os
import pty
import select
import subprocess
import sys
import time
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from rulec import cli
from tests.conftest import Run
from tests.support.session import pnpm

RULEC = (sys.executable, "-m", "rulec")
VERBS = (
    "init",
    "ingest",
    "add",
    "compile",
    "check",
    "test",
    "rules",
    "show",
    "why",
    "log",
    "rollback",
    "doctor",
    "demo",
    "detect",
)


@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_says_what_it_does(verb: str) -> None:
    said = CliRunner().invoke(cli.rulec, [verb, "--help"])
    assert said.exit_code == 0
    assert len(said.output.splitlines()[2].strip()) > 10


def test_there_is_no_verb_that_is_not_listed() -> None:
    assert isinstance(cli.rulec, click.Group)
    assert sorted(cli.rulec.commands) == sorted(VERBS)


def test_a_bug_is_told_in_a_line_with_exit_3(repo: Path, rulec: Run) -> None:
    code = (
        "import rulec.host.git as g; g.root = lambda _: 1 / 0; import sys; from rulec.cli import main; main(['rules'])"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=repo, capture_output=True, text=True, check=False)
    assert done.returncode == 3
    assert "a bug of rulec, please report it: ZeroDivisionError" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_closed_pipe_is_no_error(repo: Path, rulec: Run) -> None:
    done = subprocess.run(
        ["sh", "-c", f"'{sys.executable}' -m rulec demo --help | head -c 1"],
        cwd=repo, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.stderr == ""


def on_terminal(cwd: Path, argv: list[str], answers: list[tuple[str, str]]) -> tuple[int, str]:
    """Run a command on a pseudo-terminal; each answer is typed once its question is seen."""
    pid, master = pty.fork()
    if pid == 0:
        os.chdir(cwd)
        os.execvp(argv[0], argv)
    seen, waiting, end = "", list(answers), time.monotonic() + 60
    while time.monotonic() < end:
        if select.select([master], [], [], 0.2)[0]:
            try:
                chunk = os.read(master, 65536)
            except OSError:  # Linux says so when the other end is gone
                break
            if not chunk:
                break
            seen += chunk.decode("utf-8", "replace")
        if waiting and waiting[0][0] in seen:
            os.write(master, waiting.pop(0)[1].encode())
    os.close(master)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), seen


def test_a_person_is_asked_and_can_say_no(repo: Path) -> None:
    code, seen = on_terminal(repo, [*RULEC, "init"], [("install the git hooks?", "n\n")])
    assert (code, "nothing written" in seen) == (0, True)
    assert not (repo / ".rules").exists()


@pytest.mark.parametrize(("letter", "says"), [("a", "1 accepted"), ("r", "1 rejected"), ("l", "1 left for later")])
def test_a_person_decides_on_each_proposal(repo: Path, rulec: Run, tmp_path: Path, letter: str, says: str) -> None:
    rulec("init", "--yes", "--agent", "claude-code")
    transcript = str(pnpm(repo).save(tmp_path / "t.jsonl"))
    code, seen = on_terminal(repo, [*RULEC, "ingest", transcript], [("[l]ater", f"{letter}\n")])
    assert (code, says in seen) == (0, True), seen
    assert (repo / ".rules/use-pnpm.yaml").exists() == (letter == "a")
    again = rulec("ingest", transcript, "--yes").stdout
    assert ("1 known already" in again) == (letter in "ar"), "accepted and rejected ones are not proposed again"
    if letter == "l":
        assert "queue: empty" in rulec().stdout, "what waited has been decided"


def test_ctrl_c_loses_nothing_that_was_decided(repo: Path, rulec: Run, tmp_path: Path) -> None:
    rulec("init", "--yes", "--agent", "claude-code")
    session = (
        pnpm(repo).person("Never use git stash.").runs("git stash").agent("Ok.").person("Never use git stash, I said.")
    )
    transcript = str(session.runs("git status").save(tmp_path / "t.jsonl"))
    question = "[l]ater"
    code, seen = on_terminal(repo, [*RULEC, "ingest", transcript], [(question, "a\n"), ("written", "\x03")])
    assert (repo / ".rules/use-pnpm.yaml").exists(), seen
    assert code in (0, 130), seen
    rulec("compile", "--check")
