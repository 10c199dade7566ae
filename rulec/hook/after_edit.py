"""After an edit: rules on its file, and Semgrep over it where that is quick."""

from __future__ import annotations

import os

from rulec.domain.enforcement import refuses
from rulec.guard import decision
from rulec.hook import semgrep_checks

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from rulec.agents.protocol.agent_spec import HookRequest
    from rulec.hook.compiled_rules import CompiledRules


def judge_edit(
    event: dict[str, Any], asked: HookRequest, compiled: CompiledRules, facts: dict[str, Any]
) -> list[dict[str, Any]]:
    """Findings on the text that an edit left behind; the facts of the rules that were asked are added."""
    now = event_after(event, asked.result)
    if now["kind"] not in ("write", "edit"):
        return []
    rules = [rule for rule in compiled.for_event(now)[0] if rule["check"]["on"] == "text"]
    facts.update((rule["facts"]["slug"], rule["facts"]) for rule in rules)
    seen = decision.decide(rules, now)
    if any(refuses(facts[finding["slug"]].get("enforcement")) for finding in seen):
        return seen

    if os.path.isabs(now["path"]):
        return seen
    told = semgrep_checks.judge_by_semgrep([now], now["world"], semgrep_checks.SECONDS_AFTER_EDIT)
    facts.update((known["slug"], known) for _, known in told)
    return seen + [finding for finding, _ in told]


def event_after(event: dict[str, Any], result: dict[str, Any]) -> dict[str, Any]:
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
