"""openai: any server that speaks OpenAI's chat completions: its own, or Ollama, llama.cpp and vLLM on this machine.

The address is `models.base_url` of the person's own settings or OPENAI_BASE_URL; a server on this machine needs no key
and costs nothing.
"""

import importlib.util
import os
from collections.abc import Iterator, Sequence
from functools import partial
from urllib.parse import urlsplit

from rulec.domain.plugs import Backend
from rulec.domain.prompt import ModelFailure, ModelReply, ModelRequest, ModelSettings
from rulec.llm.clients import openai_chat
from rulec.llm.clients.model_requests import ask_beside, key_problem, read_key

KEY = "OPENAI_API_KEY"
_ADDRESS, _OWN = "OPENAI_BASE_URL", "https://api.openai.com/v1"
_HOME = ("localhost", "127.0.0.1", "::1")
_BESIDE = 4


def ask(requests: Sequence[ModelRequest], models: ModelSettings) -> Iterator[ModelReply]:
    """Send each request in a thread; to a server on this machine one after the other, so that none waits in vain."""
    lacking = missing(models)
    if lacking or not requests:
        yield from (ModelFailure(what=lacking, over=True) for _ in requests)
        return
    home = at_home(models)
    try:
        line = openai_chat.OpenAIClient(read_key(KEY), _address(models), models, home=home)
    except Exception as error:  # noqa: BLE001 - whatever the SDK makes of proxies, addresses and certificates
        yield from (openai_chat.unusable_openai_sdk(error) for _ in requests)
        return
    with line:
        lacks = line.choose()
        if lacks:
            yield from (lacks for _ in requests)
            return
        yield from ask_beside(
            partial(openai_chat.ask_chat_api, line), requests, models.seconds, line.late, many=1 if home else 0
        )


def missing(models: ModelSettings) -> str:
    """What is missing before it can be used: the SDK, a key, or a server on this machine; "" for nothing."""
    if importlib.util.find_spec("openai") is None:
        return "the openai SDK is not installed: pip install openai"
    if not read_key(KEY) and not at_home(models):
        return f"{KEY} is not set; for a server on this machine say where it is: {_ADDRESS}=http://localhost:11434/v1"
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


PLUG = Backend(
    name="openai", ask=ask, missing=missing, beside=_BESIDE, beyond=lambda _: openai_chat.THOUGHT, at_home=at_home,
    key=KEY, elsewhere=elsewhere,
)  # fmt: skip
