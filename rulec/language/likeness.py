"""Two sentences -> how alike they are, and whether they contradict each other."""

import re
from functools import lru_cache

SAME = 0.85  # LexSona 4.3: from here on the same preference
CONTRARY = 0.6  # so much of two sentences is shared when one says the opposite of the other
_WORD = re.compile(r"[^\W_]+(?:[.'-][^\W_]+)*")
_EMPTY = frozenset(
    (
        "a",
        "an",
        "and",
        "any",
        "the",
        "to",
        "of",
        "in",
        "on",
        "for",
        "it",
        "is",
        "be",
        "do",
        "with",
        "please",
        "ever",
        "always",
        "we",
        "our",
        "you",
        "your",
        "this",
        "that",
    )
)
_NOT = {"don't": "not", "dont": "not", "never": "not", "no": "not", "avoid": "not", "stop": "not", "without": "not"}
_INSTEAD = re.compile(r"\b(?:instead of|rather than|in place of)\b", re.IGNORECASE)
_RATHER = re.compile(
    r"\b(?:instead of|rather than|in place of|in favou?r of|over)\b|,\s{0,3}(?:and |but )?(?:not|never)\b",
    re.IGNORECASE,
)


def alike(one: str, other: str) -> float:
    """Shared words of two statements, 0 to 1; a no in one of them alone makes them strangers."""
    mine, theirs = _words(one), _words(other)
    if not mine or not theirs or ("not" in mine) != ("not" in theirs) or _swapped(one, other):
        return 0.0
    return _shared(mine, theirs)


def contrary(one: str, other: str) -> bool:
    """Whether one forbids what the other asks for, or prefers what the other avoids."""
    mine, theirs = _words(one), _words(other)
    if not mine or not theirs:
        return False
    if _swapped(one, other):
        return True
    if ("not" in mine) == ("not" in theirs) or _shared(mine - {"not"}, theirs - {"not"}) < CONTRARY:
        return False
    sides, asked = (_sides(one), theirs) if "not" in mine else (_sides(other), mine)
    return sides is None or bool(sides[1] & asked)  # "X, not Y" has nothing against "X"


def _shared(mine: frozenset[str], theirs: frozenset[str]) -> float:
    return len(mine & theirs) / len(mine | theirs) if mine | theirs else 0.0


@lru_cache(maxsize=4096)  # every candidate is compared with every other
def _words(text: str) -> frozenset[str]:
    words = [_NOT.get(word, word) for word in _WORD.findall(text.casefold())]
    if "not" not in words and _INSTEAD.search(text):  # "X instead of Y" is "X, not Y"
        return _words(_INSTEAD.sub("not", text))
    return frozenset(word for word in words if word not in _EMPTY)


def _swapped(one: str, other: str) -> bool:
    """Whether what one puts before "instead of" stands behind it in the other."""
    mine, theirs = _sides(one), _sides(other)
    if not mine or not theirs:
        return False
    return bool(mine[0] & theirs[1]) and bool(mine[1] & theirs[0])


@lru_cache(maxsize=4096)  # as above
def _sides(text: str) -> tuple[frozenset[str], frozenset[str]] | None:
    parts = _RATHER.split(text, maxsplit=1)
    return (_words(parts[0]) - _words(parts[1]), _words(parts[1]) - _words(parts[0])) if len(parts) == 2 else None
