"""Candidate -> proposal: resolved, and with the first draft whose proof holds."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from rulec import evidencefile
from rulec.commands import _around, _prove
from rulec.commands._conflicts import opposing
from rulec.commands._witness import Witness, witness
from rulec.model.candidate import Candidate, Draft
from rulec.model.evidence import Evidence
from rulec.model.proof import Proof
from rulec.model.resolution import Resolution
from rulec.model.rule import Pinned, Rule
from rulec.model.rulebook import Rulebook
from rulec.redact import redact
from rulec.stages.resolve import resolve
from rulec.stages.revise import Revision, clean, drafted, revise
from rulec.stages.update import update
from rulec.stages.verify import Session

DRAFTS = 6  # tried for one candidate


@dataclass(frozen=True, slots=True, kw_only=True)
class Against:
    """A rule in force, or a proposal that waits, which asks for the contrary."""

    slug: str
    statement: str
    waits: bool = False
    witness: Witness | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """What a person is asked about."""

    candidate: Candidate
    resolution: Resolution
    rule: Rule
    proof: Proof | None  # None: nothing mechanical to prove
    old: Rule | None = None  # the rule that the resolution speaks to, as it stands
    failed: tuple[str, ...] = ()  # what did not hold: stage and on what
    against: tuple[Against, ...] = ()
    witness: Witness | None = None  # of SUPERSEDE
    stuck: str = ""  # why nobody's yes can write it as it is
    text: str = ""  # the rule's file as a person edited it, with their comments


Answer = Callable[[Proposal], str]  # -> accept, new, edit, reject or later


@dataclass(frozen=True, slots=True)
class _Try:
    """A rule that may hold its proof, and what its examples are replayed in."""

    rule: Rule
    session: Session | None


def propose(
    candidate: Candidate, book: Rulebook, top: Path, sessions: Sequence[Session | None] = (None,), *,
    pinned: Pinned = "auto", resolution: Resolution | None = None,
) -> Proposal:  # fmt: skip
    """The candidate resolved against the rulebook and given the first check that proves itself.

    ``sessions`` are those of the candidate and of each of its repeats; ``resolution`` is what a person said instead.
    """
    resolution = resolution or resolved(candidate, book)
    old = book.rule(resolution.slug)
    if resolution.decision == "NOOP" and old:
        return Proposal(candidate=candidate, resolution=resolution, rule=old, proof=None, old=old)
    if resolution.decision == "UPDATE" and old:
        return _updated(candidate, book, top, sessions, said=resolution, old=old)
    tries = (
        _Try(drafted(candidate, resolution, draft, pinned), _around.together(sessions, number))
        for draft, number in _drafts(candidate, sessions)
    )
    rule, proof, failed = _first(tries, book, top)
    rule = rule or clean(drafted(candidate, resolution, None, pinned), redact)
    others = (one for one in opposing(candidate.rule, book) if one is not old)
    return Proposal(
        candidate=candidate, resolution=resolution, rule=rule, proof=proof, old=old, failed=failed,
        against=tuple(_against(one, rule, book, top) for one in others),
        witness=witness(book, old, rule, top) if old else None,
    )  # fmt: skip


def resolved(candidate: Candidate, book: Rulebook) -> Resolution:
    """The same as a rule where any of its repeats is."""
    found = [resolve(one, book) for one in (candidate, *candidate.repeats)]
    first = next((resolution for resolution in found if resolution.decision == "NOOP"), found[0])
    return _rewritten(candidate, first, book) if candidate.source else first


def _rewritten(candidate: Candidate, said: Resolution, book: Rulebook) -> Resolution:
    """What a person wrote in the place of a sentence takes the place of the rule that came of it, if they say so."""
    source = candidate.source
    if source is None or book.rule(source.was) is None:
        return said
    if said.decision != "NEW":  # the place says what the words alone leave open
        return replace(said, band="auto") if said.slug == source.was and said.decision != "SUPERSEDE" else said
    because = f"perhaps {source.path}:{source.line} says this in its place now"
    return replace(said, decision="SUPERSEDE", slug=source.was, because=because, band="review", new_slug=said.slug)


def alone(proposal: Proposal) -> Resolution:
    """The resolution of a person who says that this is a rule of its own, whatever it is like."""
    said = proposal.resolution
    because = f"a person says that this is a rule of its own beside {said.slug}"
    return Resolution(decision="NEW", slug=said.new_slug, because=because, score=said.score)


def _updated(
    candidate: Candidate, book: Rulebook, top: Path, sessions: Sequence[Session | None], *, said: Resolution, old: Rule
) -> Proposal:
    tries: list[_Try] = []
    drafts: list[tuple[Draft | None, int]] = [*_drafts(candidate, sessions)]
    for draft, number in drafts or [(None, 0)]:
        session = _around.together(sessions, number) if draft is not None and said.manner != "exception" else None
        new = (_Try(rule, session) for rule in update(old, candidate, said, draft))
        tries += [one for one in new if one not in tries]
    rule, proof, failed = _first((one for one in tries if one.rule.checks), book, top)
    if rule is None and not old.checks:  # it only reminds, and goes on to
        rule = next(update(old, candidate, said, None))
    stuck = "" if rule else f"no check that says both holds its proof, so {old.slug} stays as it is"
    rule = clean(rule or tries[0].rule, redact)
    if replace(rule, revision=old.revision) == old:
        because = f"{said.because}; {old.slug} says all of it already"
        said = replace(said, decision="NOOP", because=because)
        return Proposal(candidate=candidate, resolution=said, rule=old, proof=None, old=old)
    return Proposal(candidate=candidate, resolution=said, rule=rule, proof=proof, old=old, failed=failed, stuck=stuck)


def _first(tries: Iterable[_Try], book: Rulebook, top: Path) -> tuple[Rule | None, Proof | None, tuple[str, ...]]:
    """The first rule whose checks prove themselves, and why those before it did not."""
    failed: list[str] = []
    for one in tries:
        rule = clean(one.rule, redact)
        names = " and ".join(f"{check.kind} {check.template}" for check in rule.checks)
        if rule.checks != one.rule.checks:
            failed.append(f"{names} would have to hold a secret")
            continue
        proof = _prove.prove(book, rule, top, one.session, edges=True)
        if proof.holds:
            return rule, proof, tuple(failed)
        failed.append(f"{names} failed at {redact(proof.failure)}")
    return None, None, tuple(dict.fromkeys(failed))


def _against(other: Rule, rule: Rule, book: Rulebook, top: Path) -> Against:
    return Against(slug=other.slug, statement=other.statement, witness=witness(book, other, rule, top))


def _drafts(candidate: Candidate, sessions: Sequence[Session | None]) -> Iterator[tuple[Draft, int]]:
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


def holds(book: Rulebook, rule: Rule, evidence: Sequence[Evidence] = ()) -> bool:
    """Whether a person pinned the rule, or enough speaks for it."""
    observed = (*book.observed(rule.slug), *evidence)
    active = replace(book, evidence={rule.slug: observed}).sure(rule).active
    return rule.enforcement != "auto" or active
