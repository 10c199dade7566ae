"""rulec propose: an agent proposes a rule, which is proved and waits for a person."""

import shlex
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import BinaryIO

from rulec.checks.proving.example_changes import change_of
from rulec.checks.proving.replay import ProofSession
from rulec.domain.candidate import Candidate, Correction, Draft
from rulec.domain.outcome import Outcome
from rulec.domain.rule import Example
from rulec.domain.text import one_line
from rulec.domain.text.redaction import redact
from rulec.domain.transcript import Action, Turn, relative_to_folder
from rulec.drafting.candidates import candidates_of, typed_candidate
from rulec.drafting.drafter import Drafter
from rulec.errors import RulecError
from rulec.infra.rulebooks import rulebook_files
from rulec.reports import rule_lines
from rulec.rulebook.rulebook import Rulebook
from rulec.services.asking.repository_profile import drafter_for
from rulec.services.proposals import proposal_builder, proposal_card, rule_offer, waiting_candidates
from rulec.services.proposals.proposal_builder import Proposal
from rulec.services.proposals.rule_offer import RuleOffer, offered_rule, parse_offer
from rulec.services.proposals.waiting_candidates import WaitingCandidate

BY = "proposed by an agent"
TRY = "fix it with `rulec try`, which shows the verdict on each example and writes nothing"
WAITS = "it is not active until the person accepts it in `rulec review`"


def propose_rule(top: Path, file: BinaryIO, source: str) -> Outcome:
    """Validate and prove a proposal, and queue it for review."""
    offer = parse_offer(file, source, top)
    if offer.unread:
        raise RulecError(offer.unread[0], where=source, hint=TRY)
    session = _session(offer, top)
    candidate = _candidate_without_checks(offer, session, top) if not offer.draft.checks else None
    book = rulebook_files.load_rulebook(top)
    candidate = candidate or _candidate_with_checks(offer, book, top)
    if waiting_candidates.rejection_test(top)(candidate):
        return _propose_outcome("rejected", candidate, "a person rejected this before; it is not proposed again")
    proposal = proposal_builder.build_proposal(candidate, book, top, (session,))
    said = proposal.resolution
    if offer.draft.checks and not _has_holding_check(proposal) and said.decision != "NOOP":
        failed = (proposal.failed or (proposal.obstacle or "its checks do not hold",))[0]
        raise RulecError(f"not queued: {redact(failed)}", where=source, hint=TRY)
    if said.decision == "NOOP" and said.band == "auto":
        why = f"nothing new: the rule {said.slug} is there, and {said.because}"
        return _propose_outcome("known", candidate, why, proposal)
    candidate = replace(candidate, rule=replace(candidate.rule, slug=said.new_slug or said.slug))
    item = WaitingCandidate(candidate=candidate, sessions=(session,), source=_source(offer))
    state = "queued" if waiting_candidates.enqueue_changed(top, item) else "waits"
    what = f"it would be {proposal_card.resolution_line(said)}; " if said.decision != "NEW" else ""
    given = "".join(f"{line}; " for line in offer.changed)
    given += "" if offer.draft.checks else "no check was given; "
    return _propose_outcome(state, candidate, f"{what}{given}{_proof_words(proposal)}; {WAITS}", proposal)


def _has_holding_check(proposal: Proposal) -> bool:
    """Whether the rule has a proved check."""
    return bool(proposal.rule.checks) and not proposal.obstacle and bool(proposal.proof and proposal.proof.holds)


def _candidate_with_checks(offer: RuleOffer, book: Rulebook, top: Path) -> Candidate:
    """The candidate with the agent's own checks and no others."""
    rule = replace(offered_rule(offer), rationale=". ".join(filter(None, (_source(offer), offer.rule.rationale))))
    return replace(rule_offer.offered_candidate(offer, rule, book, top), by_agent=True)


def _candidate_without_checks(offer: RuleOffer, session: ProofSession | None, top: Path) -> Candidate:
    """The candidate in the agent's words, which do not count as a person's."""
    drafting = drafter_for(top)
    plain = _draft_statement(offer.statement, drafting)
    before, after = _without_words(session.before if session else ()), _without_words(session.after if session else ())
    said = Turn(role="human", kind="typed", text=offer.quote or offer.statement, index=0, line=0)
    around = Correction(quote=offer.statement, turn=said, before=before, after=after)
    found = candidates_of(around, drafting)
    inferred = (*(draft for one in found for draft in one.drafts), *plain.drafts)
    drafts = tuple(_with_examples(draft, offer) for draft in inferred)
    rule = replace(
        found[0].rule if found else plain.rule,
        slug=offer.rule.slug or plain.rule.slug,
        statement=plain.rule.statement,
        rationale=". ".join(filter(None, (_source(offer), plain.rule.rationale if not drafts else ""))),
        when=offer.rule.when,
    )
    return Candidate(rule=rule, drafts=drafts, by_agent=True)


def _with_examples(draft: Draft, offer: RuleOffer) -> Draft:
    """The draft with all examples of the proposal, each of which it must decide correctly."""
    own = offer.draft
    return replace(
        draft,
        invalid=(*own.invalid, *(one for one in draft.invalid if one not in own.invalid)),
        valid=(*own.valid, *(one for one in draft.valid if one not in own.valid)),
        not_checked=tuple(dict.fromkeys((*draft.not_checked, *own.not_checked))),
    )


def _draft_statement(statement: str, drafting: Drafter) -> Candidate:
    try:
        return typed_candidate(statement, drafting)
    except RulecError as error:
        raise RulecError(
            f"the statement {error.message}", hint="say what to do or not to do: Use pnpm, never npm"
        ) from None


def _source(offer: RuleOffer) -> str:
    return f'{BY}, which quotes: "{offer.quote}"' if offer.quote else BY


def _session(offer: RuleOffer, top: Path) -> ProofSession | None:
    """The wrong and the right action as a session to replay."""
    if not (offer.offence or offer.fix):
        return None
    said = Action(kind="says", new=offer.quote or offer.statement, aside=True)
    before, after = (tuple(_actions(one, top)) if one else () for one in (offer.offence, offer.fix))
    return ProofSession(before=before, after=(said, *after))


def _actions(example: Example, top: Path) -> Iterator[Action]:
    change = change_of(example)
    for action in (*change.earlier, *change.actions):
        yield replace(action, path=relative_to_folder(action.path, str(top)))
    if example.kind in ("message", "commit"):
        yield Action(kind="command", command=f"git commit -m {shlex.quote(example.text)}")


def _without_words(actions: tuple[Action, ...]) -> tuple[Action, ...]:
    return tuple(action for action in actions if action.kind not in ("says", "stop"))


def _proof_words(proposal: Proposal) -> str:
    if proposal.proof:
        checks = " and ".join(map(rule_lines.check_line, proposal.rule.checks))
        return f"proved, {one_line.shorten(checks)}"
    if proposal.failed:
        return f"not proved ({one_line.shorten(proposal.failed[0])}), so only a reminder"
    return "no machine can check it, so only a reminder"


def _propose_outcome(state: str, candidate: Candidate, what: str, proposal: Proposal | None = None) -> Outcome:
    rule = candidate.rule
    name = {"queued": f"{rule.slug} is queued", "waits": f"{rule.slug} waits already"}.get(state, "not queued")
    more = proposal_card.encode_proposal(proposal) if proposal else {"proved": False}
    data = {**more, "state": state, "slug": rule.slug, "statement": rule.statement, "why": what}
    return Outcome(f"{name}: {what}", data=data)
