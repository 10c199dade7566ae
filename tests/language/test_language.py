"""Sentences -> clauses, statements and slugs."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from ruamel.yaml import YAML

from rulec.language import clauses, do_of, slug_of, statement_of, terms
from rulec.language._verbs import base_form

CASES = Path(__file__).parents[1] / "cases" / "detect" / "clauses.yaml"


@pytest.mark.parametrize("case", YAML(typ="safe").load(CASES), ids=lambda case: case["say"])
def test_a_sentence_is_read_as_a_person_means_it(case: dict[str, Any]) -> None:
    read = clauses(case["say"])
    assert read
    clause = read[-1]
    for key in case.keys() - {"say", "cues"}:
        value = getattr(clause, key)
        assert (list(value) if isinstance(value, tuple) else value) == case[key], key
    assert set(case.get("cues", [])) <= set(clause.cues)


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
    ("text", "slug", "statement"),
    [
        ("hey, please don't touch gen/ ok?", "dont-touch-gen", "Do not touch gen/."),
        ("wtf, use pnpm not npm!!", "use-pnpm", "Use pnpm instead of npm."),
        ("i told you, never force push", "no-force-push", "Do not force push."),
        ("why are you using npm? use pnpm", "use-pnpm", "Use pnpm instead of npm."),
        ("no emojis please", "no-emojis", "No emojis."),
        ("hey you killed my tunnel", "dont-kill-tunnel", "Do not kill my tunnel."),
        ("stop adding summaries", "no-summaries", "Stop adding summaries."),
        ("use the edit tool instead of sed", "use-edit-tool", "Use the edit tool instead of sed."),
        ("never push to main", "dont-push-main", "Do not push to main."),
        ("CORRECT[short-lines]: keep lines under 100 characters", "short-lines", "Keep lines under 100 characters."),
    ],
)
def test_the_heat_of_a_wish_does_not_reach_the_rule(text: str, slug: str, statement: str) -> None:
    clause = next(clause for clause in clauses(text) if clause.polarity != "none")
    assert (slug_of(clause, statement_of(clause)), statement_of(clause)) == (slug, statement)


@pytest.mark.parametrize(
    ("text", "slug"),
    [
        ("Comments say why, not what the code does", "comments-say-why"),
        ("Tests assert behaviour, not implementation", "tests-assert-behaviour"),
        ("Docstrings describe the contract, not the code", "docstrings-describe-contract"),
        ("Log what failed, not that it failed", "log-failed"),
        ('Say "basket", not "cart"', "say-basket"),
        ("Import from @app/db, not from pg", "import-app-db"),
        ("Throw AppError instead of Error", "throw-apperror"),
    ],
)
def test_what_is_a_sentence_already_is_nothing_to_be_used(text: str, slug: str) -> None:
    (clause,) = clauses(text)
    assert (statement_of(clause), do_of(clause), slug_of(clause, statement_of(clause))) == (f"{text}.", "", slug)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("named exports, not default exports", "named exports"),
        ("type imports, not value imports", "type imports"),
        ("the logger, not console.log", "the logger"),
        ("Prefer early returns over nested ifs", "early returns"),
    ],
)
def test_what_is_a_thing_is_used_in_the_place_of_another(text: str, wanted: str) -> None:
    (clause,) = clauses(text)
    assert statement_of(clause).startswith(f"Use {wanted} instead of ")
    assert do_of(clause) == f"use {wanted}"


@pytest.mark.parametrize(
    ("text", "slug"),
    [
        ("Do not use the type any", "no-type-any"),
        ("Handlers must not call the database", "handlers-dont-call-database"),
        ("Components should never fetch data", "components-dont-fetch-data"),
        ("API handlers cannot contain business logic", "api-handlers-dont-contain-business"),
    ],
)
def test_a_name_does_not_say_the_contrary_of_its_rule(text: str, slug: str) -> None:
    (clause,) = clauses(text)
    assert slug_of(clause, statement_of(clause)) == slug


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
    clause = clauses("不要改它")[0]
    assert slug_of(clause, statement_of(clause)).startswith("rule-")


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
        assert slug_of(clause, statement_of(clause))
