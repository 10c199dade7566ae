"""Resolves a candidate against the rulebook and gives it the first check that is proved."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from rulec.checks.proving import replay
from rulec.checks.proving.proof import Proof
from rulec.checks.proving.replay import ProofSession
from rulec.domain.candidate import Candidate, Draft
from rulec.domain.enforcement import PinnedEnforcement
from rulec.domain.evidence import Evidence
from rulec.domain.rule import EXAMPLE_SOURCES, RAW_TEMPLATES, Example, Rule
from rulec.domain.text.redaction import redact
from rulec.gates.findings import rule_proof
from rulec.language.coverage_gaps import unexplained
from rulec.resolving.resolver import Resolution, resolve
from rulec.resolving.revisions import Revision, redact_rule, revise, rule_of
from rulec.resolving.updates import possible_updates
from rulec.rulebook import evidence_file
from rulec.rulebook.rulebook import Rulebook
from rulec.services.proposals import rule_offer
from rulec.services.proposals.rule_conflicts import ConflictWitness, contrary_rules, find_witness


@dataclass(frozen=True, slots=True, kw_only=True)
class OpposingRule:
    """A rule in force, or a proposal that waits, which contradicts the proposal."""

    slug: str
    statement: str
    waits: bool = False
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
    stuck: str = ""  # why nobody's yes can write it as it is
    text: str = ""  # the rule's file as a person edited it, with their comments
    disputed: tuple[Example, ...] = ()  # what its reader wanted caught, too, and no check of it catches


Answer = Callable[[Proposal], str]  # -> accept, new, edit, reject or later
Ruling = Callable[[Candidate, Rulebook], Resolution]  # what a candidate is to a rulebook


MOST = 6  # drafts that are tried for one candidate
MOST_EXAMPLES = 8  # in a rule file, beside those that a person wrote


@dataclass(frozen=True, slots=True)
class DraftAttempt:
    """A draft, and the number of the session it was made from."""

    draft: Draft
    number: int


def draft_attempts(candidate: Candidate, many: int) -> Iterator[DraftAttempt]:
    """The drafts of a candidate in order; those with judges alone come last, because they cannot be proved."""
    members = (candidate, *candidate.repeats)[:many]
    seen: list[object] = []
    judged: list[DraftAttempt] = []
    for number, draft in ((number, draft) for number, one in enumerate(members) for draft in one.drafts):
        what = (draft.checks, draft.scope)
        if what in seen or len(seen) == MOST:
            continue
        seen.append(what)
        if draft.checks and all(check.kind == "judge" for check in draft.checks):
            judged.append(DraftAttempt(draft, number))
        else:
            yield DraftAttempt(draft, number)
    yield from judged


@dataclass(frozen=True, slots=True)
class _RuleTrial:
    """A rule to prove, and the session to replay."""

    rule: Rule
    session: ProofSession | None
    attempt: DraftAttempt | None = None


@dataclass(frozen=True, slots=True)
class _FirstProved:
    """The first rule whose checks are proved, if any, and why earlier ones failed."""

    rule: Rule | None = None
    proof: Proof | None = None
    failed: tuple[str, ...] = ()
    attempt: DraftAttempt | None = None

    @property
    def disputed(self) -> tuple[Example, ...]:
        return self.attempt.draft.disputed if self.attempt else ()


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
        return Proposal(candidate=candidate, resolution=resolution, rule=old, proof=None, old=old)
    if resolution.decision == "UPDATE" and old:
        return _build_update(candidate, book, top, sessions, said=resolution, old=old)
    tries = (
        _RuleTrial(rule_of(candidate, resolution, one.draft, pinned), replay.merge_sessions(sessions, one.number), one)
        for one in draft_attempts(candidate, len(sessions))
    )
    first = _first_proved(tries, book, top)
    rule = first.rule or redact_rule(rule_of(candidate, resolution, None, pinned), redact)
    others = (one for one in contrary_rules(candidate.rule, book) if one is not old)
    return Proposal(
        candidate=candidate, resolution=resolution, rule=rule, proof=first.proof, old=old, failed=first.failed,
        disputed=first.disputed,
        against=tuple(_opposing_rule(one, rule, book, top) for one in others),
        witness=find_witness(book, old, rule, top) if old else None,
    )  # fmt: skip


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


def resolve_as_new(proposal: Proposal) -> Resolution:
    """The resolution of a person who wants a new rule, whatever it is like."""
    said = proposal.resolution
    because = f"a person says that this is a rule of its own beside {said.slug}"
    return Resolution(decision="NEW", slug=said.new_slug, because=because, score=said.score)


def _build_update(
    candidate: Candidate,
    book: Rulebook,
    top: Path,
    sessions: Sequence[ProofSession | None],
    *,
    said: Resolution,
    old: Rule,
) -> Proposal:
    tries: list[_RuleTrial] = []
    some: list[DraftAttempt | None] = [*draft_attempts(candidate, len(sessions))]
    for one in some or [None]:
        session = (
            replay.merge_sessions(sessions, one.number) if one is not None and said.manner != "exception" else None
        )
        draft = one.draft if one is not None else None
        new = (
            _RuleTrial(rule, session, one)
            for rule in possible_updates(old, candidate, said, draft)
            if _keeps_old_checks(one, old, rule)
        )
        known = [(each.rule, each.session) for each in tries]
        tries += [each for each in new if (each.rule, each.session) not in known]
    tries = tries or [_RuleTrial(rule, None) for rule in possible_updates(old, candidate, said, None)]
    first = _first_proved((one for one in tries if one.rule.checks), book, top, old=old)
    rule = first.rule
    if rule is None and not old.checks:  # it only reminds, and goes on to
        rule = next(possible_updates(old, candidate, said, None))
    stuck = "" if rule else f"no check for both could be proved, so {old.slug} stays as it is"
    rule = redact_rule(rule or tries[0].rule, redact)
    if replace(rule, revision=old.revision) == old:
        because = f"{said.because}; {old.slug} already says all of it"
        said = replace(said, decision="NOOP", because=because)
        return Proposal(candidate=candidate, resolution=said, rule=old, proof=None, old=old)
    return Proposal(
        candidate=candidate, resolution=said, rule=rule, proof=first.proof, old=old, failed=first.failed, stuck=stuck,
        disputed=first.disputed,
    )  # fmt: skip


def _keeps_old_checks(one: DraftAttempt | None, old: Rule, rule: Rule) -> bool:
    """Whether a check in a model's own words is only added; it may not replace the rule's checks."""
    raw = one is not None and any(check.template in RAW_TEMPLATES for check in one.draft.checks)
    return not raw or all(check in rule.checks for check in old.checks)


def _first_proved(tries: Iterable[_RuleTrial], book: Rulebook, top: Path, *, old: Rule | None = None) -> _FirstProved:
    failed: list[str] = []
    for one in tries:
        rule = redact_rule(one.rule, redact)
        names = " and ".join(f"{check.kind} {check.template}" for check in rule.checks)
        if rule.checks != one.rule.checks:
            failed.append(f"{names} would have to hold a secret")
            continue
        rule, proof = rule_proof.prove_pruned(book, rule, top, one.session)
        rule = rule_proof.list_unchecked(rule, proof, unexplained(old) if old else ())
        if proof.holds:
            rule, proof = _with_fewer_examples(book, top, rule, proof, session=one.session, old=old)
            return _FirstProved(rule, proof, tuple(dict.fromkeys(failed)), one.attempt)
        missed = [one.example for stage in proof.stages for one in stage.failures if one.expected == "caught"]
        why = next((because for one in missed if one and (because := rule_offer.why_unseen(rule, one, top))), "")
        failed.append(redact("; ".join(filter(None, (f"{names} failed at {proof.failure}", why)))))
    return _FirstProved(failed=tuple(dict.fromkeys(failed)))


def _with_fewer_examples(
    book: Rulebook, top: Path, rule: Rule, proof: Proof, *, session: ProofSession | None, old: Rule | None
) -> tuple[Rule, Proof]:
    """The proved rule with no more examples than its file should have, proved again; else unchanged."""
    brief = limit_examples(rule, old)
    if brief == rule:
        return rule, proof
    again = rule_proof.prove_with_tools(book, brief, top, session, edges=True)
    return (brief, again) if again.holds and not again.dead else (rule, proof)


def limit_examples(rule: Rule, old: Rule | None = None) -> Rule:
    """The rule with at most MOST_EXAMPLES examples, both sides alike: first those that it had or a person wrote.

    What the corrections showed stays in their evidence.
    """
    known = (*old.invalid, *old.valid) if old else ()

    def rank(example: Example) -> int:
        own = example in known or example.source in ("", "person")
        return -1 if own else EXAMPLE_SOURCES.index(example.source)

    sides = [sorted(side, key=rank) for side in (rule.invalid, rule.valid)]
    room = [max(MOST_EXAMPLES // 2, MOST_EXAMPLES - len(other)) for other in reversed(sides)]
    kept = [
        {example for at, example in enumerate(side) if at < most or rank(example) < 0}
        for side, most in zip(sides, room, strict=True)
    ]
    invalid, valid = (
        tuple(one for one in side if one in chosen)
        for side, chosen in zip((rule.invalid, rule.valid), kept, strict=True)
    )
    return replace(rule, invalid=invalid, valid=valid)


def _opposing_rule(other: Rule, rule: Rule, book: Rulebook, top: Path) -> OpposingRule:
    return OpposingRule(slug=other.slug, statement=other.statement, witness=find_witness(book, other, rule, top))


def accepted_revision(proposal: Proposal, *, reviewed: bool, at: str) -> Revision:
    """The rule and the evidence that accepting the proposal writes."""
    return revise(
        proposal.rule,
        proposal.candidate,
        proposal.resolution,
        proposal.proof,
        reviewed=reviewed,
        at=at,
        redact=redact,
        identify=evidence_file.evidence_id,
    )


def is_rule_active(book: Rulebook, rule: Rule, evidence: Sequence[Evidence] = ()) -> bool:
    """Whether a person set the enforcement, or the evidence suffices."""
    observed = (*book.observed(rule.slug), *evidence)
    active = replace(book, evidence={rule.slug: observed}).sure(rule).active
    return rule.enforcement != "auto" or active
