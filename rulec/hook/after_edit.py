"""After an edit: rules on its file, and Semgrep over it where that is quick."""

from __future__ import annotations

import os

from rulec.domain.compiled_rule import TextCheck
from rulec.domain.enforcement import refuses
from rulec.guard import decision
from rulec.hook import semgrep_checks

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from rulec.agents.protocol.agent_spec import HookRequest
    from rulec.domain.compiled_rule import EventFinding
    from rulec.hook.compiled_rules import CompiledRules
    from rulec.shell.action_events import Event


def judge_edit(event: Event, asked: HookRequest, compiled: CompiledRules) -> list[EventFinding]:
    """Findings on the text that an edit left behind."""
    now = event_after(event, asked.result)
    if now.kind not in ("write", "edit"):
        return []
    rules = [rule for rule in compiled.for_event(now)[0] if isinstance(rule.check, TextCheck)]
    seen = decision.decide(rules, now)
    if any(refuses(finding.facts.enforcement) for finding in seen) or os.path.isabs(now.path):
        return seen
    return seen + semgrep_checks.judge_by_semgrep([now], now.here, semgrep_checks.SECONDS_AFTER_EDIT)


def event_after(event: Event, result: Mapping[str, object]) -> Event:
    """The event of an edit that has happened."""
    now = event.disk
    if event.kind not in ("write", "edit") or now is None:
        return event.but(kind="other")
    before = result.get("originalFile")
    if isinstance(before, str):
        return event.but(old=before, new=now, content=now)
    if event.kind == "write":
        return event.but(old="", new=now, content=now)
    lines = set(now.splitlines())
    kept = "\n".join(line for line in (event.new or "").splitlines() if line in lines)
    return event.but(new=kept, content=now)
