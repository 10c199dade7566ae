"""CODEOWNERS text -> who has to approve a change of a path."""

import re

from rulec.domain.files import globs
from rulec.domain.patterns.safety import glob_problem

# The first that exists counts.
CODEOWNERS_PATHS = (".github/CODEOWNERS", "CODEOWNERS", "docs/CODEOWNERS", ".gitlab/CODEOWNERS")
SECTION_LINE = re.compile(r"\^?\[[^\]\n]+\](?:\[\d+\])?")
_BLANK = re.compile(r"(?<!\\)[ \t]+")


def owner_lines(text: str) -> list[tuple[int, str, tuple[str, ...]]]:
    """Number, pattern and owners of each line with a pattern."""
    found = []
    for number, line in enumerate(text.splitlines(), 1):
        bare = line.strip().lstrip("\ufeff")
        if bare and not bare.startswith("#") and not SECTION_LINE.match(bare):
            pattern, *owners = _BLANK.split(bare)
            named = tuple(owners[: next((i for i, one in enumerate(owners) if one.startswith("#")), len(owners))])
            found.append((number, pattern.replace("\\ ", " "), named))
    return found


def owners_of(text: str, path: str) -> tuple[str, ...]:
    """The owners of a path, by the last line that matches it."""
    found = (owners for _, pattern, owners in reversed(owner_lines(text)) if pattern_covers(pattern, path))
    return next(found, ())


def pattern_covers(pattern: str, path: str) -> bool:
    """Whether a pattern matches; one that would take for ever to ask is taken to."""
    return glob_problem(pattern) is not None or globs.match([pattern], path)
