"""rulec add and rulec propose: a person makes a rule, or an agent proposes one that waits for a person."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import BinaryIO

from rulec.checks.proving.replay import ProofSession
from rulec.compiling.artifacts import template_library
from rulec.domain.candidate import Candidate, Correction, Draft
from rulec.domain.outcome import Outcome
from rulec.domain.rule import Check, Scope
from rulec.domain.text import one_line
from rulec.domain.text.redaction import redact
from rulec.domain.transcript import Action, Turn
from rulec.errors import RulecError
from rulec.infra.rulebooks import rulebook_files
from rulec.reports import rule_lines
from rulec.rulebook.yaml_text import YamlNode
from rulec.sentences.candidates import candidates_of, typed_candidate, typed_candidates
from rulec.sentences.drafts import JUDGED, line_to_type
from rulec.sentences.names import Names
from rulec.sentences.reading import place_at_end
from rulec.services import rulebook_commit
from rulec.services.asking import doubtful_resolutions, reader_drafts
from rulec.services.asking.reader_choice import Choose, choose_reader
from rulec.services.asking.repository_profile import names_in
from rulec.services.backtest.past_runs import commit_backtest, would_have_refused
from rulec.services.proposals import candidate_decision, proposal_card, rule_offer, waiting_candidates
from rulec.services.proposals.candidate_decision import CandidateCase, Decision, DecisionOptions
from rulec.services.proposals.decision import Card, Echo
from rulec.services.proposals.proposal_builder import Proposal
from rulec.services.proposals.rule_offer import CheckOptions, RuleOffer
from rulec.services.proposals.waiting_candidates import WaitingCandidate

WANTED_BY_PERSON = "a person wants it to be judged"
_MESSAGE = re.compile(r"\b(?:commit|git)\s+(?:messages?|subjects?|bod(?:y|ies)|titles?|logs?)\b", re.IGNORECASE)
_READS = {"diff": ("file", "edit", "commit"), "message": ("message", "commit")}


def with_judge_alone(candidate: Candidate, names: Names) -> Candidate:
    """The candidate to be judged, with those examples of its drafts that a judge can read, and where these hold."""
    statement = candidate.rule.statement
    first = candidate.drafts[0] if candidate.drafts else None
    if first is None:
        first = Draft(checks=(), scope=_scope_in_words(statement, names))
    draft = add_judge(statement, replace(first, because=WANTED_BY_PERSON))
    return replace(candidate, rule=replace(candidate.rule, rationale=""), drafts=(draft,))


def add_judge(statement: str, draft: Draft) -> Draft:
    """The draft with a judge for its check, and the examples that such a judge can read."""
    of = _what_judge_reads(statement)
    invalid, valid = (
        tuple(example for example in side if example.kind in _READS[of]) for side in (draft.invalid, draft.valid)
    )
    check = Check(kind="judge", template="judge", parameters={"of": of})
    return replace(draft, checks=(check,), invalid=invalid, valid=valid)


def _what_judge_reads(statement: str) -> str:
    return "message" if _MESSAGE.search(statement) else "diff"


def _scope_in_words(statement: str, names: Names) -> Scope:
    """Where the words say that it holds, everywhere where no path shows that place."""
    if _what_judge_reads(statement) != "diff":
        return Scope()
    place = place_at_end(statement, names)
    return Scope(include=place.include or ("**",), exclude=place.exclude)


SOURCE = "typed with rulec add"
TRY = "fix the check, or the example if that is wrong; rulec try shows each example's verdict"

GIVE = "give one that was wrong: --invalid 'npm install x', or --invalid '{file: a.py, content: …}'"


def add_sentence(
    top: Path, text: str, options: DecisionOptions, echo: Echo, *, judge: bool = False, choose: Choose | None = None
) -> Outcome:
    """Draft a rule from each wish of a text, prove its check on examples made from it, ask, write.

    With ``judge`` no template checks it, but a model. ``choose`` asks once which agent's CLI may write a check where
    none was read from the words.
    """
    if not text.strip():
        raise RulecError("the rule is empty", hint='say it in a sentence: rulec add "Use pnpm, not npm"')
    rulebook_files.require_rulebook(top)
    options = replace(options, own=True)
    names = names_in(top)
    candidates = typed_candidates(redact(text), names)
    candidates = tuple(with_judge_alone(one, names) for one in candidates) if judge else candidates
    if choose and not all(one.drafts for one in candidates) and (line := choose_reader(top, choose)):
        echo(line)
    with rulebook_commit.open_rulebook(top, options.onto) as book:
        chat = doubtful_resolutions.review_conversation(top, book, options, echo)
        ruling = doubtful_resolutions.ask_and_report(book, candidates, chat, echo).ruling
        items = [WaitingCandidate(candidate=candidate, source=SOURCE) for candidate in candidates]
        if not (judge or chat.waits):  # whoever typed it waits for an answer, not for a later run
            found = reader_drafts.draft_checks(top, book, items, chat, ruling)
            items = [*found.items, *found.held]
            for line in found.notes:
                echo(line)
        doubtful_resolutions.close_conversation(top, chat, echo)
        backtest = commit_backtest(top)
        if not options.reviewed:  # --yes waits for a person where the rule would have refused the last commits
            options, backtest = candidate_decision.with_doubts(
                options, backtest, lambda proposal, past: would_have_refused(past, proposal.rule)
            )
        done = [
            (item.candidate, one)
            for item in items
            for one in candidate_decision.decide_candidate(top, item, options, echo, backtest, ruling=ruling)
        ]
        return _add_outcome(top, options, done, _lines_to_type(names, done))


def add_with_checks(top: Path, text: str, given: CheckOptions, options: DecisionOptions, echo: Echo) -> Outcome:
    """A sentence with the checks and examples that a person said with it: they are proved, and no other is tried."""
    library = template_library(top)
    data = rule_offer.rule_from_options(text, given, lambda name: library.template(name, "rulec add"))
    return _written(top, rule_offer.read_offer(YamlNode(data, "rulec add"), top, "person", whole=True), options, echo)


def add_whole_rule(top: Path, file: BinaryIO, source: str, options: DecisionOptions, echo: Echo) -> Outcome:
    """Add a whole rule in the form of a rule file."""
    return _written(top, rule_offer.parse_offer(file, source, top, "person", whole=True), options, echo)


def _written(top: Path, offer: RuleOffer, options: DecisionOptions, echo: Echo) -> Outcome:
    if offer.unread:
        raise RulecError(offer.unread[0], where="rulec add", hint=TRY)
    for line in offer.changed:
        echo(line)
    pinned = options.pinned if options.pinned != "auto" else offer.rule.enforcement
    options = replace(options, own=True, pinned=pinned)
    with rulebook_commit.open_rulebook(top, options.onto):
        rule = rule_offer.offered_rule(offer)
        rule = replace(rule, revision=1, supersedes=(), formerly=(), superseded_by="", retired="", origin="")
        candidate = rule_offer.offered_candidate(offer, rule)
        if not candidate.drafts:
            hint = "rulec templates --catalogue lists what there is"
            raise RulecError("no check is given", where="rulec add", hint=hint)
        item = WaitingCandidate(candidate=candidate, source=SOURCE)
        decided = candidate_decision.decide_candidate(
            top, item, options, echo, commit_backtest(top), require=_require_holding_checks
        )
        return _add_outcome(top, options, [(candidate, one) for one in decided])


def _add_outcome(
    top: Path, options: DecisionOptions, done: Sequence[tuple[Candidate, Decision]], more: Iterable[str] = ()
) -> Outcome:
    lines = [
        *_known_lines(top, options, done),
        *_waiting_lines(done),
        *more,
        rulebook_commit.push_hint(top, options.onto),
    ]
    return Outcome("\n".join(filter(None, lines)), data=[one.data for _, one in done])


def _require_holding_checks(proposal: Proposal) -> None:
    """Refuse checks that cannot be proved, with the example that fails."""
    said, draft, old = proposal.resolution, proposal.candidate.drafts[0], proposal.old
    if said.decision == "NOOP":
        if old is not None and not set(map(str, draft.checks)) <= set(map(str, old.checks)):
            hint = f"change its check with rulec edit {old.slug}"
            raise RulecError(f"{old.slug} says that already, with another check", where="rulec add", hint=hint)
        return
    if not proposal.rule.checks or proposal.obstacle:
        failed = (*proposal.failed, proposal.obstacle, "its checks do not hold")
        hint = TRY if draft.invalid else GIVE
        raise RulecError(f"not written: {redact(next(filter(None, failed)))}", where="rulec add", hint=hint)


def _known_lines(top: Path, options: DecisionOptions, done: Sequence[tuple[Candidate, Decision]]) -> Iterator[str]:
    known = [candidate for candidate, one in done if one.answer == "known"]
    if known:
        book = rulebook_commit.load_target_rulebook(top, options.onto)
        for candidate in known:
            said = candidate.rule.statement.casefold()
            same = [rule.slug for rule in book.rules if rule.statement.casefold() == said]
            yield f"{', '.join(same)} says that already"


_CHECK_OPTIONS = "--check TEMPLATE --with NAME=VALUE --invalid ACTION --valid ACTION"


def _lines_to_type(names: Names, done: Sequence[tuple[Candidate, Decision]]) -> Iterator[str]:
    """Where no check was read from the words: the line that says one."""
    for candidate, one in done:
        if not (candidate.drafts or one.answer == "known" or (one.proposal and one.proposal.rule.checks)):
            line = line_to_type(candidate.rule.statement, names)
            judged = line.endswith(JUDGED)
            what = "to have a model judge it" if judged else "to give it one"
            yield f"no check: not all of its words are in a form that is certain; {what}, type\n  {line}"
            if judged:
                yield f"or say what a check refuses: {_CHECK_OPTIONS} (rulec templates)"


def _waiting_lines(done: Sequence[tuple[Candidate, Decision]]) -> Iterator[str]:
    for _, one in done:
        if one.answer == "later" and one.doubt and one.proposal:
            yield f"not written, it waits for you: {one.proposal.resolution.line()} ({one.doubt}): rulec review"


BY = "proposed by an agent"
HOW_TO_FIX = "fix it with `rulec try`, which shows the verdict on each example and writes nothing"
WAITS = "it is not active until the person accepts it in `rulec review`"


def propose_rule(top: Path, file: BinaryIO, source: str) -> Outcome:
    """Validate and prove a proposal, and queue it for review."""
    offer = rule_offer.parse_offer(file, source, top)
    if offer.unread:
        raise RulecError(offer.unread[0], where=source, hint=HOW_TO_FIX)
    session = rule_offer.session_of_offer(offer, top)
    candidate = _candidate_without_checks(offer, session, top) if not offer.draft.checks else None
    book = rulebook_files.load_rulebook(top)
    candidate = candidate or _candidate_with_checks(offer)
    if waiting_candidates.rejection_test(top)(candidate):
        return _propose_outcome("rejected", candidate, "a person rejected this before; it is not proposed again")
    item = WaitingCandidate(candidate=candidate, sessions=(session,), source=_source_of_offer(offer))
    card = CandidateCase(top, item, DecisionOptions(reviewed=False)).find(book)
    proposal, said = card.proposal, card.proposal.resolution
    if offer.draft.checks and not _has_holding_check(proposal) and said.decision != "NOOP":
        failed = (proposal.failed or (proposal.obstacle or "its checks do not hold",))[0]
        raise RulecError(f"not queued: {redact(failed)}", where=source, hint=HOW_TO_FIX)
    if said.decision == "NOOP" and said.band == "auto":
        why = f"nothing new: the rule {said.slug} is there, and {said.because}"
        return _propose_outcome("known", candidate, why, card)
    candidate = replace(candidate, rule=replace(candidate.rule, slug=said.new_slug or said.slug))
    item = replace(item, candidate=candidate)
    state = "queued" if waiting_candidates.enqueue_changed(top, item) else "waits"
    what = f"it would be {proposal_card.resolution_line(said)}; " if said.decision != "NEW" else ""
    given = "".join(f"{line}; " for line in offer.changed)
    given += "" if offer.draft.checks else "no check was given; "
    return _propose_outcome(state, candidate, f"{what}{given}{_proof_words(proposal)}; {WAITS}", card)


def _has_holding_check(proposal: Proposal) -> bool:
    """Whether the rule has a proved check."""
    return bool(proposal.rule.checks) and not proposal.obstacle and bool(proposal.proof and proposal.proof.holds)


def _candidate_with_checks(offer: RuleOffer) -> Candidate:
    """The candidate with the agent's own checks and no others."""
    rule = replace(
        rule_offer.offered_rule(offer),
        rationale=". ".join(filter(None, (_source_of_offer(offer), offer.rule.rationale))),
    )
    return replace(rule_offer.offered_candidate(offer, rule), by_agent=True)


def _candidate_without_checks(offer: RuleOffer, session: ProofSession | None, top: Path) -> Candidate:
    """The candidate in the agent's words, which do not count as a person's."""
    names = names_in(top)
    plain = _candidate_of_statement(offer.statement, names)
    before, after = _without_words(session.before if session else ()), _without_words(session.after if session else ())
    said = Turn(role="human", kind="typed", text=offer.quote or offer.statement, index=0, line=0)
    around = Correction(quote=offer.statement, turn=said, before=before, after=after)
    found = candidates_of(around, names)
    inferred = (*(draft for one in found for draft in one.drafts), *plain.drafts)
    drafts = tuple(_with_examples(draft, offer) for draft in inferred)
    rule = replace(
        found[0].rule if found else plain.rule,
        slug=offer.rule.slug or plain.rule.slug,
        statement=plain.rule.statement,
        rationale=". ".join(filter(None, (_source_of_offer(offer), plain.rule.rationale if not drafts else ""))),
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


def _candidate_of_statement(statement: str, names: Names) -> Candidate:
    try:
        return typed_candidate(statement, names)
    except RulecError as error:
        raise RulecError(
            f"the statement {error.message}", hint="say what to do or not to do: Use pnpm, never npm"
        ) from None


def _source_of_offer(offer: RuleOffer) -> str:
    return f'{BY}, which quotes: "{offer.quote}"' if offer.quote else BY


def _without_words(actions: tuple[Action, ...]) -> tuple[Action, ...]:
    return tuple(action for action in actions if action.kind not in ("says", "stop"))


def _proof_words(proposal: Proposal) -> str:
    if proposal.proof:
        checks = " and ".join(map(rule_lines.check_line, proposal.rule.checks))
        return f"proved, {one_line.shorten(checks)}"
    if proposal.failed:
        return f"not proved ({one_line.shorten(proposal.failed[0])}), so only a reminder"
    return "no check was read from its words, so only a reminder"


def _propose_outcome(state: str, candidate: Candidate, what: str, card: Card | None = None) -> Outcome:
    rule = candidate.rule
    name = {"queued": f"{rule.slug} is queued", "waits": f"{rule.slug} waits already"}.get(state, "not queued")
    more = card.data() if card else {"proved": False}
    data = {**more, "state": state, "slug": rule.slug, "statement": rule.statement, "why": what}
    return Outcome(f"{name}: {what}", data=data)
