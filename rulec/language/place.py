"""Where a wish holds: "in src", "under docs/ and lib", "in src/api.ts" as globs."""

import re
from collections.abc import Collection

from rulec.language.clause import Clause
from rulec.language.terms import table

_PLACE = re.compile(
    r"^(?:anywhere |everywhere )?(?:in|inside|under|below|within|into|from|for) (?:the |our |any |all )?(?P<rest>.+)$",
    re.IGNORECASE,
)
_KIND = re.compile(
    r" (?:folders?|director(?:y|ies)|dirs?|packages?|trees?|code|files?|modules?|source)$", re.IGNORECASE
)
_PARTS = re.compile(r"\s*(?:,|\band\b|\bor\b)\s*(?:the |in )?", re.IGNORECASE)
_FILE = re.compile(r"[\w-][\w.-]*\.[A-Za-z]\w{0,5}")
_PATH = re.compile(r"[\w.@-]+(?:/[\w.@*-]+)*/?")
# Said of all that there is: "in code or docs" is everywhere.
_EVERYWHERE = table("code codebase repo repository project source sources file files here it general anything text")
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
        if word.lower() in known or word.lower() in _FOLDERS or (word.endswith("/") and _PATH.fullmatch(word)):
            globs.append(f"{word.rstrip('/')}/")
        elif ("/" in word or _FILE.fullmatch(word)) and _PATH.fullmatch(word):
            globs.append(word if "." in word.rpartition("/")[2] else f"{word}/**")
        else:
            return None
    return tuple(globs)
