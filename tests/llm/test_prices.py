"""The list of prices: models by all their names, the cache, long prompts."""

import pytest

from rulec.llm.budget import PRICES, cost_of, price_of

NAMES = {
    "claude-sonnet-5-5": "claude-sonnet-5-5",
    "claude-haiku-4-5-20251001": "claude-haiku-4-5",
    "claude-opus-4-20250514": "claude-opus-4",
    "us.anthropic.claude-opus-4-1-20250805-v1:0": "claude-opus-4-1",
    "claude-opus-4@20250514": "claude-opus-4",
    "anthropic/claude-sonnet-5": "claude-sonnet-5",
    "claude-sonnet-5-5[1m]": "claude-sonnet-5-5",
}


@pytest.mark.parametrize(("name", "known"), NAMES.items())
def test_a_model_costs_the_same_by_all_its_names(name: str, known: str) -> None:
    assert price_of(name) is PRICES[known]


@pytest.mark.parametrize("name", ["", "gpt-7", "claude", "claude-opus-9", "claude-sonnet-5-5-next", "x" * 10_000])
def test_a_model_that_nobody_knows_is_as_dear_as_the_dearest(name: str) -> None:
    assert all(cost_of(name, 1_000, 1_000) >= cost_of(known, 1_000, 1_000) for known in PRICES)


SUMS = {
    "what is sent and received": (cost_of("claude-sonnet-5-5", 1_000_000, 100_000), 3.0),
    "what is read from the cache": (cost_of("claude-sonnet-5-5", 1_000_000, 0, read=1_000_000), 0.1),
    "what is written into it": (cost_of("claude-sonnet-5-5", 1_000_000, 0, written=1_000_000), 2.5),
    "some of each": (cost_of("claude-opus-5-5", 1_000_000, 0, read=500_000, written=250_000), 1.0 + 0.1 + 1.25),
    "a short prompt": (cost_of("claude-haiku-5-5", 100_000, 1_000_000), 0.51),
    "a long one": (cost_of("claude-haiku-5-5", 200_000, 1_000_000), 2.6),
    "nothing": (cost_of("claude-sonnet-5-5", 0, 0), 0.0),
}


@pytest.mark.parametrize(("dollars", "right"), SUMS.values(), ids=SUMS)
def test_a_sum_is_what_the_list_says(dollars: float, right: float) -> None:
    assert dollars == pytest.approx(right)
