"""The anthropic backend through the real SDK over real HTTP: what is sent, what is heard, and every fault."""

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple, get_args

import pytest
from anthropic.types import Model

from rulec import registry
from rulec.domain.prompt import ModelAnswer, ModelFailure, ModelReply, ModelRequest, ModelSettings
from rulec.llm.budget import PRICES
from tests.support.messages_replies import (
    SOON,
    Reply,
    broken,
    cut,
    failed,
    limited,
    malformed,
    overloaded,
    refused,
    said,
    slow,
    thought,
    tool,
)
from tests.support.messages_server import KEY, Asked, MessagesServer

SCHEMA = {"type": "object", "properties": {"wishes": {"type": "array"}}, "required": ["wishes"]}
RIGHT = {"wishes": [{"turn": 1, "quote": "use pnpm"}]}
MODELS = ModelSettings(backend="anthropic", seconds=20)
QUICK = replace(MODELS, seconds=0.9)  # too short for the SDK to wait and try again


def request(number: int = 1, **more: Any) -> ModelRequest:
    values = {"step": "mine", "system": "Read what people wish.", "text": f"mark\nturn {number}", "schema": SCHEMA}
    return ModelRequest(key=f"{number:024x}", **(values | more))


def asked(models: ModelSettings = MODELS, count: int = 1, **more: Any) -> list[ModelReply]:
    return list(registry.backend("anthropic").ask([request(n + 1, **more) for n in range(count)], models))


def trouble(models: ModelSettings = MODELS) -> ModelFailure:
    (one,) = asked(models)
    assert isinstance(one, ModelFailure)
    return one


def test_an_answer_is_the_input_of_the_tool_whose_schema_was_asked_for(messages: MessagesServer) -> None:
    messages.script = [tool(RIGHT, sent=900, received=50)]
    (one,) = asked()
    assert isinstance(one, ModelAnswer)
    assert (one.data, one.model, one.sent, one.received) == (RIGHT, "claude-sonnet-5-5", 900, 50)
    got = messages.asked[0]
    assert got.schema == SCHEMA
    assert got.text == "mark\nturn 1"
    assert got.system.startswith("Read what people wish.")
    assert got.body["system"][0]["cache_control"] == {"type": "ephemeral"}
    assert got.body["tool_choice"]["type"] == "auto"  # the newest models refuse to be made to use a tool


def test_what_a_model_thinks_is_not_taken_from_the_room_of_its_answer(messages: MessagesServer) -> None:
    messages.script = lambda _: RIGHT
    asked(most=1_000)
    asked(replace(MODELS, model="claude-haiku-4-5"), most=1_000)
    new, old = (got.body for got in messages.asked)
    assert new["max_tokens"] == 1_000 + registry.backend("anthropic").beyond("claude-sonnet-5-5")
    assert (old["max_tokens"], "output_config" in old) == (1_000, False)  # it thinks not, and knows no effort


HEARD = {
    "a tool use alone": tool(RIGHT),
    "thoughts and words before it": thought(RIGHT),
    "the object in words": said('Here it is:\n```json\n{"wishes": [{"turn": 1, "quote": "use pnpm"}]}\n```'),
    "an answer that is too slow for a hurry but not for us": slow(RIGHT, pause=0.001),
    "a wrong schema, which commands judge": tool({"verdicts": []}),
    "an answer for another turn, which commands judge": tool({"wishes": [{"turn": 99}]}),
    "an over-long answer, which commands judge": tool({"wishes": ["x" * 60_000]}),
}


@pytest.mark.parametrize("reply", HEARD.values(), ids=HEARD)
def test_what_fits_no_schema_is_handed_on_and_judged_elsewhere(messages: MessagesServer, reply: Reply) -> None:
    messages.script = [reply]
    (one,) = asked()
    assert isinstance(one, ModelAnswer)
    block = messages.replies[0].content[-1]
    assert one.data == block.get("input", RIGHT)


def test_a_list_that_a_model_wrote_as_text_is_that_list(messages: MessagesServer) -> None:
    messages.script = [tool({"wishes": json.dumps(RIGHT["wishes"]), "more": "[1]"}), tool({"wishes": "none ["})]
    first, second = (asked()[0] for _ in range(2))
    assert isinstance(first, ModelAnswer)
    assert isinstance(second, ModelAnswer)
    assert first.data == {**RIGHT, "more": "[1]"}  # the schema says nothing of it
    assert second.data == {"wishes": "none ["}


AFTER = {"a limit": limited(), "an overload": overloaded(), "a fault of the API": broken()}


@pytest.mark.parametrize("first", AFTER.values(), ids=AFTER)
def test_what_passes_is_asked_again_and_heard(messages: MessagesServer, first: Reply) -> None:
    messages.script = [first, first, tool(RIGHT)]
    (one,) = asked()
    assert isinstance(one, ModelAnswer)
    assert len(messages.asked) == 3


def test_a_connection_that_is_reset_is_made_again(messages: MessagesServer) -> None:
    messages.script = [Reply(reset=True), tool(RIGHT)]
    assert isinstance(asked()[0], ModelAnswer)


class Fault(NamedTuple):
    """What the API does, and what people are told of it."""

    reply: Reply
    words: str
    over: bool = False  # all else is in vain
    misfit: bool = False  # asking once more may help
    tries: int = 1  # HTTP requests


def bad(status: int, kind: str, words: str, told: str = "", *, over: bool = False) -> Fault:
    return Fault(failed(status, kind, words), told or words, over)


INVALID, LIMIT = "invalid_request_error", "no requests or tokens left"
FAULTS: Mapping[str, Fault] = {
    "refusal": Fault(refused(), "refused to answer"),
    "truncation": Fault(
        cut({"wishes": []}), "was cut off: its answer is longer than the 16,000 tokens that it may take"
    ),
    "malformed JSON": Fault(malformed(), "not JSON", misfit=True),
    "JSON that is no message": Fault(malformed(b"[1, 2]"), "not a message", misfit=True),
    "another shape": Fault(malformed(b'{"content": [7, {"type": "tool_use"}]}'), "no answer", misfit=True),
    "words alone": Fault(said("I would rather talk about it."), "no answer of the form", misfit=True),
    "a tool that is not there": Fault(tool(RIGHT, name="bash"), "no answer of the form", misfit=True),
    "an input that is no object": Fault(tool(["wishes"]), "no answer of the form", misfit=True),
    "an endless answer": Fault(tool({"wishes": ["x" * 5_000_000]}), "larger than any"),
    "a limit that stays": Fault(limited(), LIMIT, over=True, tries=3),
    "a limit for an hour": Fault(limited(retry_after="3600"), LIMIT, over=True),
    "a limit until a day": Fault(limited(retry_after="Fri, 01 Jan 2100 00:00:00 GMT"), LIMIT, over=True),
    "an overload that stays": Fault(overloaded(), "overloaded", over=True, tries=3),
    "a fault of the API that stays": Fault(broken(), "broken (500)", tries=3),
    "an error in another form": Fault(Reply(status=500, raw=b"<html>", headers=SOON), "broken (500)", tries=3),
    "a bad request": bad(400, INVALID, "prompt is too long"),
    "no credit": bad(400, INVALID, "Your credit balance is too low", "no credit left", over=True),
    "a wrong key": bad(401, "authentication_error", "invalid x-api-key", "does not take the key", over=True),
    "no leave": bad(403, "permission_error", "not for you", "does not let this key", over=True),
    "no such model": bad(404, "not_found_error", "model: claude-x", "no such model", over=True),
    "too large": bad(413, "request_too_large", "too large"),
    "elsewhere": Fault(Reply(status=307, headers={"location": "http://127.0.0.1:9/"}), "not followed", over=True),
}


NO_CURE = ("the API refuses the request", "the API finds the request too large", "the API's answer is larger")


@pytest.mark.parametrize("fault", FAULTS.values(), ids=FAULTS)
def test_every_fault_ends_in_one_clear_line(messages: MessagesServer, fault: Fault) -> None:
    messages.script = lambda _: fault.reply
    one = trouble()
    assert fault.words in one.what
    assert (one.over, one.misfit) == (fault.over, fault.misfit)
    assert len(messages.asked) == fault.tries
    assert one.hint or one.what.startswith(NO_CURE)
    assert "\n" not in one.what + one.hint
    assert KEY not in repr(one)


LONG = slow({"wishes": ["x" * 4_000]}, pause=0.02)
HANGS = {
    "silence": Reply(hang=True),
    "a few bytes at a time": LONG,
    "headers a few bytes at a time": replace(LONG, early=True, headers={"x-long": "x" * 4_000}),
}


@pytest.mark.parametrize("reply", HANGS.values(), ids=HANGS)
def test_no_answer_outlasts_its_time_however_it_comes(messages: MessagesServer, reply: Reply) -> None:
    messages.script = lambda _: reply
    one = trouble(QUICK)
    assert one.what == "the API took more than 0.9 seconds"
    assert one.hint == "raise models.seconds"
    assert not one.over
    assert one.sent == request().tokens  # it may have to be paid


def test_a_connection_that_is_always_reset_ends_within_its_time(messages: MessagesServer) -> None:
    messages.script = lambda _: Reply(reset=True)
    one = trouble(QUICK)
    assert (one.what, one.over) == ("the connection to the API broke off", False)


def test_where_nobody_listens_all_else_is_in_vain(messages: MessagesServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_BASE_URL", "http://person:secret-word-9@127.0.0.1:9/")
    one = trouble(QUICK)
    assert (one.what, one.over) == ("the API cannot be reached at 127.0.0.1", True)
    assert "secret-word-9" not in repr(one)


@pytest.mark.parametrize("proxy", ["http://person:secret-word-9@127.0.0.1:9", "gopher://person:secret-word-9@h"])
def test_a_proxy_that_is_not_there_is_told_without_its_password(
    messages: MessagesServer, monkeypatch: pytest.MonkeyPatch, proxy: str
) -> None:
    monkeypatch.setenv("no_proxy", "")
    monkeypatch.setenv("http_proxy", proxy)
    one = trouble(QUICK)
    assert one.over
    assert "secret-word-9" not in repr(one)


def test_four_requests_go_beside_each_other_and_are_answered_in_their_order(messages: MessagesServer) -> None:
    messages.script = lambda got: slow({"said": got.text[-1]}, pause=0.001 if got.text.endswith("1") else 0)
    heard = asked(count=6)
    assert [one.data["said"] for one in heard if isinstance(one, ModelAnswer)] == list("123456")


@pytest.mark.parametrize("name", [KEY, "x\ny", "", 7, None, "gpt"])
def test_a_name_that_no_model_of_theirs_has_is_not_told(messages: MessagesServer, name: Any) -> None:
    body = {"content": [{"type": "text", "text": "no"}], "model": name}
    messages.script = [malformed(json.dumps(body).encode())]
    assert trouble().what == "claude-sonnet-5-5 gave no answer of the form that was asked for"


def test_one_fault_among_answers_takes_no_other_with_it(messages: MessagesServer) -> None:
    messages.script = lambda got: refused() if got.text.endswith("2") else tool(RIGHT)
    assert [type(one).__name__ for one in asked(count=3)] == ["ModelAnswer", "ModelFailure", "ModelAnswer"]


def test_instructions_that_stay_the_same_are_paid_for_once_and_then_read_from_the_cache(
    messages: MessagesServer,
) -> None:
    messages.script = lambda _: tool(RIGHT, received=10)
    first, second = (asked(system="Read. " * 2_000)[0] for _ in range(2))
    assert isinstance(first, ModelAnswer)
    assert isinstance(second, ModelAnswer)
    assert first.sent == second.sent == messages.asked[0].tokens  # all that is sent counts, wherever it is read
    assert first.dollars is not None
    assert second.dollars is not None
    assert second.dollars < first.dollars / 5


def test_a_refusal_and_a_cut_answer_are_paid_for(messages: MessagesServer) -> None:
    messages.script = [replace(cut(), sent=700, received=8_000)]
    one = trouble()
    assert (one.sent, one.received) == (700, 8_000)
    assert one.dollars == pytest.approx(0.0817, abs=0.001)


@pytest.mark.parametrize("usage", [None, 7, {}, {"input_tokens": "many", "output_tokens": None}])
def test_where_the_api_counts_nothing_we_do(messages: MessagesServer, usage: Any) -> None:
    body = {"content": [{"type": "tool_use", "name": "answer", "input": RIGHT}], "usage": usage}
    messages.script = [malformed(json.dumps(body).encode())]
    (one,) = asked()
    assert isinstance(one, ModelAnswer)
    assert one.sent == request().tokens
    assert one.received > 20


def test_the_persons_settings_name_the_address_and_the_model(
    messages: MessagesServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ANTHROPIC_BASE_URL", "http://127.0.0.1:9")
    messages.script = [tool(RIGHT)]
    (one,) = asked(replace(MODELS, base_url=messages.url, model="claude-opus-5-5"))
    assert isinstance(one, ModelAnswer)
    assert messages.asked[0].body["model"] == "claude-opus-5-5"


LACKS = {
    "no key": ("", "ANTHROPIC_API_KEY is not set"),
    "blanks alone": ("  \n", "ANTHROPIC_API_KEY is not set"),
    "a key with a line end in it": (f"{KEY}\r\nX-More: 1", "holds characters that no key has"),
    "a key with signs of another alphabet": (f"{KEY}é", "holds characters that no key has"),
}


@pytest.mark.parametrize(("key", "words"), LACKS.values(), ids=LACKS)
def test_what_lacks_is_said_before_anything_is_sent(
    messages: MessagesServer, monkeypatch: pytest.MonkeyPatch, key: str, words: str
) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", key)
    assert words in registry.backend("anthropic").missing(MODELS)
    one = trouble()
    assert words in one.what
    assert one.over
    assert KEY not in one.what
    assert not messages.calls


def test_a_key_with_a_line_end_after_it_is_that_key(messages: MessagesServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", f"{KEY}\n")
    messages.script = [tool(RIGHT)]
    assert isinstance(asked()[0], ModelAnswer)
    assert KEY in repr(messages.asked[0].headers)


def test_the_words_of_the_api_are_shown_short_on_one_line_and_without_the_key(
    messages: MessagesServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "a-gateways-own-kind-of-key")
    words = "bad \x1b[31m\r\n key a-gateways-own-kind-of-key and " + KEY + " " + "x" * 1_000_000
    messages.script = [failed(400, "invalid_request_error", words)]
    one = trouble()
    assert one.what.startswith("the API refuses the request: bad \\u001b[31m key [redacted:key] and [redacted:")
    assert len(one.what) < 260


def test_the_server_itself_counts_what_it_was_sent(messages: MessagesServer) -> None:
    messages.script = lambda _: RIGHT
    asked(count=5)
    assert len(messages.asked) == len(messages.calls) == 5
    assert messages.tokens == sum(Asked(got.body, {}).tokens for got in messages.asked)


ALONE = """
import sys
from rulec import registry
from rulec.domain.prompt import ModelRequest, ModelSettings
models = ModelSettings(backend="anthropic")
request = ModelRequest(key="k", step="mine", system="Read.", text="turn", schema={"type": "object"})
print(registry.backend("anthropic").ask([request], models).__next__())
"""
SDKS = {
    "none": (["-S"], "", "the anthropic SDK is not installed: pip install anthropic"),
    "a damaged one": ([], "raise ImportError('no httpx2')", "the anthropic SDK cannot be used: ImportError"),
    "an old one": ([], "class DefaultHttpxClient: ...", "the anthropic SDK cannot be used: AttributeError"),
}


@pytest.mark.parametrize(("flags", "sdk", "words"), SDKS.values(), ids=SDKS)
def test_without_the_sdk_it_is_said_how_to_get_it(
    messages: MessagesServer, tmp_path: Path, flags: list[str], sdk: str, words: str
) -> None:
    if sdk:
        (tmp_path / "anthropic.py").write_text(f"{sdk}\n")
    path = os.pathsep.join([str(tmp_path), str(Path(__file__).resolve().parents[2])])
    argv = [sys.executable, *flags, "-c", ALONE]
    environment = {**os.environ, "PYTHONPATH": path}
    done = subprocess.run(argv, env=environment, capture_output=True, text=True, check=False)
    assert words in done.stdout, done.stderr
    assert "over=True" in done.stdout


def test_the_model_that_is_asked_is_one_that_the_sdk_names_and_that_has_a_price() -> None:
    named = {name for part in get_args(Model) for name in get_args(part)}
    assert registry.backend("anthropic").model in named & set(PRICES)
