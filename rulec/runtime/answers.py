"""Findings -> what an agent and a person are told."""

from . import agents

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

ACTS = ("audit", "warn", "block")
MOST_SAID = 5
LONGEST_QUOTE = 300


def outcome(finding: "dict[str, Any]", facts: "dict[str, Any]") -> str:
    """block, warn or audit; what breaks does what on_error says; an uncertain finding at most what on_unsure does."""
    if finding["fault"]:
        return "block" if facts.get("on_error") == "block" else "fault"
    wanted = str(facts.get("enforcement", "audit"))
    if not finding["unsure"]:
        return wanted
    most = facts.get("on_unsure", "warn")
    return min((wanted, str(most)), key=lambda act: ACTS.index(act) if act in ACTS else 0)


def reason(finding: "dict[str, Any]", facts: "dict[str, Any]") -> str:
    """The rule, what was seen, whose words it rests on, and what to do instead."""
    slug = finding["slug"]
    if finding["fault"]:
        return f"rulec rule {slug}: {_line(finding['fault'])}"
    place = f"{finding['path']}:{finding['line']}: " if finding["line"] else ""
    lines = [f"rulec rule {slug}: {_line(facts.get('statement'))}"]
    why = finding["unsure"]
    seen = f"Perhaps seen, not certain ({why})" if isinstance(why, str) and why else "Perhaps seen" if why else "Seen"
    lines.append(f"{seen}: {place}{_line(finding['text'])}")
    if facts.get("quote"):
        said = _line(facts.get("said"))
        lines.append(f'A person said{f" ({said})" if said else ""}: "{_line(facts["quote"])[:LONGEST_QUOTE]}"')
    cure = finding["cure"] or facts.get("do")
    if cure:
        lines.append(f"Instead: {_line(cure)}")
    return "\n".join(lines)


def answer(
    agent: "agents.Agent", asked: "agents.Asked", found: "list[dict[str, Any]]", facts: "dict[str, Any]", root: str
) -> "dict[str, Any]":
    """The JSON for findings at a tool call; empty where nobody needs to hear of them."""
    sorted_out: "dict[str, list[str]]" = {"block": [], "warn": [], "audit": [], "fault": []}
    for finding in found:
        known = facts.get(finding["slug"], {})
        what = outcome(finding, known)
        sorted_out.setdefault(what, []).append(reason(finding, known))
    out: "dict[str, Any]" = {}
    if sorted_out["block"]:
        out = (agent.deny if asked.moment == agents.ASK else agent.block)(joined(sorted_out["block"]))
    elif sorted_out["warn"] and asked.moment == agents.ASK:
        out = agent.tell(joined(sorted_out["warn"]))
    if sorted_out["fault"]:
        out = {**out, **agent.say(joined(sorted_out["fault"]))}
    from . import ledger  # noqa: PLC0415 - only where something was found

    ledger.note(
        root, agent.name, asked, [(finding, outcome(finding, facts.get(finding["slug"], {}))) for finding in found]
    )
    return out


def joined(reasons: "list[str]") -> str:
    """Reasons as one text, the first few whole."""
    more = len(reasons) - MOST_SAID
    return "\n\n".join(reasons[:MOST_SAID] + ([f"and {more} more"] if more > 0 else []))


def _line(text: object) -> str:
    return "".join(char if char.isprintable() else " " for char in str(text or "")).strip()
