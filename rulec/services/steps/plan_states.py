"""What is known of the plans that are open here: each rule at each step, and how it is proved or what is missing."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rulec.steps.plan_store import open_plans
from rulec.steps.proofs import open_proofs, proof_store, rule_terms
from rulec.steps.proofs.open_proofs import Obligation
from rulec.steps.proofs.rule_terms import RuleTerms
from rulec.steps.step import DONE, REMIND, Plan, Step


@dataclass(frozen=True, slots=True, kw_only=True)
class StepRule:
    """A rule at a step."""

    slug: str
    level: str
    proof: str = ""  # the class of its proof, "" for none
    later: bool = False  # the commit will run its check
    missing: tuple[str, ...] = ()  # why it is not proved
    paths: tuple[str, ...] = ()  # the changed files that it speaks of; () where nothing has to be proved now
    accepted_until: str = ""  # the day until which a person accepted the risk
    open: bool = False  # a commit would be refused for it


@dataclass(frozen=True, slots=True, kw_only=True)
class StepState:
    """A step with its rules."""

    step: Step
    number: int
    name: str  # what verbs call it
    depth: int
    rules: tuple[StepRule, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanState:
    """A plan with its steps, and the rules of every step."""

    plan: Plan
    steps: tuple[StepState, ...]
    always: tuple[StepRule, ...]
    current: Step | None

    @property
    def done(self) -> int:
        """How many steps are done."""
        return sum(one.step.status == DONE for one in self.steps)

    @property
    def open_rules(self) -> list[tuple[StepState, StepRule]]:
        """The rules for which a commit would be refused, with their steps."""
        return [(one, rule) for one in self.steps for rule in one.rules if rule.open]


def plan_states(top: Path, session: str = "") -> list[PlanState]:
    """The state of each open plan, the one that was touched last first; of one session where that is named."""
    root = str(top)
    plans = [plan for plan in open_plans(root) if plan.session.startswith(session)]
    if not plans:
        return []
    terms = rule_terms.terms_at_hand(root, open_proofs.attached_slugs(plans))
    owed = open_proofs.obligations_at_hand(root, plans)
    decisions = proof_store.stored_decisions(root)
    alone = len(open_plans(root)) == 1
    own = {plan.session: [one for one in owed if one.plan is plan] for plan in plans}
    return [_plan_state(plan, terms, own[plan.session], decisions, alone=alone) for plan in plans]


def _plan_state(
    plan: Plan,
    terms: Mapping[str, RuleTerms],
    owed: Sequence[Obligation],
    decisions: list[dict[str, Any]],
    *,
    alone: bool,
) -> PlanState:
    always = {slug for slug, _ in plan.always}
    steps = []
    for number, step in enumerate(plan.steps, 1):
        found = {one.terms.slug: _rule_of(one) for one in owed if one.step is step}
        for slug, _ in step.rules:
            if slug in terms and slug not in found:
                level = open_proofs.level_at(decisions, plan, step, terms[slug])
                found[slug] = StepRule(slug=slug, level=level)
        # a rule of every step that only reminds stands above the steps once
        shown = [rule for rule in found.values() if rule.slug not in always or rule.level != REMIND]
        name = str(number) if alone else step.id[:6]
        steps.append(StepState(step=step, number=number, name=name, depth=_depth(plan, step), rules=tuple(shown)))
    own = tuple(StepRule(slug=slug, level=level) for slug, level in plan.always if slug in terms)
    return PlanState(plan=plan, steps=tuple(steps), always=own, current=plan.current())


def _rule_of(one: Obligation) -> StepRule:
    return StepRule(
        slug=one.terms.slug,
        level=one.level,
        proof=one.proved,
        later=one.later,
        missing=tuple(one.missing),
        paths=tuple(one.paths),
        accepted_until=str(one.risk.get("until", "")) if one.risk else "",
        open=one.is_open,
    )


def _depth(plan: Plan, step: Step) -> int:
    """How many steps stand above it."""
    depth, above = 0, plan.step(step.parent) if step.parent else None
    while above is not None and depth < len(plan.steps):
        depth, above = depth + 1, plan.step(above.parent) if above.parent else None
    return depth


def leaves(states: Iterable[StepState]) -> list[StepState]:
    """The steps without a step below them, in their order."""
    every = list(states)
    parents = {one.step.parent for one in every}
    return [one for one in every if one.step.id not in parents]
