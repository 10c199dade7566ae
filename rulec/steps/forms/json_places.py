"""Where the strings of a JSON text stand, so that one can be replaced and the rest stays byte for byte."""

import json
import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any


_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\],:]|[^\s{}\[\],:"]+')


def string_places(text: str, starts: "Sequence[int]") -> "dict[tuple[Any, ...], tuple[int, int]]":
    """Start and end of each string that is a value, by the keys that lead to it; the first is the document's number.

    The documents begin at ``starts`` and are valid JSON. Of a key that stands twice the last one counts, as in reading.
    """
    found: "dict[tuple[Any, ...], tuple[int, int]]" = {}
    for number, start in enumerate(starts):
        end = starts[number + 1] if number + 1 < len(starts) else len(text)
        _read(text, start, end, number, found)
    return found


def _read(text: str, start: int, end: int, number: int, found: "dict[tuple[Any, ...], tuple[int, int]]") -> None:
    path: "list[Any]" = [number]
    kinds: "list[str]" = []  # of the lists and objects that are open
    expects_key = False
    for token in _TOKEN.finditer(text, start, end):
        sign = token[0]
        if sign in "{[":
            kinds.append(sign)
            path.append(0 if sign == "[" else "")
            expects_key = sign == "{"
        elif sign in "}]":
            kinds.pop()
            path.pop()
            expects_key = False
        elif sign == ",":
            if kinds[-1] == "[":
                path[-1] += 1
            expects_key = kinds[-1] == "{"
        elif sign == ":":
            expects_key = False
        elif sign[0] == '"':
            if expects_key:
                path[-1] = json.loads(sign)
            else:
                found[tuple(path)] = token.span()
