"""Guards that git knows and the disk lacks: where there are none at all, one look tells whether there should be."""

import os
import re

from rulec.checkout.worktree import git_directory
from rulec.domain.rules_layout import GUARD

RULES = ".rules"
MOST = 1000  # rule files that are looked at
LARGEST_INDEX = 64_000_000
LARGEST_RULE = 200_000
_STRICT = re.compile(rb"^on_error:[ \t]*[\"']?block\b", re.MULTILINE)


def describe_missing(root: str) -> str:
    """What is to be said, "" where git's index names no guard either."""
    names = _read(os.path.join(git_directory(root), "index"), LARGEST_INDEX) if git_directory(root) else b""
    if GUARD.replace(os.sep, "/").encode() + b"/" not in names:
        return ""
    return "the compiled guards in .rules/compiled/guard are gone; run `rulec compile`"


def blocks_when_broken(root: str) -> bool:
    """Whether some rule's file wants the agent to be stopped where its check breaks."""
    folder = os.path.join(root, RULES)
    try:
        names = [name for name in os.listdir(folder) if name.endswith(".yaml")]
    except OSError:
        return False
    return any(_STRICT.search(_read(os.path.join(folder, name), LARGEST_RULE)) for name in names[:MOST])


def _read(path: str, most: int) -> bytes:
    try:
        if not os.path.isfile(path):
            return b""
        with open(path, "rb") as file:
            return file.read(most)
    except OSError:
        return b""
