"""``rulec retire``: a rule out of force and into the archive, with the person's reason."""

from dataclasses import replace
from pathlib import Path

from rulec.commands import _onto, _verb, _write
from rulec.commands._onto import Onto
from rulec.commands._outcome import Outcome
from rulec.commands._supersession import archived
from rulec.errors import RulecError
from rulec.host import worktree


def run(top: Path, slug: str, onto: Onto, *, because: str) -> Outcome:
    """Archive the rule; its artifacts go, its evidence stays where it is, and ``rulec rollback`` brings it back."""
    reason = _verb.reason(because)
    if not reason:
        raise RulecError("the reason is empty", hint='say why: rulec retire SLUG --because "we left npm"')
    with _onto.changing(top, onto) as book:
        rule = _onto.standing(book, slug)
        gone = replace(rule, retired=reason, revision=rule.revision + 1)
        changes = archived(gone, _onto.text(top, onto, worktree.rule_path(slug)))
        message = _verb.message(f"Retire {slug}", gone, f"RETIRE {slug}", because=reason)
        commit = _write.put(top, changes, message, onto)
    return _verb.done(top, onto, commit, f"retired {slug}")
