"""Words about names -> how they are to be spelled, in which language and where."""

from typing import Any

import pytest

from rulec.fits.naming import PLUG
from rulec.language import clauses
from rulec.model.candidate import Draft
from rulec.model.transcript import Action


def _drafts(text: str, before: tuple[Action, ...] = (), after: tuple[Action, ...] = ()) -> list[Draft]:
    return [draft for clause in clauses(text) for draft in PLUG.fit(clause, before, after)]


STATED: list[tuple[str, dict[str, Any], list[str]]] = [
    ("Use snake_case for function names", {"what": "function", "style": "snake_case"}, ["python", "ruby", "rust"]),
    ("Name functions in camelCase", {"what": "function", "style": "camelCase"}, ["javascript", "java"]),
    (
        "Class names must be PascalCase",
        {"what": "class", "style": "PascalCase"},
        ["python", "javascript", "java", "php"],
    ),
    ("Constants must be UPPER_CASE", {"what": "constant", "style": "UPPER_CASE"}, ["python", "javascript", "java"]),
    ("Variables should be camelCase in JavaScript", {"what": "variable", "style": "camelCase"}, ["javascript"]),
    ("Use camelCase, not snake_case, for variables in TypeScript", {"style": "camelCase"}, ["javascript"]),
    ("Functions must be snake_case in C", {"what": "function", "style": "snake_case"}, ["c"]),
    ("Functions in Go must be camelCase", {"what": "function", "style": "camelCase"}, ["go"]),
    ("Shell functions must be snake_case", {"what": "function", "style": "snake_case"}, ["bash"]),
    ("Don't use camelCase for Python functions", {"never": r"[a-z][a-z0-9]*[A-Z]\w*"}, ["python"]),
    ("Interfaces must start with I", {"what": "interface", "must": r"I[A-Z]\w*"}, ["javascript", "java"]),
    ("Prefix interfaces with I", {"what": "interface", "must": r"I[A-Z]\w*"}, ["javascript", "java"]),
    ("Don't prefix interfaces with I", {"what": "interface", "never": r"I[A-Z]\w*"}, ["javascript", "java"]),
    ("No I prefix on interfaces in TypeScript", {"never": r"I[A-Z]\w*"}, ["javascript"]),
    ("Type names must end with Type", {"what": "type", "must": r"\w+Type"}, ["javascript"]),
    ("Don't name variables data or tmp", {"what": "variable", "never": "data|tmp"}, ["python", "javascript", "java"]),
    ("No functions named helper", {"what": "function", "never": "helper"}, ["python", "javascript", "java"]),
    ("No single-letter variable names in Python", {"what": "variable"}, ["python"]),
    ("No Hungarian notation in Java", {"what": "variable"}, ["java"]),
]


@pytest.mark.parametrize(("text", "given", "languages"), STATED, ids=[text for text, _, _ in STATED])
def test_a_spelling_is_read_with_what_it_is_for(text: str, given: dict[str, Any], languages: list[str]) -> None:
    [draft] = _drafts(text)
    assert [check.parameters["language"] for check in draft.checks] == languages
    assert all(given.items() <= check.parameters.items() for check in draft.checks)


def test_a_style_for_a_language_is_one_for_its_functions_and_variables() -> None:
    [draft] = _drafts("Use snake_case in Python")
    assert [check.parameters["what"] for check in draft.checks] == ["function", "variable"]


@pytest.mark.parametrize(
    "text",
    [
        "Use snake_case for column names",
        "Database columns are snake_case",
        "JSON keys must be camelCase",
        "URLs must be kebab-case",
        "CSS classes should be kebab-case",
        "Use kebab-case for branch names",
        "Functions must start with a verb",
        "Test functions must start with test_should_",
        "No magic numbers",
        "Don't call the API twice",
        "call the function total",
        "the variable is called foo",
        "Use uppercase for headings",
        "Constants belong in constants.py",
        "Never name a commit wip",
        "don't use abbreviations in variable names",
        "Env variables must be UPPER_CASE",
        "Functions in the billing backend must be camelCase",
    ],
)
def test_look_alikes_say_nothing_about_names_of_code(text: str) -> None:
    assert _drafts(text) == []


@pytest.mark.parametrize(
    ("text", "style", "ending", "inside"),
    [
        ("Use kebab-case for file names", "kebab-case", "tsx", None),
        ("Component files must be PascalCase", "PascalCase", "tsx", None),
        ("File names should be snake_case in Python", "snake_case", "py", None),
        ("All files in src/components/ must be kebab-case", "kebab-case", "css", ["src/components/"]),
        ("Go files must be all lowercase", "lowercase", "go", None),
    ],
)
def test_a_spelling_of_files_goes_to_their_template(
    text: str, style: str, ending: str, inside: list[str] | None
) -> None:
    [draft] = _drafts(text)
    given = draft.checks[0].parameters
    assert {check.template for check in draft.checks} == {"name-files"}
    assert (given["style"], given.get("inside")) == (style, inside)
    assert ending in given["endings"]


def test_the_pair_shows_the_name_that_was_spelled_otherwise() -> None:
    before = (Action(kind="write", path="src/a.py", new="def getTotal(rows):\n    return rows\n"),)
    after = (Action(kind="write", path="src/a.py", new="def get_total(rows):\n    return rows\n"),)
    [draft] = _drafts("use snake_case for functions", before, after)
    assert draft.checks[0].parameters == {"what": "function", "style": "snake_case", "language": "python"}
    assert _drafts("use snake_case for functions", after, before) == []


def test_the_pair_shows_the_file_that_was_spelled_otherwise() -> None:
    before = (Action(kind="write", path="src/PriceTable.ts", new="f();\n"),)
    after = (Action(kind="write", path="src/price-table.ts", new="f();\n"),)
    [draft] = _drafts("file names are kebab-case, always", before, after)
    assert draft.checks[0].parameters["style"] == "kebab-case"
