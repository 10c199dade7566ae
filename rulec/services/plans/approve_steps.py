"""What rulec approve asks a person of the steps of plans: the rules that nothing else proves for what is staged."""

from collections.abc import Sequence
from pathlib import Path

from rulec.domain.change import Change
from rulec.errors import RulecError
from rulec.gates.gate import GateRun
from rulec.gates.plans.commit_proofs import StepGate
from rulec.gates.trusted_checks import TrustedChecks
from rulec.plans import plan_store
from rulec.plans.proofs.owed_proofs import OwedProof
from rulec.plans.proofs.signed_records import APPROVAL, add_record


def unproved_steps(top: Path, trusted: TrustedChecks, change: Change) -> list[OwedProof]:
    """The rules at steps for which the staged change would be refused."""
    plans = plan_store.open_plans(str(top))
    if not plans:
        return []
    judged = GateRun(form="json", noted=None).judge(trusted, change).data[0]
    gate = StepGate(
        top=top, trusted=trusted, change=change, plans=plans, complain=lambda _: None, by_person=lambda: False
    )
    return [one for one in gate.owed(judged) if one.is_open]


def step_lines(found: Sequence[OwedProof]) -> list[str]:
    """The same for a person who decides."""
    lines = [
        f"  {one.terms.record['says']} ({one.terms.slug}), at step {one.number}, {one.step.text}: "
        f"{', '.join(one.paths)}"
        for one in found
    ]
    return ["Rules at steps of a plan that were neither checked nor tested:", *lines] if lines else []


def note_steps(top: Path, found: Sequence[OwedProof], by: str) -> None:
    """Note that a person approves these; RulecError where that cannot be kept."""
    for one in found:
        pins = {file.path: file.pin for file in one.files}
        if odd := next((path for path, pin in pins.items() if not pin), ""):
            raise RulecError("holds no text of which an approval could be", where=odd, hint="commit it by itself")
        facts = {"revision": one.terms.revision, "pins": pins, "by": by}
        if not add_record(str(top), APPROVAL, one.terms.slug, facts):
            raise RulecError("the approval cannot be kept", where=str(top), hint="see ~/.config/rulec")
