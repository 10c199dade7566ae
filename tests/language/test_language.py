"""Sentences -> clauses, statements and slugs."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from ruamel.yaml import YAML

from rulec.language.clauses import clauses
from rulec.language.terms import terms
from rulec.language.words import base_form
from rulec.sentences.candidates import slug_of

CASES = Path(__file__).parents[1] / "cases" / "detect" / "clauses.yaml"


@pytest.mark.parametrize("case", YAML(typ="safe").load(CASES), ids=lambda case: case["say"])
def test_a_sentence_is_read_as_a_person_means_it(case: dict[str, Any]) -> None:
    read = clauses(case["say"])
    assert read
    clause = read[-1]
    for key in case.keys() - {"say"}:
        value = getattr(clause, key)
        assert (list(value) if isinstance(value, tuple) else value) == case[key], key


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("run `git push` in web/app.ts", [("git push", "code"), ("web/app.ts", "path")]),
        ("keep .env out of it", [(".env", "path")]),
        ("no *.bak files, no --force", [("*.bak", "path"), ("--force", "flag")]),
        ("call parseDate() or date.parse", [("parseDate()", "symbol"), ("date.parse", "symbol")]),
        ("see https://example.com/a/b.py", []),
        ("this and/or that, e.g. those", []),
        ("console.log is not a file", [("console.log", "symbol")]),
    ],
)
def test_exact_names_are_found_in_a_sentence(text: str, found: list[tuple[str, str]]) -> None:
    assert [(term.text, term.kind) for term in terms(text)] == found


@pytest.mark.parametrize(
    ("said", "plain"),
    [
        ("bringing", "bring"),
        ("bring", "bring"),
        ("making", "make"),
        ("hiding", "hide"),
        ("guessing", "guess"),
        ("adding", "add"),
        ("skipping", "skip"),
        ("being", "be"),
        ("seeing", "see"),
        ("enabling", "enable"),
        ("generating", "generate"),
        ("refactoring", "refactor"),
    ],
)
def test_a_verb_is_known_in_its_plain_form(said: str, plain: str) -> None:
    assert base_form(said) == plain


def test_a_slug_is_ascii_whatever_was_said() -> None:
    assert slug_of("不要改它").startswith("rule-")


def test_two_wishes_are_two_clauses() -> None:
    read = clauses("Don't amend commits. And never edit gen/api.py, please don't use sudo")
    assert [clause.verb for clause in read] == ["amend", "edit", "use"]


def test_code_blocks_and_documents_hold_no_wishes() -> None:
    assert clauses("```\nnever use tabs\n```") == ()
    assert not any(clause.marked for clause in clauses("# Title\n\nA text with a heading."))


def test_what_a_person_quotes_below_a_marked_rule_is_no_part_of_it() -> None:
    assert [clause.text for clause in clauses("rule: Use tabs.\n> Always use spaces.")] == ["Use tabs."]
    assert [clause.text for clause in clauses("rule:\n> Use tabs.")] == ["Use tabs."]


@given(st.text(max_size=400))
def test_reading_never_fails_and_quotes_word_for_word(text: str) -> None:
    for clause in clauses(text):
        assert clause.text in text
        assert slug_of(clause.text)
