"""A task's words -> which rules they have to do with, and how much."""

import re
from functools import lru_cache

from rulec.domain.files import globs

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


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


def word_pieces(word: str) -> "list[str]":
    """A phrase like "test:ci", "noVerify" and "no-verify" in their pieces."""
    chunks = [chunk for chunk in _CHUNK.split(word) if chunk]
    found = (piece.lower() for chunk in chunks for piece in (chunk, *_PIECE.findall(chunk)) if len(piece) > 1)
    return list(dict.fromkeys(found))


LONGEST = 4_000  # characters of a task that are read
MOST = 1_000  # words of it
RELEVANT = 2  # from here on a rule has to do with the task
# A word of its name, condition or code; any other; at most, and for a path in its scope.
TELLING, PASSING, NAMED = 2, 1, 3
FEW = 10  # rules that may share a word before it says nothing
SHARE = 10  # or one rule of so many
MOST_PATHS = 20
_WORD = re.compile(r"[^\W_]+(?:[_.'/:-]+[^\W_]+)*")
_SPAN = r"`([^`]+)`"
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
    whole = {_plain(part) for word in found for part in (word, *word_pieces(word))}
    return {word for word in whole if len(word) > 1 and word not in _EMPTY}


def _plain(word: str) -> str:
    """The word's stem; a printer is not what prints."""
    word = word.lower()
    return word.rstrip("s") if word.endswith(("er", "ers")) else stem(word)


_EMPTY = frozenset(map(_plain, _COMMON.split()))


def task_paths(text: str) -> "list[str]":
    """What in a text looks like a file or folder."""
    return [found.strip("./") for found in _PATH.findall(text[:LONGEST])][:MOST_PATHS]


def words_about(rule: "dict[str, Any]") -> "dict[str, int]":
    """The words that lead to a rule, each with its weight: one that it has in several places is what it is about."""
    scope = rule.get("scope") or {}
    said = f"{rule.get('says', '')} {rule.get('do', '')}"
    narrow = [glob for glob in scope.get("include") or () if glob != "**"]
    fields = [(PASSING, said), (PASSING, rule.get("category", "")), (PASSING, " ".join(narrow))]
    fields += [(TELLING, text) for text in (rule["slug"], rule.get("when", ""), " ".join(scope.get("tags") or ()))]
    fields.append((TELLING, " ".join([*(rule.get("names") or ()), *re.findall(_SPAN, said)])))
    found: "dict[str, int]" = {}
    for weight, text in fields:
        for word in task_words(text):
            found[word] = min(NAMED, found.get(word, 0) + weight)
    return found


def relevance_scores(rules: "list[dict[str, Any]]", task: str) -> "list[int]":
    """For each rule how much the task has to do with it; a word that many rules share says nothing."""
    asked, named = task_words(task), task_paths(task)
    known = [rule.get("about") or words_about(rule) for rule in rules]
    held = {word: sum(word in one for one in known) for word in asked}
    most = max(FEW, len(rules) // SHARE)
    telling = [word for word in asked if held[word] <= most]
    return [
        sum(one.get(word, 0) for word in telling) + NAMED * _names(rule, named)
        for rule, one in zip(rules, known)  # noqa: B905 (Python 3.9)
    ]


def _names(rule: "dict[str, Any]", named: "list[str]") -> bool:
    include = (rule.get("scope") or {}).get("include") or ["**"]
    return "**" not in include and any(globs.match(include, path) for path in named)
