"""What the calls of an agent's tools mean for its plan: lists that change, steps that begin, rules to be told."""

from __future__ import annotations

import time

from rulec.agents.protocol.agent_spec import APPROVE_PLAN, BEFORE_TOOL, WHOLE_LIST, HookResponse, as_text, has_failed
from rulec.plans import plan_store
from rulec.shell import action_events

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from rulec.agents.protocol.agent_spec import AgentSpec, HookRequest
    from rulec.checkout.worktree import Worktree
    from rulec.plans.plan import Plan

    Event = dict[str, Any]


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
        if plan is None or quiet or asked.moment not in agent.hears or not plan_store.untold_step(plan):
            return HookResponse()
        from rulec.hook.session import plan_reminders  # noqa: PLC0415 (once in a step)

        return plan_reminders.tell_current_step(agent, asked, world.root, plan)
    if kind == APPROVE_PLAN and not (quiet or asked.subagent):
        from rulec.hook.session import plan_approval  # noqa: PLC0415 (hardly a call asks for approval)

        return plan_approval.ask_for_rules(agent, asked, world.root)
    if asked.records and "commit" in as_text(asked.action.get("command")):
        from rulec.hook.session import plan_updates  # noqa: PLC0415 (few agents keep such records)

        plan_updates.read_records(agent, asked, world)
    return HookResponse()


def _after_call(agent: AgentSpec, asked: HookRequest, world: Worktree, events: list[Event], kind: str) -> Plan | None:
    """The session's plan after the call; None where it has none, or the call did nothing to it."""
    paths = plan_store.edited_paths(events)
    paths += [path for event in events if event["kind"] == "command" for path in action_events.surely_written(event)]
    if has_failed(asked.result) or not (kind or paths):
        return None
    if kind or asked.records:
        from rulec.hook.session import plan_updates  # noqa: PLC0415 (an edit alone needs none of it)

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
