"""A proposal for programs: the resolution, the proof, and what speaks against it."""

from typing import Any

from rulec.checks.proving.proof import VariantOutcome
from rulec.compiling.effective_enforcement import why_only_audits, why_only_warns
from rulec.reports.rule_lines import check_line, example_line
from rulec.resolving.resolver import Resolution
from rulec.services.proposals import proposal_card, rule_conflicts
from rulec.services.proposals.proposal_builder import Proposal


def encode_proposal(what: Proposal) -> dict[str, Any]:
    """Everything on a card that a program may need."""
    return {
        "slug": what.rule.slug,
        "statement": what.rule.statement,
        "resolution": encode_resolution(what.resolution),
        "replaces": what.old.statement if what.old and what.resolution.decision != "NOOP" else "",
        "checks": [check_line(check) for check in what.rule.checks],
        "proved": bool(what.proof and what.proof.holds and what.proof.digest),
        "edges": _encode_edges(what.proof.edges) if what.proof else None,
        "failed": list(what.failed),
        "not_checked": list(what.rule.not_checked),
        "audits_only": why_only_audits(what.rule),
        "warns_only": why_only_warns(what.rule),
        "witness": rule_conflicts.witness_json(what.witness),
        "worded_by_model": proposal_card.worded_by_model(what.candidate),
        "against": [{"slug": one.slug, "witness": rule_conflicts.witness_json(one.witness)} for one in what.against],
    }


def encode_resolution(said: Resolution) -> dict[str, Any]:
    """A resolution for programs."""
    return {
        "decision": said.decision,
        "slug": said.slug,
        "new_slug": said.new_slug,
        "score": round(said.score, 3),
        "band": said.band,
        "manner": said.manner,
        "because": said.because,
    }


def _encode_edges(found: VariantOutcome | None) -> dict[str, Any] | None:
    if found is None:
        return None
    missed = [{"example": example_line(one.example), "invalid": one.invalid} for one in found.missed]
    wider = [{"example": example_line(one.example), "why": one.name} for one in found.wider]
    return (
        {"wider": wider}
        | {"caught": found.caught, "invalid": found.invalid, "passed": found.passed, "valid": found.valid}
        | {"missed": missed}
    )
