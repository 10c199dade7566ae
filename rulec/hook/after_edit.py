"""After an edit: what it put there, as the disk has it now, through the text checks; then Semgrep, if time allows."""

from rulec.guard import decision
from rulec.hook.index import index_words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from rulec.agents.protocol import HookRequest
    from rulec.hook.index.personal_rules import LayeredIndex
    from rulec.hook.index.rule_index import RuleIndex


def judge_edit(
    event: "dict[str, Any]", asked: "HookRequest", index: "RuleIndex | LayeredIndex", facts: "dict[str, Any]"
) -> "list[dict[str, Any]]":
    """Findings on the text that an edit left behind; the facts of the rules that were asked are added."""
    now = event_after(event, asked.result)
    if now["kind"] not in ("write", "edit"):
        return []
    rules = [rule for rule in index.find(index_words.words_of_event(now))[0] if rule["check"]["on"] == "text"]
    facts.update((rule["facts"]["slug"], rule["facts"]) for rule in rules)
    seen = decision.decide(rules, now)
    if any(facts[finding["slug"]].get("enforcement") == "block" for finding in seen):
        return seen
    from rulec.hook.runners import semgrep_check  # noqa: PLC0415 (an edit that is refused anyway pays for none of it)

    return seen + semgrep_check.judge_by_semgrep(now, now["world"], facts)


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
