"""What is known of the plans that are open here: each rule at each step, how it was proved, and what strays."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from rulec.domain.text.one_line import shorten
from rulec.infra import clock
from rulec.plans.plan import ACTIVE, DONE, PENDING, Plan, Step, names_rule, plan_to_json
from rulec.plans.plan_store import names_path, open_plans
from rulec.plans.proofs import owed_proofs, rule_terms
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
