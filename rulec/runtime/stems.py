"""Words in a form that can be compared: "commits", "committing" and "commit" are one."""

import re
from functools import lru_cache

_PIECE = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")
_CHUNK = re.compile(r"[\W_]+")
_ENDINGS = ("ings", "ing", "ers", "er", "ies", "es", "ed", "s")


@lru_cache(maxsize=4096)
def stem(word: str) -> str:
    """A word without its ending."""
    word = word.lower()
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) > 2:
            word = word[: -len(ending)]
            if ending not in ("ies", "es", "s") and word[-1] == word[-2] and word[-1] not in "ls":
                word = word[:-1]
            break
    return word.rstrip("e") if len(word) > 3 else word


def pieces(word: str) -> "list[str]":
    """A phrase like "test:ci", "noVerify" and "no-verify" in their pieces."""
    chunks = [chunk for chunk in _CHUNK.split(word) if chunk]
    found = (piece.lower() for chunk in chunks for piece in (chunk, *_PIECE.findall(chunk)) if len(piece) > 1)
    return list(dict.fromkeys(found))
