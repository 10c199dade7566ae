"""What a person types and gets back: exit codes, help, questions on a real terminal."""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from rulec.cli import group
from tests.conftest import Run
from tests.support.terminal import on_terminal

RULEC = (sys.executable, "-m", "rulec")
FILES = ("new.yaml", "rule.yaml", "rule.json", "messages.jsonl")  # of examples: any file does for them
VERBS = (
    "init",
    "audit",
    "ingest",
    "add",
    "compile",
    "check",
    "comment",
    "test",
    "rules",
    "why",
    "rollback",
    "doctor",
    "demo",
    "review",
    "propose",
    "backtest",
    "templates",
    "diff",
    "edit",
    "except",
    "approve",
    "hook",
    "extend",
    "import",
    "merge",
    "set",
    "retire",
    "snapshot",
    "note",
    "evolve",
    "report",
    "try",
    "completion",
    "plan",
    "run",
    "ui",
    "prove",
    "mine-corpus",
)


@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_says_what_it_does(verb: str) -> None:
    said = CliRunner().invoke(group.rulec, [verb, "--help"])
    assert said.exit_code == 0
    assert len(said.output.splitlines()[2].strip()) > 10


def test_there_is_no_verb_that_is_not_listed() -> None:
    assert isinstance(group.rulec, click.Group)
    assert sorted(group.rulec.commands) == sorted(VERBS)


def test_the_help_lists_every_verb_in_its_section_with_an_unbroken_line() -> None:
    listed = [name for names in group.SECTIONS.values() for name in names]
    assert sorted(listed) == sorted(name for name, verb in group.rulec.commands.items() if not verb.hidden)
    said = CliRunner().invoke(group.rulec, ["--help"]).output
    assert not re.search(r"\w\.\.\.$", said, re.MULTILINE)
    assert re.findall(r"^([A-Z][\w -]+):$", said, re.MULTILINE) == ["Options", *group.SECTIONS]


def test_every_verb_shows_examples_that_it_takes() -> None:
    wrong = []
    for name, verb in group.rulec.commands.items():
        if not isinstance(verb, group.Verb):
            continue
        if not verb.examples:
            wrong.append(name)
        for line in verb.examples:
            words = shlex.split(re.split(r" +#", line)[0])
            try:
                assert words[:2] == ["rulec", name]
                given = [__file__ if one in FILES else one for one in words[2:]]
                with click.Context(group.rulec) as above, verb.make_context(name, given, parent=above):
                    pass  # the context closes what it opened
            except click.ClickException as error:
                wrong.append(f"{line}: {error.format_message()}")
    assert wrong == []


@pytest.mark.e2e
def test_a_shell_completes_verbs_and_rules(gated: Path, rulec: Run) -> None:
    assert "_RULEC_COMPLETE=bash_complete" in rulec("completion", "bash").stdout
    rulec("add", "Never use git stash.", "--yes")
    environment = {**os.environ, "COMP_WORDS": "rulec why ", "COMP_CWORD": "2", "_RULEC_COMPLETE": "bash_complete"}
    done = subprocess.run(RULEC, cwd=gated, env=environment, capture_output=True, text=True, check=False)
    assert done.stdout == "plain,no-git-stash\n"


def test_a_bug_is_told_in_a_line_with_exit_3(repo: Path, rulec: Run) -> None:
    code = (
        "import rulec.infra.git.git_session as g; g.work_tree_root = lambda _: 1 / 0; "
        "from rulec.cli.main import main; main(['rules'])"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=repo, capture_output=True, text=True, check=False)
    assert done.returncode == 3
    assert "a bug of rulec, please report it: ZeroDivisionError" in done.stderr
    assert "Traceback" not in done.stderr


def test_who_interrupts_before_it_has_begun_reads_a_line(repo: Path) -> None:
    code = (
        "import signal; from rulec.cli import main as cli; from rulec.__main__ import main; "
        "cli.begin = lambda: signal.raise_signal(signal.SIGINT); main()"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=repo, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (130, "rulec: interrupted\n")


@pytest.mark.parametrize(
    ("argv", "said"),
    [
        (("mine-corpus", "x", "--workers", "0"), "--workers: takes a whole number from 1 to 1000, not '0'"),
        (("mine-corpus", "x", "--workers", "x"), "--workers: takes a whole number from 1 to 1000, not 'x'"),
        (("backtest", "--commits", "0"), "--commits: takes a whole number of 1 or more, not '0'"),
        (("backtest", "--seconds", "nan"), "--seconds: takes a number of 0 or more, not 'nan'"),
        (("snapshot", "--max-tokens", "1.5"), "--max-tokens: takes a whole number of 1 or more, not '1.5'"),
        (("add",), "give either TEXT (with --check or --judge, if you like) or --rule FILE; see rulec add --help"),
        (("why",), "Missing argument 'SLUG'; see rulec why --help"),
    ],
    ids=lambda one: one if isinstance(one, str) else " ".join(one),
)
def test_a_wrong_value_is_refused_in_a_sentence_that_says_what_is_right(
    rulec: Run, argv: tuple[str, ...], said: str
) -> None:
    assert rulec(*argv, code=2).stderr == f"rulec: {said}\n"


def test_a_wrong_option_is_refused_in_one_sentence(repo: Path, rulec: Run) -> None:
    assert rulec("init", "--qq", code=2).stderr == "rulec: No such option '--qq'; see rulec init --help\n"


def test_a_closed_pipe_is_no_error(repo: Path, rulec: Run) -> None:
    done = subprocess.run(
        ["sh", "-c", f"'{sys.executable}' -m rulec demo --help | head -c 1"],
        cwd=repo, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.stderr == ""


@pytest.mark.e2e
def test_a_person_is_asked_and_can_say_no(repo: Path) -> None:
    code, seen = on_terminal(repo, [*RULEC, "init"], [("install the git hooks?", "n\n")])
    assert (code, "nothing written" in seen) == (0, True)
    assert not (repo / ".rules").exists()
