"""Findings -> the answers to the agent and the person, and the entries in the ledger."""

from __future__ import annotations

import re

from rulec.agents.protocol import agent_spec
from rulec.checkout.ledger import DOCTOR_SESSION, append, place_of, short_digest
from rulec.domain.enforcement import LOOSEST, at_most, is_shown, refuses
from rulec.shell import action_events

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def note_findings(
    root: str, agent: str, asked: agent_spec.HookRequest, found: list[tuple[dict[str, Any], str]]
) -> None:
    """Add a line for each finding of a hook."""
    if asked.session == DOCTOR_SESSION:
        return
    session = short_digest(asked.session) if asked.session else ""
    append(
        root,
        [
            {
                "event": asked.moment,
                "agent": agent,
                "slug": finding["slug"],
                "outcome": outcome,
                "kind": str(asked.action["kind"]),
                "unsure": bool(finding["unsure"]),
                "of": place_of(finding),
                "digest": short_digest(finding["fault"] or finding["text"]),
                "session": session,
            }
            for finding, outcome in found
        ],
    )


LOST = "lost"  # another rule asks for the very thing, and goes before
MOST_SAID = 5
LONGEST_QUOTE = 300


def outcome_of(finding: dict[str, Any], facts: dict[str, Any]) -> str:
    """block, warn or audit; what breaks does what on_error says; an uncertain finding at most what on_unsure does.

    A finding that is held says that nobody can know whether a rule is kept: a rule that must be kept then stops.
    """
    if finding.get("suppressed"):
        return "suppressed"
    if finding["fault"]:
        return str(facts["on_error"]) if refuses(facts.get("on_error")) else "fault"
    wanted = str(facts.get("enforcement", LOOSEST))
    if finding.get("lost") and is_shown(wanted):
        return LOST
    held = finding.get("held") and facts.get("severity") == "must" and "on_unsure" not in facts
    if not finding["unsure"] or held:
        return wanted
    return at_most(wanted, str(facts.get("on_unsure", "warn")))


def reason_for(finding: dict[str, Any], facts: dict[str, Any]) -> str:
    """The rule, what was seen, whose words it rests on, and what to do instead."""
    slug = finding["slug"]
    if finding["fault"]:
        return f"rulec rule {slug}: {_line(finding['fault'])}"
    place = f"{finding['path']}:{finding['line']}: " if finding["line"] else ""
    lines = [f"rulec rule {slug}: {_words(facts.get('statement'))}"]
    why = finding["unsure"]
    seen = f"Perhaps seen, not certain ({why})" if isinstance(why, str) and why else "Perhaps seen" if why else "Seen"
    lines.append(f"{seen}: {place}{_line(finding['text'])}")
    if facts.get("quote"):
        said = _line(facts.get("said"))
        lines.append(f'A person said{f" ({said})" if said else ""}: "{_words(facts["quote"])[:LONGEST_QUOTE]}"')
    if finding.get("lost"):
        return "\n".join([*lines, f"It passes: {_line(finding['lost'])}"])
    cure = finding["cure"] or facts.get("do")
    if cure:
        lines.append(f"Instead: {_words(cure)}")
    return "\n".join(lines)


def answer_findings(
    agent: agent_spec.AgentSpec,
    asked: agent_spec.HookRequest,
    found: list[dict[str, Any]],
    facts: dict[str, Any],
    root: str,
) -> agent_spec.HookResponse:
    """The answer to a tool call with these findings; empty where all of them only audit."""
    sorted_out: dict[str, list[str]] = {}
    for finding in found:
        known = facts.get(finding["slug"], {})
        told = sorted_out.setdefault(outcome_of(finding, known), [])
        words = reason_for(finding, known)
        if words not in told:
            told.append(words)
    out = agent_spec.HookResponse()
    refused = [words for outcome, some in sorted_out.items() if refuses(outcome) for words in some]
    shown = [words for outcome, some in sorted_out.items() if is_shown(outcome) for words in some]
    shown += sorted_out.get(LOST, [])
    if refused:
        out = agent.deny(asked, join_reasons(refused))
    elif shown and asked.moment == agent_spec.BEFORE_TOOL:
        out = agent.tell(asked, join_reasons(shown))
    if "fault" in sorted_out:
        out = out.plus(agent.say(asked, join_reasons(sorted_out["fault"])))
    note_outcomes(
        agent, asked, [(finding, outcome_of(finding, facts.get(finding["slug"], {}))) for finding in found], facts, root
    )
    return out


def note_outcomes(
    agent: agent_spec.AgentSpec,
    asked: agent_spec.HookRequest,
    judged: list[tuple[dict[str, Any], str]],
    facts: dict[str, Any],
    root: str,
) -> None:
    """Write outcomes to the ledger of the repository, or to that of the personal rulebook for its rules."""
    homes = [str(facts.get(finding["slug"], {}).get("home") or root) for finding, _ in judged]
    for home in dict.fromkeys(homes):
        own = [pair for pair, place in zip(judged, homes, strict=False) if place == home]
        note_findings(home, agent.name, asked, own)


def fault_finding(broken: dict[str, Any]) -> dict[str, Any]:
    """An artifact that cannot be used, as a finding."""
    return action_events.finding_of(broken["facts"]["slug"], fault=broken["fault"])


def join_reasons(reasons: list[str]) -> str:
    """Reasons as one text, the first few whole."""
    more = len(reasons) - MOST_SAID
    return "\n\n".join(reasons[:MOST_SAID] + ([f"and {more} more"] if more > 0 else []))


def _words(text: object) -> str:
    """The words of a rule, with tags broken up: none may look like one of an agent's program."""
    return re.sub(r"(?i)<(?=/?[a-z]+-)", "< ", _line(text))


def _line(text: object) -> str:
    return "".join(char if char.isprintable() else " " for char in str(text or "")).strip()
