"""Where patterns stand in the body of a Semgrep rule."""

from collections.abc import Iterator, Mapping
from typing import Any

_KEYS = ("pattern-regex", "pattern-not-regex", "regex")


def regexes(data: Any) -> Iterator[str]:
    """Every regular expression of a rule's body."""
    if isinstance(data, Mapping):
        for key, value in data.items():
            if key in _KEYS and isinstance(value, str):
                yield value
            else:
                yield from regexes(value)
    elif isinstance(data, list):
        for item in data:
            yield from regexes(item)
