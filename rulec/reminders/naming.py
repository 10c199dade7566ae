"""What a task calls by name: rules by their slugs, and the programs, paths and identifiers that rules are about."""

from __future__ import annotations

import re

from rulec.domain.files.globs import WILDCARDS
from rulec.reminders.words import EMPTY, LONGEST, MOST, MOST_PATHS, plain_stem, task_paths

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any


SPAN = r"`([^`]+)`"
_TOKEN = re.compile(r"@?[^\W_](?:[\w.@/:-]*\w)?")


def names_of(rule: dict[str, Any]) -> set[str]:
    """The names by which a task can call a rule.

    They are its slug, the names in its checks, the words of its spans of code, and the single files of its scope.
    """
    spans = re.findall(SPAN, f"{rule.get('says', '')} {rule.get('do', '')}")
    files = [glob for glob in (rule.get("scope") or {}).get("include") or () if not any(map(glob.count, WILDCARDS))]
    written = [*(rule.get("names") or ()), *files, *(token for span in spans for token in _TOKEN.findall(span))]
    return {rule["slug"].lower(), *map(_as_name, written)} - {""}


def _as_name(token: str) -> str:
    """Capitals stand for themselves: NAME in `pnpm add NAME` is no name, and SELECT is none but in capitals."""
    token = token.strip("./")
    return token if token.isupper() and len(token) > 1 else token.lower()


def names_in_task(text: str) -> dict[str, str]:
    """The names that a task may call, each with the words that do so.

    A word that every text has calls nothing, unless it stands as code: "make it so", but "run `make`". A path calls the
    folders in which it lies and its kind of files, too.
    """
    text = text[:LONGEST]
    found: dict[str, str] = {}
    for span in re.findall(SPAN, text):
        found.update(dict.fromkeys((name for token in _TOKEN.findall(span) for name in _called(token)), span))
    for token in _TOKEN.findall(text)[:MOST]:
        if plain_stem(token) not in EMPTY:
            found.update(dict.fromkeys(_called(token), token))
    for path in task_paths(text)[:MOST_PATHS]:
        for name in _places_of(path):
            if plain_stem(name) not in EMPTY:
                found.setdefault(name, path)
    return found


def _called(token: str) -> Iterator[str]:
    token = token.strip("./")
    if token:
        yield token.lower()
        if token.isupper():
            yield token


def _places_of(path: str) -> Iterator[str]:
    """The folders above a path, its own name, and the suffix of that."""
    folders = path.lower().split("/")
    for count in range(1, len(folders)):
        yield "/".join(folders[:count])
        yield folders[count]
    yield folders[-1].rpartition(".")[2]
