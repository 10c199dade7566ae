"""What the calls of an agent's tools mean for its plan: lists that change, steps that begin, rules to be told."""

from __future__ import annotations

import time

from rulec.agents.protocol.agent_spec import APPROVE_PLAN, BEFORE_TOOL, WHOLE_LIST, HookResponse, has_failed
from rulec.checkout import ledger
from rulec.domain.text.redaction import redact
from rulec.hook.session import plan_reminders, plan_updates, session_state
from rulec.plans import plan_store, step_rules
from rulec.plans.texts import plan_text
from rulec.shell import action_events

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rulec.agents.protocol.agent_spec import AgentSpec, HookRequest
    from rulec.checkout.worktree import Worktree
    from rulec.plans.plan import Plan
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
        return plan_reminders.tell_current_step(agent, asked, world.root, plan)
    if kind == APPROVE_PLAN and not (quiet or asked.subagent):
        return _give_back(agent, asked, world.root)
    if asked.records and "commit" in asked.action.command:
        plan_updates.read_records(agent, asked, world)
    return HookResponse()


def _after_call(agent: AgentSpec, asked: HookRequest, world: Worktree, events: list[Event], kind: str) -> Plan | None:
    """The session's plan after the call; None where it has none, or the call did nothing to it."""
    paths = plan_store.edited_paths(events)
    paths += [path for event in events if event.kind == "command" for path in action_events.surely_written(event)]
    if has_failed(asked.result) or not (kind or paths):
        return None
    if kind:
        own = asked.subagent and kind in (WHOLE_LIST, APPROVE_PLAN)  # a sub-agent has such a list for itself
        return None if own else plan_updates.apply_tool(agent, asked, world, kind)
    plan_updates.read_records(agent, asked, world)
    now = time.time()

    def change(plan: Plan) -> Plan | None:
        for path in paths:
            plan_store.record_edit(plan, path, now)
        return plan if plan.steps else None

    return plan_store.update_plan(world.root, asked.main_session, change)


def _give_back(agent: AgentSpec, asked: HookRequest, root: str) -> HookResponse:
    """Deny a plan that does not name the rules of its steps, with these; never twice until a person approved one."""
    text = plan_updates.submitted_text(agent, asked)
    enriched = _with_rules(agent, root, text)
    if not enriched:
        return HookResponse()
    notes = plan_updates.RETURNED, f"plan-{ledger.short_digest(text)}"
    if any(session_state.has_note(root, asked, note) for note in notes):
        return HookResponse()
    if not session_state.add_notes(root, asked, notes):  # else it could be denied for ever
        return HookResponse()
    denied: HookResponse = agent.deny(asked, f"{LEAD.format(tool=asked.tool)}\n\n{redact(enriched)}")
    return denied


def _with_rules(agent: AgentSpec, root: str, text: str) -> str:
    """The plan's text with the rules by step; "" where none applies, or the text names all of them already."""
    plan = step_rules.plan_of_text(text, agent.name)
    rules = plan_updates.attach(plan, root)
    if rules is None or all(slug in text for step in plan.steps for slug, _ in step.rules):
        return ""
    lines = {at: rules.lines(step) for at, step in enumerate(plan.steps)}
    written = plan_text.write_plan(text, lines)
    if len(written) <= LONGEST:
        return written
    short = [[f"- {plan.steps[at].text}", *(f"  - {line}" for line in told)] for at, told in lines.items() if told]
    return "\n".join(line for one in short for line in one)[:LONGEST]
