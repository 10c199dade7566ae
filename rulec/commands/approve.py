"""``rulec approve``: a person lets through what the staged change takes from the gate."""

from collections.abc import Callable, Sequence
from pathlib import Path

from rulec.commands import _approved, _verb, _waived, _weakened
from rulec.commands._concerned import concerned
from rulec.commands._outcome import FINDINGS, Outcome
from rulec.errors import RulecError
from rulec.host import changes, commits, git, seen

Confirm = Callable[[str], bool]


def run(top: Path, confirm: Confirm, *, reason: str = "") -> Outcome:
    """Show exactly what gets weaker and ask; a yes holds for just that, whatever else the commit brings."""
    change = changes.staged(top)
    found = _weakened.staged(top, change) if concerned(change) else None
    waiting = _approved.waiting(top, found) if found else []
    if turns := _waived.waiting(top):
        if not confirm("\n".join(["Turns of agents were let end with this open:", *(f"  {one}" for one in turns)])):
            return Outcome("nothing approved", FINDINGS)
        _waived.let_through(top)
        if not waiting:
            return Outcome("let through; git commit no longer waits for it")
    if not found or not waiting:
        told = "what is staged weakens nothing" if not found or not found.all else "it is approved already"
        return Outcome(f"{told}; there is nothing to approve")
    lines = [f"  {one.path}{f':{one.line}' * bool(one.line)}: {_approved.told(one)}" for one in waiting]
    others = sorted({who for one in waiting if (who := found.owners(one.path)) != "the team"})
    lines += [f"  in the review it is for {', '.join(others)} to approve"] * bool(others)
    if not confirm("\n".join(["This change weakens the gate:", *lines])):
        return Outcome("nothing approved", FINDINGS)
    by = _approved.approved(top, found, _verb.reason(reason))
    return Outcome(f"{by}; git commit lets it through as it is staged now")


def past(top: Path, revisions: Sequence[str], confirm: Confirm, *, reason: str = "") -> Outcome:
    """Show the commits that went past the gate and ask; a yes has them count as seen here, and CI judges them anew."""
    done = git.git(top, "rev-list", "--no-walk=unsorted", f"-n{seen.MOST}", "--end-of-options", *revisions)
    if done.code:
        raise RulecError(f"{' '.join(revisions)!r} names no commits here", where=str(top), hint="git log shows them")
    unseen = [one for one in commits.named(top, done.text.split()) if one.id in seen.unseen(top, [one.id])]
    if not unseen:
        return Outcome("gates have seen that already; there is nothing to approve")
    lines = [f"  {one.id[:10]} {one.subject}" for one in unseen]
    if not confirm("\n".join(["No gate has seen:", *lines])):
        return Outcome("nothing approved", FINDINGS)
    by = _approved.noted(top, [one.id for one in unseen], _verb.reason(reason))
    for one in unseen:
        seen.note_commit(top, one.id)
    return Outcome(f"{by}; {len(unseen)} commit{'s' * (len(unseen) > 1)} count as seen here, and CI judges them anew")
