"""Words about types -> which are to be stated, and which say too little."""

from typing import Any

import pytest

from rulec.fits.annotations import PLUG
from rulec.language import clauses
from rulec.model.candidate import Draft
from rulec.model.transcript import Action


def _drafts(text: str, before: tuple[Action, ...] = (), after: tuple[Action, ...] = ()) -> list[Draft]:
    return [draft for clause in clauses(text) for draft in PLUG.fit(clause, before, after)]


REQUIRED = [
    ("Use type hints on all functions", "both", ["python"]),
    ("All functions must have type hints", "both", ["python"]),
    ("Always add type annotations to function signatures", "both", ["python"]),
    ("Type annotate everything", "both", ["python"]),
    ("Type hints are mandatory", "both", ["python"]),
    ("No functions without type hints", "both", ["python"]),
    ("Don't write functions without type hints", "both", ["python"]),
    ("No untyped functions", "both", ["python"]),
    ("Every function must be typed in PHP", "both", ["php"]),
    ("Always declare parameter types in PHP", "parameters", ["php"]),
    ("Never leave out return types", "returns", ["python", "typescript"]),
    ("Don't leave out return types in TypeScript", "returns", ["typescript"]),
    ("Explicit return types on all exported functions", "returns", ["typescript"]),
    ("All exported functions must have explicit return types in TypeScript", "returns", ["typescript"]),
]


@pytest.mark.parametrize(("text", "what", "languages"), REQUIRED, ids=[text for text, _, _ in REQUIRED])
def test_what_has_to_state_its_type_is_read(text: str, what: str, languages: list[str]) -> None:
    [draft] = _drafts(text)
    given = [check.parameters for check in draft.checks]
    assert [one["language"] for one in given] == languages
    assert {one["what"] for one in given} == {what}


FORBIDDEN: list[tuple[str, list[str], str]] = [
    ("No `any` in TypeScript", ["any"], "typescript"),
    ("Never use any in TypeScript", ["any"], "typescript"),
    ("Don't use the any type", ["any"], "typescript"),
    ("use unknown instead of any", ["any"], "typescript"),
    ("Don't use any in Go", ["any"], "go"),
    ("no interface{} in Go", ["interface{}"], "go"),
    ("Use any instead of interface{} in Go", ["interface{}"], "go"),
    ("Avoid Any in Python type hints", ["Any"], "python"),
    ("Don't use Optional in Python, use X | None", ["Optional"], "python"),
    ("Use list instead of typing.List", ["List"], "python"),
    ("Don't use mixed types in PHP", ["mixed"], "php"),
    ("Don't use var in Java", ["var"], "java"),
    ("Don't use auto in C++", ["auto"], "cpp"),
]


@pytest.mark.parametrize(("text", "types", "language"), FORBIDDEN, ids=[text for text, _, _ in FORBIDDEN])
def test_a_type_that_says_too_little_is_known_by_its_name(text: str, types: list[str], language: str) -> None:
    wanted: dict[str, Any] = {"types": types, "language": language}
    assert wanted in [draft.checks[0].parameters for draft in _drafts(text)]


@pytest.mark.parametrize(
    "text",
    [
        "Use const or let, not var",
        "Use type hints to find the bug",
        "Don't add type hints",
        "No type annotations in tests",
        "Fix the type hints",
        "Remove the type annotations",
        "Any change needs a test",
        "Don't use any library",
        "never use any mocks",
        "Don't touch any files",
        "All functions must be tested",
        "Every function should return a value",
        "functions should return typed errors",
        "Use Any Key to continue",
        "Do not add any type of comments",
        "The return type is wrong",
        "No any outside of src/legacy/",
        "Use type hints everywhere except in tests",
    ],
)
def test_look_alikes_say_nothing_about_types(text: str) -> None:
    assert _drafts(text) == []


def test_the_pair_shows_what_lacked_its_type() -> None:
    before = (Action(kind="write", path="src/a.py", new="def total(rows):\n    return sum(rows)\n"),)
    after = (Action(kind="write", path="src/a.py", new="def total(rows: list) -> int:\n    return sum(rows)\n"),)
    [draft] = _drafts("always use type hints", before, after)
    assert draft.invalid[0].text == before[0].new
    assert _drafts("always use type hints", after, before) == []


def test_the_pair_shows_the_loose_type() -> None:
    before = (Action(kind="edit", path="src/a.ts", old="const a = f();", new="const a: any = f();"),)
    after = (Action(kind="edit", path="src/a.ts", old="const a: any = f();", new="const a: Row = f();"),)
    [draft, *_] = _drafts("please never use any", before, after)
    assert draft.checks[0].parameters == {"types": ["any"], "language": "typescript"}
