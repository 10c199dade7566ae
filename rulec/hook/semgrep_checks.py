"""Semgrep's rules over the files that an agent changed: after an edit, and at the end of the turn."""

from __future__ import annotations

import json
import os

from rulec.checkout import installation, learned_needs, record_cache
from rulec.domain.enforcement import refuses
from rulec.domain.files import globs
from rulec.domain.files.languages import SEMGREP_SUFFIXES
from rulec.guard.content import forbidden_text
from rulec.shell.action_events import finding_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

    from rulec.checkout.worktree import Worktree

    Event = dict[str, Any]


FOLDER = os.path.join(".rules", "compiled", "semgrep")
KEPT = "semgrep"  # in the folder of local state: what each artifact says of its rule
MOST_FILES = 200  # that one run looks at; the commit looks at the rest
SECONDS_AFTER_EDIT = 2.0  # that an agent waits for it; what takes longer is left to the end of the turn
SECONDS_AT_END = 20.0  # what takes longer is left to the commit
FACTS, METADATA = "# rulec: ", "  metadata: "
FINDINGS = (0, 1)  # how rulec ends: without and with something that blocks
ANY_LANGUAGE = ("generic", "regex")


def judge_by_semgrep(
    files: Iterable[Event], world: Worktree, seconds: float, source_of: Callable[[str], Event | None] = lambda _: None
) -> list[tuple[Event, Event]]:
    """Findings of Semgrep's rules that block, on the lines that the changes put there, each with its rule's facts.

    rulec tells which of them are new, as at the commit; ``source_of`` knows which file was moved here from where.
    """
    if not os.path.isdir(os.path.join(world.root, FOLDER)):
        return []
    needs, rules = learned_needs.load_needs(world.root), _rules(world.root)
    asked: dict[str, tuple[dict[str, Any], set[int]]] = {}  # path -> the facts of rules by slug, and the new lines
    for file in files:
        known = {
            one["facts"]["slug"]: one["facts"]
            for one in rules
            if _reads(one, file["path"], file)
            and learned_needs.may_match(needs.get(one["digest"], True), file["content"])
        }
        lines = {number for number, _ in forbidden_text.added_lines(file)} if known else set()
        if lines:
            asked[file["path"]] = known, lines
    if not asked or len(asked) > MOST_FILES:
        return []
    given = json.dumps({path: (source_of(path) or {}).get("path", "") for path in asked}).encode()
    told = installation.ask_rulec(world.root, ["hook", "left"], seconds, given, codes=FINDINGS)
    try:
        found = [one for one in json.loads(told or b"{}").get("verdicts", []) if _counts(one, asked)]
        return [(_finding(one["finding"]), asked[one["finding"]["path"]][0][one["finding"]["slug"]]) for one in found]
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return []


def _counts(verdict: Event, asked: dict[str, tuple[dict[str, Any], set[int]]]) -> bool:
    finding = verdict["finding"]
    known, lines = asked.get(finding["path"], ({}, set())) if finding else ({}, set())
    if not finding or not refuses(verdict["outcome"]) or finding["slug"] not in known:
        return False
    last = max(finding["line"], finding["last"])
    return any(finding["line"] <= line <= last for line in lines)


def _finding(found: Event) -> Event:
    return finding_of(found["slug"], **{key: found[key] for key in ("path", "line", "last", "text", "cure")})


def _reads(rule: dict[str, Any], path: str, event: Event) -> bool:
    """Whether the rule may have something to say about the file."""
    scope, suffix = rule["facts"].get("scope") or {}, path.rpartition(".")[2].lower()
    refused = refuses(rule["facts"].get("enforcement"))
    if not refused or (scope.get("agents") and event["agent"] not in scope["agents"]):
        return False
    if not any(one in ANY_LANGUAGE or suffix in SEMGREP_SUFFIXES.get(one, (suffix,)) for one in rule["languages"]):
        return False
    return globs.match(scope.get("include") or ["**"], path) and not globs.match(scope.get("exclude") or [], path)


def _rules(root: str) -> list[dict[str, Any]]:
    """What the artifacts say of their rules and languages, read once for as long as they stay."""
    folder = os.path.join(root, FOLDER)
    stamp = record_cache.stamp_of([folder])
    known = record_cache.load_records(root, KEPT, stamp)
    if known is None:
        names = sorted(name for name in os.listdir(folder) if name.endswith(".yaml"))
        known = [one for one in (_rule(os.path.join(folder, name)) for name in names) if one]
        record_cache.save_records(root, KEPT, stamp, known)
    return known


def _rule(path: str) -> dict[str, Any]:
    try:
        with open(path, encoding="utf-8", newline="") as file:
            text = file.read()
        lines = text[:200_000].split("\n")
        facts = next(json.loads(line[len(FACTS) :]) for line in lines[:4] if line.startswith(FACTS))
        said = next(json.loads(line[len(METADATA) :])["languages"] for line in lines if line.startswith(METADATA))
        facts["slug"] = str(facts["slug"])
        return {"facts": facts, "languages": [str(one) for one in said], "digest": learned_needs.digest_of(text)}
    except (OSError, ValueError, KeyError, TypeError, StopIteration, RecursionError):
        return {}
