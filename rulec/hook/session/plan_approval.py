"""A plan that the agent submits to a person: given back once, so that the person sees each step with its rules."""

from __future__ import annotations

from rulec.agents.protocol.agent_spec import HookResponse
from rulec.checkout import ledger, personal_scope
from rulec.domain.text.redaction import redact
from rulec.hook.session import plan_updates, session_state
from rulec.plans import plan_text, step_rules
from rulec.plans.plan import Plan
from rulec.plans.step_ids import steps_of_items
from rulec.reminders import rule_records

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rulec.agents.protocol.agent_spec import AgentSpec, HookRequest


LONGEST = 30_000  # characters of a plan that is given back
LEAD = (
    "rulec: rules of this repository apply to this plan. Rewrite the plan so that each step names its rules, then call"
    " {tool} again; the person decides. The plan with its rules:"
)


def ask_for_rules(agent: AgentSpec, asked: HookRequest, root: str) -> HookResponse:
    """Deny a plan that does not name the rules of its steps, with these; never twice until a person approved one."""
    text = plan_updates.approved_text(agent, asked)
    enriched = _with_rules(agent, root, text)
    if not enriched:
        return HookResponse()
    digest = f"plan-{ledger.short_digest(text)}"
    if session_state.has_note(root, asked, plan_updates.RETURNED) or session_state.has_note(root, asked, digest):
        return HookResponse()
    if not session_state.add_notes(root, asked, (plan_updates.RETURNED, digest)):  # else it could be denied for ever
        return HookResponse()
    denied: HookResponse = agent.deny(asked, f"{LEAD.format(tool=asked.tool)}\n\n{redact(enriched)}")
    return denied


def _with_rules(agent: AgentSpec, root: str, text: str) -> str:
    """The plan's text with the rules by step; "" where none applies, or the text names all of them already."""
    items = plan_text.read_plan(text)
    records = rule_records.gather_rules(root) if items else []
    if not records:
        return ""
    plan = Plan("", agent.name)
    plan.steps = steps_of_items(items)
    projects = personal_scope.repository_names(root)
    rules = step_rules.attach_rules(plan, records, agent=agent.name, projects=projects)
    if all(slug in text for step in plan.steps for slug, _ in step.rules):
        return ""
    lines = {at: rules.lines(step) for at, step in enumerate(plan.steps)}
    written = plan_text.write_plan(text, lines)
    if len(written) <= LONGEST:
        return written
    short = [[f"- {plan.steps[at].text}", *(f"  - {line}" for line in told)] for at, told in lines.items() if told]
    return "\n".join(line for one in short for line in one)[:LONGEST]
