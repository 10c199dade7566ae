"""Verdicts on what a change weakens, excepted where a person approved just that."""

from dataclasses import replace
from pathlib import Path

from rulec.domain.artifact import RuleFacts
from rulec.domain.change import Change
from rulec.domain.enforcement import Enforcement, refuses
from rulec.domain.finding import Finding, Outcome, Verdict, Weakening
from rulec.domain.rule import WEAKENED, WEAKENED_STATEMENT
from rulec.gates.weakening import approvals, gate_change
from rulec.gates.weakening.committer import is_made_by_person
from rulec.gates.weakening.gate_change import GateChange
from rulec.infra.git.git_refs import Range


def weakened_by_index(top: Path, change: Change) -> list[Verdict]:
    """Verdicts on what the index weakens, blocked until a person of this machine approves it.

    An exception in place counts at once, and is told, where a person commits it.
    """
    found = gate_change.gate_change_staged(top, change)
    by = "a person commits it at a terminal" if any(one.in_place for one in found.all) and is_made_by_person() else ""
    known = approvals.approved(top) if found.all else {}
    return _verdicts(found, "block", ": they run rulec approve", known, let_in=by)


def weakened_since(top: Path, span: Range, change: Change) -> list[Verdict]:
    """Verdicts on what HEAD weakens since a base: its review approves that, unless the base's settings forbid it.

    Who committed an exception in place cannot be known here, so the review decides about it, too.
    """
    ends = (span.start, "HEAD")
    return weakened_between(top, span.base, ends, change, let_in="the review decides about it")


def weakened_between(top: Path, base: str, ends: tuple[str, str], change: Change, *, let_in: str = "") -> list[Verdict]:
    """Verdicts on what one commit weakens of another, by a base's settings; ``let_in`` where these do not block."""
    act = approvals.enforcement_in_review(top, base)
    found = gate_change.gate_change_between(top, *ends, change)
    return _verdicts(found, act, " in the review", {}, let_in="" if refuses(act) else let_in)


def _verdicts(found: GateChange, act: Enforcement, how: str, known: dict[str, str], *, let_in: str) -> list[Verdict]:
    """A verdict for each weakening; ``let_in`` says why exceptions in place count already, "" where they do not."""
    facts = RuleFacts(
        slug=WEAKENED, revision=1, statement=WEAKENED_STATEMENT, severity="must", enforcement=act, on_error="block"
    )
    who = ", ".join(dict.fromkeys(owner for one in found.all for owner in found.owners(one.path).split(", ")))
    cure = f"take it back, or let {who} approve it{how}"
    mild = replace(facts, enforcement="warn")
    return [
        _verdict(one, mild, "", let_in, "warn")
        if one.in_place and let_in and not by
        else _verdict(one, facts, cure, by, "excepted" if by else act)
        for one in found.all
        for by in [known.get(found.digest(one), "")]
    ]


def _verdict(one: Weakening, facts: RuleFacts, cure: str, because: str, outcome: Outcome) -> Verdict:
    finding = Finding(slug=WEAKENED, path=one.path, line=one.line, text=one.text, cure=cure)
    return Verdict(outcome=outcome, facts=facts, finding=finding, because=because)
