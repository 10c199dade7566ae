"""The compiled words of a rulebook -> records to rank, each with the time when its rule last mattered."""

import json
import os

from rulec.runtime import observed, relevance, shelf, wording
from rulec.runtime.layout import WORDS
from rulec.runtime.world import plain

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

NAME = "words.json"
LONGEST = 1_000  # characters of one text of a rule; what is compiled stays far below
LARGEST = 100_000  # bytes of one artifact
_TEXTS = ("slug", "severity", "category", "says", "when", "do", "where", "layer")
_SAID = ("says", "when", "do")
_BOUNDS = ("include", "exclude", "agents", "tags", "projects", "environments")


def gather(root: str, layer: str = "") -> "list[dict[str, Any]]":
    """Every rule of a rulebook that holds; a layer that is given is that of all of them."""
    words = os.path.join(root, WORDS)
    if not os.path.isdir(words):
        return []
    stamp = shelf.stamped([words, *observed.folders(root)])
    found = shelf.kept(root, NAME, stamp)
    if found is None:
        found = list(_read(root))
        shelf.keep(root, NAME, stamp, found)
    return [{**rule, "layer": layer} for rule in found] if layer else found


def _read(root: str) -> "Iterator[dict[str, Any]]":
    for name in observed.names(os.path.join(root, WORDS)):
        rule = record(_json(os.path.join(root, WORDS, name)))
        if rule is not None and name == f"{rule['slug']}.json":
            yield ready(rule, observed.of(root, rule["slug"], rule["layer"]))


def ready(rule: "dict[str, Any]", seen: "Iterable[tuple[str, float, str]]") -> "dict[str, Any]":
    """The record with what rank would have to find out each time; of each observation its kind, weight and time."""
    return {**rule, **observed.standing(seen), "about": relevance.about(rule)}


def record(data: "Any") -> "dict[str, Any] | None":
    """An artifact's rule in its expected shape and in words that nothing steers with; None for anything else.

    It is so when it is compiled; a branch may bring artifacts that were not.
    """
    rule = data.get("rule") if isinstance(data, dict) else None
    if not isinstance(rule, dict) or not isinstance(rule.get("slug"), str) or not isinstance(rule.get("says"), str):
        return None
    found: "dict[str, Any]" = {key: wording.words(str(rule.get(key) or ""))[:LONGEST] for key in _TEXTS}
    found = {**found, **{key: wording.plain(found[key]) for key in _SAID}, "where": found["where"].replace("`", "")}
    if found["slug"] != rule["slug"] or "`" in found["slug"]:
        return None
    scope = rule.get("scope")
    scope = scope if isinstance(scope, dict) else {}
    found["scope"] = {key: [str(one) for one in scope[key]] for key in _BOUNDS if isinstance(scope.get(key), list)}
    names = rule.get("names")
    found["names"] = [str(one)[:LONGEST] for one in names] if isinstance(names, list) else []
    return {**found, "revision": rule.get("revision")}


def _json(path: str) -> "Any":
    try:
        with open(path, encoding="utf-8", opener=plain) as file:
            return json.loads(file.read(LARGEST))
    except (OSError, ValueError, RecursionError):
        return None
