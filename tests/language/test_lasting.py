"""Signs and their weights."""

import re
from itertools import chain

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulec.language.clauses import clauses
from rulec.language.durability import (
    MOST,
    SIGN_PATTERNS,
    TurnContext,
    is_plain_wish,
    odds_of,
    reads_like_document,
    signs_of,
)
from rulec.language.durability_weights import AUTO, BASE, REVIEW, WEIGHTS


def test_every_weight_is_of_a_sign_that_there_is() -> None:
    turns = (
        "never do that in `a.py`, use b instead",
        "no",
        "x " * 2_000,
        "NEVER run it when it rains\n" * 20,
        "?",
        "use nox, not tox",
        "keep it short",
    )
    kinds = ("typed", "queued", "rejection", "slash_args")
    arounds = [TurnContext(kind=kind, interrupted=True, acted=True) for kind in kinds] + [TurnContext()]
    seen = chain.from_iterable(signs_of(text, clauses(text), around) for text in turns for around in arounds)
    known = {*seen, *SIGN_PATTERNS, *(f"wish: {name}" for name in SIGN_PATTERNS)}
    assert set(WEIGHTS) <= known


def test_a_pattern_is_for_a_text_in_lower_case() -> None:
    for name, pattern in SIGN_PATTERNS.items():
        literal = re.sub(r"\\.", "", pattern.pattern)
        assert literal == literal.lower(), name


@pytest.mark.parametrize("text", ["FROM NOW ON use nox", "From now on use nox", "from now on use nox"])
def test_signs_are_seen_in_either_case(text: str) -> None:
    assert {"makes a general rule", "wish: makes a general rule"} <= set(signs_of(text, clauses(text), TurnContext()))


def test_a_turn_without_a_wish_is_not_worth_showing() -> None:
    assert BASE < REVIEW < AUTO


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("never edit the lockfile", "forbids something"),
        ("from now on write the test first", "makes a general rule"),
        ("keep the naming consistent", "is about the way code is written"),
        ("please ask before you install anything", "asks for an order of work"),
        ("rule: tabs", "is marked as a rule"),
    ],
)
def test_the_reasons_are_words_that_a_person_reads(text: str, reason: str) -> None:
    odds = odds_of(text, clauses(text), TurnContext(acted=True))
    assert reason in odds.reasons
    assert len(odds.reasons) <= MOST
    assert not any(":" in one for one in odds.reasons)


@pytest.mark.parametrize(
    ("text", "alone"),
    [
        ("never edit the lockfile", True),
        ("rule: " + "never edit the lockfile, it is not ours, " * 10, True),
        ("looks good", False),
        ("never edit the lockfile. " * 20, False),
        ("> never edit the lockfile\nnever edit the lockfile", False),
    ],
)
def test_only_a_plain_wish_is_acted_on_alone(text: str, alone: bool) -> None:
    assert is_plain_wish(text, clauses(text)) == alone


@given(st.text(alphabet="ab?! .\n`>$x_N1'-,:", max_size=3_000))
def test_any_text_has_odds(text: str) -> None:
    assert odds_of(text, clauses(text), TurnContext()).value < AUTO + 30


@pytest.mark.parametrize(
    "text", ["?" * 9_000, "ok " * 3_000, " \n" * 4_000, "first " * 2_000, "_" * 9_000, "you " * 2_000]
)
def test_no_text_makes_a_pattern_hang(text: str) -> None:
    assert odds_of(text, clauses(text), TurnContext()).value < AUTO + 30


def test_a_block_of_code_makes_a_document() -> None:
    assert reads_like_document("```\n1\n```")
