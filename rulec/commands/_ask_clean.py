"""What goes out and what comes back, without keys: known by their form, or because they are the person's own."""

import os
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from rulec.model.exchange import Prompt
from rulec.redact import redact, without_keys

_OWN = ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN")
_SHORTEST = 8  # characters of a key; less could be any word


def clean_prompt(prompt: Prompt) -> Prompt:
    """The prompt as it may leave."""
    data = (replace(block, name=redact(_hidden(block.name)), text=redact(_hidden(block.text))) for block in prompt.data)
    return replace(prompt, data=tuple(data))


def clean_line(text: str) -> str:
    """A complaint as it may be shown: one line."""
    return " ".join(without_keys(_hidden(text)).split())


def clean_answer(value: Any) -> Any:
    """An answer as it may be kept."""
    if isinstance(value, str):
        whole = value.encode("utf-8", "replace").decode()  # half a character can be written nowhere
        return without_keys(_hidden(whole))
    if isinstance(value, Mapping):
        return {str(key): clean_answer(item) for key, item in value.items()}
    return [clean_answer(item) for item in value] if isinstance(value, list) else value


def _hidden(text: str) -> str:
    for name in _OWN:
        key = os.environ.get(name, "").strip()
        if len(key) >= _SHORTEST:
            text = text.replace(key, "[redacted:key]")
    return text
