"""After an edit: rules on its file, and Semgrep over it where rulec is installed and quick."""

import json
import os

from rulec.checkout import installation, learned_needs, record_cache
from rulec.checkout.lapsed_rules import in_effect
from rulec.domain.enforcement import refuses
from rulec.domain.files import globs
from rulec.domain.files.languages import SEMGREP_SUFFIXES
from rulec.guard import decision
from rulec.guard.content import forbidden_text
from rulec.shell.action_events import finding_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from rulec.agents.protocol.agent_spec import HookRequest
    from rulec.checkout.worktree import Worktree
    from rulec.hook.compiled_rules import CompiledRules


FOLDER = os.path.join(".rules", "compiled", "semgrep")
KEPT = "semgrep"  # in the cache: what each artifact says of its rule
SECONDS_OF_SEMGREP = 2.0  # that an agent waits for it; what takes longer is left to the commit
FACTS, METADATA = "# rulec: ", "  metadata: "
FINDINGS = (0, 1)  # how rulec ends: without and with something that blocks
ANY_LANGUAGE = ("generic", "regex")


def judge_by_semgrep(event: "dict[str, Any]", world: "Worktree", facts: "dict[str, Any]") -> "list[dict[str, Any]]":
    """Findings of Semgrep's rules that block, on the lines that the edit put there; their facts are added."""
    path = event["path"]
    if os.path.isabs(path) or not os.path.isdir(os.path.join(world.root, FOLDER)):
        return []

    needs = learned_needs.load_needs(world.root)
    known = {
        one["facts"]["slug"]: one["facts"]
        for one in _rules(world.root)
        if _reads(one, path, event) and learned_needs.may_match(needs.get(one["digest"], True), event["content"])
    }
    lines = {number for number, _ in forbidden_text.added_lines(event)} if known else set()
    if not lines:
        return []
    told = installation.ask_rulec(
        world.root, ["check", "--format", "json", "--", path], SECONDS_OF_SEMGREP, codes=FINDINGS
    )
    try:
        verdicts = json.loads(told or b"{}").get("verdicts", [])
        seen = [_finding(one["finding"]) for one in verdicts if _counts(one, known, lines)]
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return []
    facts.update(known)
    return seen


def _counts(verdict: "dict[str, Any]", known: "dict[str, Any]", lines: "set[int]") -> bool:
    finding = verdict["finding"]
    if not finding or not refuses(verdict["outcome"]) or finding["slug"] not in known:
        return False
    last = max(finding["line"], finding["last"])
    return any(finding["line"] <= line <= last for line in lines)


def _finding(found: "dict[str, Any]") -> "dict[str, Any]":
    return finding_of(found["slug"], **{key: found[key] for key in ("path", "line", "text", "cure")})


def _reads(rule: "dict[str, Any]", path: str, event: "dict[str, Any]") -> bool:
    """Whether the rule may have something to say about the file."""
    scope, suffix = rule["facts"].get("scope") or {}, path.rpartition(".")[2].lower()
    refused = refuses(in_effect(rule["facts"]).get("enforcement"))
    if not refused or (scope.get("agents") and event["agent"] not in scope["agents"]):
        return False
    if not any(one in ANY_LANGUAGE or suffix in SEMGREP_SUFFIXES.get(one, (suffix,)) for one in rule["languages"]):
        return False
    return globs.match(scope.get("include") or ["**"], path) and not globs.match(scope.get("exclude") or [], path)


def _rules(root: str) -> "list[dict[str, Any]]":
    """What the artifacts say of their rules and languages, read once for as long as they stay."""
    folder = os.path.join(root, FOLDER)
    stamp = record_cache.stamp_of([folder])
    known = record_cache.load_records(root, KEPT, stamp)
    if known is None:
        names = sorted(name for name in os.listdir(folder) if name.endswith(".yaml"))
        known = [one for one in (_rule(os.path.join(folder, name)) for name in names) if one]
        record_cache.save_records(root, KEPT, stamp, known)
    return known


def _rule(path: str) -> "dict[str, Any]":
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


def judge_edit(
    event: "dict[str, Any]", asked: "HookRequest", compiled: "CompiledRules", facts: "dict[str, Any]"
) -> "list[dict[str, Any]]":
    """Findings on the text that an edit left behind; the facts of the rules that were asked are added."""
    now = event_after(event, asked.result)
    if now["kind"] not in ("write", "edit"):
        return []
    rules = [rule for rule in compiled.for_event(now)[0] if rule["check"]["on"] == "text"]
    facts.update((rule["facts"]["slug"], rule["facts"]) for rule in rules)
    seen = decision.decide(rules, now)
    if any(refuses(facts[finding["slug"]].get("enforcement")) for finding in seen):
        return seen

    return seen + judge_by_semgrep(now, now["world"], facts)


def event_after(event: "dict[str, Any]", result: "dict[str, Any]") -> "dict[str, Any]":
    """The event of an edit that has happened."""
    now = event.get("disk")
    if event["kind"] not in ("write", "edit") or now is None:
        return {**event, "kind": "other"}
    before = result.get("originalFile")
    if isinstance(before, str):
        return {**event, "old": before, "new": now, "content": now}
    if event["kind"] == "write":
        return {**event, "old": "", "new": now, "content": now}
    lines = set(now.splitlines())
    kept = "\n".join(line for line in event.get("new", "").splitlines() if line in lines)
    return {**event, "new": kept, "content": now}
