"""What is sent, heard and taken from transcripts, without keys: known by their form, or as the person's own."""

import os
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from rulec.domain.prompt import Prompt
from rulec.domain.secrets.redaction import redact, without_keys
from rulec.domain.transcript import Action, Turn

_OWN = ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "CLAUDE_CODE_OAUTH_TOKEN")
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


def clean_turn(turn: Turn) -> Turn:
    """A turn without the person's own keys: what is taken from it word for word ends in rules and in commits."""
    if not _keys():
        return turn
    return replace(turn, text=_hidden(turn.text), actions=[_action(one) for one in turn.actions])


def _action(one: Action) -> Action:
    command, path, output = _hidden(one.command), _hidden(one.path), _hidden(one.output)
    return replace(one, command=command, path=path, output=output, old=_hidden(one.old), new=_hidden(one.new))


def _hidden(text: str) -> str:
    for key in _keys():
        text = text.replace(key, "[redacted:key]")
    return text


def _keys() -> list[str]:
    found = (os.environ.get(name, "").strip() for name in _OWN)
    return sorted((key for key in found if len(key) >= _SHORTEST), key=len, reverse=True)
