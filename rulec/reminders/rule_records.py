"""The compiled words of a rulebook -> records to rank, each with the time when its rule last mattered."""

import json
import os
import re

from rulec.checkout import record_cache
from rulec.checkout.rules_layout import WORDS
from rulec.checkout.worktree import open_regular
from rulec.domain.precedence import timestamp
from rulec.reminders import relevance, rule_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any


EVIDENCE = os.path.join(".rules", "evidence")
EXTENDS = os.path.join(".rules", "extends")
HEAD = 4_000  # bytes of a file: what is read of it stands before anybody's words
FOR, AGAINST = ("correction", "accepted"), ("counterexample",)
_LINE = rb"(?m)^(kind|weight|at): *[\"']?([\w:.+-]+)"


def standing(seen: "Iterable[tuple[str, float, str]]") -> "dict[str, Any]":
    """What orders a rule among others, from the kind, weight and time of each observation.

    Confidence here is the plain mean over Beta(1,1), which only tells apart what is alike in all else; whether a rule
    holds at all is for the team's profile to say.
    """
    found = list(seen)
    at = max((one[2] for one in found), key=lambda at: (timestamp(at), at), default="")
    pro = sum(weight for kind, weight, _ in found if kind in FOR)
    against = sum(weight for kind, weight, _ in found if kind in AGAINST)
    return {"at": at, "time": timestamp(at), "confidence": round((1 + pro) / (2 + pro + against), 6)}


def evidence_folders(root: str) -> "list[str]":
    """Every folder with evidence for one rule, those of vendored rulebooks among them."""
    places = [os.path.join(root, EVIDENCE)]
    places += [os.path.join(root, EXTENDS, name, "evidence") for name in folder_names(os.path.join(root, EXTENDS))]
    return [os.path.join(place, name) for place in places for name in folder_names(place)]


def observations_of(root: str, slug: str, layer: str) -> "Iterator[tuple[str, float, str]]":
    """The observations about one rule: kind, weight and time of each."""
    kind, _, name = layer.partition(" ")
    vendored = [os.path.join(root, EXTENDS, name, "evidence", slug)] if kind == "extends" and name else []
    for folder in [os.path.join(root, EVIDENCE, slug), *vendored]:
        for file in folder_names(folder):
            if file.endswith(".yaml"):
                yield _observation(os.path.join(folder, file))


def _observation(path: str) -> "tuple[str, float, str]":
    try:
        with open(path, "rb") as file:
            lines = re.findall(_LINE, file.read(HEAD))
        said = {key: value.decode("ascii") for key, value in reversed(lines)}
        return said.get(b"kind", ""), float(said.get(b"weight", "0")), said.get(b"at", "")
    except (OSError, ValueError):
        return "", 0.0, ""


def folder_names(folder: str) -> "list[str]":
    """What is in a folder, sorted; nothing where it cannot be read."""
    try:
        return sorted(os.listdir(folder))
    except OSError:
        return []


NAME = "words.json"
LONGEST = 1_000  # characters of one text of a rule; what is compiled stays far below
LARGEST = 100_000  # bytes of one artifact
_TEXT_KEYS = ("slug", "severity", "category", "says", "when", "do", "where", "layer")
_SAID = ("says", "when", "do")
_BOUNDS = ("include", "exclude", "agents", "tags", "projects", "environments")


def gather_rules(root: str, layer: str = "") -> "list[dict[str, Any]]":
    """Every rule of a rulebook that holds; a layer that is given is that of all of them."""
    words = os.path.join(root, WORDS)
    if not os.path.isdir(words):
        return []
    stamp = record_cache.stamp_of([words, *evidence_folders(root)])
    found = record_cache.load_records(root, NAME, stamp)
    if found is None:
        found = list(_read(root))
        record_cache.save_records(root, NAME, stamp, found)
    return [{**rule, "layer": layer} for rule in found] if layer else found


def _read(root: str) -> "Iterator[dict[str, Any]]":
    for name in folder_names(os.path.join(root, WORDS)):
        rule = parse_record(_json(os.path.join(root, WORDS, name)))
        if rule is not None and name == f"{rule['slug']}.json":
            yield ranked_record(rule, observations_of(root, rule["slug"], rule["layer"]))


def ranked_record(rule: "dict[str, Any]", seen: "Iterable[tuple[str, float, str]]") -> "dict[str, Any]":
    """The record with what rank would have to find out each time; of each observation its kind, weight and time."""
    return {**rule, **standing(seen), "about": relevance.words_about(rule)}


def parse_record(data: "Any") -> "dict[str, Any] | None":
    """An artifact's rule in its expected shape and in words that nothing steers with; None for anything else.

    It is so when it is compiled; a branch may bring artifacts that were not.
    """
    rule = data.get("rule") if isinstance(data, dict) else None
    if not isinstance(rule, dict) or not isinstance(rule.get("slug"), str) or not isinstance(rule.get("says"), str):
        return None
    found: "dict[str, Any]" = {key: rule_text.one_line(str(rule.get(key) or ""))[:LONGEST] for key in _TEXT_KEYS}
    found = {
        **found,
        **{key: rule_text.plain_text(found[key]) for key in _SAID},
        "where": found["where"].replace("`", ""),
    }
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
        with open(path, encoding="utf-8", opener=open_regular) as file:
            return json.loads(file.read(LARGEST))
    except (OSError, ValueError, RecursionError):
        return None
