"""Findings -> which are excepted, the answers to the agent and the person, and the entries in the ledger."""

from __future__ import annotations

import json
import os
import re
import time

from rulec.agents.protocol import agent_spec
from rulec.checkout.ledger import DOCTOR_SESSION, append, place_of, short_digest
from rulec.checkout.rules_layout import GATE_SLUG
from rulec.checkout.worktree import open_regular
from rulec.domain.enforcement import at_most, is_shown, refuses
from rulec.domain.files import globs
from rulec.domain.record import Record, read_record

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rulec.checkout.worktree import Worktree
    from rulec.domain.compiled_rule import EventFinding
    from rulec.shell.action_events import Event

    Judged = list[tuple[EventFinding, str]]  # findings, each with its outcome


def _note_findings(root: str, agent: str, asked: agent_spec.HookRequest, judged: Judged) -> None:
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
                "slug": finding.slug,
                "outcome": outcome,
                "kind": asked.action.kind,
                "unsure": bool(finding.unsure),
                "of": place_of(finding),
                "digest": short_digest(finding.fault or finding.text),
                "session": session,
            }
            for finding, outcome in judged
        ],
    )


WAIVED = "waived"  # a person allowed it
LOST = "lost"  # another rule asks for the very thing, and goes before
MOST_SAID = 5
LONGEST_QUOTE = 300


def outcome_of(finding: EventFinding) -> str:
    """block, warn or audit; what breaks does what on_error says; an uncertain finding at most what on_unsure does.

    A finding that is held says that nobody can know whether a rule is kept: a rule that must be kept then stops.
    """
    facts = finding.facts
    if finding.excepted:
        return "excepted"
    if finding.fault:
        return facts.on_error if refuses(facts.on_error) else "fault"
    if finding.overruled_by and is_shown(facts.enforcement):
        return LOST
    held = finding.held and facts.severity == "must" and not facts.on_unsure
    return facts.enforcement if not finding.unsure or held else at_most(facts.enforcement, facts.on_unsure or "warn")


def reason_for(finding: EventFinding) -> str:
    """The rule, what was seen, whose words it rests on, and what to do instead."""
    slug, facts = finding.slug, finding.facts
    if finding.fault:
        return f"rulec rule {slug}: {_line(finding.fault)}"
    place = f"{finding.path}:{finding.line}: " if finding.line else ""
    lines = [f"rulec rule {slug}: {_words(facts.statement)}"]
    why = "" if finding.of_others else finding.unsure
    seen = f"Perhaps seen, not certain ({why})" if isinstance(why, str) and why else "Perhaps seen" if why else "Seen"
    lines.append(f"{seen}: {place}{_line(finding.text)}")
    if finding.of_others:
        lines.append(f"Not held against this session: {_line(finding.unsure)}")
    if facts.quote:
        said = _line(facts.said)
        lines.append(f'A person said{f" ({said})" if said else ""}: "{_words(facts.quote)[:LONGEST_QUOTE]}"')
    if facts.whose:
        lines.append(f"It is a rule of {_line(facts.whose)}")
    if finding.overruled_by:
        return "\n".join([*lines, f"It passes: {_line(finding.overruled_by)}"])
    cure = finding.cure or facts.do
    if cure:
        lines.append(f"Instead: {_words(cure)}")
    return "\n".join(lines)


def answer_findings(
    agent: agent_spec.AgentSpec, asked: agent_spec.HookRequest, found: list[EventFinding], root: str
) -> agent_spec.HookResponse:
    """The answer to a tool call with these findings; empty where all of them only audit."""
    judged = _with_permission(asked, [(one, outcome_of(one)) for one in found], root)
    by_outcome: dict[str, list[str]] = {}
    for finding, outcome in judged:
        told = by_outcome.setdefault(outcome, [])
        words = reason_for(finding)
        if words not in told:
            told.append(words)
    out = agent_spec.HookResponse()
    refused = [finding for finding, outcome in judged if refuses(outcome)]
    shown = [words for outcome, some in by_outcome.items() if is_shown(outcome) for words in some]
    shown += by_outcome.get(LOST, [])
    if refused:
        out = _refuse(agent, asked, refused, root)
    elif shown and asked.moment == agent_spec.BEFORE_TOOL:
        out = agent.tell(asked, join_reasons(shown))
    if "fault" in by_outcome:
        out = out.plus(agent.say(asked, join_reasons(by_outcome["fault"])))
    note_outcomes(agent, asked, judged, root)
    return out


def _with_permission(asked: agent_spec.HookRequest, judged: Judged, root: str) -> Judged:
    """The findings with their outcomes; all that refuse pass once where a person allowed this action for each."""
    refused = [finding for finding, outcome in judged if refuses(outcome)]
    if asked.moment != agent_spec.BEFORE_TOOL or not refused or not all(one.allowable for one in refused):
        return judged
    from rulec.hook import permission  # noqa: PLC0415 (few findings can be allowed)

    if not permission.use(root, asked, [one.slug for one in refused]):
        return judged
    for one in refused:
        if one.unproved_at:
            from rulec.plans.proofs import suite_records  # noqa: PLC0415 (few rules ask for a run by rulec)

            suite_records.note_waiver(one.unproved_at, one.slug)
    return [(finding, WAIVED if refuses(outcome) else outcome) for finding, outcome in judged]


def _refuse(
    agent: agent_spec.AgentSpec, asked: agent_spec.HookRequest, refused: list[EventFinding], root: str
) -> agent_spec.HookResponse:
    """The person is asked where nothing else is wrong and the agent can ask them; else the action is denied."""
    reasons = {reason_for(one): one for one in refused}
    question = agent.ask(asked, join_reasons([*reasons])) if all(one.asks for one in refused) else None
    if question:
        return question
    slugs = list(dict.fromkeys(one.slug for one in refused if one.allowable))
    if not slugs or asked.moment != agent_spec.BEFORE_TOOL:
        return agent.deny(asked, join_reasons([*reasons]))
    from rulec.hook import permission  # noqa: PLC0415 (few findings can be allowed)

    hint = permission.HOW if permission.note_asked(root, asked, slugs) else ""
    told = [f"{words}\n{hint.format(one.slug)}" if hint and one.allowable else words for words, one in reasons.items()]
    return agent.deny(asked, join_reasons(told))


def note_outcomes(agent: agent_spec.AgentSpec, asked: agent_spec.HookRequest, judged: Judged, root: str) -> None:
    """Write outcomes to the ledger of the repository, or to that of the personal rulebook for its rules."""
    for home in dict.fromkeys(finding.facts.home or root for finding, _ in judged):
        own = [(finding, outcome) for finding, outcome in judged if (finding.facts.home or root) == home]
        _note_findings(home, agent.name, asked, own)


def join_reasons(reasons: list[str]) -> str:
    """Reasons as one text, the first few whole."""
    more = len(reasons) - MOST_SAID
    return "\n\n".join(reasons[:MOST_SAID] + ([f"and {more} more"] if more > 0 else []))


def _words(text: object) -> str:
    """The words of a rule, with tags broken up: none may look like one of an agent's program."""
    return re.sub(r"(?i)<(?=/?[a-z]+-)", "< ", _line(text))


def _line(text: object) -> str:
    return "".join(char if char.isprintable() else " " for char in str(text or "")).strip()


EXCEPTIONS = ".rules/compiled/exceptions.json"


def mark_excepted(found: list[EventFinding], world: Worktree, event: Event | None = None) -> None:
    """Note at each finding that is excepted until when and why; without an event the files are read as they are."""
    today = time.strftime("%Y-%m-%d", time.gmtime())
    standing = _standing(world.root)
    for finding in found:
        if finding.fault or finding.slug == GATE_SLUG:
            continue
        told = _filed(finding, standing, today) or _in_place(finding, world, event, today)
        if told:
            finding.excepted = told


class StandingException(Record):
    """An exception of the rulebook, from all rules or in some paths, until a day."""

    slug: str = ""
    until: str = ""
    reason: str = ""
    paths: tuple[str, ...] = ()


def _standing(root: str) -> list[StandingException]:
    try:
        with open(os.path.join(root, EXCEPTIONS), encoding="utf-8", opener=open_regular) as file:
            return [read_record(StandingException, one) for one in json.load(file)["exceptions"]]
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return []


def _filed(finding: EventFinding, standing: list[StandingException], today: str) -> str:
    for one in standing:
        if one.slug != finding.slug or one.until < today:
            continue
        if not one.paths or (finding.path and globs.match(one.paths, finding.path)):
            return f"until {one.until}: {one.reason}"
    return ""


def _in_place(finding: EventFinding, world: Worktree, event: Event | None, today: str) -> str:
    path, text = finding.path, None
    if path:
        text = world.read(path) if event is None else event.content if event.path == path else None
    if text is None:
        return ""
    from rulec.guard import exceptions  # noqa: PLC0415 (a command has no lines that may hold any)

    if exceptions.MARK not in text:
        return ""
    lines = text.split("\n")
    for number, said in exceptions.exceptions_at(lines, finding.slug, finding.line):
        if not said.wrong and said.until >= today and _stands(world.root, path, lines, (number, finding.slug)):
            return f"until {said.until}: {said.reason}"
    return ""


def _stands(root: str, path: str, lines: list[str], one: tuple[int, str]) -> bool:
    """Whether it is committed: what the agent wrote itself excepts nothing."""
    from rulec.checkout import pending_change  # noqa: PLC0415 (it needs subprocess, and hardly a finding has an exception beside it)
    from rulec.guard import exceptions  # noqa: PLC0415 (as above)

    return one not in exceptions.newly_excepted(
        lines, pending_change.texts_at_head(root, [path]).get(path, "").split("\n")
    )
