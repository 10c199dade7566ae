"""The rules of a step, told to the agent as it begins; and what steps that are done lack, at the end of a turn."""

from __future__ import annotations

from rulec.agents.protocol.agent_spec import HookResponse, as_text
from rulec.checkout.worktree import Worktree
from rulec.hook.session import plan_updates
from rulec.plans import plan_store
from rulec.plans.plan import ACTIVE, DONE, LEVELS, PENDING, REMIND
from rulec.reminders import rule_records, rule_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from rulec.agents.protocol.agent_spec import AgentSpec, HookRequest
    from rulec.hook.pending_files import PendingChange
    from rulec.plans.plan import Plan, Step
    from rulec.plans.proofs.owed_proofs import OwedProof


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
        plan_updates.open_text(agent, asked, Worktree(root), message[len(agent.plan_prompt) :])
    else:
        plan_updates.read_records(agent, asked, Worktree(root))
    plan = plan_store.touch_plan(root, asked.main_session)
    if plan is None:
        return ""
    step = plan.current() or next((step for step in plan.steps if step.status == PENDING), None)
    return _words(asked, root, plan, step)


def unproved_at_end(agent: AgentSpec, asked: HookRequest, world: Worktree, pending: PendingChange) -> list[str]:
    """At the end of a turn: what steps that are done lack for the commit, each said once in the session."""
    from rulec.plans.proofs import owed_proofs  # noqa: PLC0415 (only where a turn with a plan ends)

    plan_updates.read_records(agent, asked, world)
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
