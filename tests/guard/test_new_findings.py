"""Which findings are new, counted as the commit's gate and the end of a turn count them."""

import pytest

from rulec.guard.forbidden_text import new_among

ROWS = [  # doubted, now, before, the positions of the new ones
    ("a", "a", "", {0}),
    ("a", "a", "a", set()),
    ("aa", "aa", "a", {1}),
    ("a", "aa", "a", {0}),  # the other one stands where it stood
    ("ab", "ab", "bb", {0}),
    ("aba", "aba", "", {0, 1, 2}),
]


@pytest.mark.parametrize(("doubted", "now", "before", "new"), ROWS)
def test_of_several_alike_as_many_are_new_as_there_are_more(doubted, now, before, new):
    assert new_among(list(doubted), now, before) == new
