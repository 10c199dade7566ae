"""Candidate -> proposal: resolved, and with the first draft whose proof holds."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from rulec import rulefile
from rulec.commands import _prove, _write
from rulec.host import worktree
from rulec.model.candidate import Candidate
from rulec.model.evidence import Evidence, confidence
from rulec.model.proof import Proof
from rulec.model.resolution import Resolution
from rulec.model.rule import Pinned, Rule
from rulec.model.rulebook import Rulebook
from rulec.redact import redact
from rulec.stages.resolve import resolve
from rulec.stages.revise import Revision, clean, drafted, revise
from rulec.stages.verify import Session

DRAFTS = 6  # tried for one candidate


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """What a person is asked about."""

    candidate: Candidate
    resolution: Resolution
    rule: Rule
    proof: Proof | None  # None: nothing mechanical to prove
    failed: tuple[str, ...] = ()  # drafts that did not hold: stage and on what


def propose(
    candidate: Candidate, book: Rulebook, top: Path, session: Session | None, pinned: Pinned = "auto"
) -> Proposal:
    """The candidate resolved against the rulebook and, where it is new, given the first check that proves itself."""
    resolution = resolve(candidate, book)
    known = book.rule(resolution.slug)
    if resolution.decision == "NOOP" and known:
        return Proposal(candidate=candidate, resolution=resolution, rule=known, proof=None)
    failed: list[str] = []
    for draft in candidate.drafts[:DRAFTS]:
        plain = drafted(candidate, resolution, draft, pinned)
        rule = clean(plain, redact)
        names = " and ".join(f"{check.kind} {check.template}" for check in draft.checks)
        if rule.checks != plain.checks:
            failed.append(f"{names} would have to hold a secret")
            continue
        proof = _prove.prove(book, rule, top, session)
        if proof.holds:
            return Proposal(candidate=candidate, resolution=resolution, rule=rule, proof=proof, failed=tuple(failed))
        failed.append(f"{names} failed at {redact(proof.failure)}")
    rule = clean(drafted(candidate, resolution, None, pinned), redact)
    return Proposal(candidate=candidate, resolution=resolution, rule=rule, proof=None, failed=tuple(failed))


def revision(proposal: Proposal, *, reviewed: bool, at: str) -> Revision:
    """What accepting the proposal writes."""
    return revise(
        proposal.rule,
        proposal.candidate,
        proposal.resolution,
        proposal.proof,
        reviewed=reviewed,
        at=at,
        redact=redact,
        identify=rulefile.evidence_id,
    )


def does(book: Rulebook, proposal: Proposal, made: Revision) -> str:
    """What the rule will do once this is accepted, and why no more."""
    slug = proposal.resolution.slug
    pinned = proposal.rule.enforcement
    active = confidence((*book.observed(slug), *made.evidence)).active
    weak = "this was said too few times; your yes, two repeats or --enforcement block would change that"
    if proposal.proof is None and proposal.resolution.decision == "NEW":
        return "reminds, where rules are put into words" if active or pinned != "auto" else f"nothing yet: {weak}"
    if pinned != "auto":
        return f"{pinned}s, as a person pinned it"
    return "blocks" if active else f"only notes what it finds: {weak}"


def texts(made: Revision) -> dict[str, str | None]:
    """A revision as files."""
    files: dict[str, str | None] = {worktree.evidence_path(e): rulefile.dumps_evidence(e) for e in made.evidence}
    if made.rule:
        files[worktree.rule_path(made.rule.slug)] = rulefile.dumps(made.rule)
    return files


def known_already(book: Rulebook, candidate: Candidate, made: Revision) -> bool:
    """Whether these words of this turn are evidence already, of whatever rule a person has made of them since."""
    said = made.evidence[0]
    if candidate.correction is None:
        return made.rule is None and said in book.observed(said.slug)
    here = {(e.transcript, e.turn, e.quote) for items in book.evidence.values() for e in items if e.kind == said.kind}
    return (said.transcript, said.turn, said.quote) in here


def commit(top: Path, proposal: Proposal, made: Revision, *, into_git: bool) -> str:
    """Write an accepted proposal; the id of its commit, or "" where only the work tree was written."""
    if not into_git:
        _write.to_work_tree(top, texts(made))
        return ""
    return _write.to_commit(top, texts(made), message(proposal, made.evidence))


def message(proposal: Proposal, evidence: tuple[Evidence, ...]) -> str:
    """The commit message, with the trailers that log and why read."""
    resolution, rule = proposal.resolution, proposal.rule
    verb = {"NEW": "Add the rule", "NOOP": "Add evidence for"}.get(resolution.decision, resolution.decision.title())
    ids = ", ".join(rulefile.evidence_id(item) for item in evidence)
    return (
        f"{verb} {resolution.slug}\n\nIt says: {' '.join(rule.statement.split())}\n\n"
        f"Resolution: {resolution.line()}\nRule: {rule.slug}@{rule.revision}\nEvidence: {ids}\n"
    )


Answer = Callable[[Proposal], str]  # -> accept, reject or later
