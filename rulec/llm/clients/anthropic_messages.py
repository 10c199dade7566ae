"""One request to the Messages API and what its answer means; bounded in time, size and tries."""

import json
import os
import re
import threading
from collections.abc import Mapping
from dataclasses import replace
from email.utils import parsedate_to_datetime
from types import TracebackType
from typing import Any, Self

from rulec.domain.prompt import ModelAnswer, ModelFailure, ModelRequest, ModelSettings, estimate_tokens
from rulec.infra import clock
from rulec.llm.budget import cost_of
from rulec.llm.clients import anthropic_errors
from rulec.llm.clients.model_requests import RequestTimedOut, find_json_object, read_reply

ADDRESS_VARIABLE = "ANTHROPIC_BASE_URL"
ANTHROPIC_ADDRESS = "https://api.anthropic.com"


def other_address(models: ModelSettings) -> str:
    """The address that is asked, "" for the API's own: answers from elsewhere prove nothing about the model."""
    address = (models.base_url or os.environ.get(ADDRESS_VARIABLE, "")).strip().rstrip("/")
    return "" if address.casefold() == ANTHROPIC_ADDRESS else address


DEFAULT_MODEL = "claude-sonnet-5-5"
TOOL = "answer"
TRIES = 4
THOUGHT = 8_000  # tokens that a model may think before it answers, beyond those of the answer
_OTHER = "another model may answer: models.model"
_WHERE = "see models.base_url and the proxies in your environment"
_BACKOFF = 1.0  # seconds: with less left, the SDK's own wait before it tries again would outlast the request
# They think unless told otherwise, and take an effort; the newest refuse to be made to use a tool, so none is made to.
_THINKING = re.compile(r"claude-(?:fable|mythos|opus|sonnet|haiku)-(?:[5-9]|\d\d)(?!\d)")
_NAME = re.compile(r"(?:[a-z]+[./]){0,3}claude-[\w.:@\[\]-]{1,80}")  # of those who answered; other words are not told
_CALL = f"Give your answer by calling the tool `{TOOL}` exactly once, and write nothing else."


class AnthropicClient:
    """A connection to the API for all requests of a call; use it as a context."""

    def __init__(self, key: str, models: ModelSettings) -> None:
        import anthropic  # noqa: PLC0415 - a second, for those who ask this backend alone

        self.key, self.models, self.model = key, models, models.model or DEFAULT_MODEL
        self._mine = threading.local()
        self.client = anthropic.Anthropic(
            api_key=key,
            base_url=models.base_url or None,  # None is ANTHROPIC_BASE_URL, else the API's own
            max_retries=TRIES - 1,
            timeout=models.seconds,
            # what is sent goes to the address that was named and to no other
            http_client=anthropic.DefaultHttpxClient(follow_redirects=False),
            middleware=[self._within],
            open_telemetry=False,  # no word of a transcript goes into anybody's traces
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.client.close()

    def begin(self) -> None:
        """Start the time limit of this thread's request, all its tries included."""
        self._mine.left, self._mine.tries = clock.countdown(self.models.seconds), 0

    def left(self) -> float:
        """The seconds that remain."""
        return float(self._mine.left())

    @property
    def tries(self) -> int:
        """How often the request of this thread was sent."""
        return max(1, int(self._mine.tries))

    def _within(self, request: Any, call_next: Any) -> Any:
        """One try within the time limit; the last one where the wait before another would pass the limit."""
        from anthropic import APIConnectionError  # noqa: PLC0415 - see above

        if self.left() <= 0:
            raise RequestTimedOut
        request.options.timeout = self.left()
        self._mine.tries += 1
        try:
            response = call_next(request)
        except APIConnectionError as error:
            if self.left() < _BACKOFF:
                raise anthropic_errors.LastTryFailed(error) from None
            raise
        if _wait(response.headers) > self.left():
            response.http_response.headers["x-should-retry"] = "false"
        return response


def _wait(headers: Any) -> float:
    """The seconds that the API asks to wait, or the SDK's default."""
    try:
        if "retry-after-ms" in headers:
            return float(headers["retry-after-ms"]) / 1000
        after = headers.get("retry-after", str(_BACKOFF))
        return float(after) if after[:1].isdigit() else parsedate_to_datetime(after).timestamp() - clock.epoch_seconds()
    except (ValueError, OverflowError):
        return _BACKOFF


def thinking_tokens(model: str) -> int:
    """Tokens that a model may take to think before it answers."""
    return THOUGHT if _THINKING.search(model) else 0


def message_params(request: ModelRequest, model: str) -> dict[str, Any]:
    """The request as the API wants it; what stays the same between requests comes first, so that it may be cached."""
    thinks = thinking_tokens(model)
    return {
        "model": model,
        "max_tokens": request.most + thinks,
        "system": [{"type": "text", "text": f"{request.system}\n\n{_CALL}", "cache_control": {"type": "ephemeral"}}],
        "tools": [{"name": TOOL, "description": "Takes your answer.", "input_schema": dict(request.schema)}],
        "tool_choice": {"type": "auto", "disable_parallel_tool_use": True},
        "messages": [{"role": "user", "content": request.text}],
        **({"output_config": {"effort": "medium"}} if thinks else {}),
    }


def ask_messages_api(line: AnthropicClient, request: ModelRequest) -> ModelAnswer | ModelFailure:
    """The reply to one request, with the number of tries."""
    line.begin()
    one = _ask_once(line, request)
    return replace(one, tries=line.tries)


def _ask_once(line: AnthropicClient, request: ModelRequest) -> ModelAnswer | ModelFailure:
    try:
        with line.client.messages.with_streaming_response.create(**message_params(request, line.model)) as response:
            body = read_reply(response, line.left)
    except Exception as error:  # noqa: BLE001 - the SDK lets through what its parsers and the network raise
        return anthropic_errors.explain_error(error, line.models, line.key, sent=line.tries * request.tokens)
    try:
        message = json.loads(body)
    except (ValueError, RecursionError):
        what = "the API answered with something that is not JSON"
        return ModelFailure(what=what, hint=_WHERE, misfit=True, sent=request.tokens)
    return read_message(message, request, line.model)


def read_message(message: Any, request: ModelRequest, model: str) -> ModelAnswer | ModelFailure:
    """The reply that a message of the API means."""
    if not isinstance(message, dict) or not isinstance(message.get("content"), list):
        what = "the API answered with something that is not a message"
        return ModelFailure(what=what, hint=_WHERE, misfit=True, sent=request.tokens)
    named = message.get("model")
    who = named if isinstance(named, str) and _NAME.fullmatch(named) else model
    spent = _used(message, request, who)
    stop = message.get("stop_reason")
    if stop == "refusal":
        return ModelFailure(what=f"{who} refused to answer", hint=_OTHER, theirs=True, **spent)
    if stop == "max_tokens":
        most = request.most + thinking_tokens(model)
        what = f"{who} was cut off: its answer is longer than the {most:,} tokens that it may take"
        return ModelFailure(what=what, hint=_OTHER, theirs=True, **spent)
    if stop == "model_context_window_exceeded":
        return ModelFailure(what=f"the request is too long for {who}", hint=_OTHER, theirs=True, **spent)
    data = _data(message["content"])
    if data is None:
        what = f"{who} gave no answer of the form that was asked for"
        return ModelFailure(what=what, hint=_OTHER, misfit=True, theirs=True, **spent)
    return ModelAnswer(data=_unquoted(data, request.schema), model=who, **spent)


def _data(content: list[Any]) -> Any:
    """The input of the one use of the answer tool; else the one JSON object in the text."""
    blocks = [block for block in content if isinstance(block, dict)]
    uses = [block.get("input") for block in blocks if block.get("type") == "tool_use" and block.get("name") == TOOL]
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
    usage = message.get("usage")
    count = {name: value for name, value in usage.items() if type(value) is int} if isinstance(usage, dict) else {}
    read, written = count.get("cache_read_input_tokens", 0), count.get("cache_creation_input_tokens", 0)
    sent = count.get("input_tokens", 0) + read + written or request.tokens
    received = count.get("output_tokens", 0) or estimate_tokens(json.dumps(message["content"]))
    dollars = cost_of(model, sent, received, read=read, written=written)
    return {"sent": sent, "received": received, "dollars": dollars}
