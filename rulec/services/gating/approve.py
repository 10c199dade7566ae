"""rulec approve: a person approves what a change weakens, steps of plans, or commits that no gate has checked."""

from collections.abc import Callable, Sequence
from pathlib import Path

from rulec.domain.change import Change
from rulec.domain.finding import Verdict, Weakening
from rulec.domain.outcome import FINDINGS, Outcome
from rulec.errors import RulecError
from rulec.gates import open_findings, passed_changes, pushed_branches, trusted_checks
from rulec.gates.gate import GateRun
from rulec.gates.gate_names import touches_gate
from rulec.gates.plans.commit_proofs import StepGate
from rulec.gates.pushed_branches import PushedRef
from rulec.gates.trusted_checks import TrustedChecks
from rulec.gates.weakening import approvals, loosening, protected_paths
from rulec.gates.weakening.loosening import GateChange
from rulec.infra.git import commit_changes, git_session
from rulec.plans import plan_store
from rulec.plans.proofs.owed_proofs import OwedProof
from rulec.plans.proofs.signed_records import APPROVAL, add_record
from rulec.services import rulebook_commit


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


Confirm = Callable[[str], bool]


def approve_staged(top: Path, confirm: Confirm, *, reason: str = "") -> Outcome:
    """Show what the staged change weakens, which protected paths it touches and which steps lack a proof, and ask.

    That alone is approved.
    """
    trusted, change = trusted_checks.staged_change(top)
    found = loosening.gate_change_staged(top, change) if touches_gate(change) else None
    known = approvals.approved(top)
    waiting = [one for one in found.all if found.digest(one) not in known] if found else []
    paths = protected_paths.unapproved_paths(top, trusted.artifacts(), change, trusted.texts)
    steps = unproved_steps(top, trusted, change)
    turns = open_findings.open_debts(top)
    open_lines = ["Agents' turns ended with these findings open:", *(f"  {one}" for one in turns)]
    if turns and not confirm("\n".join(open_lines)):
        return Outcome("nothing approved", FINDINGS)
    if turns and not waiting and not paths and not steps:
        open_findings.clear_debts(top)
        return Outcome("approved; git commit no longer asks about it")
    if not waiting and not paths and not steps:
        why = (
            "what is staged weakens nothing, touches no protected path and lacks no proof"
            if not found or not found.all
            else "it is already approved"
        )
        return Outcome(f"{why}; there is nothing to approve")
    lines = [*_weakened_lines(found, waiting), *_path_lines(paths), *step_lines(steps)]
    if not confirm("\n".join(lines)):
        return Outcome("nothing approved", FINDINGS)
    if turns:  # only now, for a no to the rest approves nothing
        open_findings.clear_debts(top)
    names = [found.digest(one) for one in found.all] if found else []
    names += protected_paths.approval_digests(top, change, paths)
    by = approvals.note_approvals(top, names, rulebook_commit.clean_reason(reason))
    note_steps(top, steps, by)
    return Outcome(f"{by}; git commit accepts it as it is staged now")


def _weakened_lines(found: GateChange | None, waiting: Sequence[Weakening]) -> list[str]:
    if not found or not waiting:
        return []
    lines = [f"  {one.path}{f':{one.line}' * bool(one.line)}: {one.text}" for one in waiting]
    others = sorted({who for one in waiting if (who := found.owners(one.path)) != "the team"})
    lines += [f"  in the review it is for {', '.join(others)} to approve"] * bool(others)
    return ["This change weakens the gate:", *lines]


def _path_lines(paths: Sequence[Verdict]) -> list[str]:
    lines = [f"  {one.finding.text} ({one.facts.slug})" for one in paths if one.finding]
    return ["This change touches protected paths:", *lines] if lines else []


def approve_commits(top: Path, revisions: Sequence[str], confirm: Confirm, *, reason: str = "") -> Outcome:
    """Show commits that no gate has checked and ask; approved ones count as checked here, CI checks them again.

    One with a colon is what to push where, as git push has it: then a person approves the push to that branch.
    """
    if refspecs := [one for one in revisions if ":" in one]:
        return _approve_pushes(top, refspecs, confirm, reason)
    done = git_session.run_git(
        top, "rev-list", "--no-walk=unsorted", f"-n{passed_changes.MOST_COMMITS}", "--end-of-options", *revisions
    )
    if done.code:
        raise RulecError(f"{' '.join(revisions)!r} names no commits here", where=str(top), hint="see git log")
    unseen = [
        one
        for one in commit_changes.commits_by_id(top, done.text.split())
        if one.id in passed_changes.unseen_commits(top, [one.id])
    ]
    if not unseen:
        return Outcome("gates have checked that already; there is nothing to approve")
    lines = [f"  {one.id[:10]} {one.subject}" for one in unseen]
    if not confirm("\n".join(["Not checked by any gate:", *lines])):
        return Outcome("nothing approved", FINDINGS)
    by = approvals.note_approvals(top, [one.id for one in unseen], rulebook_commit.clean_reason(reason))
    for one in unseen:
        passed_changes.note_approved_commit(top, one.id)
    return Outcome(f"{by}; {len(unseen)} commit{'s' * (len(unseen) > 1)} count as checked here; CI checks them again")


def _approve_pushes(top: Path, refspecs: Sequence[str], confirm: Confirm, reason: str) -> Outcome:
    """Show what rules have against pushes, given as COMMIT:REF, and ask; approved until the next commit."""
    found = [(push, pushed_branches.approvable(top, push)) for push in (_push_of(top, one) for one in refspecs)]
    lines = [
        f"  {one.facts.statement} ({one.facts.slug}): {one.finding.text}"
        for _, own in found
        for one in own
        if one.finding
    ]
    if not lines:
        return Outcome("no rule minds that push; there is nothing to approve")
    if not confirm("\n".join(["This push breaks rules:", *lines])):
        return Outcome("nothing approved", FINDINGS)
    names = [name for push, own in found for name in pushed_branches.approval_digests(top, push, own)]
    return Outcome(f"{approvals.note_approvals(top, names, rulebook_commit.clean_reason(reason))}; git push accepts it")


def _push_of(top: Path, refspec: str) -> PushedRef:
    source, _, ref = refspec.partition(":")
    new = git_session.require_commit(top, source) if source else ""
    return PushedRef(ref=ref if ref.startswith("refs/") else f"refs/heads/{ref}", new=new, old="", remote="")
