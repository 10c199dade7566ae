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

    Judged = list[tuple[dict[str, Any], str]]  # findings, each with its outcome


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


WAIVED = "waived"  # a person allowed it
LOST = "lost"  # another rule asks for the very thing, and goes before
MOST_SAID = 5
LONGEST_QUOTE = 300


def outcome_of(finding: dict[str, Any], facts: dict[str, Any]) -> str:
    """block, warn or audit; what breaks does what on_error says; an uncertain finding at most what on_unsure does.

    A finding that is held says that nobody can know whether a rule is kept: a rule that must be kept then stops.
    """
    if finding.get("excepted"):
        return "excepted"
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
    why = "" if finding.get("of_others") else finding["unsure"]
    seen = f"Perhaps seen, not certain ({why})" if isinstance(why, str) and why else "Perhaps seen" if why else "Seen"
    lines.append(f"{seen}: {place}{_line(finding['text'])}")
    if finding.get("of_others"):
        lines.append(f"Not held against this session: {_line(finding['unsure'])}")
    if facts.get("quote"):
        said = _line(facts.get("said"))
        lines.append(f'A person said{f" ({said})" if said else ""}: "{_words(facts["quote"])[:LONGEST_QUOTE]}"')
    if facts.get("whose"):
        lines.append(f"It is a rule of {_line(facts['whose'])}")
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
    judged = _with_permission(asked, [(one, outcome_of(one, facts.get(one["slug"], {}))) for one in found], root)
    sorted_out: dict[str, list[str]] = {}
    for finding, outcome in judged:
        told = sorted_out.setdefault(outcome, [])
        words = reason_for(finding, facts.get(finding["slug"], {}))
        if words not in told:
            told.append(words)
    out = agent_spec.HookResponse()
    refused = [finding for finding, outcome in judged if refuses(outcome)]
    shown = [words for outcome, some in sorted_out.items() if is_shown(outcome) for words in some]
    shown += sorted_out.get(LOST, [])
    if refused:
        out = _refuse(agent, asked, refused, facts, root)
    elif shown and asked.moment == agent_spec.BEFORE_TOOL:
        out = agent.tell(asked, join_reasons(shown))
    if "fault" in sorted_out:
        out = out.plus(agent.say(asked, join_reasons(sorted_out["fault"])))
    note_outcomes(agent, asked, judged, facts, root)
    return out


def _with_permission(asked: agent_spec.HookRequest, judged: Judged, root: str) -> Judged:
    """The findings with their outcomes; all that refuse pass once where a person allowed this action for each."""
    refused = [finding for finding, outcome in judged if refuses(outcome)]
    if asked.moment != agent_spec.BEFORE_TOOL or not refused or not all(one.get("allowable") for one in refused):
        return judged
    from rulec.hook import permission  # noqa: PLC0415 (few findings can be allowed)

    if not permission.use(root, asked, [one["slug"] for one in refused]):
        return judged
    for one in refused:
        if one.get("unproved_at"):
            from rulec.plans.proofs import suite_records  # noqa: PLC0415 (few rules ask for a run by rulec)

            suite_records.note_waiver(one["unproved_at"], one["slug"])
    return [(finding, WAIVED if refuses(outcome) else outcome) for finding, outcome in judged]


def _refuse(
    agent: agent_spec.AgentSpec,
    asked: agent_spec.HookRequest,
    refused: list[dict[str, Any]],
    facts: dict[str, Any],
    root: str,
) -> agent_spec.HookResponse:
    """The person is asked where nothing else is wrong and the agent can ask them; else the action is denied."""
    reasons = {reason_for(one, facts.get(one["slug"], {})): one for one in refused}
    question = agent.ask(asked, join_reasons([*reasons])) if all(one.get("asks") for one in refused) else None
    if question:
        return question
    slugs = list(dict.fromkeys(one["slug"] for one in refused if one.get("allowable")))
    if not slugs or asked.moment != agent_spec.BEFORE_TOOL:
        return agent.deny(asked, join_reasons([*reasons]))
    from rulec.hook import permission  # noqa: PLC0415 (few findings can be allowed)

    hint = permission.HOW if permission.note_asked(root, asked, slugs) else ""
    told = [
        f"{words}\n{hint.format(one['slug'])}" if hint and one.get("allowable") else words
        for words, one in reasons.items()
    ]
    return agent.deny(asked, join_reasons(told))


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
