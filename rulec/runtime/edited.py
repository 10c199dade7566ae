"""After an edit: what it put there, as the disk has it now, through the text checks; then Semgrep, if time allows."""

from rulec.runtime import guard, tokens

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from rulec.runtime.agents import Asked
    from rulec.runtime.index import Index
    from rulec.runtime.layers import Layered


def found(
    event: "dict[str, Any]", asked: "Asked", index: "Index | Layered", facts: "dict[str, Any]"
) -> "list[dict[str, Any]]":
    """Findings on the text that an edit left behind; the facts of the rules that were asked are added."""
    now = after(event, asked.result)
    if now["kind"] not in ("write", "edit"):
        return []
    rules = [rule for rule in index.find(tokens.asked(now))[0] if rule["check"]["on"] == "text"]
    facts.update((rule["facts"]["slug"], rule["facts"]) for rule in rules)
    seen = guard.decide(rules, now)
    if any(facts[finding["slug"]].get("enforcement") == "block" for finding in seen):
        return seen
    from rulec.runtime import semgrep_after  # noqa: PLC0415 (an edit that is refused anyway pays for none of it)

    return seen + semgrep_after.found(now, now["world"], facts)


def after(event: "dict[str, Any]", result: "dict[str, Any]") -> "dict[str, Any]":
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
