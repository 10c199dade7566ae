"""The budget of a run: each request that is sent counts."""

import pytest

from rulec.domain.prompt import ModelAnswer, ModelFailure, ModelRequest, ModelSettings
from rulec.llm.budget import Budget

SONNET = "claude-sonnet-5-5"


def _requests(count: int) -> list[ModelRequest]:
    made = ModelRequest(key="k", step="mine", system="", text="word " * 4_000, schema={}, most=10_000)
    return [made] * count


def _spent(**settings: object) -> Budget:
    return Budget(ModelSettings(**settings), SONNET, free=False)  # type: ignore[arg-type]  # a plain table


def test_each_request_that_was_sent_counts() -> None:
    spent = _spent()
    spent.count(ModelAnswer(data={}, model=SONNET, sent=900, received=50))
    spent.count(ModelFailure(what="the API is overloaded"))
    assert spent.told().startswith("2 requests, 900 tokens sent, 50 received")


@pytest.mark.parametrize("settings", [{"money": 0.5}, {"tokens": 60_000}, {"money": 0.001}, {}])
def test_as_many_go_at_once_as_the_budget_bears_and_not_one_more(settings: dict[str, float]) -> None:
    spent, requests = _spent(**settings), _requests(12)
    many = spent.bears(requests)
    assert many == max(1, sum(spent.fits(requests[:count]) for count in range(1, 13)))
    assert many == 12 or not spent.fits(requests[: many + 1])
