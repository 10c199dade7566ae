"""A proposal for programs: the resolution, how firmly the check stands, and what speaks against it."""

from typing import Any

from rulec.commands import _card, _witness
from rulec.commands._held import why_warns
from rulec.commands._lines import example_line
from rulec.commands._lines import told as told_check
from rulec.commands._propose import Proposal
from rulec.model.enforcement import why_audits
from rulec.model.proof import Edges
from rulec.model.resolution import Resolution


def proposal(what: Proposal) -> dict[str, Any]:
    """All that a card says of it and that a program may want to know."""
    return {
        "slug": what.rule.slug,
        "statement": what.rule.statement,
        "resolution": resolution(what.resolution),
        "replaces": what.old.statement if what.old and what.resolution.decision != "NOOP" else "",
        "checks": [told_check(check) for check in what.rule.checks],
        "proved": bool(what.proof and what.proof.holds and what.proof.digest),
        "edges": _edges(what.proof.edges) if what.proof else None,
        "failed": list(what.failed),
        "not_checked": list(what.rule.not_checked),
        "audits_only": why_audits(what.rule),
        "warns_only": why_warns(what.rule),
        "witness": _witness.data(what.witness),
        "worded_by_model": _card.worded(what.candidate),
        "against": [{"slug": one.slug, "witness": _witness.data(one.witness)} for one in what.against],
    }


def resolution(said: Resolution) -> dict[str, Any]:
    """A resolution."""
    return {
        "decision": said.decision,
        "slug": said.slug,
        "new_slug": said.new_slug,
        "score": round(said.score, 3),
        "band": said.band,
        "manner": said.manner,
        "because": said.because,
    }


def _edges(found: Edges | None) -> dict[str, Any] | None:
    if found is None:
        return None
    missed = [{"example": example_line(one.example), "invalid": one.invalid} for one in found.missed]
    wider = [{"example": example_line(one.example), "why": one.name} for one in found.wider]
    return (
        {"wider": wider}
        | {"caught": found.caught, "invalid": found.invalid, "passed": found.passed, "valid": found.valid}
        | {"missed": missed}
    )
