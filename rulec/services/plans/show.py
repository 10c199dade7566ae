"""rulec plan and rulec prove: the plans that agents work by here, with the rules of each step and what is missing.

It takes no evidence: a check, a run of a suite or a person shows that a rule was kept.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from rulec.checkout import ledger
from rulec.checkout.worktree import PLANS, shared_state_directory, state_directory
from rulec.domain.outcome import CLEAN, FINDINGS, Outcome
from rulec.domain.text.one_line import shorten, to_one_line
from rulec.errors import RulecError
from rulec.gates.plans.commit_proofs import cure_of, step_name
from rulec.infra import clock
from rulec.infra.git import git_session
from rulec.infra.test_runs.suite_runs import suites_at
from rulec.plans.plan import ACTIVE, DONE, PENDING, REMIND, Plan, Step, names_rule, plan_to_json
from rulec.plans.plan_store import names_path, open_plans
from rulec.plans.proofs import changed_files, owed_proofs, rule_terms, signed_records
from rulec.plans.proofs.owed_proofs import OwedProof
from rulec.plans.proofs.rule_terms import RuleTerms


@dataclass(frozen=True, slots=True, kw_only=True)
class StepRule:
    """A rule at a step."""

    slug: str
    level: str
    proof: str = ""  # checked, tested or approved
    later: bool = False  # the commit will run its check
    open: bool = False  # a commit would be refused for it
    missing: str = ""  # why it is not proved


@dataclass(frozen=True, slots=True, kw_only=True)
class StepState:
    """A step with its rules."""

    step: Step
    number: int
    depth: int
    rules: tuple[StepRule, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanState:
    """A plan with its steps, and what a person may want to look at."""

    plan: Plan
    steps: tuple[StepState, ...]
    strays: tuple[str, ...]

    @property
    def quiet_seconds(self) -> int:
        """How long the session was not heard of."""
        return max(0, int(clock.epoch_seconds() - self.plan.seen))

    def data(self) -> dict[str, Any]:
        """The plan as JSON, with what is known of its rules."""
        data, current = plan_to_json(self.plan), self.plan.current()
        for one, step in zip(self.steps, data["steps"], strict=True):
            step |= {"number": one.number, "depth": one.depth, "rules": [asdict(rule) for rule in one.rules]}
        more = {"strays": [*self.strays], "quiet_seconds": self.quiet_seconds}
        return {**data, "current": current.id if current else "", **more}


def plan_states(top: Path, session: str = "") -> list[PlanState]:
    """The state of each open plan, the one that was touched last first; of one session where that is named."""
    plans = [plan for plan in open_plans(str(top)) if plan.session.startswith(session)]
    if not plans:
        return []
    terms = rule_terms.terms_at_hand(str(top), owed_proofs.attached_slugs(plans))
    owed = owed_proofs.owed_at_hand(str(top), plans)
    return [_plan_state(plan, terms, [one for one in owed if one.plan is plan]) for plan in plans]


def _plan_state(plan: Plan, terms: Mapping[str, RuleTerms], owed: Sequence[OwedProof]) -> PlanState:
    steps = []
    for number, step in enumerate(plan.steps, 1):
        found = {
            one.terms.slug: StepRule(
                slug=one.terms.slug, level=one.level, proof=one.proved, later=one.later, open=one.is_open,
                missing=one.missing,
            )
            for one in owed if one.step is step
        }  # fmt: skip
        for slug in (slug for slug, _ in step.rules if slug in terms):
            found.setdefault(
                slug, StepRule(slug=slug, level=terms[slug].level_where(named=names_rule(plan, step, slug)))
            )
        depth = len(list(plan.with_those_above(step))) - 1
        steps.append(StepState(step=step, number=number, depth=depth, rules=tuple(found.values())))
    return PlanState(plan=plan, steps=tuple(steps), strays=tuple(_strays(steps)))


def _strays(steps: Sequence[StepState]) -> Iterator[str]:
    """Where the work strays from the plan: steps that were passed over, files that their step does not name."""
    last = max((one.number for one in steps if one.step.status in (ACTIVE, DONE)), default=0)
    above = {one.step.parent for one in steps}
    for one in steps[:last]:
        if one.step.status == PENDING and one.step.id not in above:
            yield f"step {one.number} was not begun, but a later one was"
    for one in steps:
        for path in one.step.edits if one.step.paths else ():
            if not names_path(one.step, path):
                yield f"{shorten(path)} was edited in step {one.number}, which names other files"


NONE = "No plan is open here. rulec follows the plans and todo lists of agents whose hooks it has."
SOURCES = {"plan": "its plan", "todo": "its todo list", "tasks": "its tasks", "codex": "its plan"}
QUIET = 20 * 60  # seconds after which a session that does nothing is no longer at work
MOST_FILES = 5  # of a step that are named
MOST_SHOWN = 8  # places where the work strays from the plan
AGAIN = 60  # seconds after which the screen is written anew although nothing happened: files change beside it
Stamp = tuple[str, int, int]


def show_plans(top: Path, session: str = "") -> Outcome:
    """The open plans with their steps and rules, the one that was touched last first."""
    states = plan_states(top, session)
    text = "\n\n".join("\n".join(_plan_lines(one)) for one in states)
    return Outcome("\n".join(filter(None, [text or NONE, foreign_line(top)])), data=[one.data() for one in states])


def follow_plans(top: Path, session: str, pause: Callable[[], None]) -> Iterator[Outcome]:
    """The same whenever something changed, for ever; ``pause`` waits a moment between two looks at the files."""
    seen: tuple[Stamp, ...] = ()
    left = clock.countdown(AGAIN)
    ledger_file = Path(shared_state_directory(str(top)), ledger.NAME)
    while True:
        stamps = (*plan_stamps(top), file_stamp(ledger_file))
        if stamps != seen or left() <= 0:
            seen, left = stamps, clock.countdown(AGAIN)
            yield show_plans(top, session)
        pause()


def plan_stamps(top: Path) -> tuple[Stamp, ...]:
    """When each file was last written that the state of open plans depends on."""
    own = Path(state_directory(str(top)))
    names = (signed_records.NAME, changed_files.PASSES)
    return tuple(map(file_stamp, [*(own / name for name in names), *sorted(own.joinpath(PLANS).glob("*.json"))]))


def file_stamp(path: Path) -> Stamp:
    """What changes when a file is written: its time and size; zeros where there is none."""
    try:
        found = path.stat()
    except (OSError, ValueError):
        return str(path), 0, 0
    return str(path), found.st_mtime_ns, found.st_size


def foreign_line(top: Path) -> str:
    """What to say of records that rulec did not write, "" where there are none."""
    count = signed_records.count_foreign(str(top))
    told = "1 record of a run or approval was" if count == 1 else f"{count} records of runs or approvals were"
    return f"{told} not written by rulec here and proves nothing" * bool(count)


def _plan_lines(state: PlanState) -> Iterator[str]:
    plan = state.plan
    source = f", from {SOURCES[plan.source]}" if plan.source in SOURCES else ""
    quiet = f"; not heard of for {state.quiet_seconds // 60} min" * (state.quiet_seconds >= QUIET)
    done = sum(one.step.status == DONE for one in state.steps)
    steps = f"{done} of {len(state.steps)} steps done"
    yield f"{plan.agent or 'agent'}, session {plan.session[:8]}{source}: {steps}{quiet}"
    width = len(str(len(state.steps)))
    for one in state.steps:
        yield from _step_lines(one, width, current=one.step is plan.current())
    if state.strays:
        more = f" and {len(state.strays) - MOST_SHOWN} before" * (len(state.strays) > MOST_SHOWN)
        yield f"  to look at{more}:"
        yield from (f"    {line}" for line in state.strays[-MOST_SHOWN:])


def _step_lines(one: StepState, width: int, *, current: bool) -> Iterator[str]:
    step, inner = one.step, "  " * (one.depth + 1)
    yield f"{'>' if current else ' '} {inner[2:]}{one.number:{width}}. {step.status:<7} {shorten(step.text)}"
    below = inner + " " * (width + 2)
    for rule in one.rules:
        yield f"{below}{rule.slug} ({rule.level}){rule_state(rule)}"
    if step.edits:
        names = [shorten(path) for path in step.edits][-MOST_FILES:]
        more = f" and {len(step.edits) - len(names)} more" * (len(step.edits) > len(names))
        yield f"{below}files: {', '.join(names)}{more}"


def rule_state(rule: StepRule) -> str:
    """How the rule was proved at its step, or what is missing; "" where nothing was changed yet."""
    if rule.open:
        return f": a commit would be refused: {rule.missing}"
    return f": {rule.proof}{', at the commit' * rule.later}" * bool(rule.proof)


_LEAST = 4  # signs of an id that name a step


def show_missing(top: Path, step: str = "", slug: str = "") -> Outcome:
    """Each rule at each step that changed files, with what proves it; exit 1 where something is missing."""
    found = owed_here(top, step, slug)
    suites = [suite.name for suite in suites_at(top)] if git_session.head_commit(top) else []
    plans = open_plans(str(top))
    shown = [one for one in found if one.level != REMIND]
    lines = [line for one in shown for line in _missing_lines(one, step_name(one, plans), suites)]
    missing = any(one.is_open for one in shown)
    text = "\n".join(map(to_one_line, lines)) or "nothing is missing: no strict or testable rule speaks of what changed"
    return Outcome(text, FINDINGS if missing else CLEAN, [_missing_data(one) for one in shown])


def owed_here(top: Path, step: str, slug: str) -> list[OwedProof]:
    """What the work tree owes to rules at steps, of those that are named; RulecError where no step is."""
    plans = open_plans(str(top))
    if not plans:
        raise RulecError("no plan is open here", where=str(top), hint="agents whose hooks rulec has open them")
    steps = [
        one.id for plan in plans for number, one in enumerate(plan.steps, 1)
        if step in ("", one.id, str(number)) or (len(step) >= _LEAST and one.id.startswith(step))
    ]  # fmt: skip
    if not steps:
        raise RulecError("is no step of an open plan", where=to_one_line(step), hint="rulec plan shows them")
    found = owed_proofs.owed_at_hand(str(top), plans)
    return [one for one in found if one.step.id in steps and slug in ("", one.terms.slug)]


def _missing_lines(one: OwedProof, step: str, suites: list[str]) -> list[str]:
    told = f"step {step}, {one.terms.slug} ({one.level})"
    if not one.is_open:
        by = f" by {one.by}" * bool(one.by)
        return [f"{told}: {one.proved}{by}{'; the commit runs its check' * one.later}"]
    return [f"{told}: {one.missing}", f"to prove it: {cure_of(one, suites)}"]


def _missing_data(one: OwedProof) -> dict[str, object]:
    return {
        "step": one.step.id, "number": one.number, "rule": one.terms.slug, "level": one.level, "proof": one.proved,
        "open": one.is_open, "missing": one.missing, "paths": one.paths,
    }  # fmt: skip
