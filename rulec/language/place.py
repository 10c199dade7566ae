"""Where a wish holds: "in src", "under docs/ and lib", "outside scripts/" as globs."""

import re
from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import NamedTuple

from rulec.language._layers import TESTS, layer
from rulec.language.clause import Clause
from rulec.language.terms import table

_PLACE = re.compile(
    r"^(?:anywhere |everywhere )?(?:in|inside|under|below|within|into|from|for) (?:the |our |any |all )?(?P<rest>.+)$",
    re.IGNORECASE,
)
_KIND = re.compile(
    r" (?:folders?|director(?:y|ies)|dirs?|packages?|trees?|code|files?|modules?|source|crates?|layers?)$",
    re.IGNORECASE,
)
_PARTS = re.compile(r"\s*(?:,|\band\b|\bor\b)\s*(?:the |in )?", re.IGNORECASE)
_FILE = re.compile(r"[\w-][\w.-]*\.[A-Za-z]\w{0,5}")
_PATH = re.compile(r"[\w.@-]+(?:/[\w.@*-]+)*/?")
# Said of all that there is: "in code or docs" is everywhere.
_EVERYWHERE = table(
    "code codebase repo repository project source sources file files here it general anything text texts"
)
_BUILT = table("component components")  # what a user interface is made of, wherever it stands
# Said of what no path shows but the check itself knows: they narrow nothing.
_OTHERWISE = table(
    "comments comment commits commit messages message python javascript typescript js ts py go golang java ruby php "
    "rust bash shell c cpp react node"
)
_FOLDERS = table(
    "src lib libs app apps test tests spec specs docs doc web www frontend backend server client api scripts script "
    "packages pkg cmd internal tools examples example e2e components migrations models views templates styles public "
    "services service core common cli bin vendor gen generated dist build infra deploy config"
)


_OUTSIDE = re.compile(r"^(?:anywhere |everywhere )?(?:outside(?: of)?|except in|other than in) ", re.IGNORECASE)
_ENTRIES = ("cmd/", "cli/", "bin/", "scripts/", "examples/", "main.*", "cli.*", "__main__.py")
_FOLDER = re.compile(r"\b(?:folder|director)|/", re.IGNORECASE)
# Kinds of code that no folder is called by: where they are not.
_ELSEWHERE = {"library": (*_ENTRIES, *TESTS), "prod": TESTS, "production": TESTS}
_KIND_OF_CODE = re.compile(
    r"^(?:in|inside|from) (?:the |our |any |all )?(?P<kind>library|prod|production)(?: code)?$", re.IGNORECASE
)


class Where(NamedTuple):
    """Globs of where a wish holds and of where it does not; both empty where it holds everywhere."""

    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()


def where(clause: Clause, known: Collection[str] = ()) -> Where | None:
    """Where the clause holds; None where it names a place that no path shows."""
    said = clause.when.strip()
    if kind := _KIND_OF_CODE.match(said):
        return Where(exclude=_ELSEWHERE[kind["kind"].lower()])
    outside = _OUTSIDE.match(said)
    found = place(replace(clause, when="in " + said[outside.end() :]) if outside else clause, known)
    if outside:
        return Where(exclude=found) if found else None
    return None if found is None else Where(include=found)


def place(clause: Clause, known: Collection[str] = ()) -> tuple[str, ...] | None:
    """Globs of where the clause holds, () for everywhere; None where it names a place that no path shows.

    ``known`` are folders that the evidence shows to exist.
    """
    match = _PLACE.match(clause.when.strip())
    if match is None:
        return ()
    globs: list[str] = []
    for part in _PARTS.split(_KIND.sub("", match["rest"].strip().strip("`'\"."))):
        word = part.strip().strip("`'\"")
        if word.lower() in _EVERYWHERE:
            return ()
        if word.lower() in _OTHERWISE:
            continue
        named = _named(word, clause, known)
        if named is None:
            return None
        globs += named
    return tuple(globs)


def _named(word: str, clause: Clause, known: Collection[str]) -> Sequence[str] | None:
    """Globs of a folder, a file or a layer of the code that a word names; None where no path shows it."""
    forms = (word.lower(), f"{word.lower()}s", word.lower().removesuffix("s"))
    if shown := next((form for form in forms if form in known), ""):
        return (f"{shown}/",)
    if known and word.lower() in _BUILT:
        return ()
    if word.lower() in ("tests", "specs") and not _FOLDER.search(clause.when):
        return TESTS
    if word.lower() in _FOLDERS or (word.endswith("/") and _PATH.fullmatch(word)):
        return (f"{word.rstrip('/')}/",)
    if ("/" in word or _FILE.fullmatch(word)) and _PATH.fullmatch(word):
        return (word if "." in word.rpartition("/")[2] else f"{word}/**",)
    return layer(word)
