"""The words of a text that carry its meaning, by their stems."""

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

_WEIGHTLESS = """
    a about above accidentally across add added adding after again against ahead all alone along already also
    although always among an and another any anyone anything are around as at avoid base be because been before
    behind being below beside besides between both but by can cannot case change changed changes changing code
    codebase could create created creating did directly do does doing don't done down during each edit editing
    either else even ever every everyone everything everywhere except explicitly favor favour file files first for
    from front fully further general get getting go going had hand has have having here how if in instead into is it
    its itself just keep kind later let like machine made make makes making manually may me mere might more most
    much must my near need needed needs never next no nor not nothing now of off on once one ones only onto or order
    other others our out over own part people place places please prefer project projects purpose put putting rather
    really repo repos repository same say should simply since so some something stay still such sure sync than that
    the their them then there these they thing things this those through time times to together too top touch
    touching under unless until up use used uses using very via want was way we well were what when whenever where
    whether which while who whole why will with within without work working would write writes writing written yet
    you your yours yourself
"""
EMPTY = frozenset(_WEIGHTLESS.split())  # words that say nothing of what a sentence is about
STEM = 4  # letters of a word by which it is known again
SHORT = 3  # of a name that stands for a longer word: src, lib, dev


def telling(text: str) -> list[str]:
    """The words of a text that say what it is about, by their stems."""
    return [
        stem(word) for word in re.findall(r"[^\W\d_][\w'\u2019-]+", text.lower()) if len(word) > 2 and word not in EMPTY
    ]  # fmt: skip


@lru_cache(4096)
def stem(word: str) -> str:
    """The part of an English word that its forms share, as far as its ending tells: commit of committing."""
    for ending in ("ing", "ed", "es", "s", "e"):
        if word.endswith(ending) and len(word) - len(ending) >= STEM - (ending in ("s", "e")):
            word = word[: -len(ending)]
            break
    return word[:-1] if len(word) > STEM and word[-1] == word[-2] else word


def tokens(texts: Iterable[str]) -> frozenset[str]:
    """The words of texts that may be code, a path or a pattern, those within a name apart, too."""
    found: set[str] = set()
    for text in texts:
        plain = re.sub(r"\\[bsSdDwWnt]", " ", text)
        found.update(word.lower() for word in re.findall(r"[^\W_]+", re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", plain)))
        found.update(re.findall(r"[^\W\d_][\w-]+", plain.lower()))
    return frozenset(found)


def holds(words: frozenset[str], word: str, short: int = STEM) -> bool:
    """Whether one of the words is this stem, or is short for it: tests for test, prod for production."""
    return word in words or any(
        stem(one) == word or one.startswith(word)
        if len(one) >= len(word)
        else len(one) >= short and word.startswith(one)
        for one in words
    )


def mostly(words: frozenset[str], stems: Sequence[str], short: int = STEM) -> bool:
    """Whether at least half of what a text is about stands among the words."""
    return bool(stems) and 2 * sum(holds(words, word, short) for word in stems) >= len(stems)
