"""An answer held to the schema of what was asked."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from rulec.redact import redact

_LONGEST = 160  # characters of what is wrong
_DEEPEST = 40
_MOST = 50  # faults of one answer that are looked at
_BLANK = " \t\r\n"


def wrong(data: Any, schema: Mapping[str, Any]) -> tuple[str, tuple[str | int, ...]] | None:
    """What does not fit, in a few words, and the path to it; None where all does."""
    if not isinstance(data, Mapping):
        return "is no JSON object", ()
    if _deeper(data, _DEEPEST):
        return "is nested too deeply", ()
    import jsonschema  # type: ignore[import-untyped]  # noqa: PLC0415 - it has no types, and only an answer needs its 100 ms

    worst = jsonschema.exceptions.best_match(_first(jsonschema.Draft202012Validator(schema).iter_errors(data)))
    if worst is None:
        return None
    told = " ".join(redact(worst.message[: 8 * _LONGEST]).split())
    short = told if len(told) <= _LONGEST else f"{told[: _LONGEST // 2]} … {told[-_LONGEST // 2 :]}"
    return f"{_spoken(worst.absolute_path)}: {short}".removeprefix(": "), tuple(worst.absolute_path)


def _first(errors: Iterable[Any]) -> Iterator[Any]:
    """Some of them: whoever wrote the answer chooses how many there are, and each takes its time."""
    for error in islice(errors, _MOST):
        yield error
        if error.validator == "maxItems":
            return


def _deeper(value: Any, most: int) -> bool:
    """Whether more lists and objects stand in each other than anything that we ask for has."""
    level = [value]
    for _ in range(most):
        level = [item for one in level for item in (one.values() if isinstance(one, Mapping) else one)]
        level = [one for one in level if isinstance(one, Mapping | list)]
    return bool(level)


def _spoken(path: Sequence[str | int]) -> str:
    """wishes[2].quote"""
    return "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in path).removeprefix(".")


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
