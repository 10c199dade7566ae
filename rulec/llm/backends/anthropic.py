"""anthropic: the Messages API through its SDK; the answer is the input of a tool whose schema is the answer's."""

import importlib.util
import os
from collections.abc import Iterator, Sequence
from functools import partial

from rulec.domain.plugs import Backend
from rulec.domain.prompt import ModelFailure, ModelReply, ModelRequest, ModelSettings
from rulec.llm.clients import anthropic_batches, anthropic_errors
from rulec.llm.clients.anthropic_messages import (
    DEFAULT_MODEL,
    AnthropicClient,
    ask_messages_api,
    other_address,
    thinking_tokens,
)
from rulec.llm.clients.model_requests import ask_beside

KEY = "ANTHROPIC_API_KEY"
_BESIDE = 4
_BULK = ("mine",)  # nobody sits before a screen and waits for the others within a day


def ask(requests: Sequence[ModelRequest], models: ModelSettings) -> Iterator[ModelReply]:
    """Each request in a thread of its own, no more than the plug says, or all of them as a batch."""
    lacking = missing(models)
    if lacking:
        yield from (ModelFailure(what=lacking, over=True) for _ in requests)
        return
    key = _key()
    try:
        line = AnthropicClient(key, models)
    except Exception as error:  # noqa: BLE001 - whatever the SDK makes of proxies, addresses and certificates
        yield from (anthropic_errors.unusable_sdk(error) for _ in requests)
        return
    with line:
        if models.bulk and all(request.step in _BULK for request in requests):
            yield from anthropic_batches.ask_in_batches(line, requests)
            return
        late = partial(anthropic_errors.timeout_trouble, models)
        yield from ask_beside(partial(ask_messages_api, line), requests, models.seconds, late)


def missing(_: ModelSettings) -> str:
    """What lacks, "" where the SDK and a key are there."""
    if importlib.util.find_spec("anthropic") is None:
        return "the anthropic SDK is not installed: pip install anthropic"
    key = _key()
    if not key:
        return f"{KEY} is not set: make a key at https://platform.claude.com/settings/keys"
    fine = key.isascii() and key.isprintable() and " " not in key
    return "" if fine else f"{KEY} holds signs that no key has: see how it is set"


def _key() -> str:
    return os.environ.get(KEY, "").strip()


PLUG = Backend(
    name="anthropic", ask=ask, missing=missing, beside=_BESIDE, bulk=_BULK, model=DEFAULT_MODEL, beyond=thinking_tokens, key=KEY,
    elsewhere=other_address,
)  # fmt: skip
