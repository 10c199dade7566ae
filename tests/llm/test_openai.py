"""A server that speaks OpenAI's chat completions: what it is sent, what its answers mean, and what that costs."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from rulec import registry
from rulec.domain.prompt import ModelAnswer, ModelFailure, ModelReply, ModelRequest, ModelSettings
from tests.support.completions_server import KEY, Completion, CompletionsServer
from tests.support.talks import prompt, talk

SCHEMA = {"type": "object", "required": ["wishes"]}
REQUEST = ModelRequest(key="k", step="mine", system="Read with care.", text="Use pnpm.", schema=SCHEMA, most=3_000)
FAR = "https://models.example.com/v1"


def ask(url: str, many: int = 1, **models: object) -> list[ModelReply]:
    settings = ModelSettings(**{"backend": "openai", "base_url": url, "seconds": 20.0, **models})  # type: ignore[arg-type]  # its own fields
    return list(registry.backend("openai").ask([REQUEST] * many, settings))


def test_a_model_on_this_machine_answers_without_a_key_and_for_nothing(completions: CompletionsServer) -> None:
    completions.script = [{"wishes": []}]
    (heard,) = ask(completions.url)
    assert heard == ModelAnswer(data={"wishes": []}, model="qwen3:8b", sent=120, received=30, dollars=0.0)
    (body,) = completions.asked
    assert body["response_format"]["json_schema"]["schema"] == SCHEMA
    assert [one["role"] for one in body["messages"]] == ["system", "user"]
    assert "Read with care." in body["messages"][0]["content"]
    assert '"required": ["wishes"]' in body["messages"][0]["content"]
    assert body["messages"][1]["content"] == "Use pnpm."
    assert body["max_tokens"] == 11_000


def test_where_a_schema_is_refused_words_say_the_form_and_it_is_tried_once(completions: CompletionsServer) -> None:
    refused = Completion(status=400, words="response_format.type json_schema is not supported")
    completions.script = lambda body: (
        refused if "response_format" in body else Completion(text='```\n{"wishes": []}\n```')
    )
    heard = ask(completions.url, many=3)
    assert [one.data for one in heard if isinstance(one, ModelAnswer)] == [{"wishes": []}] * 3
    assert ["response_format" in body for body in completions.asked] == [True, False, False, False]


ANSWERS = {
    "with its thoughts before it": Completion(text='<think>\nperhaps {"a": 1}\n</think>\n\n{"wishes": []}'),
    "in a fence": Completion(text='Here it is:\n```json\n{"wishes": []}\n```'),
    "without a count of tokens": Completion(text='{"wishes": []}', usage=False),
}


@pytest.mark.parametrize("one", ANSWERS.values(), ids=ANSWERS)
def test_an_answer_is_found_whatever_stands_around_it(completions: CompletionsServer, one: Completion) -> None:
    completions.script = [one]
    (heard,) = ask(completions.url)
    assert isinstance(heard, ModelAnswer)
    assert heard.data == {"wishes": []}
    assert min(heard.sent, heard.received) > 0


AGAIN = 3  # tries of the SDK
FAULTS: dict[str, tuple[Completion, str, str]] = {  # reply -> told, and what that means for other requests
    "no key": (Completion(status=401, words=f"no such key {KEY}"), "does not take the key in OPENAI", "over"),
    "no model": (Completion(status=404, words="model 'x' not found"), "knows no such model or address: model", "over"),
    "a limit": (Completion(status=429, words="slow down"), "has no requests or tokens left for us: slow", "over"),
    "not loaded": (Completion(status=503, words="loading"), "is not ready: loading", "over"),
    "broken": (Completion(status=500, words="boom"), "is broken (500): boom", ""),
    "elsewhere": (Completion(status=307, headers={"location": FAR}), "answers from elsewhere", "over"),
    "too long": (Completion(status=400, words="prompt is too long: 9 tokens"), "refuses the request: prompt", "theirs"),
    "a page": (Completion(raw=b"<html>"), "answered with something that is not JSON", ""),
    "another object": (Completion(raw=b'{"a": 1}'), "answered with something that is not a completion", ""),
}  # fmt: skip


@pytest.mark.parametrize(("reply", "what", "means"), FAULTS.values(), ids=FAULTS)
def test_every_fault_is_a_line_without_keys(
    completions: CompletionsServer,
    monkeypatch: pytest.MonkeyPatch,
    reply: Completion,
    what: str,
    means: str,
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    completions.script = [reply] * 2 * AGAIN
    (heard,) = ask(completions.url)
    assert isinstance(heard, ModelFailure)
    assert heard.what.startswith(f"the server {what}")
    assert (heard.over, heard.theirs) == (means == "over", means == "theirs")
    assert KEY not in heard.line
    assert "\n" not in heard.line


TROUBLES = {
    "a refusal": (Completion(refusal="I won't"), "qwen3:8b refused to answer", False),
    "a filter": (Completion(finish="content_filter"), "qwen3:8b refused to answer", False),
    "cut off": (Completion(text='{"wi', finish="length"), "qwen3:8b was cut off", False),
    "words": (Completion(text="I would rather not."), "qwen3:8b gave no answer of the form", True),
}


@pytest.mark.parametrize(("reply", "what", "misfit"), TROUBLES.values(), ids=TROUBLES)
def test_what_a_model_does_instead_of_answering(
    completions: CompletionsServer, reply: Completion, what: str, misfit: bool
) -> None:
    completions.script = [reply]
    (heard,) = ask(completions.url)
    assert isinstance(heard, ModelFailure)
    assert heard.what.startswith(what)
    assert (heard.misfit, heard.theirs, heard.sent) == (misfit, True, 120)


def test_a_server_that_takes_too_long_is_left(completions: CompletionsServer) -> None:
    completions.script = lambda _: Completion(hang=True)
    (heard,) = ask(completions.url, seconds=1.0, model="m")
    assert isinstance(heard, ModelFailure)
    assert (heard.what, heard.over) == ("the server took more than 1 seconds", False)


def test_where_nothing_listens_it_says_so() -> None:
    (heard,) = ask("http://127.0.0.1:9/v1", model="m")
    assert isinstance(heard, ModelFailure)
    assert (heard.what, heard.over) == ("the server cannot be reached at 127.0.0.1", True)


@pytest.mark.parametrize(("models", "what"), [(["a", "b"], "the server has a, b"), ([], "the server lists none")])
def test_of_several_models_none_is_chosen(completions: CompletionsServer, models: list[str], what: str) -> None:
    completions.models = models
    (heard,) = ask(completions.url)
    assert heard == ModelFailure(what=f"no model is named: {what}", hint="name one: models.model", over=True)
    assert not completions.asked


def test_a_key_is_needed_away_from_home_and_the_settings_say_whether_it_costs(monkeypatch: pytest.MonkeyPatch) -> None:
    backend = registry.backend("openai")
    for url, home in (
        ("", False),
        (FAR, False),
        ("http://localhost:11434/v1", True),
        ("http://127.0.0.1:8080/v1", True),
    ):
        models = ModelSettings(base_url=url)
        assert (backend.at_home(models), not backend.missing(models)) == (home, home)
        assert backend.elsewhere(models) == url
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    assert not backend.missing(ModelSettings(base_url=FAR))
    monkeypatch.setenv("OPENAI_API_KEY", "a key")
    assert "holds characters that no key has" in backend.missing(ModelSettings(base_url=FAR))


def test_an_address_in_the_environment_is_asked_and_a_key_goes_there(
    completions: CompletionsServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", completions.url)
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    completions.script = [{"wishes": []}]
    assert isinstance(ask("")[0], ModelAnswer)
    assert completions.headers[0]["authorization"] == f"Bearer {KEY}"


def test_a_talk_with_a_model_on_this_machine_takes_no_budget(
    completions: CompletionsServer, monkeypatch: pytest.MonkeyPatch, repo: Path
) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", completions.url)
    completions.script = lambda _: {"wishes": []}
    told: list[str] = []
    run = talk(repo, told, "openai", money=0.0, tokens=1)
    (heard,) = run.ask([prompt("fine")])
    assert isinstance(heard, ModelAnswer)
    assert "$" not in run.spent() + " ".join(told)


def test_the_sdk_is_imported_only_when_it_is_asked() -> None:
    asked = "from rulec import registry; registry.backend('openai').missing; import sys; print(*sys.modules)"
    told = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True).stdout.split()
    assert "openai" not in told
    assert json.dumps(told).count("httpx") == 0
