"""openai: any server that speaks OpenAI's chat completions: its own, or Ollama, llama.cpp and vLLM on this machine.

The address is `models.base_url` of the person's own settings or OPENAI_BASE_URL; a server on this machine needs no key
and costs nothing.
"""

import importlib.util
import json
import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any
from urllib.parse import urlsplit

from rulec.domain.plugs import Backend
from rulec.domain.prompt import ModelAnswer, ModelFailure, ModelReply, ModelRequest, ModelSettings, estimate_tokens
from rulec.infra import clock
from rulec.llm.clients import hosted_models
from rulec.llm.clients.answer_text import find_json_object
from rulec.llm.clients.hosted_models import THOUGHT, HostedModel, key_problem, read_key

KEY = "OPENAI_API_KEY"
_NO_KEY = "none"  # what a server gets that takes no key: the SDK wants one
_ADDRESS, _OWN = "OPENAI_BASE_URL", "https://api.openai.com/v1"
_HOME = ("localhost", "127.0.0.1", "::1")
_BESIDE = 4
_LISTED = 5  # of the models that a server has
_THOUGHTS = re.compile(r"^\s*<think>.*?</think>", re.DOTALL)  # as servers give them that do not take them out
# Of a request that a server refuses whole: it may know neither a schema of the answer nor our word for its limit.
_PERHAPS_FORM = (400, 415, 422, 501)


def ask(requests: Sequence[ModelRequest], models: ModelSettings) -> Iterator[ModelReply]:
    """Send each request in a thread; to a server on this machine one after the other, so that none waits in vain."""
    lacking = missing(models)
    if lacking or not requests:
        yield from (ModelFailure(what=lacking, over=True) for _ in requests)
        return
    host = HostedModel(sdk="openai", who="the server", key=KEY, models=models, address=_address(models))
    try:
        line = _ChatServer(host, home=at_home(models))
    except Exception as error:  # noqa: BLE001 - whatever the SDK makes of proxies, addresses and certificates
        yield from (host.unusable(error) for _ in requests)
        return
    with line.client:
        if lacks := line.choose():
            yield from (lacks for _ in requests)
            return
        many = 1 if line.home else 0
        yield from hosted_models.ask_beside(partial(_ask_one, line), requests, models.seconds, host.late, many)


def missing(models: ModelSettings) -> str:
    """What is missing before it can be used: the SDK, a key, or a server on this machine; "" for nothing."""
    if importlib.util.find_spec("openai") is None:
        return "the openai SDK is not installed: pip install openai"
    if not read_key(KEY) and not at_home(models):
        return f"{KEY} is not set; for a server on this machine name its address: {_ADDRESS}=http://localhost:11434/v1"
    return key_problem(KEY)


def at_home(models: ModelSettings) -> bool:
    """Whether the server runs on this machine."""
    try:
        return urlsplit(_address(models)).hostname in _HOME
    except ValueError:
        return False


def elsewhere(models: ModelSettings) -> str:
    """The address that is asked, "" for OpenAI's."""
    address = _address(models)
    return "" if address.casefold() == _OWN else address


def _address(models: ModelSettings) -> str:
    return (models.base_url or os.environ.get(_ADDRESS, "")).strip().rstrip("/") or _OWN


class _ChatServer:
    """A connection to a server for all requests of a call."""

    def __init__(self, host: HostedModel, *, home: bool) -> None:
        import openai  # noqa: PLC0415 - half a second, for those who ask this backend alone

        self.host, self.home, self.model = host, home, host.models.model
        self.plain = False  # it has refused a request with a schema
        self.client = openai.OpenAI(
            api_key=read_key(KEY) or _NO_KEY,
            base_url=host.address,
            max_retries=0,  # see hosted_models.send, which knows the time that is left
            timeout=host.models.seconds,
            # what is sent goes to the address that was named and to no other; a proxy has no business on this machine
            http_client=openai.DefaultHttpx2Client(follow_redirects=False, trust_env=not home),
        )

    def choose(self) -> ModelFailure | None:
        """Settle which model is asked: the named one, or the only one of the server."""
        if self.model:
            return None
        try:
            names = [one.id for one in self.client.models.list()]
        except Exception as error:  # noqa: BLE001 - the SDK lets through what its parsers and the network raise
            return self.host.failure(error)
        if len(names) != 1:
            shown = ", ".join(hosted_models.clean_words(name, read_key(KEY)) for name in names[:_LISTED])
            has = f"has {shown}" if names else "lists none"
            what = f"no model is named: {self.host.who} {has}{', …' * (len(names) > _LISTED)}"
            return ModelFailure(what=what, hint="name one: models.model", over=True)
        self.model = names[0]
        return None

    def send(self, request: ModelRequest, left: Callable[[], float], *, plain: bool) -> bytes:
        """The body of the reply to one request."""
        params = _chat_params(request, self.model, plain=plain, home=self.home)

        def post() -> Any:
            return self.client.with_options(timeout=left()).chat.completions.with_streaming_response.create(**params)

        return hosted_models.send(post, left)


def _ask_one(line: _ChatServer, request: ModelRequest) -> ModelAnswer | ModelFailure:
    """The reply to one request."""
    left, plain = clock.countdown(line.host.models.seconds), line.plain
    try:
        try:
            body = line.send(request, left, plain=plain)
        except Exception as error:
            if plain or int(getattr(error, "status_code", 0)) not in _PERHAPS_FORM:
                raise
            body = line.send(request, left, plain=True)
            line.plain = True
    except Exception as error:  # noqa: BLE001 - the SDK lets through what its parsers and the network raise
        return line.host.failure(error, request.tokens)
    whole = hosted_models.parse_body(body)
    return line.host.odd("JSON", request) if whole is None else _read_completion(whole, request, line)


def _chat_params(request: ModelRequest, model: str, *, plain: bool, home: bool) -> dict[str, Any]:
    """The request as servers want it; ``plain`` leaves out the answer's schema, which is in the text anyway."""
    form = json.dumps(request.schema, sort_keys=True)
    words = f"{request.system}\n\nAnswer with one JSON object and nothing else. Its JSON Schema:\n{form}\n"
    limit = "max_tokens" if home or plain else "max_completion_tokens"
    whole = {"name": "answer", "schema": dict(request.schema), "strict": False}
    return {
        "model": model,
        "messages": [{"role": "system", "content": words}, {"role": "user", "content": request.text}],
        limit: request.most + THOUGHT,
        **({} if plain else {"response_format": {"type": "json_schema", "json_schema": whole}}),
    }


def _read_completion(whole: Any, request: ModelRequest, line: _ChatServer) -> ModelAnswer | ModelFailure:
    """The reply that a completion means."""
    choices = whole.get("choices") if isinstance(whole, dict) else None
    choice = choices[0] if isinstance(choices, list) and choices and isinstance(choices[0], dict) else None
    message = choice.get("message") if choice else None
    if choice is None or not isinstance(message, dict):
        return line.host.odd("a completion", request)
    text = message.get("content") if isinstance(message.get("content"), str) else ""
    spent, who = _used(whole, request, str(text), line), line.model
    if choice.get("finish_reason") == "content_filter" or message.get("refusal"):
        return hosted_models.refusal(who, spent)
    if choice.get("finish_reason") == "length":
        return hosted_models.cut_off(who, request.most + THOUGHT, spent)
    data = find_json_object(_THOUGHTS.sub("", str(text)))
    return hosted_models.formless(who, spent) if data is None else ModelAnswer(data=data, model=who, **spent)


def _used(whole: Mapping[str, Any], request: ModelRequest, text: str, line: _ChatServer) -> dict[str, Any]:
    """Tokens sent and received, estimated where the server counts nothing; on this machine they cost nothing."""
    count = hosted_models.count_usage(whole.get("usage"))
    sent, received = count.get("prompt_tokens", 0), count.get("completion_tokens", 0)
    dollars = 0.0 if line.home else None
    return {"sent": sent or request.tokens, "received": received or estimate_tokens(text), "dollars": dollars}


PLUG = Backend(
    name="openai", ask=ask, missing=missing, beside=_BESIDE, beyond=lambda _: THOUGHT, at_home=at_home, key=KEY,
    elsewhere=elsewhere,
)  # fmt: skip
