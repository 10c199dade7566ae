"""Batches: at half the price, heard in any order, and heard again by a run that comes after one that was stopped."""

import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from rulec import registry
from rulec.domain.prompt import ModelAnswer, ModelFailure, ModelReply, ModelRequest, ModelSettings
from rulec.infra import state
from tests.support.messages_replies import Reply, cut, failed, malformed, overloaded, refused, said, tool
from tests.support.messages_server import KEY, Asked, MessagesServer

MODELS = ModelSettings(backend="anthropic", seconds=20, bulk=True)


@pytest.fixture
def models(repo: Path) -> ModelSettings:
    """Settings of a run in a repository."""
    return replace(MODELS, folder=str(repo / ".rulec" / "anthropic"))


def requests(*numbers: int) -> list[ModelRequest]:
    made = {"step": "mine", "system": "Read.", "schema": {"type": "object"}}
    return [ModelRequest(key=f"{number:024x}", text=f"turn {number}", **made) for number in numbers]  # type: ignore[arg-type]  # a plain table


def asked(models: ModelSettings, *numbers: int) -> list[ModelReply]:
    return list(registry.backend("anthropic").ask(requests(*numbers), models))


def echo(got: Asked) -> Reply:
    return tool({"said": got.text}, sent=1_000_000, received=100_000)


def begun(repo: Path) -> list[str]:
    return state.state_names(repo, "batches")


def creations(messages: MessagesServer) -> int:
    return sum(call.path == "/v1/messages/batches" for call in messages.calls)


def test_all_requests_go_as_one_batch_at_half_the_price(
    messages: MessagesServer, models: ModelSettings, repo: Path
) -> None:
    messages.script = echo
    heard = asked(models, 3, 1, 2)
    answers = [one for one in heard if isinstance(one, ModelAnswer)]
    assert [one.data["said"] for one in answers] == ["turn 3", "turn 1", "turn 2"]
    assert answers[0].dollars == pytest.approx((2.0 + 1.0) / 2, rel=1e-4)
    assert creations(messages) == 1
    assert {got.batch for got in messages.asked} == {one.key for one in requests(1, 2, 3)}
    assert begun(repo) == []  # all is heard: nothing is waited for


def test_without_a_repository_a_batch_is_heard_all_the_same(messages: MessagesServer) -> None:
    messages.script = echo
    assert isinstance(asked(MODELS, 1)[0], ModelAnswer)


def test_each_request_of_a_batch_has_its_own_end(messages: MessagesServer, models: ModelSettings) -> None:
    replies = [
        tool({"a": 1}),
        refused(),
        cut(),
        said("no"),
        Reply(result="expired"),
        Reply(result="canceled"),
        overloaded(),
        failed(400, "invalid_request_error", f"prompt is too long {KEY}"),
        failed(401, "authentication_error", "invalid x-api-key"),
    ]
    messages.script = list(replies)
    heard = asked(models, *range(len(replies)))
    words = ["", "refused", "cut off", "no answer", "its day", "cancelled", "overloaded", "too long", "the key"]
    assert isinstance(heard[0], ModelAnswer)
    for one, word in list(zip(heard, words, strict=True))[1:]:
        assert isinstance(one, ModelFailure)
        assert word in one.what
        assert KEY not in repr(one)
        assert one.over == (word == "the key")


def test_a_run_after_one_that_lost_its_network_hears_its_batch_and_sends_only_what_is_new(
    messages: MessagesServer, models: ModelSettings, repo: Path
) -> None:
    messages.script = echo
    messages.batches.broken = 5 * 4  # looks, each tried four times
    one, two = asked(models, 1, 2)
    assert isinstance(one, ModelFailure)
    assert one == two
    assert (one.over, one.hint) == (True, "the batch goes on: run it again to hear it")
    assert begun(repo) == ["msgbatch_0001"]
    heard = asked(models, 1, 2, 3)
    assert [one.data["said"] for one in heard if isinstance(one, ModelAnswer)] == ["turn 1", "turn 2", "turn 3"]
    assert [got.text for got in messages.asked] == ["turn 1", "turn 2", "turn 3"]  # none of them twice
    assert begun(repo) == []


RUN = """
import sys
from rulec import registry
from rulec.domain.prompt import ModelRequest, ModelSettings
models = ModelSettings(backend="anthropic", seconds=600, bulk=bool(sys.argv[1]), folder=sys.argv[1])
request = ModelRequest(key=f"{7:024x}", step="mine", system="Read.", text="turn 7", schema={"type": "object"})
list(registry.backend("anthropic").ask([request], models))
"""


@pytest.mark.e2e
def test_ctrl_c_while_a_batch_is_waited_for_keeps_it_for_the_next_run(
    messages: MessagesServer, models: ModelSettings, repo: Path
) -> None:
    messages.script, messages.batches.polls = echo, 10_000
    with subprocess.Popen([sys.executable, "-c", RUN, models.folder], stderr=subprocess.PIPE, text=True) as run:
        assert messages.batches.seen.wait(60)
        run.send_signal(signal.SIGINT)
        _, told = run.communicate(timeout=60)
    assert told.rstrip().endswith("KeyboardInterrupt")
    assert begun(repo) == ["msgbatch_0001"]
    messages.batches.polls = 0
    (one,) = asked(models, 7)
    assert isinstance(one, ModelAnswer)
    assert creations(messages) == 1


@pytest.mark.e2e
def test_ctrl_c_while_an_answer_is_waited_for_ends_at_once(messages: MessagesServer) -> None:
    messages.script = [Reply(hang=True)]
    with subprocess.Popen([sys.executable, "-c", RUN, ""], stderr=subprocess.PIPE, text=True) as run:
        assert messages.reached.wait(60)
        run.send_signal(signal.SIGINT)
        _, told = run.communicate(timeout=60)
    assert told.rstrip().endswith("KeyboardInterrupt")


def test_where_git_keeps_nothing_a_batch_is_heard_all_the_same(messages: MessagesServer, tmp_path: Path) -> None:
    messages.script = echo
    assert isinstance(asked(replace(MODELS, folder=str(tmp_path / "none" / ".rulec" / "anthropic")), 1)[0], ModelAnswer)


def test_a_batch_that_the_api_no_longer_knows_is_sent_anew(
    messages: MessagesServer, models: ModelSettings, repo: Path
) -> None:
    messages.script = echo
    messages.batches.broken = 20
    asked(models, 1)
    messages.batches.lines.clear()
    messages.batches.looks.clear()
    (one,) = asked(models, 1)
    assert isinstance(one, ModelAnswer)
    assert creations(messages) == 2


def test_results_that_are_gone_are_told_and_the_next_run_asks_anew(
    messages: MessagesServer, models: ModelSettings, repo: Path
) -> None:
    messages.script, messages.batches.lost = echo, True
    (one,) = asked(models, 1)
    assert isinstance(one, ModelFailure)
    assert "lack this answer" in one.what
    messages.batches.lost = False
    assert isinstance(asked(models, 1)[0], ModelAnswer)


def test_an_answer_that_did_not_fit_is_asked_for_in_a_new_batch(
    messages: MessagesServer, models: ModelSettings, repo: Path
) -> None:
    messages.script = [said("Let me think."), tool({"a": 1})]
    (first,), (second,) = asked(models, 1), asked(models, 1)
    assert isinstance(first, ModelFailure)
    assert first.misfit
    assert isinstance(second, ModelAnswer)


def test_a_batch_of_another_model_or_address_answers_nothing(
    messages: MessagesServer, models: ModelSettings, repo: Path
) -> None:
    messages.script = echo
    messages.batches.broken = 20
    asked(models, 1)
    asked(replace(models, model="claude-opus-5-5"), 1)
    assert [got.body["model"] for got in messages.asked] == ["claude-sonnet-5-5", "claude-opus-5-5"]


def test_a_damaged_note_of_a_batch_counts_as_none(messages: MessagesServer, models: ModelSettings, repo: Path) -> None:
    messages.script = echo
    for number, kept in enumerate(("{", "[]", '{"of": 7}', '{"keys": "x"}', "null")):
        state.write_state_text(repo, f"batches/b{number}", kept)
    assert isinstance(asked(models, 1)[0], ModelAnswer)


def test_a_batch_that_cannot_be_begun_is_one_trouble_for_all(messages: MessagesServer, models: ModelSettings) -> None:
    messages.refuse = failed(401, "authentication_error", "invalid x-api-key")
    heard = asked(models, 1, 2)
    assert all(isinstance(one, ModelFailure) and one.over and "the key" in one.what for one in heard)


@pytest.mark.parametrize("answer", [b"{", b"[]", b'{"id": "../../etc"}', b"{}"])
def test_an_answer_that_is_no_batch_is_waited_for_by_nobody(
    messages: MessagesServer, models: ModelSettings, repo: Path, answer: bytes
) -> None:
    messages.refuse = malformed(answer)
    (one,) = asked(models, 1)
    assert isinstance(one, ModelFailure)
    assert one.over
    assert begun(repo) == []


def test_a_person_who_waits_for_a_judge_is_not_made_to_wait_a_day(
    messages: MessagesServer, models: ModelSettings
) -> None:
    messages.script = echo
    (one,) = registry.backend("anthropic").ask([replace(requests(1)[0], step="judge")], models)
    assert isinstance(one, ModelAnswer)
    assert creations(messages) == 0
