"""Where in an answer's text a part of it stands, so that a refusal can name the line."""

import json
from collections.abc import Sequence

_BLANK = " \t\r\n"


def line_of(text: str, path: Sequence[str | int]) -> int:
    """The line on which the value at a path of a JSON text stands."""
    at = _past(text, 0)
    try:
        for step in path:
            at = _member(text, at, step)
    except (ValueError, IndexError, RecursionError):
        return 1
    return text.count("\n", 0, at) + 1


def _member(text: str, at: int, step: str | int) -> int:
    """Where one member of the object or list that begins there begins itself."""
    named = text[at] == "{"
    at = _past(text, at + 1)
    number = 0
    while text[at] not in "}]":
        key: str | int = number
        if named:
            key, at = json.JSONDecoder().raw_decode(text, at)
            at = _past(text, _past(text, at) + 1)
        if key == step:
            return at
        _, end = json.JSONDecoder().raw_decode(text, at)
        at = _past(text, end)
        at = _past(text, at + 1) if text[at] == "," else at
        number += 1
    raise IndexError(step)


def _past(text: str, at: int) -> int:
    while text[at : at + 1] and text[at] in _BLANK:
        at += 1
    return at
