"""Pairs that a person wants to keep apart: remembered in the git directory until one of the rules changes."""

import hashlib
from collections.abc import Iterable
from pathlib import Path

from rulec.domain.rule import Rule
from rulec.infra import state
from rulec.infra.rulebooks import rule_reading

REJECTED = "kept-apart"


def reject_pair(top: Path, one: Rule, other: Rule) -> None:
    """Remember that these two, as they stand, are not to be one rule."""
    state.write_state_text(top, f"{REJECTED}/{_key(one, other)}", f"{one.slug} {other.slug}\n")


def rejected_keys(top: Path) -> frozenset[str]:
    """The keys of all rejected pairs."""
    return frozenset(state.state_names(top, REJECTED))


def is_rejected(keys: Iterable[str], one: Rule, other: Rule) -> bool:
    """Whether the pair was rejected and neither rule has changed since."""
    return _key(one, other) in keys


def _key(one: Rule, other: Rule) -> str:
    """The same in either order, and another one once either rule's file says something else."""
    texts = sorted(rule_reading.write_rule(rule) for rule in (one, other))
    return hashlib.sha256("\0".join(texts).encode("utf-8", "surrogatepass")).hexdigest()[:24]
