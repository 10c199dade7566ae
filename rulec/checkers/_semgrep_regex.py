"""Patterns that run away: PCRE gives up on them in silence, and Semgrep then reports no finding."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

_KEYS = ("pattern-regex", "pattern-not-regex", "regex")
_TOKEN = re.compile(
    r"(?P<open>\((?:\?(?:[:=!>]|<[=!]|P?<\w+>|[a-zA-Z-]+:))?)|(?P<flags>\(\?[a-zA-Z-]+\))|(?P<close>\))|(?P<bar>\|)"
    r"|(?P<atom>\\.|\[\^?\]?(?:\\.|\[:\w+:\]|[^\]\\])*\]|[^\\\[()|*+?{]|\{(?!\d*,?\d*\})|.)",
    re.DOTALL,
)
_QUANTIFIER = re.compile(r"(?:[*+?]|\{\d*,?\d*\})[?+]?")


@dataclass(slots=True)
class _Branch:
    loops: bool = False  # something in it may repeat without end
    anchored: bool = False  # something in it must stand there exactly once


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


def runs_away(pattern: str) -> bool:
    """Whether a repeated group holds nothing but repetitions, such as ``(a+)+``: exponential on what nearly matches."""
    groups, at = [[_Branch()]], 0
    while at < len(pattern):
        token = _TOKEN.match(pattern, at)
        if token is None:
            return False
        at = token.end()
        if token["open"]:
            groups.append([_Branch()])
        elif token["bar"]:
            groups[-1].append(_Branch())
        elif token["close"] or token["atom"]:
            quantifier = _QUANTIFIER.match(pattern, at)
            at = quantifier.end() if quantifier else at
            closed = groups.pop() if token["close"] and len(groups) > 1 else []
            if _endless(quantifier) and any(branch.loops and not branch.anchored for branch in closed):
                return True
            _add(groups[-1][-1], quantifier, closed)
    return False


def _endless(quantifier: "re.Match[str] | None") -> bool:
    """``*``, ``+`` and ``{n,}``; possessive ones never go back."""
    return quantifier is not None and re.fullmatch(r"(?:[*+]|\{\d*,\})\??", quantifier[0]) is not None


def _add(branch: _Branch, quantifier: "re.Match[str] | None", closed: list[_Branch]) -> None:
    branch.loops |= _endless(quantifier) or any(inner.loops for inner in closed)
    branch.anchored |= quantifier is None and (not closed or all(inner.anchored for inner in closed))
