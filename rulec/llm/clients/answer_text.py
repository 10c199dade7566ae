"""The JSON object in the text that a model answered."""

import json
import re
from collections.abc import Mapping
from typing import Any

_FENCED = re.compile(r"^[ \t]{0,3}```[a-zA-Z]{0,10}[ \t]*\n(.*?)\n[ \t]{0,3}```[ \t]*$", re.MULTILINE | re.DOTALL)
_TRIES = 20  # braces in prose before an object; every one of them may cost the whole text


def find_json_object(text: str) -> Mapping[str, Any] | None:
    """The object, alone, in a code fence or among words; None where there is none, or more than one that differ.

    Of several nothing is taken: one of them may be a stranger's, which the model only repeats.
    """
    whole = _read(text.strip())
    if whole is not None:
        return whole
    fenced = [value for block in _FENCED.findall(text) if (value := _read(block.strip())) is not None]
    found = fenced or _among(text)
    return found[0] if found and all(other == found[0] for other in found) else None


def _read(text: str) -> Mapping[str, Any] | None:
    try:
        value = json.loads(text, parse_constant=_refuse)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _among(text: str) -> list[Mapping[str, Any]]:
    decoder, objects, at = json.JSONDecoder(parse_constant=_refuse), list[Mapping[str, Any]](), text.find("{")
    for _ in range(_TRIES):
        if at < 0:
            break
        try:
            value, end = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            end = at + 1
        else:
            objects.append(value)
        at = text.find("{", end)
    return objects


def _refuse(word: str) -> None:
    raise ValueError(f"{word} is no JSON")
