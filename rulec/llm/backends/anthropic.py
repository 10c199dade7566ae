"""anthropic: the Messages API through its SDK; the answer is the input of a tool whose schema is the answer's."""

import importlib.util
from collections.abc import Iterator, Sequence
from functools import partial

from rulec.domain.plugs import Backend
from rulec.domain.prompt import ModelFailure, ModelReply, ModelRequest, ModelSettings
from rulec.llm.clients import anthropic_errors
from rulec.llm.clients.anthropic_messages import (
    DEFAULT_MODEL,
    AnthropicClient,
    ask_messages_api,
    other_address,
    thinking_tokens,
)
from rulec.llm.clients.model_requests import ask_beside, key_problem, read_key

KEY = "ANTHROPIC_API_KEY"
_BESIDE = 4


def ask(requests: Sequence[ModelRequest], models: ModelSettings) -> Iterator[ModelReply]:
    """Send each request in a thread, a few at a time."""
    lacking = missing(models)
    if lacking:
        yield from (ModelFailure(what=lacking, over=True) for _ in requests)
        return
    try:
        line = AnthropicClient(read_key(KEY), models)
    except Exception as error:  # noqa: BLE001 - whatever the SDK makes of proxies, addresses and certificates
        yield from (anthropic_errors.unusable_sdk(error) for _ in requests)
        return
    with line:
        late = partial(anthropic_errors.timeout_trouble, models)
        yield from ask_beside(partial(ask_messages_api, line), requests, models.seconds, late)


def missing(_: ModelSettings) -> str:
    """What is missing before it can be used: the SDK or a key; "" for nothing."""
    if importlib.util.find_spec("anthropic") is None:
        return "the anthropic SDK is not installed: pip install anthropic"
    if not read_key(KEY):
        return f"{KEY} is not set: make a key at https://platform.claude.com/settings/keys"
    return key_problem(KEY)


PLUG = Backend(
    name="anthropic", ask=ask, missing=missing, beside=_BESIDE, model=DEFAULT_MODEL, beyond=thinking_tokens,
    key=KEY, elsewhere=other_address,
)  # fmt: skip
