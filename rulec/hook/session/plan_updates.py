"""Changes of a session's plan, with the rules of its steps: from a tool's call, a record, or a plan's text."""

from __future__ import annotations

import os
import time

from rulec.agents.protocol.agent_spec import APPROVE_PLAN, as_mapping, as_text
from rulec.checkout import personal_scope, private_files
from rulec.hook.session import session_state
from rulec.plans import plan_store, step_rules
from rulec.plans.native import codex_record, native_calls
from rulec.reminders import rule_records
from rulec.transcripts import recent_history

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from rulec.agents.protocol.agent_spec import AgentSpec, HookRequest
    from rulec.checkout.worktree import Worktree
    from rulec.plans.plan import Plan


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
