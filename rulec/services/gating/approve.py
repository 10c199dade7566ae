"""rulec approve: a person approves what the staged change weakens, or commits that no gate has checked."""

from collections.abc import Callable, Sequence
from pathlib import Path

from rulec.domain.outcome import FINDINGS, Outcome
from rulec.errors import RulecError
from rulec.gates import open_findings, passed_changes
from rulec.gates.fast_path import touches_gate
from rulec.gates.weakening import approvals, gate_change
from rulec.infra.git import commit_changes, git_changes, git_session
from rulec.services import rulebook_commit

Confirm = Callable[[str], bool]


def approve_staged(top: Path, confirm: Confirm, *, reason: str = "") -> Outcome:
    """Show exactly what the staged change weakens and ask; the approval holds for exactly that."""
    change = git_changes.staged_change(top)
    found = gate_change.gate_change_staged(top, change) if touches_gate(change) else None
    waiting = approvals.unapproved(top, found) if found else []
    if turns := open_findings.open_debts(top):
        if not confirm("\n".join(["Agents' turns ended with these findings open:", *(f"  {one}" for one in turns)])):
            return Outcome("nothing approved", FINDINGS)
        open_findings.clear_debts(top)
        if not waiting:
            return Outcome("approved; git commit no longer asks about it")
    if not found or not waiting:
        told = "what is staged weakens nothing" if not found or not found.all else "it is already approved"
        return Outcome(f"{told}; there is nothing to approve")
    lines = [f"  {one.path}{f':{one.line}' * bool(one.line)}: {approvals.describe_weakening(one)}" for one in waiting]
    others = sorted({who for one in waiting if (who := found.owners(one.path)) != "the team"})
    lines += [f"  in the review it is for {', '.join(others)} to approve"] * bool(others)
    if not confirm("\n".join(["This change weakens the gate:", *lines])):
        return Outcome("nothing approved", FINDINGS)
    by = approvals.approve_all(top, found, rulebook_commit.clean_reason(reason))
    return Outcome(f"{by}; git commit accepts it as it is staged now")


def approve_commits(top: Path, revisions: Sequence[str], confirm: Confirm, *, reason: str = "") -> Outcome:
    """Show commits that no gate has checked and ask; approved ones count as checked here, CI checks them again."""
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
        passed_changes.note_own_commit(top, one.id)
    return Outcome(f"{by}; {len(unseen)} commit{'s' * (len(unseen) > 1)} count as checked here; CI checks them again")
