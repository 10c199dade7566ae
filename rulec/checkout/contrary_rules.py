"""Which rules contradict each other, as rulec found when it last wrote or compiled them in this clone."""

from __future__ import annotations

import os

from rulec.checkout import private_files
from rulec.checkout.worktree import shared_state_directory

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


NAME = "contrary.json"


def contrary_keys(root: str) -> dict[str, list[str]]:
    """For the key of each rule that contradicts others (slug@revision) theirs; empty where rulec never looked."""
    known = private_files.read_json(contrary_file(root)).get("pairs")
    found: dict[str, list[str]] = {}
    for pair in known if isinstance(known, list) else ():
        if isinstance(pair, list) and len(pair) == 2:
            one, other = map(str, pair)
            found.setdefault(one, []).append(other)
            found.setdefault(other, []).append(one)
    return found


def contrary_file(root: str) -> str:
    """The file that holds the pairs, shared by the work trees of a clone."""
    return os.path.join(shared_state_directory(root), NAME)


def store_pairs(root: str, data: dict[str, Any]) -> None:
    """Keep what was found, for the hook."""
    private_files.update_json(contrary_file(root), lambda _: data)
