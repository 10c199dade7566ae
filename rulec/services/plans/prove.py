"""rulec prove: what strict and testable rules at steps still need before the commit; it takes no evidence."""

from pathlib import Path

from rulec.domain.outcome import CLEAN, FINDINGS, Outcome
from rulec.domain.text.one_line import to_one_line
from rulec.errors import RulecError
from rulec.gates.plans.commit_proofs import cure_of, step_name
from rulec.infra.git import git_session
from rulec.infra.test_runs.suite_runs import suites_at
from rulec.plans import plan_store
from rulec.plans.plan import REMIND
from rulec.plans.proofs import owed_proofs
from rulec.plans.proofs.owed_proofs import OwedProof

_LEAST = 4  # signs of an id that name a step


def show_missing(top: Path, step: str = "", slug: str = "") -> Outcome:
    """Each rule at each step that changed files, with what proves it; exit 1 where something is missing."""
    found = owed_here(top, step, slug)
    suites = [suite.name for suite in suites_at(top)] if git_session.head_commit(top) else []
    plans = plan_store.open_plans(str(top))
    shown = [one for one in found if one.level != REMIND]
    lines = [line for one in shown for line in _lines(one, step_name(one, plans), suites)]
    missing = any(one.is_open for one in shown)
    text = "\n".join(map(to_one_line, lines)) or "nothing is missing: no strict or testable rule speaks of what changed"
    return Outcome(text, FINDINGS if missing else CLEAN, [_data(one) for one in shown])


def owed_here(top: Path, step: str, slug: str) -> list[OwedProof]:
    """What the work tree owes to rules at steps, of those that are named; RulecError where no step is."""
    plans = plan_store.open_plans(str(top))
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


def _lines(one: OwedProof, step: str, suites: list[str]) -> list[str]:
    told = f"step {step}, {one.terms.slug} ({one.level})"
    if not one.is_open:
        by = f" by {one.by}" * bool(one.by)
        return [f"{told}: {one.proved}{by}{'; the commit runs its check' * one.later}"]
    return [f"{told}: {one.missing}", f"to prove it: {cure_of(one, suites)}"]


def _data(one: OwedProof) -> dict[str, object]:
    return {
        "step": one.step.id, "number": one.number, "rule": one.terms.slug, "level": one.level, "proof": one.proved,
        "open": one.is_open, "missing": one.missing, "paths": one.paths,
    }  # fmt: skip
