"""What is wanted, what is not, with whose leave, before what, and where."""

from typing import Any

import pytest

from rulec.language.semantics.meaning import meaning_of
from rulec.language.semantics.senses import LONGEST_READ, sense_tokens, without_ending


@pytest.mark.parametrize(
    ("statement", "slots"),
    [
        ("Use pnpm instead of npm.", {"wanted": {"pnpm"}, "unwanted": {"npm"}}),
        ("npm is off limits, use pnpm", {"wanted": {"pnpm"}, "unwanted": {"npm"}}),
        ("No emojis in commit messages.", {"unwanted": {"emoji"}, "place": {"commit-message"}}),
        ("Keep commit messages free of emoji.", {"unwanted": {"emoji"}, "wanted": {"commit-message"}}),
        ("Never commit without asking.", {"wanted": {"commit"}, "leave": "ask"}),
        ("Commit only when I say so.", {"wanted": {"commit"}, "leave": "ask"}),
        ("Commit on your own.", {"wanted": {"commit"}, "leave": "free"}),
        ("You need not ask before you push.", {"wanted": {"push"}, "leave": "free"}),
        ("Do not commit until the tests pass.", {"wanted": {"test"}, "before": {"commit"}}),
        ("No commits without tests.", {"wanted": {"test"}, "before": {"commit"}}),
        ("Test first, then implement.", {"wanted": {"test"}, "before": {"implement"}}),
        ("Update the docs when the API changes.", {"wanted": {"update", "docs"}, "when": {"api", "edit"}}),
        ("Use tabs, except in YAML files.", {"wanted": {"tab"}, "unwanted": set(), "but": {"yaml", "file"}}),
        ("Never use spaces.", {"wanted": {"tab"}, "unwanted": {"space"}}),
        ("Answer in German.", {"wanted": {"german"}, "place": set()}),
        ("", {"words": set()}),
        ('\x00 \ufffd ((((( ]] `` "" ...', {"unwanted": set(), "leave": ""}),
    ],
)
def test_the_parts_of_a_statement(statement: str, slots: dict[str, Any]) -> None:
    found = meaning_of(statement)
    assert {name: getattr(found, name) for name in slots} == slots


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("tests", "test"),
        ("committing", "commit"),
        ("named", "naming"),
        ("libraries", "library"),
        ("organise", "organize"),
    ],
)
def test_forms_of_a_word_are_one_word(one: str, other: str) -> None:
    assert without_ending(one) == without_ending(other)


def test_a_long_text_is_read_up_to_its_limit() -> None:
    for filler in ("never ask me before ", "unless you (", "not only, but ", "a" * 30 + " ", "-- "):
        assert sense_tokens(filler * 10_000) == sense_tokens((filler * 10_000)[:LONGEST_READ])


@pytest.mark.parametrize(
    "text", ["Never use npm, always use pnpm", "never npm, always pnpm", "Never use npm and always use pnpm."]
)
def test_what_is_always_to_be_done_is_wanted_whatever_was_refused_before(text: str) -> None:
    said = meaning_of(text)
    assert (said.wanted, said.unwanted) == ({"pnpm"}, {"npm"})
