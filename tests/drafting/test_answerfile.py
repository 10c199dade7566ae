"""What a model writes of a rule, held to its form and size whatever it is."""

from typing import Any

import pytest

from rulec.domain.rule import Example
from rulec.domain.text.excerpts import line_by_model
from rulec.drafting.draft_json import LARGEST_PART, MOST_EXAMPLES, read_examples_by_model

KEY = "ghp_" + "a1B2" * 9


@pytest.mark.parametrize(
    ("value", "line"),
    [
        ("Use pnpm.", "Use pnpm."),
        ("  Use\n\tpnpm.  ", "Use pnpm."),
        (f"Use {KEY}", "Use [redacted:github]"),
        ("Use pn\u202epm", "Use pnpm"),
        ("x" * 31, ""),
        ("x" * 10_000_000, ""),
        (None, ""),
        (["Use pnpm."], ""),
    ],
)
def test_words_are_one_short_line(value: Any, line: str) -> None:
    assert line_by_model(value, 30) == line


@pytest.mark.parametrize(
    "value",
    [
        {"command": 3},
        {"command": " "},
        {"command": "x", "file": "y"},
        {"file": "a", "content": "x" * (LARGEST_PART + 1)},
        {"commit": "x", "files": {"a": {"b": "c"}}},
        {"session": [{"command": "x"}] * 31},
        {"session": [{"says": "x"}]},
        {"session": [{"command": "x", "failed": "yes"}]},
        {"edit": "a", "old": "x", "new": "y", "path": "z"},
        {},
        [],
        "npm install",
        None,
    ],
)
def test_what_is_no_example_is_a_line_that_says_why(value: Any) -> None:
    (told,) = read_examples_by_model([value])
    assert isinstance(told, str)
    assert told


def test_examples_are_few_and_each_stands_once() -> None:
    many = [{"command": f"npm ci {number % 3}"} for number in range(1_000)]
    assert [one.text for one in read_examples_by_model(many) if isinstance(one, Example)] == [
        "npm ci 0",
        "npm ci 1",
        "npm ci 2",
    ]
    assert len(list(read_examples_by_model([3] * 1_000))) == MOST_EXAMPLES
    for none in (None, "npm", 3, {"command": "x"}):
        assert not list(read_examples_by_model(none))


def test_an_example_holds_no_secret() -> None:
    (found,) = read_examples_by_model([{"command": f"curl -H 'Authorization: Bearer {KEY}' x"}])
    assert isinstance(found, Example)
    assert KEY not in found.text
