"""How long a search may take is told by the loops that can share a text."""

import pytest

from rulec.domain.patterns.search_time import search_exponent

GROWTH = {
    "a": 1,
    "a+": 1,
    "a+$": 2,  # each start of a run reads the rest of it
    r"\bfoo\b": 1,
    "foo.*": 1,  # who comes to the loop has found it
    "foo.*bar": 2,
    "foo.*bar.*": 2,
    "foo.*bar.*baz": 3,
    ".*a.*b.*c": 4,
    "^a.*b": 1,
    "^.*a.*b": 2,  # twice within the line that begins there
    r"\w+\s*\(": 2,  # a blank is no letter, so each cut is given
    r"\w+.*\(": 3,
    r"\s*=\s*x": 2,
    r"x\s+\s+y": 2,  # the start is fixed by the x
    r"(?:\w+\.)*\w+\(": 2,
    "[a-z]+[0-9]+[a-z]+x": 2,
    "a.{0,30}b.{0,30}c": 1,  # few enough to count as none
    "a.{0,100}b.{0,100}c": 3,
    "a.{0,30}b.{0,30}c.{0,30}d.{0,30}e": 5,  # each multiplies the others
    "a.{0,8}b.{0,8}c.{0,8}d": 1,
    "(?!.*foo)bar": 2,
    "^(?!.*foo)bar": 1,
    "foo(?=.*bar)": 2,
    "foo.*(?=x.*y)": 3,
    r"(?:(?!end)[\s\S])*end": 2,  # the loop ends where the end is, and nowhere else
    r"\A(?:(?:(?!end)[\s\S])*end){3}": 1,
    r"\A(?:[\s\S]*end){3}": 3,
    r"(?m)^\s*$": 2,
    r"(?<=x)a*b": 2,
    "(?:a|b)*c": 2,
    "(?:a*|b)c": 2,
}


@pytest.mark.parametrize("pattern", GROWTH)
def test_the_exponent_counts_the_loops_that_share_a_text(pattern: str) -> None:
    assert search_exponent(pattern) == GROWTH[pattern]


def test_a_try_at_one_place_does_not_count_its_start() -> None:
    assert (search_exponent("foo.*bar"), search_exponent("foo.*bar", search=False)) == (2, 1)


def test_within_a_line_no_class_of_signs_leads_over_its_end() -> None:
    assert (search_exponent(r"^\W*a"), search_exponent(r"^\W*a", lines=True)) == (2, 1)


def test_a_long_list_of_words_is_judged() -> None:
    words = "|".join(f"word{number}(?:s|ed|ing)?" for number in range(300))
    assert search_exponent(rf"\b(?:{words})\b") == 1
