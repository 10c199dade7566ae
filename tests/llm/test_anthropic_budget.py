"""The budget of a run, counted by what the API says, and kept over what is done."""

from pathlib import Path

from rulec.domain.prompt import ModelAnswer, ModelFailure
from tests.support.messages_replies import Reply, cut, said, tool
from tests.support.messages_server import MessagesServer
from tests.support.talks import prompt, talk

WISHES = {"wishes": ["pnpm"]}
MANY = [prompt(f"turn {number}") for number in range(10)]


def test_a_budget_of_tokens_stops_the_run_and_what_is_done_is_kept(messages: MessagesServer, repo: Path) -> None:
    messages.script = lambda _: tool(WISHES, sent=10_000, received=1_000)
    run = talk(repo, None, "anthropic", tokens=60_000)
    heard = run.ask(MANY)
    done = [one for one in heard if isinstance(one, ModelAnswer)]
    rest = [one for one in heard if isinstance(one, ModelFailure)]
    assert 3 <= len(done) <= 5
    assert all(one.over and "the budget of this run is reached" in one.what for one in rest)
    assert len(messages.asked) == len(done)
    again = talk(repo, None, "anthropic")
    assert all(isinstance(one, ModelAnswer) for one in again.ask(MANY))
    assert len(messages.asked) == len(MANY)  # nothing was asked twice


def test_a_budget_of_money_is_never_passed_even_where_the_answers_are_as_long_as_they_may_be(
    messages: MessagesServer, repo: Path
) -> None:
    most = MANY[0].most + 8_000
    messages.script = lambda _: tool(WISHES, sent=1_000, received=most)
    run = talk(repo, None, "anthropic", money=0.3)
    heard = run.ask(MANY)
    spent = sum(one.dollars or 0 for one in heard if isinstance(one, ModelAnswer))
    assert 0 < spent <= 0.3
    assert len(messages.asked) == 3
    assert f"about ${spent:.2f}" in run.spent()


def test_answers_that_are_of_no_use_are_paid_for(messages: MessagesServer, repo: Path) -> None:
    messages.script = [cut({"wishes": []}), said("no"), tool({"wishes": [1]})]
    run = talk(repo, None, "anthropic")
    heard = [run.ask([prompt(text)])[0] for text in ("one", "two")]
    assert all(isinstance(one, ModelFailure) for one in heard)
    assert run.spent().startswith("asked anthropic claude-sonnet-5-5: 3 requests, ")


def test_a_dear_model_that_nobody_knows_is_refused_before_it_is_asked(messages: MessagesServer, repo: Path) -> None:
    messages.script = lambda _: Reply(reset=True)
    (heard,) = talk(repo, None, "anthropic", model="dear", money=0.01).ask([prompt("one")])
    assert isinstance(heard, ModelFailure)
    assert heard.over
    assert not messages.calls


def test_a_second_run_with_nothing_new_sends_nothing(messages: MessagesServer, repo: Path) -> None:
    messages.script = lambda _: WISHES
    talk(repo, None, "anthropic").ask(MANY)
    calls = len(messages.calls)
    run = talk(repo, None, "anthropic")
    run.ask(MANY)
    assert len(messages.calls) == calls
    assert run.spent() == "asked anthropic claude-sonnet-5-5: 10 answered before"


def test_what_is_announced_is_never_what_the_budget_then_refuses(messages: MessagesServer, repo: Path) -> None:
    messages.script = lambda _: tool(WISHES, sent=1_000, received=10)
    told: list[str] = []
    (heard,) = talk(repo, told, "anthropic", money=0.01).ask(MANY[:1])
    assert isinstance(heard, ModelFailure)
    assert told == []
    talk(repo, told, "anthropic", money=0.3).ask(MANY)
    assert "asking anthropic claude-sonnet-5-5: up to 10 requests, " in told[0]
    assert "at most $0.30 (models.money: 0.3)" in told[0]
    talk(repo, told, "anthropic", money=9).ask([prompt("another turn")])
    assert "asking anthropic claude-sonnet-5-5: 1 request, " in told[-1]
