"""Resolves a candidate against the rulebook and gives it the first check that is proved."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

from rulec.checks.proving import replay
from rulec.checks.proving.proof import Proof
from rulec.checks.proving.replay import ProofSession
from rulec.compiling.artifacts import blind_spots
from rulec.domain.candidate import Candidate, Draft, LeftOutExample
from rulec.domain.enforcement import PinnedEnforcement
from rulec.domain.evidence import Evidence
from rulec.domain.rule import EXAMPLE_SOURCES, RAW_TEMPLATES, Example, Rule
from rulec.domain.text.redaction import redact
from rulec.gates.findings import rule_proof
from rulec.infra import clock
from rulec.resolving.resolver import MatchBand, Resolution, resolve
from rulec.resolving.revisions import Revision, redact_rule, revise, rule_of
from rulec.resolving.updates import possible_updates
from rulec.rulebook import evidence_file
from rulec.rulebook.confidence import Confidence
from rulec.rulebook.rulebook import Rulebook
from rulec.sentences.unchecked import unheld_literals
from rulec.services.proposals import rule_offer
from rulec.services.proposals.rule_conflicts import ConflictWitness, caught_examples, contrary_rules, find_witness


@dataclass(frozen=True, slots=True, kw_only=True)
class OpposingRule:
    """A rule in force, or a proposal that waits, which contradicts the proposal."""

    slug: str
    statement: str
    waits: bool = False
    identity: str = ""  # of a proposal that waits
    witness: ConflictWitness | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """What a person is asked to accept."""

    candidate: Candidate
    resolution: Resolution
    rule: Rule
    proof: Proof | None  # None: nothing mechanical to prove
    old: Rule | None = None  # the rule that the resolution speaks to, as it stands
    failed: tuple[str, ...] = ()  # what did not hold: stage and on what
    against: tuple[OpposingRule, ...] = ()
    witness: ConflictWitness | None = None  # of SUPERSEDE
    obstacle: str = ""  # why nobody's yes can write it as it is
    text: str = ""  # the rule's file as a person edited it, with their comments
    left_out: tuple[LeftOutExample, ...] = ()  # what somebody gave as an example and its check decides otherwise
    blind: tuple[str, ...] = ()  # what its checks cannot see, whatever the rule says


Answer = Callable[[Proposal], str]  # -> accept, new, edit, reject or later
Ruling = Callable[[Candidate, Rulebook], Resolution]  # what a candidate is to a rulebook


MOST = 6  # drafts that are tried for one candidate
MOST_EXAMPLES = 8  # in a rule file, beside those that a person or a challenge wrote


def draft_attempts(candidate: Candidate, many: int) -> list[tuple[Draft, int]]:
    """The drafts of a candidate in order, each with the number of the session it was made from.

    Those with judges alone come last, because they cannot be proved.
    """
    found: list[tuple[Draft, int]] = []
    for number, one in enumerate((candidate, *candidate.repeats)[:many]):
        for draft in one.drafts:
            if (draft.checks, draft.scope) not in [(other.checks, other.scope) for other, _ in found]:
                found.append((draft, number))

    def judges_alone(attempt: tuple[Draft, int]) -> bool:
        return {check.kind for check in attempt[0].checks} == {"judge"}

    return sorted(found[:MOST], key=judges_alone)


class _RuleTrial(NamedTuple):
    """A rule to prove, the session to replay, and the examples that are left out of its proof."""

    rule: Rule
    session: ProofSession | None
    left_out: tuple[LeftOutExample, ...] = ()


class _FirstProved(NamedTuple):
    """The first rule whose checks are proved, if any, and why earlier ones failed."""

    rule: Rule | None = None
    proof: Proof | None = None
    failed: tuple[str, ...] = ()
    left_out: tuple[LeftOutExample, ...] = ()


def build_proposal(
    candidate: Candidate, book: Rulebook, top: Path, sessions: Sequence[ProofSession | None] = (None,), *,
    pinned: PinnedEnforcement = "auto", resolution: Resolution | None = None,
) -> Proposal:  # fmt: skip
    """The candidate resolved against the rulebook and given the first check that proves itself.

    ``sessions`` are those of the candidate and of each of its repeats; ``resolution`` is what a person said instead.
    """
    resolution = resolution or resolve_candidate(candidate, book)
    old = book.rule(resolution.slug)
    if resolution.decision == "NOOP" and old:
        resolution = _unless_it_shows_more(candidate, resolution, old, book, top)
    if resolution.decision == "NOOP" and old:
        return Proposal(candidate=candidate, resolution=resolution, rule=old, proof=None, old=old)
    if resolution.decision == "UPDATE" and old:
        return _build_update(candidate, book, top, sessions, said=resolution, old=old)
    tries = (
        _RuleTrial(
            rule_of(candidate, resolution, draft, pinned), replay.merge_sessions(sessions, number), draft.left_out
        )
        for draft, number in draft_attempts(candidate, len(sessions))
    )
    first = _first_proved(tries, book, top)
    rule = first.rule or redact_rule(rule_of(candidate, resolution, None, pinned), redact)
    others = (
        OpposingRule(slug=one.slug, statement=one.statement, witness=find_witness(book, one, rule, top))
        for one in contrary_rules(rule, book)
        if one is not old
    )
    return Proposal(
        candidate=candidate, resolution=resolution, rule=rule, proof=first.proof, old=old, failed=first.failed,
        left_out=first.left_out, blind=blind_spots(rule, top),
        against=tuple(others),
        witness=find_witness(book, old, rule, top) if old else None,
    )  # fmt: skip


class BuiltProposals:
    """The proposals that one command built, so that none is built and proved twice."""

    def __init__(self) -> None:
        self._known: list[tuple[tuple[object, ...], Proposal]] = []

    def build(
        self, candidate: Candidate, book: Rulebook, top: Path, sessions: Sequence[ProofSession | None], *,
        pinned: PinnedEnforcement, resolution: Resolution,
    ) -> Proposal:  # fmt: skip
        """As ``build_proposal``; the one that is known where all of it is the same."""
        asked = candidate, resolution, sessions, pinned, top, book
        found = next((proposal for known, proposal in self._known if known == asked), None)
        if found is None:
            found = build_proposal(candidate, book, top, sessions, pinned=pinned, resolution=resolution)
            self._known.append((asked, found))
        return found


def _unless_it_shows_more(candidate: Candidate, said: Resolution, old: Rule, book: Rulebook, top: Path) -> Resolution:
    """An UPDATE in place of a NOOP where an offence passes the rule's checks: the candidate's own check is better."""
    offences = list(dict.fromkeys(one for draft in candidate.drafts for one in draft.invalid))
    if not old.checks or any(check.kind == "judge" for check in old.checks):
        return said
    missed = len(offences) - len(caught_examples(book, old, offences, top))
    because = f"it shows what {old.slug} lets pass"
    if not missed:
        return said
    band: MatchBand = "review" if said.by_model else said.band  # its word alone changes no rule
    return replace(said, decision="UPDATE", manner="wider", because=because, band=band)


def resolve_candidate(candidate: Candidate, book: Rulebook) -> Resolution:
    """The resolution of a candidate; known where any of its repeats is."""
    found = [resolve(one, book) for one in (candidate, *candidate.repeats)]
    first = next((resolution for resolution in found if resolution.decision == "NOOP"), found[0])
    return _rewritten(candidate, first, book) if candidate.source else first


def _rewritten(candidate: Candidate, said: Resolution, book: Rulebook) -> Resolution:
    """The resolution of a rewritten sentence: perhaps it replaces the rule that was made of the old one."""
    source = candidate.source
    if source is None or book.rule(source.was) is None:
        return said
    if said.decision != "NEW":  # the place says what the words alone leave open
        return replace(said, band="auto") if said.slug == source.was and said.decision != "SUPERSEDE" else said
    because = f"perhaps {source.path}:{source.line} says this in its place now"
    return replace(said, decision="SUPERSEDE", slug=source.was, because=because, band="review", new_slug=said.slug)


def resolve_as_new(said: Resolution) -> Resolution:
    """The resolution of a person who wants a new rule, whatever it is like."""
    because = f"a person says that this is a rule of its own beside {said.slug}"
    return Resolution(decision="NEW", slug=said.new_slug, because=because)


def _build_update(
    candidate: Candidate, book: Rulebook, top: Path, sessions: Sequence[ProofSession | None], *,
    said: Resolution, old: Rule,
) -> Proposal:  # fmt: skip
    tries: list[_RuleTrial] = []
    attempts: list[tuple[Draft | None, int]] = [*draft_attempts(candidate, len(sessions))]
    for draft, number in attempts or [(None, 0)]:
        session = replay.merge_sessions(sessions, number) if draft and said.manner != "looser" else None
        new = [rule for rule in possible_updates(old, candidate, said, draft) if _keeps_old_checks(draft, old, rule)]
        known = [one.rule for one in tries if one.session == session]
        tries += [_RuleTrial(rule, session, draft.left_out if draft else ()) for rule in new if rule not in known]
    tries = tries or [_RuleTrial(rule, None) for rule in possible_updates(old, candidate, said, None)]
    first = _first_proved((one for one in tries if one.rule.checks), book, top, old=old)
    rule = first.rule
    if rule is None and not old.checks:  # it only reminds, and goes on to
        rule = next(possible_updates(old, candidate, said, None))
    obstacle = "" if rule else f"no check for both could be proved, so {old.slug} stays as it is"
    rule = redact_rule(rule or tries[0].rule, redact)
    if replace(rule, revision=old.revision) == old:
        because = f"{said.because}; {old.slug} already says all of it"
        said = replace(said, decision="NOOP", because=because)
        return Proposal(candidate=candidate, resolution=said, rule=old, proof=None, old=old)
    return Proposal(
        candidate=candidate, resolution=said, rule=rule, proof=first.proof, old=old, failed=first.failed,
        obstacle=obstacle, left_out=first.left_out, blind=blind_spots(rule, top),
    )  # fmt: skip


def _keeps_old_checks(draft: Draft | None, old: Rule, rule: Rule) -> bool:
    """Whether a check in a model's own words is only added; it may not replace the rule's checks."""
    raw = draft is not None and any(check.template in RAW_TEMPLATES for check in draft.checks)
    return not raw or all(check in rule.checks for check in old.checks)


def _first_proved(tries: Iterable[_RuleTrial], book: Rulebook, top: Path, *, old: Rule | None = None) -> _FirstProved:
    failed: list[str] = []
    for one in tries:
        rule = redact_rule(one.rule, redact)
        names = " and ".join(f"{check.kind} {check.template}" for check in rule.checks)
        if rule.checks != one.rule.checks:
            failed.append(f"{names} would have to hold a secret")
            continue
        proof = rule_proof.prove_with_tools(book, rule, top, one.session, edges=True)
        rule = rule_proof.list_unchecked(rule, proof, unheld_literals(old) if old else ())
        if proof.holds:
            rule, proof = _with_fewer_examples(book, top, rule, proof, session=one.session, old=old)
            return _FirstProved(rule, proof, tuple(dict.fromkeys(failed)), one.left_out)
        unseen = rule_offer.why_unseen(rule, proof, top)
        failed.append(redact("; ".join([f"{names} failed at {proof.failure}", *unseen[:1]])))
    return _FirstProved(failed=tuple(dict.fromkeys(failed)))


def _with_fewer_examples(
    book: Rulebook, top: Path, rule: Rule, proof: Proof, *, session: ProofSession | None, old: Rule | None
) -> tuple[Rule, Proof]:
    """The proved rule with no more examples than its file should have, proved again; else unchanged."""
    brief = limit_examples(rule, old)
    if brief == rule:
        return rule, proof
    again = rule_proof.prove_with_tools(book, brief, top, session, edges=True)
    return (brief, again) if again.holds else (rule, proof)


def limit_examples(rule: Rule, old: Rule | None = None) -> Rule:
    """The rule with at most MOST_EXAMPLES examples, both sides alike: first those that it had or a person wrote.

    What the corrections showed stays in their evidence. The examples of a challenge all stay: they are few, and nobody
    who saw the check wrote them.
    """
    known = (*old.invalid, *old.valid) if old else ()

    def rank(example: Example) -> int:
        own = example in known or example.source in ("", "person")
        return -1 if own else EXAMPLE_SOURCES.index(example.source)

    sides = [
        sorted((one for one in side if one.source != "challenge"), key=rank) for side in (rule.invalid, rule.valid)
    ]
    room = [max(MOST_EXAMPLES // 2, MOST_EXAMPLES - len(other)) for other in reversed(sides)]
    kept = [
        {example for at, example in enumerate(side) if at < most or rank(example) < 0}
        for side, most in zip(sides, room, strict=True)
    ]
    invalid, valid = (
        tuple(one for one in side if one.source == "challenge" or one in chosen)
        for side, chosen in zip((rule.invalid, rule.valid), kept, strict=True)
    )
    return replace(rule, invalid=invalid, valid=valid)


def accepted_revision(proposal: Proposal, *, reviewed: bool, at: str) -> Revision:
    """The rule and the evidence that accepting the proposal writes."""
    return revise(
        proposal.rule, proposal.candidate, proposal.resolution, proposal.proof,
        reviewed=reviewed, at=at, redact=redact, identify=evidence_file.evidence_id,
    )  # fmt: skip


def observed_confidence(book: Rulebook, rule: Rule, evidence: Sequence[Evidence] = ()) -> Confidence:
    """How sure the rule is now, with evidence that is to be written."""
    observed = tuple(dict.fromkeys((*book.observed(rule.slug), *evidence)))
    return replace(book, evidence={rule.slug: observed}).sure(rule, at=clock.now())


def is_rule_active(book: Rulebook, rule: Rule, evidence: Sequence[Evidence] = ()) -> bool:
    """Whether a person set the enforcement, or the evidence suffices."""
    return rule.enforcement != "auto" or observed_confidence(book, rule, evidence).active
