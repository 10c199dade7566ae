"""The words and paths of a text, by their stems."""

import re
from functools import lru_cache

_PIECE = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")
_CHUNK = re.compile(r"[\W_]+")
_ENDINGS = ("ings", "ing", "ers", "er", "ies", "ied", "es", "ed", "s")


@lru_cache(maxsize=4096)
def stem(word: str) -> str:
    """A word without its ending."""
    word = word.lower()
    if len(word) > 4 and word[-1] == "y" and word[-2] not in "aeiou":  # as its plural: query, queries
        return word[:-1]
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) > 2:
            word = word[: -len(ending)]
            if ending not in ("ies", "ied", "es", "s") and word[-1] == word[-2] and word[-1] not in "ls":
                word = word[:-1]
            break
    return word.rstrip("e") if len(word) > 3 else word


def word_pieces(word: str) -> "list[str]":
    """A phrase like "test:ci", "noVerify" and "no-verify" in their pieces."""
    chunks = [chunk for chunk in _CHUNK.split(word) if chunk]
    found = (piece.lower() for chunk in chunks for piece in (chunk, *_PIECE.findall(chunk)) if len(piece) > 1)
    return list(dict.fromkeys(found))


LONGEST = 4_000  # characters of a task that are read
MOST = 1_000  # words of it
MOST_PATHS = 20
_WORD = re.compile(r"[^\W_]+(?:[_.'/:-]+[^\W_]+)*")
_PATH = re.compile(r"[\w@.-]*(?:/[\w@.*-]+)+|[\w-]+\.[A-Za-z]\w{0,7}")
_COMMON = """
a about above add added after again agent all also always an and another any anything are as ask at avoid back
be because been before being bit both but by call can can't case change check checked checks close code common
could create current data default did do does doing don don't done each either else end ensure even ever every
everything file find first fix folder for from full get git give given go good had has have having help here
how i i'm idea if in input instead into is issue it it's its js just keep kind know last leave let let's like
line list long look main make many may md me mean more most much must my name need needs never new next no not
nothing now number of off ok on once one only open opened or other our out output over own page part people
person place please point problem project put py question rather read really repository response rule rulec
run same say see session set shall short should show side since so some something src start step still stop
such sure take task tell text than that the their them then there these they thing this those through time to
today too try ts two ui under until up update us use user users using value version very via want was way we
we're were what when where whether which while who why will with without word work would write yep yes yet you
your
"""


def task_words(text: str) -> "set[str]":
    """The stems of a text's words, compound ones whole and in pieces, without those that every text has."""
    found = _WORD.findall(text[:LONGEST])[:MOST]
    return {stem for word in set(found) for stem in _telling_stems(word)}


@lru_cache(maxsize=4096)
def _telling_stems(word: str) -> "tuple[str, ...]":
    """The stems of a word and of its pieces that say something."""
    stems = map(plain_stem, (word, *word_pieces(word)))
    return tuple(stem for stem in stems if len(stem) > 1 and stem not in EMPTY)


@lru_cache(maxsize=4096)
def plain_stem(word: str) -> str:
    """The word's stem; a printer is not what prints."""
    word = word.lower()
    return word.rstrip("s") if word.endswith(("er", "ers")) else stem(word)


EMPTY = frozenset(map(plain_stem, _COMMON.split()))


def task_paths(text: str) -> "list[str]":
    """What in a text looks like a file or folder."""
    return [found.strip("./") for found in _PATH.findall(text[:LONGEST])][:MOST_PATHS]
