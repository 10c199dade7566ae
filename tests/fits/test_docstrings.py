"""Words about documentation -> what has to carry it, and in which language."""

import pytest

from rulec.fits.docstrings import PLUG
from rulec.language import clauses
from rulec.model.candidate import Draft
from rulec.model.transcript import Action


def _drafts(text: str, before: tuple[Action, ...] = (), after: tuple[Action, ...] = ()) -> list[Draft]:
    return [draft for clause in clauses(text) for draft in PLUG.fit(clause, before, after)]


STATED = [
    ("Every public function needs a docstring", ["python function"]),
    ("Add docstrings to all public functions", ["python function"]),
    ("All functions must have docstrings", ["python function"]),
    ("Always write docstrings for public functions and classes", ["python function", "python class"]),
    ("Use docstrings", ["python function", "python class"]),
    ("Every module must have a docstring", ["python module"]),
    ("No function without a docstring", ["python function"]),
    ("Don't write functions without docstrings", ["python function"]),
    ("Document all public functions in Python", ["python function"]),
    ("Docstrings are required on all public functions", ["python function"]),
    ("Exported functions must have JSDoc", ["javascript function"]),
    ("All public methods must have Javadoc", ["java function"]),
    ("Every exported function needs a doc comment in Go", ["go function"]),
    ("All pub functions in Rust must be documented", ["rust function"]),
    ("Every PHP class must have a docblock", ["php class"]),
    ("All public functions need Doxygen comments", ["cpp function", "c function"]),
    ("All public methods must be documented in Ruby", ["ruby function"]),
]


@pytest.mark.parametrize(("text", "asked"), STATED, ids=[text for text, _ in STATED])
def test_what_has_to_be_documented_is_read_with_its_language(text: str, asked: list[str]) -> None:
    [draft] = _drafts(text)
    given = [check.parameters for check in draft.checks]
    assert sorted(f"{one['language']} {one['what']}" for one in given) == sorted(asked)


@pytest.mark.parametrize(
    "text",
    [
        "Don't write docstrings",
        "Don't add docstrings to test functions",
        "No docstrings in tests",
        "Keep docstrings short",
        "Fix the docstring of this function",
        "Functions without docstrings are fine",
        "remove the undocumented functions",
        "Use the docs folder for guides",
        "Use JSDoc instead of TypeScript types",
        "Write the documentation in German",
        "Docstrings should not repeat the code",
        "Add a docs page for the new endpoint",
        "All public functions must be tested",
        "Every public function needs a docstring except in scripts/",
        "Every module in the billing backend needs a docstring",
    ],
)
def test_other_words_about_documentation_ask_for_none(text: str) -> None:
    assert _drafts(text) == []


def test_private_functions_and_tests_need_none_unless_it_is_said() -> None:
    [plain] = _drafts("All functions must have docstrings")
    [every] = _drafts("All functions including private ones must have docstrings")
    assert plain.checks[0].parameters["public"]
    assert "public" not in every.checks[0].parameters
    assert "tests/" in plain.scope.exclude


def test_a_place_that_is_named_narrows_the_rule() -> None:
    [draft] = _drafts("Every function in src/api/ needs a docstring")
    assert draft.scope.include == ("src/api/",)
    assert draft.invalid[0].path.startswith("src/api/")


def test_the_pair_shows_the_language() -> None:
    bare = "export function total(rows: number[]): number {\n  return 1;\n}\n"
    before = (Action(kind="write", path="src/a.ts", new=bare),)
    after = (Action(kind="write", path="src/a.ts", new=f"/** The total. */\n{bare}"),)
    [draft] = _drafts("every exported function must be documented", before, after)
    assert draft.checks[0].parameters["language"] == "javascript"
    assert _drafts("every exported function must be documented", after, before) == []
