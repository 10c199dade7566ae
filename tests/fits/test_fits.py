"""Fits: clause and pair -> drafts."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulec.fits._pair import added, offences
from rulec.fits._words import stem
from rulec.fits.calls import called
from rulec.fits.imports import modules
from rulec.fits.messages import message_of
from rulec.fits.paths import paths_of, to_glob
from rulec.language import clauses
from rulec.model.transcript import Action
from rulec.registry import fits


def test_every_family_is_found() -> None:
    known = {
        "messages",
        "companions",
        "paths",
        "branches",
        "flags",
        "acts",
        "commands",
        "imports",
        "calls",
        "headers",
        "texts",
        "shapes",
    }
    assert known <= {fit.name for fit in fits()}


@pytest.mark.parametrize("fit", fits(), ids=lambda fit: fit.name)
def test_a_sentence_that_asks_for_nothing_gives_no_draft(fit: object) -> None:
    for clause in clauses("the build is green now, thanks"):
        assert list(fit.fit(clause, (), ())) == []


@pytest.mark.parametrize("fit", fits(), ids=lambda fit: fit.name)
@given(said=st.text(max_size=80), did=st.text(max_size=80))
def test_hostile_words_never_break_a_fit(fit: object, said: str, did: str) -> None:
    before = (Action(kind="command", command=did), Action(kind="write", path="a.py", new=did))
    for clause in clauses(f"don't use {said}"):
        list(fit.fit(clause, before, (Action(kind="command", command=said),)))
        list(fit.fit(clause, (), ()))


def test_what_the_person_refused_is_looked_at_first() -> None:
    plain, refused = Action(kind="command", command="ls"), Action(kind="command", command="rm x", rejected=True)
    assert offences((refused, plain)) == [refused, plain]


def test_only_new_lines_are_added() -> None:
    assert added(Action(kind="edit", path="a.py", old="one\ntwo", new="one\nthree")) == "three"


@pytest.mark.parametrize(
    "words", [("commit", "commits", "committing", "committed"), ("file", "files"), ("lint", "linter")]
)
def test_forms_of_a_word_are_one(words: tuple[str, ...]) -> None:
    assert len({stem(word) for word in words}) == 1


def test_calls_are_not_looked_for_in_strings_comments_and_definitions() -> None:
    assert called('def run(a):\n    # print(a)\n    log("print(a)")\n    self.print(a)\n') == ["log", "self.print"]


@pytest.mark.parametrize(
    ("text", "language", "found"),
    [
        ("import os, sys\nfrom a.b import c\n", "python", ["os", "sys", "a.b"]),
        ('import a from "left-pad";\nconst b = require("x/y");\n', "typescript", ["left-pad", "x/y"]),
        ('import (\n\t"fmt"\n\tlog "x.org/log"\n)\n', "go", ["fmt", "x.org/log"]),
        ("import os\n", "", []),
    ],
)
def test_imports_are_read_in_their_language(text: str, language: str, found: list[str]) -> None:
    assert modules(text, language) == found


def test_the_message_of_a_commit_is_all_its_parts() -> None:
    assert message_of(Action(kind="command", command="cd web && git commit -am one -m two")) == "one\n\ntwo"
    assert message_of(Action(kind="command", command="echo git commit -m one")) == ""


@pytest.mark.parametrize(
    ("command", "paths"),
    [
        ("echo x > out/a.txt 2>/dev/null", ["out/a.txt"]),
        ("rm -rf gen/api.py", ["gen/api.py"]),
        ("cat gen/api.py", []),
        ("git commit -m 'change gen/api.py'", []),
    ],
)
def test_paths_that_a_command_writes(command: str, paths: list[str]) -> None:
    assert paths_of(Action(kind="command", command=command)) == paths


@pytest.mark.parametrize(
    ("said", "glob"), [("@../web/a.ts", "web/a.ts"), ("gen/", "gen/**"), ("`*.bak`", "*.bak"), ("./x.md", "x.md")]
)
def test_a_path_as_people_write_it_is_a_glob(said: str, glob: str) -> None:
    assert to_glob(said) == glob
