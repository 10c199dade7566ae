"""Candidate -> proposal: resolved, and with the first draft whose proof holds."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from rulec import evidencefile, rulefile
from rulec.commands import _around, _prove, _write
from rulec.host import worktree
from rulec.language.likeness import contrary
from rulec.model.candidate import Candidate, Draft
from rulec.model.evidence import Evidence, confidence
from rulec.model.proof import Proof
from rulec.model.resolution import Resolution
from rulec.model.rule import Pinned, Rule
from rulec.model.rulebook import Rulebook
from rulec.redact import redact
from rulec.stages.resolve import resolve
from rulec.stages.revise import Revision, clean, drafted, named, revise
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
    against: tuple[str, ...] = ()  # what asks for the contrary, in a line each
    text: str = ""  # the rule's file as a person edited it, with their comments


def propose(
    candidate: Candidate, book: Rulebook, top: Path, sessions: Sequence[Session | None] = (None,),
    pinned: Pinned = "auto",
) -> Proposal:  # fmt: skip
    """The candidate resolved against the rulebook and, where it is new, given the first check that proves itself.

    ``sessions`` are those of the candidate and of each of its repeats.
    """
    resolution = _resolved(candidate, book)
    known = book.rule(resolution.slug)
    if resolution.decision == "NOOP" and known:
        return Proposal(candidate=candidate, resolution=resolution, rule=known, proof=None)
    against = tuple(f"{r.slug}, a rule here: {r.statement}" for r in book.rules if _contrary(candidate, r))
    failed: list[str] = []
    for draft, number in _tries(candidate, sessions):
        plain = drafted(candidate, resolution, draft, pinned)
        rule = clean(plain, redact)
        names = " and ".join(f"{check.kind} {check.template}" for check in draft.checks)
        if rule.checks != plain.checks:
            failed.append(f"{names} would have to hold a secret")
            continue
        proof = _prove.prove(book, rule, top, _around.together(sessions, number), edges=True)
        if proof.holds:
            return Proposal(
                candidate=candidate, resolution=resolution, rule=rule, proof=proof, failed=tuple(failed),
                against=against,
            )  # fmt: skip
        failed.append(f"{names} failed at {redact(proof.failure)}")
    rule = clean(drafted(candidate, resolution, None, pinned), redact)
    return Proposal(
        candidate=candidate, resolution=resolution, rule=rule, proof=None, failed=tuple(failed), against=against
    )


def _resolved(candidate: Candidate, book: Rulebook) -> Resolution:
    """The same as a rule where any of its repeats is."""
    found = [resolve(one, book) for one in (candidate, *candidate.repeats)]
    return next((resolution for resolution in found if resolution.decision == "NOOP"), found[0])


def _contrary(candidate: Candidate, rule: Rule) -> bool:
    return contrary(candidate.rule.statement, rule.statement)


def _tries(candidate: Candidate, sessions: Sequence[Session | None]) -> Iterator[tuple[Draft, int]]:
    """The drafts to be proved, each with the place of the session that it was made of."""
    seen: list[object] = []
    for number in range(len(sessions)):
        for draft in (candidate, *candidate.repeats)[number].drafts:
            what = (draft.checks, draft.scope)
            if what not in seen and len(seen) < DRAFTS:
                seen.append(what)
                yield draft, number


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
        identify=evidencefile.identity,
    )


def does(book: Rulebook, proposal: Proposal, made: Revision) -> str:
    """What the rule will do once this is accepted, and why no more."""
    slug = proposal.resolution.slug
    pinned = proposal.rule.enforcement
    active = confidence((*book.observed(slug), *made.evidence)).active
    weak = "this was said in too few sessions; your yes, three of them or --enforcement block would change that"
    if proposal.proof is None and proposal.resolution.decision == "NEW":
        return "reminds, where rules are put into words" if active or pinned != "auto" else f"nothing yet: {weak}"
    if pinned != "auto":
        return f"{pinned}s, as a person pinned it"
    return "blocks" if active else f"only notes what it finds: {weak}"


def texts(made: Revision, edited: str = "") -> dict[str, str | None]:
    """A revision as files; what a person edited keeps their comments."""
    files: dict[str, str | None] = {worktree.evidence_path(e): evidencefile.dumps(e) for e in made.evidence}
    if made.rule:
        files[worktree.rule_path(made.rule.slug)] = rulefile.dumps(made.rule, edited)
    return files


def known_already(book: Rulebook, candidate: Candidate) -> bool:
    """Whether these words of this turn are evidence already, of whatever rule a person has made of them since."""
    said = candidate.correction
    if said is None:
        return any(rule.statement.casefold() == candidate.rule.statement.casefold() for rule in book.rules)
    words = (named(said.turn.session), said.turn.index, redact(said.quote))
    items = (item for items in book.evidence.values() for item in items if item.kind == "correction")
    return any((item.transcript, item.turn, item.quote) == words for item in items)


def commit(top: Path, proposal: Proposal, made: Revision, *, into_git: bool) -> str:
    """Write an accepted proposal; the id of its commit, or "" where only the work tree was written."""
    if not into_git:
        _write.to_work_tree(top, texts(made, proposal.text))
        return ""
    return _write.to_commit(top, texts(made, proposal.text), message(proposal, made.evidence))


def message(proposal: Proposal, evidence: tuple[Evidence, ...]) -> str:
    """The commit message, with the trailers that log and why read."""
    resolution, rule = proposal.resolution, proposal.rule
    verb = {"NEW": "Add the rule", "NOOP": "Add evidence for"}.get(resolution.decision, resolution.decision.title())
    ids = ", ".join(evidencefile.identity(item) for item in evidence)
    return (
        f"{verb} {resolution.slug}\n\nIt says: {' '.join(rule.statement.split())}\n\n"
        f"Resolution: {resolution.line()}\nRule: {rule.slug}@{rule.revision}\nEvidence: {ids}\n"
    )


Answer = Callable[[Proposal], str]  # -> accept, edit, reject or later
