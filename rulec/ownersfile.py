"""CODEOWNERS text -> who has to approve a change of a path."""

import re

from rulec.patterns.safety import wrong_glob
from rulec.runtime import globs

PATHS = (".github/CODEOWNERS", "CODEOWNERS", "docs/CODEOWNERS", ".gitlab/CODEOWNERS")  # the first that exists counts
SECTION = re.compile(r"\^?\[[^\]\n]+\](?:\[\d+\])?")
_BLANK = re.compile(r"(?<!\\)[ \t]+")


def lines(text: str) -> list[tuple[int, str, tuple[str, ...]]]:
    """Number, pattern and owners of each line that says who owns something."""
    found = []
    for number, line in enumerate(text.splitlines(), 1):
        bare = line.strip().lstrip("\ufeff")
        if bare and not bare.startswith("#") and not SECTION.match(bare):
            pattern, *owners = _BLANK.split(bare)
            named = tuple(owners[: next((i for i, one in enumerate(owners) if one.startswith("#")), len(owners))])
            found.append((number, pattern.replace("\\ ", " "), named))
    return found


def owners(text: str, path: str) -> tuple[str, ...]:
    """Who owns a path: what the last line that speaks of it says."""
    return deciding(text, path)[1]


def deciding(text: str, path: str) -> tuple[str, tuple[str, ...]]:
    """The pattern that says who owns a path, and the owners; ("", ()) where nothing speaks of it."""
    found = ((pattern, owners) for _, pattern, owners in reversed(lines(text)) if speaks(pattern, path))
    return next(found, ("", ()))


def speaks(pattern: str, path: str) -> bool:
    """Whether a pattern matches; one that would take for ever to ask is taken to."""
    return wrong_glob(pattern) is not None or globs.match([pattern], path)
