"""Words about values that are spelled out -> the check that a person meant, or none."""

import re
from typing import Any

import pytest

from rulec.fits.literals import PLUG
from rulec.language import clauses
from rulec.model.candidate import Draft
from rulec.model.transcript import Action


def _drafts(text: str, before: tuple[Action, ...] = (), after: tuple[Action, ...] = ()) -> list[Draft]:
    return [draft for clause in clauses(text) for draft in PLUG.fit(clause, before, after)]


STATED = [
    ("Never hard-code URLs.", "texts", "http"),
    ("Don't hardcode API endpoints, read them from config.", "texts", "http"),
    ("please don't hard code the API url", "texts", "http"),
    ("no hardcoded hostnames", "texts", "http"),
    ("No magic numbers in Python.", "numbers", "[3-9]"),
    ("Use named constants instead of magic numbers", "numbers", "[3-9]"),
    ("avoid magic numbers", "numbers", "[3-9]"),
    ("Don't hardcode colors, use theme variables.", "texts", "#"),
    ("No hardcoded hex colours in TypeScript", "texts", "#"),
    ("No inline colors, use the palette", "texts", "#"),
    ("No hard-coded absolute paths.", "texts", "/(?:home"),
    ("don't hardcode home directories in Go", "texts", "/(?:home"),
    ("stop hardcoding `localhost:3000`", "texts", "localhost:3000"),
    ("don't hardcode localhost", "texts", "localhost"),
    ("Don't hardcode IP addresses", "texts", "{1,3}"),
    ("don't hard code email addresses", "texts", "@"),
]


@pytest.mark.parametrize(("text", "what", "sign"), STATED, ids=[text for text, _, _ in STATED])
def test_a_sort_of_value_is_known_by_its_words(text: str, what: str, sign: str) -> None:
    check = _drafts(text)[0].checks[0]
    assert check.template == "forbid-literal"
    assert sign in check.parameters[what][0]


@pytest.mark.parametrize(
    "text",
    [
        "don't hardcode the path to python",
        "No inline styles",
        "never hard code the branch name",
        "Use named exports",
        "don't link to urls in commit messages",
        "don't remove the url field",
        "no magic, please",
        "don't use localhost for the demo",
        "never change the colours of the theme",
        "hardcoded urls are fine in tests",
        "keep the email address field",
    ],
)
def test_words_that_only_sound_alike_give_no_draft(text: str) -> None:
    assert _drafts(text) == []


URL = "export const load = () => fetch({});\n"
PAIRS: list[tuple[str, Action, Action, dict[str, Any]]] = [
    (
        "don't hardcode the url",
        Action(kind="write", path="src/load.ts", new=URL.format('"https://api.sample.com/a"')),
        Action(kind="write", path="src/load.ts", new=URL.format("settings.api")),
        {"texts": ["^https?://"], "named": True, "language": "javascript"},
    ),
    (
        "don't hardcode the url, not even as a constant",
        Action(kind="write", path="src/load.ts", new='const API = "https://api.sample.com/a";\n'),
        Action(kind="write", path="src/load.ts", new="const API = process.env.API;\n"),
        {"texts": ["^https?://"], "language": "javascript"},
    ),
]


@pytest.mark.parametrize(("text", "offence", "fixed", "given"), PAIRS, ids=[pair[0] for pair in PAIRS])
def test_a_name_is_enough_unless_the_refused_value_had_one(
    text: str, offence: Action, fixed: Action, given: dict[str, Any]
) -> None:
    check = _drafts(text, (offence,), (fixed,))[0].checks[0]
    assert {key: value for key, value in check.parameters.items() if key != "except"} == given


def test_what_was_accepted_afterwards_is_never_forbidden() -> None:
    did = Action(kind="write", path="src/load.ts", new=URL.format('"https://api.sample.com/a"'))
    assert _drafts("don't hardcode urls", (did,), (did,)) == []


def test_tests_and_settings_may_hold_such_values_unless_it_was_refused_there() -> None:
    offence = Action(kind="write", path="src/app_config.py", new='get("https://api.sample.com")\n')
    fixed = Action(kind="write", path="src/app_config.py", new="get(url)\n")
    free = _drafts("don't hardcode urls", (offence,), (fixed,))[0].checks[0].parameters["except"]
    assert "tests/" in free
    assert "*config*" not in free


SHEET = ".card {{\n  color: {};\n}}\n"


def test_colours_of_style_sheets_are_looked_for_there() -> None:
    (stated,) = _drafts("no raw colors in css")
    before = Action(kind="write", path="web/card.scss", new=SHEET.format("#ff0044"))
    after = Action(kind="write", path="web/card.scss", new=SHEET.format("$accent"))
    (learned,) = _drafts("don't hardcode colors, use the variables", (before,), (after,))
    for draft in (stated, learned):
        assert [check.template for check in draft.checks] == ["forbid-text", "forbid-text"]
        pattern = re.compile(draft.checks[0].parameters["patterns"][0])
        assert all(map(pattern.search, ["  color: #fff;", "border: 1px solid #a1b2c3;", "color: rgb(1, 2, 3);"]))
        assert not any(
            map(pattern.search, ["--accent: #fff;", "$accent: #fff;", "  color: var(--a);", "a: url(x#abc)"])
        )
        assert not any(map(pattern.search, ["/* color: #fff */", "#add { }", "#add:hover {", "// a: #fff"]))


@pytest.mark.parametrize(
    ("number", "is_magic"), [("1", 0), ("2", 0), ("10", 0), ("100", 0), ("7", 1), ("110", 1), ("86400", 1)]
)
def test_halves_tens_and_hundreds_are_no_magic(number: str, is_magic: int) -> None:
    (pattern,) = _drafts("No magic numbers in Python.")[0].checks[0].parameters["numbers"]
    assert bool(re.fullmatch(pattern, number)) == bool(is_magic)
