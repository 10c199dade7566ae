"""What a person's weights and the team's prior add to each rule's score, for whoever ranks rules."""

from __future__ import annotations

import os
import re

from rulec.checkout.rules_layout import COMPILED, personal_rulebook_path
from rulec.checkout.worktree import open_regular
from rulec.weights import weight_store

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any


OFF = os.path.join(COMPILED, "weights-off.json")  # is there where a team or a person wants no weights
ARCHIVE = os.path.join(".rules", "archive")
HEAD = 20_000  # bytes of an archived rule that are read
MOST_HEIRS = 10  # one after the other
MOST_LOOKED_UP = 20  # rules that are no more, at once
_SLUG = re.compile(r"[a-z0-9][a-z0-9-]{0,99}")
_HEIR = re.compile(r"(?m)^superseded_by: *[\"']?([a-z0-9-]+)")


def is_off(root: str) -> bool:
    """Whether the team's settings or the person's own want no weights."""
    return any(os.path.exists(os.path.join(top, OFF)) for top in (root, personal_rulebook_path()))


def bonuses(root: str, rules: list[dict[str, Any]], session: str = "") -> dict[str, float]:
    """By a rule's name, what the long weights, those of the session and the team's prior together add to its score."""
    if is_off(root):
        return {}
    long, short = weight_store.load_gains(root, session)
    found = {rule["slug"]: rule["prior"] for rule in rules if "prior" in rule}
    if long or short:
        heirs = Heirs(root, rules)
        for gains in (heirs.renamed(long), heirs.renamed(short)):
            for slug, gain in gains.items():
                found[slug] = found.get(slug, 0.0) + gain
    return found


class Heirs:
    """From the name of a rule to the name of the rule that took its place: a rename is such a one, too."""

    __slots__ = ("_names", "_root", "_seen")

    def __init__(self, root: str, rules: Iterable[dict[str, Any]]) -> None:
        self._root = root
        self._names = {rule["slug"] for rule in rules}
        self._seen: dict[str, str] = {}

    def name_today(self, slug: str) -> str:
        """The rule's name today; its own where nobody knows of another one."""
        if slug in self._names:
            return slug
        if slug not in self._seen:
            self._seen[slug] = self._follow(slug) if len(self._seen) < MOST_LOOKED_UP else slug
        return self._seen[slug]

    def renamed(self, weights: dict[str, float]) -> dict[str, float]:
        """The weights by today's names; those of rules that became one are added up."""
        found: dict[str, float] = {}
        for slug, weight in weights.items():
            name = self.name_today(slug)
            found[name] = found.get(name, 0.0) + weight
        return found

    def _follow(self, slug: str) -> str:
        at = slug
        for _ in range(MOST_HEIRS):
            at = self._heir(at)
            if not at or at in self._names:
                break
        return at if at in self._names else slug

    def _heir(self, slug: str) -> str:
        if not _SLUG.fullmatch(slug):
            return ""
        try:
            path = os.path.join(self._root, ARCHIVE, f"{slug}.yaml")
            with open(path, encoding="utf-8", errors="replace", opener=open_regular) as file:
                found = _HEIR.search(file.read(HEAD))
        except OSError:
            return ""
        return found[1] if found else ""
