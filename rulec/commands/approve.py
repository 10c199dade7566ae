"""``rulec approve``: a person lets through what the staged change takes from the gate."""

from collections.abc import Callable
from pathlib import Path

from rulec.commands import _approved, _verb, _weakened
from rulec.commands._concerned import concerned
from rulec.commands._outcome import FINDINGS, Outcome
from rulec.host import changes

Confirm = Callable[[str], bool]


def run(top: Path, confirm: Confirm, *, reason: str = "") -> Outcome:
    """Show exactly what gets weaker and ask; a yes holds for just that, whatever else the commit brings."""
    change = changes.staged(top)
    found = _weakened.staged(top, change) if concerned(change) else None
    waiting = _approved.waiting(top, found) if found else []
    if not found or not waiting:
        told = "what is staged weakens nothing" if not found or not found.all else "it is approved already"
        return Outcome(f"{told}; there is nothing to approve")
    lines = [f"  {one.path}{f':{one.line}' * bool(one.line)}: {one.text}" for one in waiting]
    others = sorted({who for one in waiting if (who := found.owners(one.path)) != "the team"})
    lines += [f"  in the review it is for {', '.join(others)} to approve"] * bool(others)
    if not confirm("\n".join(["This change weakens the gate:", *lines])):
        return Outcome("nothing approved", FINDINGS)
    by = _approved.approved(top, found, _verb.reason(reason))
    return Outcome(f"{by}; git commit lets it through as it is staged now")
