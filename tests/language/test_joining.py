"""Two sentences as one, and a sentence with its exception."""

import pytest

from rulec.language.clause import LONGEST_STATEMENT
from rulec.resolving.exception_wording import add_exception_clause, globs_of_places, join_statements


@pytest.mark.parametrize(
    ("one", "other", "both"),
    [
        ("Use pnpm, not npm.", "Use pnpm, not yarn.", "Use pnpm, not npm or yarn."),
        ("Run the linter first.", "Run the tests first.", "Run the linter and tests first."),
        ("Never use npm.", "Never use npm or yarn.", "Never use npm or yarn."),
        ("Use pnpm, never npm or yarn.", "Use pnpm, never npm, yarn or bun.", "Use pnpm, never npm, yarn or bun."),
        ("Never use npm or yarn.", "Never use npm.", "Never use npm or yarn."),
        ("No emojis in code.", "Keep functions short.", "No emojis in code. Keep functions short."),
        ("No emojis.", f"No {'very ' * LONGEST_STATEMENT}long lines.", "No emojis."),
    ],
)  # fmt: skip
def test_two_sentences_become_one_that_says_both(one: str, other: str, both: str) -> None:
    assert join_statements(one, other) == both


@pytest.mark.parametrize(
    ("words", "globs", "sentence"),
    [
        ("in legacy/", ("legacy/",), "Never use npm, except in legacy/."),
        ("except in legacy/", ("legacy/",), "Never use npm, except in legacy/."),
        ("in the legacy folder", ("legacy/",), "Never use npm, except in the legacy folder."),
        ("in YAML files", ("*.{yaml,yml}",), "Never use npm, except in YAML files."),
        ("for docs", ("docs/",), "Never use npm, except for docs."),
        ("for a hotfix", (), "Never use npm, except for a hotfix."),
        ("unless I ask for it", (), "Never use npm, unless I ask for it."),
        ("", (), "Never use npm."),
    ],
)
def test_an_exception_is_said_and_has_a_place_only_where_a_path_shows_it(
    words: str, globs: tuple[str, ...], sentence: str
) -> None:
    assert globs_of_places(words) == globs
    assert add_exception_clause("Never use npm.", words) == sentence
