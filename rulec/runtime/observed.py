"""Evidence -> when a rule last mattered and how much speaks for it, of files by their first lines."""

import os
import re

from rulec.runtime.precedence import moment

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
    at = max((one[2] for one in found), key=lambda at: (moment(at), at), default="")
    pro = sum(weight for kind, weight, _ in found if kind in FOR)
    against = sum(weight for kind, weight, _ in found if kind in AGAINST)
    return {"at": at, "time": moment(at), "confidence": round((1 + pro) / (2 + pro + against), 6)}


def folders(root: str) -> "list[str]":
    """Every folder with evidence for one rule, those of vendored rulebooks among them."""
    places = [os.path.join(root, EVIDENCE)]
    places += [os.path.join(root, EXTENDS, name, "evidence") for name in names(os.path.join(root, EXTENDS))]
    return [os.path.join(place, name) for place in places for name in names(place)]


def of(root: str, slug: str, layer: str) -> "Iterator[tuple[str, float, str]]":
    """The observations about one rule: kind, weight and time of each."""
    kind, _, name = layer.partition(" ")
    vendored = [os.path.join(root, EXTENDS, name, "evidence", slug)] if kind == "extends" and name else []
    for folder in [os.path.join(root, EVIDENCE, slug), *vendored]:
        for file in names(folder):
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


def names(folder: str) -> "list[str]":
    """What is in a folder, sorted; nothing where it cannot be read."""
    try:
        return sorted(os.listdir(folder))
    except OSError:
        return []
