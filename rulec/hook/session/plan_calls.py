"""What the calls of an agent's tools mean for its plan: lists that change, steps that begin, rules to be told."""

from __future__ import annotations

import os
import time

from rulec.agents.protocol.agent_spec import (
    APPROVE_PLAN,
    BEFORE_TOOL,
    WHOLE_LIST,
    HookResponse,
    as_mapping,
    as_text,
    has_failed,
)
from rulec.checkout import ledger, personal_scope, private_files
from rulec.checkout.worktree import Worktree
from rulec.domain.text.redaction import redact
from rulec.hook import session_state
from rulec.plans import plan_store, step_rules
from rulec.plans.native import codex_record, native_calls
from rulec.plans.plan import ACTIVE, DONE, LEVELS, PENDING, REMIND
from rulec.plans.texts import plan_text
from rulec.reminders import rule_records, rule_text
from rulec.shell import action_events
from rulec.transcripts import recent_history

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from rulec.agents.protocol.agent_spec import AgentSpec, HookRequest
    from rulec.hook.pending_files import PendingChange
    from rulec.plans.plan import Plan, Step
    from rulec.plans.proofs.owed_proofs import OwedProof
    from rulec.shell.action_events import Event


LONGEST = 30_000  # characters of a plan that is given back
LEAD = (
    "rulec: rules of this repository apply to this plan. Rewrite the plan so that each step names its rules, then call"
    " {tool} again; the person decides. The plan with its rules:"
)


def follow_call(
    agent: AgentSpec, asked: HookRequest, world: Worktree, events: list[Event], *, quiet: bool
) -> HookResponse:
    """Note what a call means for the session's plan, and tell the agent the rules of a step that begins.

    ``quiet``: rules say something to this call already, so that nothing is to be added.
    """
    kind = agent.plan_tools.get(asked.tool, "")
    if not asked.main_session:
        return HookResponse()
    if asked.moment != BEFORE_TOOL:
        plan = _after_call(agent, asked, world, events, kind)
        if plan is None or quiet or asked.moment not in agent.hears:
            return HookResponse()
        return tell_current_step(agent, asked, world.root, plan)
    if kind == APPROVE_PLAN and not (quiet or asked.subagent):
        return _give_back(agent, asked, world.root)
    if asked.records and "commit" in asked.action.command:
        read_records(agent, asked, world)
    return HookResponse()


def _after_call(agent: AgentSpec, asked: HookRequest, world: Worktree, events: list[Event], kind: str) -> Plan | None:
    """The session's plan after the call; None where it has none, or the call did nothing to it."""
    paths = plan_store.edited_paths(events)
    paths += [path for event in events if event.kind == "command" for path in action_events.surely_written(event)]
    if has_failed(asked.result) or not (kind or paths):
        return None
    if kind:
        own = asked.subagent and kind in (WHOLE_LIST, APPROVE_PLAN)  # a sub-agent has such a list for itself
        return None if own else apply_tool(agent, asked, world, kind)
    read_records(agent, asked, world)
    now = time.time()

    def change(plan: Plan) -> Plan | None:
        for path in paths:
            plan_store.record_edit(plan, path, now)
        return plan if plan.steps else None

    return plan_store.update_plan(world.root, asked.main_session, change)


def _give_back(agent: AgentSpec, asked: HookRequest, root: str) -> HookResponse:
    """Deny a plan that does not name the rules of its steps, with these; never twice until a person approved one."""
    text = submitted_text(agent, asked)
    enriched = _with_rules(agent, root, text)
    if not enriched:
        return HookResponse()
    notes = RETURNED, f"plan-{ledger.short_digest(text)}"
    if any(session_state.has_note(root, asked, note) for note in notes):
        return HookResponse()
    if not session_state.add_notes(root, asked, notes):  # else it could be denied for ever
        return HookResponse()
    denied: HookResponse = agent.deny(asked, f"{LEAD.format(tool=asked.tool)}\n\n{redact(enriched)}")
    return denied


def _with_rules(agent: AgentSpec, root: str, text: str) -> str:
    """The plan's text with the rules by step; "" where none applies, or the text names all of them already."""
    plan = step_rules.plan_of_text(text, agent.name)
    rules = attach(plan, root)
    if rules is None or all(slug in text for step in plan.steps for slug, _ in step.rules):
        return ""
    lines = {at: rules.lines(step) for at, step in enumerate(plan.steps)}
    written = plan_text.write_plan(text, lines)
    if len(written) <= LONGEST:
        return written
    short = [[f"- {plan.steps[at].text}", *(f"  - {line}" for line in told)] for at, told in lines.items() if told]
    return "\n".join(line for one in short for line in one)[:LONGEST]


RETURNED = "plan-returned"  # in the session's notes: a plan was given back, and none was approved since
LARGEST_TEXT = 500_000  # bytes of a plan's file


def apply_tool(agent: AgentSpec, asked: HookRequest, world: Worktree, kind: str) -> Plan | None:
    """The session's plan after a call of a tool of the agent's own plan; None where it changed nothing."""
    if kind == APPROVE_PLAN:
        if asked.result.get("awaitingLeaderApproval") is True:
            return None
        session_state.forget_note(world.root, asked, RETURNED)  # another plan may need another look
        return open_text(agent, asked, world, submitted_text(agent, asked))
    call = native_calls.PlanCall(kind, asked.given, time.time(), asked.result)
    return _update(agent, asked, world, lambda plan: native_calls.apply_call(plan, call))


def open_text(agent: AgentSpec, asked: HookRequest, world: Worktree, text: str) -> Plan | None:
    """The session's plan with the steps of a text that a person approved; None where it has no steps."""
    return _update(agent, asked, world, lambda plan: native_calls.open_plan_text(plan, text, time.time()))


def read_records(agent: AgentSpec, asked: HookRequest, world: Worktree) -> Plan | None:
    """The session's plan as the agent's record of it shows it now; None where there is none, or nothing new."""
    path = asked.transcript if asked.records else ""
    if not path or not (plan_store.has_plan(world.root, asked.main_session) or recent_history.shows_plan(asked)):
        return None
    return _update(agent, asked, world, lambda plan: codex_record.read_rollout(plan, path, world))


def _update(agent: AgentSpec, asked: HookRequest, world: Worktree, change: Callable[[Plan], bool]) -> Plan | None:
    """Change the session's plan and give its steps their rules; None where nothing was changed."""
    changed: list[bool] = []

    def change_all(plan: Plan) -> Plan | None:
        if change(plan):
            changed.append(True)
            plan.agent, plan.transcript, plan.records = agent.name, asked.transcript, asked.records
            attach(plan, world.root)
        return plan if plan.steps else None

    plan = plan_store.update_plan(world.root, asked.main_session, change_all)
    return plan if changed else None


def attach(plan: Plan, root: str) -> step_rules.RulesOfSteps | None:
    """Give the steps their rules and return these; where none can be read, those that they have stay."""
    records = rule_records.gather_rules(root) if plan.steps else []
    if not records:
        return None
    return step_rules.attach_rules(plan, records, agent=plan.agent, projects=personal_scope.repository_names(root))


def submitted_text(agent: AgentSpec, asked: HookRequest) -> str:
    """The text of the plan that the agent submits: from the result, the call, the file it names, its plans' folder."""
    given = as_mapping(asked.given)
    text = as_text(asked.result.get("plan")) or as_text(given.get("plan"))
    if text.strip():
        return text
    path = as_text(asked.result.get("filePath")) or as_text(given.get("planFilePath"))
    path = path or _newest_plan(agent.plan_folders)
    data = private_files.read_file(os.path.expanduser(path), LARGEST_TEXT, links=True) if path else None
    return (data or b"").decode("utf-8", "replace")


def _newest_plan(folders: tuple[str, ...]) -> str:
    """The plan's file that was written last."""
    for one in folders:
        folder = os.path.expanduser(os.path.expandvars(one))
        try:
            names = [os.path.join(folder, name) for name in os.listdir(folder) if name.endswith(".md")]
            return max(names, key=os.path.getmtime, default="")
        except OSError:
            continue
    return ""


REMINDED = "reminded"  # among the plan's notes: steps, each with a rule, of which a turn's end said what they lack
BEGINS, COMES = 'rulec: the rules of the step that begins, "{}":', 'rulec: the rules of the next step, "{}":'
NEEDS = (
    "Strict and testable rules are checked, tested or approved before the commit; `rulec prove` says what is missing."
)


def tell_current_step(agent: AgentSpec, asked: HookRequest, root: str, plan: Plan) -> HookResponse:
    """The rules of the step that is worked on, where the agent has not got them yet."""
    words = _words(asked, root, plan, plan.current())
    told: HookResponse = agent.tell(asked, words) if words else HookResponse()
    return told


def words_at_prompt(agent: AgentSpec, asked: HookRequest, root: str) -> str:
    """With a person's message: the rules of the current or the next step, where the agent has not got them yet."""
    message = as_text(asked.given)
    if agent.plan_prompt and message.startswith(agent.plan_prompt) and not asked.subagent:
        open_text(agent, asked, Worktree(root), message[len(agent.plan_prompt) :])
    else:
        read_records(agent, asked, Worktree(root))
    plan = plan_store.touch_plan(root, asked.main_session)
    if plan is None:
        return ""
    step = plan.current() or next((step for step in plan.steps if step.status == PENDING), None)
    return _words(asked, root, plan, step)


def unproved_at_end(agent: AgentSpec, asked: HookRequest, world: Worktree, pending: PendingChange) -> list[str]:
    """At the end of a turn: what steps that are done lack for the commit, each said once in the session."""
    from rulec.plans.proofs import owed_proofs  # noqa: PLC0415 (only where a turn with a plan ends)

    read_records(agent, asked, world)
    plan = plan_store.load_plan(world.root, asked.main_session)
    done = [step for step in plan.steps if step.status == DONE] if plan is not None else []
    changed = [file.path for file in pending.files] if done else []
    done = [step for step in done if any(path in step.edits or plan_store.names_path(step, path) for path in changed)]
    if plan is None or not done:
        return []
    known = plan.notes.get(REMINDED)
    said = known if isinstance(known, list) else []
    owed = [one for one in owed_proofs.owed_at_hand(world.root, [plan]) if one.is_open and one.step in done]
    found = [one for one in owed if [one.step.id, one.terms.slug] not in said]
    names = [[one.step.id, one.terms.slug] for one in found]
    noted = bool(found) and _note(asked, world.root, {REMINDED: [*said, *names]})
    return [_lack(one, world.root) for one in found] if noted else []


def _lack(one: OwedProof, root: str) -> str:
    """Why the commit would be refused, and what to do before."""
    from rulec.plans.proofs import suite_records  # noqa: PLC0415 (only where something is lacking)

    text = rule_text.plain_text(one.step.text)
    suite = next(iter(suite_records.suites_that_ran(root)), "SUITE")
    return "\n".join(
        [
            f"rulec rule {one.terms.slug}: {one.terms.record['says']}",
            f'Step {one.number}, "{text}", is done, and its commit needs more ({one.level}): {one.missing}',
            f"Instead: write a test that is red without the change, then rulec run {suite}; or ask for rulec approve",
        ]
    )


def _words(asked: HookRequest, root: str, plan: Plan, step: Step | None) -> str:
    """What the agent is told of a step, once; "" where it was told, or no rule applies."""
    told = plan.notes.get(plan_store.TOLD)
    known = told if isinstance(told, list) else []
    if step is None or step.id in known or not step.rules:
        return ""
    records = {rule["slug"]: rule for rule in rule_records.gather_rules(root)}
    pairs = [pair for pair in sorted(step.rules, key=lambda pair: -LEVELS.index(pair[1])) if pair[0] in records]
    if not pairs or not _note(asked, root, {plan_store.TOLD: [*known, step.id]}):
        return ""
    lines = [_line(records[slug], level) for slug, level in pairs]
    head = (BEGINS if step.status == ACTIVE else COMES).format(rule_text.plain_text(step.text))
    needs = any(level != REMIND for _, level in pairs)
    return "\n".join([head, *lines, *([NEEDS] if needs else [])])


def _line(rule: dict[str, Any], level: str) -> str:
    parts = [f"- {level}:", rule["says"], rule["do"], rule_text.slug_mark(rule["slug"])]
    return " ".join(part for part in parts if part)


def _note(asked: HookRequest, root: str, notes: dict[str, Any]) -> bool:
    """Note what the agent was told; False where that cannot be noted: then it would hear it again and again."""

    def change(plan: Plan) -> Plan:
        plan.notes.update(notes)
        return plan

    return plan_store.update_plan(root, asked.main_session, change) is not None
