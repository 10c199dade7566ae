"""``rulec propose``: what an agent offers as a rule -> proved, and put before a person; never more than that."""

import shlex
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import BinaryIO

from rulec.commands import _card, _implied, _lines, _propose, _queue, _told
from rulec.commands._drafter import drafter
from rulec.commands._offer import LARGEST, Offer, offered, worded
from rulec.commands._outcome import Outcome
from rulec.commands._propose import Proposal
from rulec.commands._waiting import Waiting
from rulec.drafting.drafter import Drafter
from rulec.errors import RulecError
from rulec.host import worktree
from rulec.model.candidate import Candidate, Draft
from rulec.model.correction import Correction
from rulec.model.rule import Example
from rulec.model.rulebook import Rulebook
from rulec.model.transcript import Action, Turn, within
from rulec.redact import redact
from rulec.stages.extract import drafted, extract
from rulec.stages.revise import with_draft
from rulec.stages.verify import Session, change_of

BY = "proposed by an agent"
TRY = "mend it with `rulec try`, which shows each example's verdict and writes nothing"
WAITS = "nothing of it is active until the person accepts it in `rulec review`"


def run(top: Path, file: BinaryIO, source: str) -> Outcome:
    """Hold an offer to its form, prove it, and let it wait for a person."""
    offer = offered(file.read(LARGEST + 1), source, top)
    if offer.unread:
        raise RulecError(offer.unread[0], where=source, hint=TRY)
    session = _session(offer, top)
    candidate = _candidate(offer, session, top) if not offer.draft.checks else None
    book = worktree.load(top)
    candidate = candidate or _checked(offer, book, top)
    if _queue.rejected(top)(candidate):
        return _ended("rejected", candidate, "a person rejected this already; it is not asked again")
    proposal = _propose.propose(candidate, book, top, (session,))
    said = proposal.resolution
    if offer.draft.checks and not _keeps(proposal) and said.decision != "NOOP":
        failed = (proposal.failed or (proposal.stuck or "its checks do not hold",))[0]
        raise RulecError(f"not queued: {redact(failed)}", where=source, hint=TRY)
    if said.decision == "NOOP" and said.band == "auto":
        why = f"nothing new: the rule {said.slug} is there, and {said.because}"
        return _ended("known", candidate, why, proposal)
    candidate = replace(candidate, rule=replace(candidate.rule, slug=said.new_slug or said.slug))
    item = Waiting(candidate=candidate, sessions=(session,), source=_source(offer))
    state = "queued" if _queue.renew(top, item) else "waits"
    what = f"it would be {_card.becomes(said)}; " if said.decision != "NEW" else ""
    given = "".join(f"{line}; " for line in offer.changed)
    given += "" if offer.draft.checks else "no check was given; "
    return _ended(state, candidate, f"{what}{given}{_proof(proposal)}; {WAITS}", proposal)


def _keeps(proposal: Proposal) -> bool:
    """Whether the rule has a check that holds: an agent's own is taken as it is, or not at all."""
    return bool(proposal.rule.checks) and not proposal.stuck and bool(proposal.proof and proposal.proof.holds)


def _checked(offer: Offer, book: Rulebook, top: Path) -> Candidate:
    """The candidate with the agent's own checks, and no other that anybody might infer from its words."""
    rule = replace(worded(offer), rationale=". ".join(filter(None, (_source(offer), offer.rule.rationale))))
    settled = _implied.settled(book, with_draft(rule, offer.full), top)
    draft = replace(offer.full, checks=settled.checks, do=offer.rule.do)
    return Candidate(rule=rule, drafts=(draft,), by_agent=True)


def _candidate(offer: Offer, session: Session | None, top: Path) -> Candidate:
    """The candidate as the agent words it; nobody's correction, so that no word of it counts as a person's."""
    drafting = drafter(top)
    plain = _drafted(offer.statement, drafting)
    before, after = _deeds(session.before if session else ()), _deeds(session.after if session else ())
    said = Turn(role="human", kind="typed", text=offer.quote or offer.statement, index=0, line=0)
    around = Correction(quote=offer.statement, turn=said, before=before, after=after)
    found = list(extract(around, drafting))
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


def _with_examples(draft: Draft, offer: Offer) -> Draft:
    """The draft held to every example that was given, too: one that contradicts any of them is not written."""
    own = offer.draft
    return replace(
        draft,
        invalid=(*own.invalid, *(one for one in draft.invalid if one not in own.invalid)),
        valid=(*own.valid, *(one for one in draft.valid if one not in own.valid)),
        not_checked=tuple(dict.fromkeys((*draft.not_checked, *own.not_checked))),
    )


def _drafted(statement: str, drafting: Drafter) -> Candidate:
    try:
        return drafted(statement, drafting)
    except RulecError as error:
        raise RulecError(
            f"the statement {error.message}", hint="say what to do or not to do: Use pnpm, never npm"
        ) from None


def _source(offer: Offer) -> str:
    return f'{BY}, which quotes: "{offer.quote}"' if offer.quote else BY


def _session(offer: Offer, top: Path) -> Session | None:
    """The deeds in the form that a replay reads: the offence must be caught and the fix must pass."""
    if not (offer.offence or offer.fix):
        return None
    said = Action(kind="says", new=offer.quote or offer.statement, aside=True)
    before, after = (tuple(_actions(one, top)) if one else () for one in (offer.offence, offer.fix))
    return Session(before=before, after=(said, *after))


def _actions(example: Example, top: Path) -> Iterator[Action]:
    change = change_of(example)
    for action in (*change.earlier, *change.actions):
        yield replace(action, path=within(action.path, str(top)))
    if example.kind in ("message", "commit"):
        yield Action(kind="command", command=f"git commit -m {shlex.quote(example.text)}")


def _deeds(actions: tuple[Action, ...]) -> tuple[Action, ...]:
    return tuple(action for action in actions if action.kind not in ("says", "stop"))


def _proof(proposal: Proposal) -> str:
    if proposal.proof:
        checks = " and ".join(map(_lines.told, proposal.rule.checks))
        return f"proved, {_lines.short(checks)}"
    if proposal.failed:
        return f"not proved ({_lines.short(proposal.failed[0])}), so only a reminder"
    return "no machine can check it, so only a reminder"


def _ended(state: str, candidate: Candidate, what: str, proposal: Proposal | None = None) -> Outcome:
    rule = candidate.rule
    name = {"queued": f"{rule.slug} is queued", "waits": f"{rule.slug} waits already"}.get(state, "not queued")
    more = _told.proposal(proposal) if proposal else {"proved": False}
    data = {**more, "state": state, "slug": rule.slug, "statement": rule.statement, "why": what}
    return Outcome(f"{name}: {what}", data=data)
