"""One command in place of another: drafts from what the words name of the two."""

import pytest

from rulec.fits._demands import catches
from rulec.fits.switches import fit
from rulec.language import clauses
from rulec.model.candidate import Draft
from rulec.model.transcript import Action
from rulec.runtime.shell import parse


def run(command: str) -> Action:
    return Action(kind="command", command=command)


def drafts(said: str, wrong: str, right: str) -> list[Draft]:
    return [draft for clause in clauses(said) for draft in fit(clause, (run(wrong),), (run(right),))]


def caught(draft: Draft, command: str) -> bool:
    return any(catches(check, call) for check in draft.checks for call in parse(command).calls)


@pytest.mark.parametrize(
    ("said", "wrong", "right", "again", "innocent"),
    [
        (
            "ok but you can leave out --watch, it hangs",
            "npx jest --watch src/a",
            "npx jest src/a",
            "cd web && npx jest src/b --watch",
            "npx tsc --watch",
        ),
        (
            "that's the wrong one, we have a venv in .venv",
            "python3 tools/load.py",
            ".venv/bin/python tools/load.py",
            "DEBUG=1 python3 tools/dump.py",
            ".venv/bin/python -m pytest",
        ),
        (
            "sudo isn't needed for docker",
            "sudo docker ps",
            "docker ps",
            "cd a && sudo docker build .",
            "sudo systemctl restart x",
        ),
        (
            "the --no-cache has to go",
            "docker build --no-cache .",
            "docker build .",
            "cd a && docker build . --no-cache",
            "docker pull a",
        ),
        (
            "wrong file, it's compose.dev.yml here",
            "docker compose -f compose.yml up -d",
            "docker compose -f compose.dev.yml up -d",
            "docker compose -f compose.yml up",
            "docker compose -f compose.dev.yml up",
        ),
        (
            "staging is where this goes, production is later",
            "deployer push --env production",
            "deployer push --env staging",
            "deployer push --env=production",
            "deployer push --env staging",
        ),
    ],
)
def test_the_difference_that_the_words_name_is_not_run_again(
    said: str, wrong: str, right: str, again: str, innocent: str
) -> None:
    (draft, *_) = drafts(said, wrong, right)
    assert caught(draft, wrong)
    assert caught(draft, again)
    assert not caught(draft, right)
    assert not caught(draft, innocent)


@pytest.mark.parametrize(
    ("said", "wrong", "right"),
    [
        ("looks good, go on", "npx jest --watch src/a", "npx jest src/a"),  # nothing is named
        ("use --watch there", "npx jest --watch src/a", "npx jest src/a"),  # it is wanted
        ("the port is wrong", "serve --port 3000", "serve --port 3001"),  # neither value is named
        ("the venv is fine", "ls src", "ls .venv"),  # another thing altogether
    ],
)
def test_a_difference_that_no_word_names_gives_no_draft(said: str, wrong: str, right: str) -> None:
    assert drafts(said, wrong, right) == []


@pytest.mark.parametrize("said", ["use the venv", "no, not like that: notes.txt stays", "don't use sudo"])
def test_a_line_that_only_makes_a_file_is_no_command(said: str) -> None:
    one, other = "> notes.txt", "python run.py > out.txt; > b.txt"
    assert drafts(said, one, other) == drafts(said, other, one) == []
