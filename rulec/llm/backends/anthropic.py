"""anthropic: the Messages API through its SDK; the answer is the input of a tool whose schema is the answer's."""

import importlib.util
import json
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from rulec.domain.plugs import Backend
from rulec.domain.prompt import ModelAnswer, ModelFailure, ModelReply, ModelRequest, ModelSettings, estimate_tokens
from rulec.infra import clock
from rulec.llm.budget import cost_of
from rulec.llm.clients import hosted_models
from rulec.llm.clients.answer_text import find_json_object
from rulec.llm.clients.hosted_models import THOUGHT, HostedModel, key_problem, read_key

KEY = "ANTHROPIC_API_KEY"
_ADDRESS, _OWN = "ANTHROPIC_BASE_URL", "https://api.anthropic.com"
_BESIDE = 4
_DEFAULT = "claude-sonnet-5-5"
_TOOL = "answer"
_CALL = f"Give your answer by calling the tool `{_TOOL}` exactly once, and write nothing else."
# They think unless told otherwise, and take an effort; the newest refuse to be made to use a tool, so none is made to.
_THINKING = re.compile(r"claude-(?:fable|mythos|opus|sonnet|haiku)-(?:[5-9]|\d\d)(?!\d)")
_NAME = re.compile(r"(?:[a-z]+[./]){0,3}claude-[\w.:@\[\]-]{1,80}")  # of those who answered; other words are not told


def ask(requests: Sequence[ModelRequest], models: ModelSettings) -> Iterator[ModelReply]:
    """Send each request in a thread, a few at a time."""
    if lacking := missing(models):
        yield from (ModelFailure(what=lacking, over=True) for _ in requests)
        return
    host = HostedModel(sdk="anthropic", who="the API", key=KEY, models=models, address=elsewhere(models))
    try:
        client = _client(models)
    except Exception as error:  # noqa: BLE001 - whatever the SDK makes of proxies, addresses and certificates
        yield from (host.unusable(error) for _ in requests)
        return
    with client:
        yield from hosted_models.ask_beside(partial(_ask_one, host, client), requests, models.seconds, host.late)


def missing(_: ModelSettings) -> str:
    """What is missing before it can be used: the SDK or a key; "" for nothing."""
    if importlib.util.find_spec("anthropic") is None:
        return "the anthropic SDK is not installed: pip install anthropic"
    if not read_key(KEY):
        return f"{KEY} is not set: make a key at https://platform.claude.com/settings/keys"
    return key_problem(KEY)


def elsewhere(models: ModelSettings) -> str:
    """The address that is asked, "" for the API's own: answers from elsewhere prove nothing about the model."""
    address = (models.base_url or os.environ.get(_ADDRESS, "")).strip().rstrip("/")
    return "" if address.casefold() == _OWN else address


def thinking_tokens(model: str) -> int:
    """Tokens that a model may take to think before it answers."""
    return THOUGHT if _THINKING.search(model) else 0


def _client(models: ModelSettings) -> Any:
    import anthropic  # noqa: PLC0415 - a second, for those who ask this backend alone

    return anthropic.Anthropic(
        api_key=read_key(KEY),
        base_url=models.base_url or None,  # None is ANTHROPIC_BASE_URL, else the API's own
        max_retries=0,  # see hosted_models.send, which knows the time that is left
        # what is sent goes to the address that was named and to no other
        http_client=anthropic.DefaultHttpxClient(follow_redirects=False),
        open_telemetry=False,  # no word of a transcript goes into anybody's traces
    )


def _ask_one(host: HostedModel, client: Any, request: ModelRequest) -> ModelAnswer | ModelFailure:
    """The reply to one request."""
    left, model = clock.countdown(host.models.seconds), host.models.model or _DEFAULT
    params = _message_params(request, model)

    def post() -> Any:
        return client.with_options(timeout=left()).messages.with_streaming_response.create(**params)

    try:
        message = hosted_models.parse_body(hosted_models.send(post, left))
    except Exception as error:  # noqa: BLE001 - the SDK lets through what its parsers and the network raise
        return host.failure(error, request.tokens)
    if message is None:
        return host.odd("JSON", request)
    if not isinstance(message, dict) or not isinstance(message.get("content"), list):
        return host.odd("a message", request)
    return _read_message(message, request, model)


def _message_params(request: ModelRequest, model: str) -> dict[str, Any]:
    """The request as the API wants it; what stays the same between requests comes first, so that it may be cached."""
    thinks = thinking_tokens(model)
    return {
        "model": model,
        "max_tokens": request.most + thinks,
        "system": [{"type": "text", "text": f"{request.system}\n\n{_CALL}", "cache_control": {"type": "ephemeral"}}],
        "tools": [{"name": _TOOL, "description": "Takes your answer.", "input_schema": dict(request.schema)}],
        "tool_choice": {"type": "auto", "disable_parallel_tool_use": True},
        "messages": [{"role": "user", "content": request.text}],
        **({"output_config": {"effort": "medium"}} if thinks else {}),
    }


def _read_message(message: Mapping[str, Any], request: ModelRequest, model: str) -> ModelAnswer | ModelFailure:
    """The reply that a message of the API means."""
    named, stop = message.get("model"), message.get("stop_reason")
    who = named if isinstance(named, str) and _NAME.fullmatch(named) else model
    spent = _used(message, request, who)
    if stop == "refusal":
        return hosted_models.refusal(who, spent)
    if stop == "max_tokens":
        return hosted_models.cut_off(who, request.most + thinking_tokens(model), spent)
    if stop == "model_context_window_exceeded":
        return ModelFailure(what=f"the request is too long for {who}", theirs=True, **spent)
    data = _data(message["content"])
    if data is None:
        return hosted_models.formless(who, spent)
    return ModelAnswer(data=_unquoted(data, request.schema), model=who, **spent)


def _data(content: list[Any]) -> Any:
    """The input of the one use of the answer tool; else the one JSON object in the text."""
    blocks = [block for block in content if isinstance(block, dict)]
    uses = [block.get("input") for block in blocks if block.get("type") == "tool_use" and block.get("name") == _TOOL]
    if uses:
        return uses[0] if isinstance(uses[0], dict) and all(use == uses[0] for use in uses) else None
    return find_json_object("\n".join(str(block.get("text", "")) for block in blocks if block.get("type") == "text"))


def _unquoted(data: Mapping[str, Any], schema: Mapping[str, Any]) -> dict[str, Any]:
    """The data with lists and objects that a model wrote as JSON texts parsed."""
    forms = schema.get("properties", {})
    nested = {name for name, form in forms.items() if form.get("type") in ("array", "object")}
    return {name: _parsed(value) if name in nested else value for name, value in data.items()}


def _parsed(value: Any) -> Any:
    try:
        return json.loads(value) if isinstance(value, str) else value
    except (ValueError, RecursionError):
        return value


def _used(message: Mapping[str, Any], request: ModelRequest, model: str) -> dict[str, Any]:
    """Tokens sent (with those from the cache) and received, and their cost; estimated where the API counts nothing."""
    count = hosted_models.count_usage(message.get("usage"))
    read, written = count.get("cache_read_input_tokens", 0), count.get("cache_creation_input_tokens", 0)
    sent = count.get("input_tokens", 0) + read + written or request.tokens
    received = count.get("output_tokens", 0) or estimate_tokens(json.dumps(message["content"]))
    dollars = cost_of(model, sent, received, read=read, written=written)
    return {"sent": sent, "received": received, "dollars": dollars}


PLUG = Backend(
    name="anthropic", ask=ask, missing=missing, beside=_BESIDE, model=_DEFAULT, beyond=thinking_tokens, key=KEY,
    elsewhere=elsewhere,
)  # fmt: skip
