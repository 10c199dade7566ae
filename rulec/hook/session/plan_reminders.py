"""The rules of a step, told to the agent as it begins; and what steps that are done lack, at the end of a turn."""

from rulec.agents.protocol.agent_spec import HookResponse, as_text
from rulec.checkout.worktree import Worktree
from rulec.steps import plan_store, step_progress
from rulec.steps.step import ACTIVE, DONE, LEVELS, PENDING, REMIND, TESTABLE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from rulec.agents.protocol.agent_spec import AgentSpec, HookRequest
    from rulec.checkout.pending_change import PendingChange
    from rulec.steps.proofs.open_proofs import Obligation
    from rulec.steps.step import Plan, Step


MOST_RULES = 10  # at one step
REMINDED = (
    "reminded"  # among the plan's notes: steps, each with a rule, of which a turn's end said that they lack a proof
)
LOOKED = "looked"  # there, too: the state of the files of which all that is lacking was said
MOST_PATHS = 3  # that one reminder names
ALWAYS = "*"  # stands among the steps that the agent was told of, for the rules of every step
BEGINS, COMES = 'rulec: the rules of the step that begins, "{}":', 'rulec: the rules of the next step, "{}":'
NEEDS = "Rules that are strict or testable need a proof before the commit; `rulec plan` says what is open."


def tell_current_step(agent: "AgentSpec", asked: "HookRequest", root: str, plan: "Plan") -> HookResponse:
    """The rules of the step that is worked on, where the agent has not got them yet."""
    step = plan.current()
    words = _words(asked, root, plan, step) if step is not None else ""
    told: HookResponse = agent.tell(asked, words) if words else HookResponse()
    return told


def words_at_prompt(agent: "AgentSpec", asked: "HookRequest", root: str) -> str:
    """With a person's message: the rules of the current or the next step, where the agent has not got them yet."""
    world = Worktree(root)
    message = as_text(asked.given)
    begins = bool(agent.plan_prompt) and message.startswith(agent.plan_prompt) and not asked.subagent
    if begins or asked.records:
        from rulec.hook.session import plan_updates  # noqa: PLC0415 (few messages change a plan)

        if begins:
            plan_updates.open_text(agent, asked, world, message[len(agent.plan_prompt) :])
        else:
            plan_updates.read_records(agent, asked, world)
    plan = step_progress.touch_plan(root, asked.main_session)
    step = next(iter(_open(plan)), None) if plan is not None else None
    return _words(asked, root, plan, step) if plan is not None and step is not None else ""


def unproved_at_end(agent: "AgentSpec", asked: "HookRequest", world: Worktree, pending: "PendingChange") -> "list[str]":
    """At the end of a turn: what steps that are done lack for the commit, each said once in the session."""
    if asked.records:
        from rulec.hook.session import plan_updates  # noqa: PLC0415 (few agents keep such records)

        plan_updates.read_records(agent, asked, world)
    plan = step_progress.settled_plan(world.root, asked.main_session)
    done = [step for step in plan.steps if _is_done(plan, step)] if plan is not None else []
    changed = [file["path"] for file in pending.files] if done else []
    done = [step for step in done if any(path in step.edits or plan_store.names_path(step, path) for path in changed)]
    if plan is None or not any(level != REMIND for step in done for _, level in (*plan.always, *step.rules)):
        return []
    stamp = _stamp(world, changed, done)
    if plan.notes.get(LOOKED) == stamp:
        return []
    from rulec.steps.proofs import open_proofs  # noqa: PLC0415 (only where the work of a step that is done is not committed)

    known = plan.notes.get(REMINDED)
    said = known if isinstance(known, list) else []
    found = [
        one
        for one in open_proofs.obligations_at_hand(world.root, [plan])
        if one.is_open and one.step in done and [one.step.id, one.terms.slug] not in said
    ]
    names = [[one.step.id, one.terms.slug] for one in found]
    noted = _note(asked, world.root, {LOOKED: stamp, REMINDED: [*said, *names]})
    return [_lack(one, world.root) for one in found] if noted else []


def _stamp(world: Worktree, changed: "list[str]", done: "list[Step]") -> str:
    """A text that changes when one of the files does, or another step is done."""
    import zlib  # noqa: PLC0415 (few turns end with the work of a step)

    times = [f"{path} {step_progress.file_stamp(world.root, path)}" for path in sorted(changed)]
    return f"{zlib.crc32(chr(10).join([*times, *(step.id for step in done)]).encode('utf-8', 'surrogateescape')):x}"


def _is_done(plan: "Plan", step: "Step") -> bool:
    """Whether the agent said so, or went on from a step that an edit began to another one."""
    return step.status == DONE or (step.status == ACTIVE and step.by == "edit" and step is not plan.current())


def _lack(one: "Obligation", root: str) -> str:
    """Why the commit would be refused, and what to do before."""
    from rulec.reminders import rule_text  # noqa: PLC0415 (only where something is lacking)
    from rulec.steps.proofs import proof_words  # noqa: PLC0415 (as above)

    rule, paths, text = one.terms.record, one.paths, rule_text.plain_text(one.step.text)
    lacks = "; ".join(one.missing) or "no proof of it was found"
    named = ", ".join(paths[:MOST_PATHS]) + (f" and {len(paths) - MOST_PATHS} more" if paths[MOST_PATHS:] else "")
    prove = f"rulec prove {one.number} {one.terms.slug}"
    test = proof_words.test_command(prove, proof_words.recorded_suites(root))
    ask = f"ask the person whether {named} may change although this is the rule, then {prove} --said QUOTE"
    return "\n".join(
        [
            f"rulec rule {one.terms.slug}: {rule['says']}",
            f'Step {one.number}, "{text}", is done, and its commit needs a proof ({one.level}): {lacks}',
            f"Instead: {test if one.level == TESTABLE else f'{test}; or {ask}'}",
        ]
    )


def _open(plan: "Plan") -> "list[Step]":
    """The steps that are not done: the current one, then those to come."""
    current = plan.current()
    return [*([current] if current else []), *(step for step in plan.steps if step.status == PENDING)]


def _words(asked: "HookRequest", root: str, plan: "Plan", step: "Step") -> str:
    """What the agent is told of a step, once; "" where it was told, or no rule applies."""
    told = plan.notes.get(plan_store.TOLD)
    known = told if isinstance(told, list) else []
    if step.id in known or not (step.rules or plan.always):
        return ""
    pairs = sorted(step.rules, key=lambda pair: -LEVELS.index(pair[1]))
    pairs += [] if ALWAYS in known else plan.always
    from rulec.reminders import rule_records, rule_text  # noqa: PLC0415 (once in a step)

    records = {rule["slug"]: rule for rule in rule_records.gather_rules(root)} if pairs else {}
    pairs = [pair for pair in pairs if pair[0] in records][:MOST_RULES]
    told_now = [*(one for one in known if one != ALWAYS), step.id, ALWAYS]
    if not pairs or not _note(asked, root, {plan_store.TOLD: told_now}):
        return ""
    lines = [_line(records[slug], level) for slug, level in pairs]
    head = (BEGINS if step.status == ACTIVE else COMES).format(rule_text.plain_text(step.text))
    needs = any(level != REMIND for _, level in pairs)
    return "\n".join([head, *lines, *([NEEDS] if needs else [])])


def _line(rule: "dict[str, Any]", level: str) -> str:
    from rulec.reminders import rule_text  # noqa: PLC0415 (as above)

    parts = [f"- {level}:", rule["says"], rule["do"], rule_text.slug_mark(rule["slug"])]
    return " ".join(part for part in parts if part)


def _note(asked: "HookRequest", root: str, notes: "dict[str, Any]") -> bool:
    """Note what the agent was told; False where that cannot be noted: then it would hear it again and again."""

    def change(plan: "Plan") -> "Plan":
        plan.notes.update(notes)
        return plan

    return plan_store.update_plan(root, asked.main_session, change) is not None
