"""An inverted index of a rulebook: from the words, names and paths of a task to the rules that they lead to.

It is made once for a rulebook and kept with its records, so that a message looks at the rules that share a word with it
and at no others.
"""

from __future__ import annotations

import math

from rulec.domain.files import globs
from rulec.reminders import naming, relevance
from rulec.reminders.words import task_paths, task_words
from rulec.reminders.work_kinds import kinds_of_stems

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    Part = dict[str, Any]  # the index of one rulebook: numbers, texts, lists and dictionaries alone


# BM25's k1 and b: how soon a word that a rule has in several places says no more, and how much a long rule loses. From
# .8 to 3 and 0 to .75 they change little on the cases in view (evaluation/bench/rank.py).
SATURATION, LENGTH = 1.2, 0.3
PATH = 2.0  # points of a path that lies in a scope that does not hold everything
FEWEST = 20  # rules: in a smaller rulebook a word is as rare as in one of so many
LEAST = 0.05  # rarity below which a word says nothing: nine rules of ten have it


def build_index(rules: list[dict[str, Any]]) -> Part:
    """The index of some rules, which stand for their places in the list.

    What a term or name leads to is one text of numbers, of which a task reads only what it asks for.
    """
    terms: dict[str, list[str]] = {}
    names: dict[str, list[str]] = {}
    places: dict[str, list[list[Any]]] = {}
    lengths = []
    for at, rule in enumerate(rules):
        words = relevance.words_about(rule)
        lengths.append(sum(words.values()))
        for word, weight in words.items():
            terms.setdefault(word, []).append(f"{at} {weight:g}")
        for name in naming.names_of(rule):
            names.setdefault(name, []).append(str(at))
        scope = rule.get("scope") or {}
        include = scope.get("include") or ["**"]
        for glob in include if "**" not in include else ():
            places.setdefault(globs.literal_folder(glob), []).append([at, glob, scope.get("exclude") or []])
    return {
        "count": len(rules),
        "mean": sum(lengths) / max(1, len(lengths)) or 1.0,
        "lengths": " ".join(f"{length:g}" for length in lengths),
        "terms": {term: " ".join(held) for term, held in terms.items()},
        "names": {name: " ".join(held) for name, held in names.items()},
        "places": places,
    }


class TaskMatch:
    """What leads from a task to one rule: points, a path in its scope, and what calls the rule by name."""

    __slots__ = ("named", "path", "points")

    def __init__(self) -> None:
        self.points = 0.0
        self.path = self.named = ""

    def log_probability(self) -> float:
        """How likely it is that the task has to do with the rule."""
        return relevance.log_probability(self.points)


def match_task(parts: list[Part], task: str) -> dict[int, TaskMatch]:
    """The rules to which anything in the task leads; places go on from one rulebook's index to the next one's."""
    found: dict[int, TaskMatch] = {}
    _match_terms(parts, task, found)
    start = 0
    paths, called = task_paths(task), naming.names_in_task(task)
    for part in parts:
        _match_paths(part, start, paths, found)
        _match_names(part, start, called, found)
        start += part["count"]
    return found


def _match_terms(parts: list[Part], task: str, found: dict[int, TaskMatch]) -> None:
    """Add what each word and kind of work of the task gives the rules to which it leads (BM25)."""
    count = sum(part["count"] for part in parts)
    mean = sum(part["mean"] * part["count"] for part in parts) / max(1, count) or 1.0
    lengths = [part["lengths"].split() for part in parts]
    fixed, each = SATURATION * (1 - LENGTH), SATURATION * LENGTH / mean
    words = task_words(task)
    for term in sorted(words | kinds_of_stems(words)):
        held = [part["terms"].get(term, "").split() for part in parts]
        many = sum(map(len, held)) // 2
        rare = rarity(many, count) if many else 0.0
        if rare <= LEAST:
            continue
        most, start = rare * (SATURATION + 1), 0
        for part, numbers, long in zip(parts, held, lengths, strict=False):
            for at, weight in zip(map(int, numbers[::2]), map(float, numbers[1::2]), strict=False):
                one = found.get(start + at)
                if one is None:
                    one = found[start + at] = TaskMatch()
                one.points += most * weight / (weight + fixed + each * float(long[at]))
            start += part["count"]


def rarity(held: int, count: int) -> float:
    """How much a term says that so many of the rules have: 1 where it is one rule's alone (BM25's idf, as a share)."""
    count = max(FEWEST, count)
    return math.log(1 + (count - held + 0.5) / (held + 0.5)) / math.log(1 + (count - 0.5) / 1.5)


def _match_paths(part: Part, start: int, paths: list[str], found: dict[int, TaskMatch]) -> None:
    """Add what paths of the task give that lie in a rule's scope."""
    places = part["places"]
    for path in paths:
        for folder in _above(path):
            for at, glob, spared in places.get(folder, ()):
                known = found.get(start + at)
                if not (known and known.path) and globs.match([glob], path) and not globs.match(spared, path):
                    one = found.setdefault(start + at, TaskMatch())
                    one.path = path
                    one.points += PATH


def _above(path: str) -> Iterator[str]:
    """A path and the folders in which it lies, the whole repository first."""
    yield ""
    at = path.find("/")
    while at >= 0:
        yield path[:at]
        at = path.find("/", at + 1)
    if path:
        yield path


def _match_names(part: Part, start: int, called: dict[str, str], found: dict[int, TaskMatch]) -> None:
    """Note what the task calls by name."""
    names = part["names"]
    for name, words in called.items():
        for at in names.get(name, "").split():
            one = found.setdefault(start + int(at), TaskMatch())
            one.named = one.named or words
