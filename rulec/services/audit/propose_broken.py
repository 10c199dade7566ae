"""What an audit showed to be broken, as proposals that wait for a person."""

from collections.abc import Callable
from pathlib import Path

from rulec.domain.outcome import Outcome, Progress
from rulec.infra.rulebooks import rulebook_files
from rulec.services.audit.audit import AuditSubject, run_audit
from rulec.services.proposals import waiting_candidates
from rulec.services.proposals.candidate_identity import is_known_evidence
from rulec.services.proposals.waiting_candidates import WaitingCandidate, describe_waiting


def propose_broken(top: Path, echo: Callable[[str], None], progress: Progress) -> Outcome:
    """Queue a proposal for each instruction and repeated correction that agents broke in this repository's sessions.

    What is a rule already, or was rejected, is left out.
    """
    book, rejected = rulebook_files.load_rulebook(top), waiting_candidates.rejection_test(top)
    found = [pair for audit in run_audit(AuditSubject(here=top), echo, progress) for pair in audit.proposals()]
    new = [(one, source) for one, source in found if not (is_known_evidence(book, one) or rejected(one))]
    for candidate, source in new:
        waiting_candidates.enqueue(top, WaitingCandidate(candidate=candidate, source=source))
    if not new:
        return Outcome("the audit found nothing broken that is not known already")
    return Outcome(describe_waiting(len(new), asks=True))
