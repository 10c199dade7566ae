"""What a file must hold for a Semgrep rule to see anything in it, as Semgrep said once: kept in the git folder."""

from __future__ import annotations

import hashlib
import json
import os

from rulec.checkout import private_files
from rulec.checkout.worktree import shared_state_directory

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    Condition = Any  # JSON: True | "literal" | ["&", Need, ...] | ["|", Need, ...] | ["i", "literal in any case"]


NAME = "needs.json"
MOST = 10_000  # compiled checks


def digest_of(text: str) -> str:
    """What a compiled check is known by."""
    return hashlib.sha256(text.encode("utf-8", "surrogateescape")).hexdigest()[:24]


def load_needs(root: str) -> dict[str, Condition]:
    """The conditions by the digests of compiled checks; none where another Semgrep said so."""
    known = private_files.read_json(_place(root))
    core, needs = known.get("core"), known.get("needs")
    if not isinstance(core, str) or not isinstance(needs, dict) or known.get("sum") != _sum_of(core, needs):
        return {}
    return needs if core == identity_of(core.rpartition(" ")[0].rpartition(" ")[0]) else {}


def _sum_of(core: str, needs: dict[str, Condition]) -> str:
    """By which a damaged file is known: a rule must not be passed over because of it."""
    return digest_of(json.dumps([core, needs]))


def store_needs(root: str, core: str, needs: dict[str, Condition]) -> None:
    """Add conditions that the Semgrep of this identity stated; where that fails they are asked for again."""
    kept = load_needs(root)
    fresh = {digest: need for digest, need in needs.items() if digest not in kept}
    if core and fresh:
        whole = dict([*kept.items(), *fresh.items()][-MOST:])
        private_files.update_json(_place(root), lambda _: {"core": core, "needs": whole, "sum": _sum_of(core, whole)})


def identity_of(program: str) -> str:
    """What changes when a program's file does; "" where there is none."""
    try:
        seen = os.stat(program)
    except (OSError, ValueError):
        return ""
    return f"{program} {seen.st_size} {seen.st_mtime_ns}"


def may_match(need: Condition, text: str) -> bool:
    """Whether a text meets a condition; one that nobody can read counts as met."""
    if isinstance(need, str):
        return need in text
    if not isinstance(need, list) or len(need) < 2 or need[0] not in tuple(_SIGNS):
        return True
    sign, *parts = need
    return _SIGNS[sign](may_match(part, text) if sign != "i" else _has_in_any_case(text, part) for part in parts)


_SIGNS = {"&": all, "|": any, "i": all}


def _has_in_any_case(text: str, word: object) -> bool:
    return not isinstance(word, str) or word.casefold() in text.casefold()


def _place(root: str) -> str:
    return os.path.join(shared_state_directory(root), NAME)
