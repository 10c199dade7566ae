"""Finds the step of an open plan that a person or an agent names, and what the work tree owes to a rule there."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from rulec.domain.text.one_line import to_one_line
from rulec.errors import RulecError
from rulec.gates import trusted_checks
from rulec.gates.steps.changed_texts import files_at_hand
from rulec.steps import plan_store
from rulec.steps.proofs import open_proofs, rule_terms
from rulec.steps.proofs.claimed_files import ChangedFile
from rulec.steps.proofs.open_proofs import Obligation
from rulec.steps.proofs.rule_terms import RuleTerms
from rulec.steps.step import Plan, Step

_LEAST = 4  # signs of an id that name it
_SHOWN = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedStep:
    """A rule at a step of an open plan, by HEAD's rules and the work tree as it is."""

    plan: Plan
    step: Step
    number: int
    terms: RuleTerms
    files: tuple[ChangedFile, ...]  # all that differs from HEAD
    obligation: Obligation | None  # None where nothing of the step's was changed that the rule speaks of


def find_step(top: Path, name: str) -> tuple[Plan, Step, int]:
    """The step with this id, beginning of an id or number; RulecError where it is none or several."""
    plans = plan_store.open_plans(str(top))
    if not plans:
        raise RulecError("no plan is open here", where=to_one_line(name), hint="rulec plan shows open plans")
    steps = [(plan, step, number) for plan in plans for number, step in enumerate(plan.steps, 1)]
    found = [one for one in steps if one[1].id == name or (len(name) >= _LEAST and one[1].id.startswith(name))]
    if not found and name.isdecimal():
        found = [one for one in steps if str(one[2]) == name]
    if len(found) == 1:
        return found[0]
    if not found:
        raise RulecError("is no step of an open plan", where=to_one_line(name), hint="rulec plan shows them")
    told = ", ".join(f"{step.id} ({to_one_line(step.text)[:40]})" for _, step, _ in found[:_SHOWN])
    raise RulecError("names several steps", where=to_one_line(name), hint=f"name one by its id: {told}")


def find_rule_at_step(top: Path, name: str, slug: str) -> NamedStep:
    """The rule at that step; RulecError where it is not one of its rules."""
    plan, step, number = find_step(top, name)
    texts = trusted_checks.trusted_checks(top).texts
    plans = plan_store.open_plans(str(top))
    terms = rule_terms.terms_of_texts(texts, open_proofs.attached_slugs(plans))
    known = open_proofs.rules_at(plan, step, terms)
    if slug not in known:
        hint = f"its rules are {', '.join(known[:_SHOWN])}" if known else "it has no rules"
        raise RulecError(f"is no rule of step {number}", where=to_one_line(slug), hint=hint)
    files = files_at_hand(top)
    found = open_proofs.obligations(str(top), plans, files, terms)
    own = _own(found, plan, step, slug)
    return NamedStep(plan=plan, step=step, number=number, terms=terms[slug], files=tuple(files), obligation=own)


def _own(found: Sequence[Obligation], plan: Plan, step: Step, slug: str) -> Obligation | None:
    for one in found:
        if (one.plan.session, one.step.id, one.terms.slug) == (plan.session, step.id, slug):
            return one
    return None
