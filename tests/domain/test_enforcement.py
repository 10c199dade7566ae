"""The order of what a finding does: one table, from which types, choices, comparisons and words follow."""

import ast
from pathlib import Path
from typing import get_args

import pytest

from rulec.domain import enforcement
from rulec.domain.enforcement import (
    ENFORCEMENTS,
    MODES,
    PINS,
    SEVERITIES,
    SHOWN,
    at_most,
    in_words,
    is_shown,
    refuses,
    strictness,
)


def test_modes_are_ordered_from_the_loosest() -> None:
    assert [strictness(mode) for mode in ("pass", *ENFORCEMENTS)] == [-1, 0, 1, 2]
    assert [at_most(mode, "warn") for mode in ENFORCEMENTS] == ["audit", "warn", "warn"]
    assert at_most("audit", "no mode") == "audit"
    assert [in_words(mode) for mode in ("pass", *ENFORCEMENTS)] == ["reminds", "audits", "warns", "blocks"]


def test_only_a_mode_refuses_or_is_shown() -> None:
    assert [mode for mode in (*ENFORCEMENTS, "old", None, [], 1) if refuses(mode)] == ["block"]
    assert [mode for mode in (*ENFORCEMENTS, "excepted", None, {}, 1) if is_shown(mode)] == ["warn", "block"]


def test_every_mode_has_words_and_a_level_of_its_own() -> None:
    for words in ("level", "does", "did", "heading"):
        assert len({getattr(mode, words) for mode in MODES.values()}) == len(MODES), words


@pytest.mark.parametrize(
    ("name", "values"),
    [("Severity", SEVERITIES), ("Enforcement", ENFORCEMENTS), ("PinnedEnforcement", PINS), ("OnError", SHOWN)],
)
def test_what_the_type_checker_sees_is_what_the_table_says(name: str, values: tuple[str, ...]) -> None:
    assert get_args(getattr(enforcement, name)) == values
    tree = ast.parse(Path(enforcement.__file__).read_text())
    typed = {
        node.targets[0].id: node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name)
    }
    literal = typed[name]
    assert isinstance(literal, ast.Subscript)
    parts = literal.slice.elts if isinstance(literal.slice, ast.Tuple) else [literal.slice]
    said = [value for part in parts for value in ([part.value] if isinstance(part, ast.Constant) else ENFORCEMENTS)]
    assert tuple(said) == values
