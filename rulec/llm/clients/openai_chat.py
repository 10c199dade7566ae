"""One request for a chat completion and what its answer means; bounded in time, size and tries."""

import json
import re
from collections.abc import Callable, Mapping
from types import TracebackType
from typing import Any, Self

from rulec.domain.prompt import ModelAnswer, ModelFailure, ModelRequest, ModelSettings, estimate_tokens
from rulec.infra import clock
from rulec.llm.clients.model_requests import (
    ReplyTooLarge,
    RequestTimedOut,
    clean_server_words,
    find_json_object,
    is_unreachable,
    read_reply,
)

_NO_KEY = "none"  # what a server gets that takes no key: the SDK wants one
THOUGHT = 8_000  # tokens that a model may think before it answers, beyond those of the answer
_TRIES = 3
_LISTED = 5  # of the models that a server has
_OTHER = "another model may answer: models.model"
_WHERE = "see models.base_url, which ends in /v1 for most servers, and the proxies in your environment"
_AGAIN = "what is done is kept: run it again later"
_THOUGHT = re.compile(r"^\s*<think>.*?</think>", re.DOTALL)  # as servers give it that do not take it out
_TOO_LONG = re.compile(r"\btoo (?:long|large)\b|context.{0,10}(?:length|size|window)|maximum context", re.IGNORECASE)
_FILTERED = re.compile(r"content.{0,3}(?:filter|policy)", re.IGNORECASE)
# Of a request that a server refuses whole: it may know neither a schema of the answer nor our word for its limit.
_PERHAPS_FORM = (400, 415, 422, 501)
_OVER = (401, 402, 403, 404, 429, 503)  # whatever else is asked now meets the same
_MEANS: Mapping[int, tuple[str, str]] = {
    401: ("does not take the key in OPENAI_API_KEY", "see OPENAI_API_KEY and models.base_url"),
    402: ("has no credit left for us", "see your account there"),
    403: ("does not let this key do that", "see OPENAI_API_KEY and models.base_url"),
    404: ("knows no such model or address", f"see models.model; {_WHERE}"),
    413: ("finds the request too large", ""),
    429: ("has no requests or tokens left for us", _AGAIN),
    503: ("is not ready", _AGAIN),
}


class OpenAIClient:
    """A connection to a server for all requests of a call; use it as a context."""

    def __init__(self, key: str, address: str, models: ModelSettings, *, home: bool) -> None:
        import openai  # noqa: PLC0415 - half a second, for those who ask this backend alone

        self.key, self.models, self.model, self.home = key, models, models.model, home
        self.plain = False  # it has refused a request with a schema
        self.client = openai.OpenAI(
            api_key=key or _NO_KEY,
            base_url=address,
            max_retries=_TRIES - 1,
            timeout=models.seconds,
            # what is sent goes to the address that was named and to no other; a proxy has no business on this machine
            http_client=openai.DefaultHttpx2Client(follow_redirects=False, trust_env=not home),
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.client.close()

    def choose(self) -> ModelFailure | None:
        """Settle which model is asked: the named one, or the only one of the server."""
        if self.model:
            return None
        try:
            names = [one.id for one in self.client.models.list()]
        except Exception as error:  # noqa: BLE001 - the SDK lets through what its parsers and the network raise
            return explain_server_error(error, self)
        if len(names) != 1:
            shown = ", ".join(clean_server_words(name, self.key) for name in names[:_LISTED])
            has = f"has {shown}" if names else "lists none"
            more = ", …" * (len(names) > _LISTED)
            return ModelFailure(
                what=f"no model is named: the server {has}{more}", hint="name one: models.model", over=True
            )
        self.model = names[0]
        return None

    def late(self, sent: int = 0) -> ModelFailure:
        """The failure of a request that took too long: its tokens may have to be paid all the same."""
        what = f"the server took more than {self.models.seconds:g} seconds"
        return ModelFailure(what=what, hint="raise models.seconds", sent=sent)


def chat_params(request: ModelRequest, model: str, *, plain: bool, home: bool) -> dict[str, Any]:
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


def ask_chat_api(line: OpenAIClient, request: ModelRequest) -> ModelAnswer | ModelFailure:
    """The reply to one request."""
    left = clock.countdown(line.models.seconds)
    plain = line.plain
    try:
        try:
            body = _body(line, request, left, plain=plain)
        except Exception as error:
            if plain or not _form_refused(error):
                raise
            line.plain = plain = True
            body = _body(line, request, left, plain=plain)
    except Exception as error:  # noqa: BLE001 - the SDK lets through what its parsers and the network raise
        return explain_server_error(error, line, request.tokens)
    try:
        return read_completion(json.loads(body), request, line)
    except (ValueError, RecursionError):
        what = "the server answered with something that is no JSON"
        return ModelFailure(what=what, hint=_WHERE, misfit=True, sent=request.tokens)


def _form_refused(error: BaseException) -> bool:
    code = int(getattr(error, "status_code", 0))
    return code in _PERHAPS_FORM and not _TOO_LONG.search(str(error))


def _body(line: OpenAIClient, request: ModelRequest, left: Callable[[], float], *, plain: bool) -> bytes:
    """The body of the reply to one request."""
    if left() <= 0:
        raise RequestTimedOut
    client = line.client.with_options(timeout=left())
    sent = chat_params(request, line.model, plain=plain, home=line.home)
    with client.chat.completions.with_streaming_response.create(**sent) as response:
        return read_reply(response, left)


def read_completion(whole: Any, request: ModelRequest, line: OpenAIClient) -> ModelAnswer | ModelFailure:
    """The reply that a completion means."""
    choices = whole.get("choices") if isinstance(whole, dict) else None
    choice = choices[0] if isinstance(choices, list) and choices and isinstance(choices[0], dict) else None
    message = choice.get("message") if choice else None
    if choice is None or not isinstance(message, dict):
        what = "the server answered with something that is no completion"
        return ModelFailure(what=what, hint=_WHERE, misfit=True, sent=request.tokens)
    text = message.get("content") if isinstance(message.get("content"), str) else ""
    spent, who = _used(whole, request, str(text), line), line.model
    if choice.get("finish_reason") == "content_filter" or message.get("refusal"):
        return ModelFailure(what=f"{who} refused to answer", hint=_OTHER, theirs=True, **spent)
    if choice.get("finish_reason") == "length":
        most = request.most + THOUGHT
        what = f"{who} was cut off: its answer is longer than the {most:,} tokens that it may take"
        return ModelFailure(what=what, hint=_OTHER, theirs=True, **spent)
    data = find_json_object(_THOUGHT.sub("", str(text)))
    if data is None:
        what = f"{who} gave no answer of the form that was asked for"
        return ModelFailure(what=what, hint=_OTHER, misfit=True, theirs=True, **spent)
    return ModelAnswer(data=data, model=who, **spent)


def _used(whole: Mapping[str, Any], request: ModelRequest, text: str, line: OpenAIClient) -> dict[str, Any]:
    """Tokens sent and received, estimated where the server counts nothing; on this machine they cost nothing."""
    usage = whole.get("usage")
    count = {name: value for name, value in usage.items() if type(value) is int} if isinstance(usage, dict) else {}
    sent, received = count.get("prompt_tokens", 0), count.get("completion_tokens", 0)
    dollars = 0.0 if line.home else None
    return {"sent": sent or request.tokens, "received": received or estimate_tokens(text), "dollars": dollars}


def explain_server_error(error: BaseException, line: OpenAIClient, sent: int = 0) -> ModelFailure:
    """The failure that an exception of the SDK means; of its words only those of the server are shown."""
    from openai import APIConnectionError, APIStatusError, APITimeoutError  # noqa: PLC0415 - loaded where it is asked

    if isinstance(error, APIStatusError):
        return _explain_status(error.status_code, _words(error), line.key)
    if is_unreachable(error):
        hint = f"see that it runs; {_WHERE}" if line.home else f"see the network; {_WHERE}"
        return ModelFailure(what="the server cannot be reached", hint=hint, over=True)
    if isinstance(error, RequestTimedOut | APITimeoutError):
        return line.late(sent)
    if isinstance(error, ReplyTooLarge):
        return ModelFailure(what="the server's answer is larger than any that was asked for", sent=sent)
    if isinstance(error, APIConnectionError):
        return ModelFailure(what="the connection to the server broke off", hint=_AGAIN, sent=sent)
    return ModelFailure(what=f"asking the server failed: {type(error).__name__}", hint="pip install -U openai may help")


def _words(error: Any) -> str:
    """The server's words in an error, of which servers have several forms."""
    body = error.body
    inner = body.get("error", body) if isinstance(body, dict) else body
    said = inner.get("message") if isinstance(inner, dict) else inner
    return said if isinstance(said, str) else ""


def _explain_status(code: int, words: str, key: str) -> ModelFailure:
    said = clean_server_words(words, key)
    means, hint = _MEANS.get(code, ("refuses the request", ""))
    if 300 <= code < 400:
        means, hint = "answers from elsewhere, which is not followed", "see models.base_url"
    elif code >= 500 and code not in _MEANS:
        means, hint = f"is broken ({code})", _AGAIN
    over = code in _OVER or 300 <= code < 400
    theirs = code == 413 or (not over and bool(_TOO_LONG.search(said) or _FILTERED.search(said)))
    what = f"the server {means}: {said}" if said else f"the server {means}"
    return ModelFailure(what=what, hint=hint, over=over, theirs=theirs)


def unusable_openai_sdk(error: BaseException) -> ModelFailure:
    """The failure of an SDK that cannot start; its own message is left out, it may hold passwords of proxies."""
    what = f"the openai SDK cannot be used: {type(error).__name__}"
    return ModelFailure(what=what, hint=f"{_WHERE}; pip install -U openai may help", over=True)
