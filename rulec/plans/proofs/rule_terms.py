"""What rules ask of steps: read from their compiled files, which a commit takes from HEAD and a hook from the disk."""

from __future__ import annotations

import json
import os

from rulec.checkout import private_files
from rulec.domain.compiled_rule import ChangeCheck, DependencyCheck, PathCheck, RuleScope, TextCheck, read_rule
from rulec.domain.enforcement import LEVELS
from rulec.domain.record import read_record
from rulec.guard import scopes
from rulec.plans.plan import TESTABLE
from rulec.reminders.rule_records import level_at_step, level_of, parse_record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Mapping
    from typing import Any


FOLDER = ".rules/compiled/"
WORDS, GUARD = "words", "guard"
KINDS = (GUARD, "semgrep", "shell")  # of checks that a machine decides
LARGEST = 1_000_000  # bytes of one compiled file
_HERE = "local"


class RuleTerms:
    """A rule as the steps of plans need it."""

    __slots__ = ("at_calls", "at_commit", "do", "level", "pinned", "record", "revision", "slug")

    def __init__(self, record: dict[str, Any]) -> None:
        self.record = record
        self.slug: str = record["slug"]
        self.do: str = record["do"]
        self.level = level_of(record)
        self.pinned = record.get("level") in LEVELS  # a person set its level
        self.at_commit = False  # a check of it acts at the commit
        self.at_calls = False  # a guard of it acts at tool calls
        known = record.get("revision")
        self.revision = known if isinstance(known, int) else 0  # that an approval is of

    def level_where(self, *, named: bool) -> str:
        """The level at a step; ``named`` is whether the plan itself names the rule there."""
        checked = {"checked": True} if self.at_commit or self.at_calls else {}
        return level_at_step({**self.record, **checked}, named=named)

    def holds_for(self, path: str, agent: str) -> bool:
        """Whether the rule speaks of the file, where that agent works."""
        scope = self.record["scope"]
        if (scope.get("agents") and agent and agent not in scope["agents"]) or (
            scope.get("environments") and _HERE not in scope["environments"]
        ):
            return False
        return scopes.holds_path(read_record(RuleScope, scope), path)

    def add(self, kind: str, text: str) -> None:
        """Take one compiled check of the rule."""
        if kind != GUARD:
            self.at_commit = True
            return
        try:
            check = read_rule(json.loads(text)).check
        except (ValueError, RecursionError):
            self.at_commit = True  # the gate says that it is damaged
            return
        whole = isinstance(check, (ChangeCheck, DependencyCheck))
        protects = isinstance(check, PathCheck) and "**" not in check.globs and check.how != ("create",)
        parts = isinstance(check, TextCheck) and bool(check.parts)
        self.at_commit = self.at_commit or whole or parts or protects
        self.at_calls = self.at_calls or not isinstance(check, ChangeCheck)


def terms_of_texts(texts: Mapping[str, str], slugs: Collection[str]) -> dict[str, RuleTerms]:
    """The rules of these names, and all whose level a person set to testable, from compiled files by path."""
    found: dict[str, RuleTerms] = {}
    for path, text in texts.items():
        kind, name = _kind_and_slug(path)
        if kind == WORDS and (name in slugs or f'"level": "{TESTABLE}"' in text):
            record = _record(text)
            if record is not None and record["slug"] == name:
                found[name] = RuleTerms(record)
    for path, text in texts.items():
        kind, name = _kind_and_slug(path)
        if kind in KINDS and name in found:
            found[name].add(kind, text)
    return found


def terms_at_hand(root: str, slugs: Collection[str]) -> dict[str, RuleTerms]:
    """The same by the compiled files of the work tree."""
    found: dict[str, str] = {}
    for kind in (WORDS, *KINDS):
        folder = os.path.join(root, FOLDER, kind)
        try:
            names = sorted(os.listdir(folder))
        except OSError:
            continue
        for name in names:
            data = private_files.read_file(os.path.join(folder, name), LARGEST)
            found[f"{FOLDER}{kind}/{name}"] = (data or b"").decode("utf-8", "replace")
    return terms_of_texts(found, slugs)


def _kind_and_slug(path: str) -> tuple[str, str]:
    kind, _, name = path[len(FOLDER) :].partition("/") if path.startswith(FOLDER) else ("", "", "")
    return kind, name.partition(".")[0]


def _record(text: str) -> dict[str, Any] | None:
    try:
        return parse_record(json.loads(text))
    except (ValueError, RecursionError):
        return None
