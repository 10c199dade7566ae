"""What a person approved of rules at steps: just these lines of these files, signed with this machine's key."""

from __future__ import annotations

import os
import time

from rulec.checkout import private_files
from rulec.checkout.worktree import git_directory, state_directory
from rulec.plans import signed_records

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any


NAME = "approved-steps.json"
LARGEST = 8_000_000  # bytes
MOST = 500  # approvals that are kept, the last ones
_LIST = "approvals"


def add_approval(root: str, rule: str, revision: int, pins: Mapping[str, str], by: str) -> bool:
    """Sign and store that a person approved a rule's step as these files are; whether that could be done."""
    record = signed_records.signed(
        {
            "kind": "approval", "rule": rule, "revision": revision, "pins": dict(pins), "by": by,
            "place": _place(root), "at": time.time(),
        }
    )  # fmt: skip
    path = os.path.join(state_directory(root), NAME)
    stored = private_files.update_json(path, lambda known: {_LIST: [*_listed(known), record][-MOST:]})
    return stored and "sign" in record


def approvals(root: str) -> list[dict[str, Any]]:
    """The approvals that were given on this machine in this work tree, the last one first."""
    place = _place(root)
    return [
        one for one in reversed(_all(root))
        if one.get("kind") == "approval" and one.get("place") == place and isinstance(one.get("pins"), dict)
        if signed_records.is_signed(one)
    ]  # fmt: skip


def count_foreign(root: str) -> int:
    """How many records of approvals there are that rulec on this machine did not make in this work tree."""
    return len(_all(root)) - len(approvals(root))


def approved_by(known: list[dict[str, Any]], rule: str, revision: int, pins: Mapping[str, str]) -> str:
    """Who approved the rule's step for all of these files as they are; "" for nobody."""
    good = [one for one in known if one.get("rule") == rule and one.get("revision") == revision]
    covered = [next((one for one in good if pin and one["pins"].get(path) == pin), None) for path, pin in pins.items()]
    if not covered or None in covered:
        return ""
    return str(next(one for one in covered if one is not None).get("by") or "a person")


def _place(root: str) -> str:
    """Where a record belongs: the same in no other clone and no other work tree."""
    return os.path.realpath(git_directory(root))


def _all(root: str) -> list[dict[str, Any]]:
    return _listed(private_files.read_json(os.path.join(state_directory(root), NAME), LARGEST))


def _listed(known: Mapping[str, Any]) -> list[dict[str, Any]]:
    listed = known.get(_LIST)
    return [one for one in listed if isinstance(one, dict)] if isinstance(listed, list) else []
