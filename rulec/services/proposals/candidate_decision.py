"""Candidates as cards: each wish of one resolved, built, proved and decided; shared by ingest, review, add, import."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from rulec.checks.proving import replay
from rulec.domain.enforcement import PinnedEnforcement
from rulec.domain.outcome import Outcome, Progress, no_progress
from rulec.domain.rule import Example, Rule
from rulec.domain.text import one_line
from rulec.domain.text.redaction import redact
from rulec.errors import RulecError
from rulec.gates.findings import rule_proof
from rulec.infra import clock
from rulec.infra.rulebooks import rule_reading
from rulec.reports.rule_lines import example_line
from rulec.resolving.resolver import Resolution
from rulec.resolving.revisions import Revision
from rulec.rulebook import evidence_file, file_paths
from rulec.rulebook.rulebook import Rulebook
from rulec.services import rulebook_commit
from rulec.services.backtest.existing_findings import ExistingFindings, find_existing
from rulec.services.backtest.past_refusals import REFUSES_OFTEN
from rulec.services.backtest.past_runs import Backtest
from rulec.services.proposals import proposal_builder, proposal_card, rule_conflicts, waiting_candidates
from rulec.services.proposals.candidate_identity import (
    candidate_id,
    is_known_evidence,
    occurrences,
    sessions_of_candidate,
)
from rulec.services.proposals.decision import EDITED_RULE, Answer, Asking, Card, What, decide, without_notes
from rulec.services.proposals.proposal_builder import BuiltProposals, OpposingRule, Proposal, Ruling, resolve_candidate
from rulec.services.proposals.rule_conflicts import describe_witness, witness_json
from rulec.services.proposals.waiting_candidates import QueueFiles, WaitingCandidate, merge_repeats
from rulec.services.rulebook_commit import supersession_files

Echo = Callable[[str], None]
Batch = Callable[[int], str]  # how many -> each, accept, reject or later
_SUBJECTS = {"NEW": "Add the rule", "NOOP": "Add evidence for", "UPDATE": "Update the rule"}


@dataclass(frozen=True, slots=True, kw_only=True)
class DecisionOptions(Asking):
    """What the person chose on the command line, and how to ask for the rest."""

    batch: Batch = lambda _: "each"
    progress: Progress = no_progress
    pinned: PinnedEnforcement = "auto"
    confirms: bool = True  # a yes to a card makes the examples there the person's own
    own: bool = False  # the words are the person's, who types them now
    asks: bool = True  # somebody is there, or said beforehand what the answer is
    looks_back: bool = True  # each card says what its rule finds of what is there
    waits: QueueFiles | None = None  # where the candidate waits, which another window may decide on meanwhile
    place: str = ""  # of the card among those that are shown: "card 3 of 23"


def number_cards(options: DecisionOptions, count: int) -> Iterator[DecisionOptions]:
    """For each of several cards the options with its place among them."""
    return (replace(options, place=f"card {number} of {count}" * (count > 1)) for number in range(1, count + 1))


def with_doubts(
    options: DecisionOptions, backtest: Backtest, doubtful: Callable[[Proposal, str], bool]
) -> tuple[DecisionOptions, Backtest]:
    """The options and the backtest, where a yes for all leaves to a person what is ``doubtful`` by its backtest."""
    past = ""

    def seen(book: Rulebook, rule: Rule) -> str:
        nonlocal past
        past = backtest(book, rule)
        return past

    def answer(card: CandidateCard) -> str:
        own = options.answer(card)
        return "later" if own == "accept" and doubtful(card.proposal, past) else own

    return replace(options, answer=answer), seen


@dataclass(frozen=True, slots=True)
class Decision:
    """The decision about one candidate."""

    answer: str  # accept, reject, later, known where nothing is new, or gone where it waits no more
    proposal: Proposal | None = None
    commit: str = ""
    doubt: str = ""
    card: Card | None = None

    @property
    def data(self) -> dict[str, Any]:
        """The decision for programs."""
        data = self.card.data() if self.card else {}
        return {"answer": self.answer, "commit": self.commit, "doubt": self.doubt, **data}


@dataclass(frozen=True, slots=True)
class CandidateCase:
    """A candidate to decide, and how."""

    top: Path
    item: WaitingCandidate
    options: DecisionOptions
    against: tuple[OpposingRule, ...] = ()  # proposals that wait and contradict it
    ruling: Ruling = resolve_candidate
    backtest: Backtest | None = None
    built: BuiltProposals = field(default_factory=BuiltProposals)

    def find(self, book: Rulebook) -> "CandidateCard":
        """The card of the candidate as it stands to the rulebook."""
        return self.card(book, self.ruling(self.item.candidate, book))

    def card(self, book: Rulebook, said: Resolution) -> "CandidateCard":
        """The card for a resolution: built and proved."""
        pinned = self.options.pinned if self.options.pinned != "auto" else self.item.pinned
        found = self.built.build(
            self.item.candidate, book, self.top, self.item.sessions, pinned=pinned, resolution=said
        )
        return self.card_of(book, replace(found, against=(*found.against, *self.against)))

    def card_of(self, book: Rulebook, proposal: Proposal) -> "CandidateCard":
        """The card of a proposal, with what accepting it would do."""
        options, candidate = self.options, self.item.candidate
        seen = _with_confirmed_examples(proposal) if options.confirms and options.reviewed else proposal
        made = proposal_builder.accepted_revision(seen, reviewed=options.reviewed or options.own, at=clock.now())
        context = self._context(book, proposal, made)
        old = proposal.old if proposal.resolution.decision == "UPDATE" else None
        before = rulebook_commit.rule_text(self.top, options.onto, old.slug) if old else ""
        rule = replace(made.rule or proposal.rule, origin="", source="")
        writes = proposal.resolution.decision != "NOOP"
        return CandidateCard(
            case=self, book=book, proposal=proposal, made=made, context=context,
            rule=proposal.rule, before=before,
            quotes=tuple(redact(one.correction.quote) for one in occurrences(candidate) if one.correction),
            because=proposal.resolution.because, proof=proposal.proof,
            after=(proposal.text or rule_reading.write_rule(rule, before)) if writes else "",
            obstacle=proposal.obstacle, doubt=context.doubt,
        )  # fmt: skip

    def _context(self, book: Rulebook, proposal: Proposal, made: Revision) -> proposal_card.CardContext:
        candidate, rule = self.item.candidate, proposal.rule
        past, there = "", ExistingFindings()
        if proposal.proof and self.options.looks_back and self.backtest:
            past, there = self.backtest(book, rule), find_existing(self.top, book, rule)
        there = replace(there, said_in=len(sessions_of_candidate(candidate)))
        much = f"it would have refused many of the last commits: {past}" if REFUSES_OFTEN in past else there.held_back
        return proposal_card.CardContext(
            effect=proposal_card.describe_effect(book, proposal, made),
            place=self.options.place,
            origin="" if candidate.correction or self.options.own else one_line.shorten(self.item.source),
            past="; ".join(filter(None, (past, there.line))),
            doubt=proposal_card.why_doubtful(book, proposal, made) or much,
            audiences=proposal_card.audiences_of(book, rule, self.top) if proposal.proof else (),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class CandidateCard(Card):
    """What one wish of a candidate would become."""

    case: CandidateCase
    book: Rulebook
    proposal: Proposal
    made: Revision
    context: proposal_card.CardContext

    @property
    def name(self) -> str:
        """The rule that the candidate would be, by which ``--accept`` knows it."""
        return self.case.item.candidate.rule.slug

    @property
    def what(self) -> What:
        """What the candidate is to the rulebook."""
        decision = self.proposal.resolution.decision
        return decision if decision != "SPLIT" else "NEW"

    @property
    def rows(self) -> list[tuple[str, str]]:
        """The rows of the card, each with its name."""
        return proposal_card.card_rows(self.proposal, self.context)

    @property
    def detail_rows(self) -> list[tuple[str, str]]:
        """The rows that the card leaves out."""
        return proposal_card.detail_rows(self.proposal)

    @property
    def examples(self) -> list[tuple[str, str, bool]]:
        """Each example as it would be written: in a line, its source, and whether it is to be caught."""
        rule = self.made.rule or self.rule
        sides = ((rule.invalid, True), (rule.valid, False))
        return [(example_line(one), one.source, caught) for side, caught in sides for one in side]

    def lines(self) -> list[str]:
        """The card of one screen, ending with what a yes brings about."""
        return [proposal_card.render_card(self.proposal, self.context)]

    @property
    def details(self) -> list[str]:
        """Each check in full, all examples, every stage of the proof."""
        return [proposal_card.card_details(self.proposal)]

    @property
    def offers(self) -> tuple[Answer, ...]:
        """The answers that it can be given."""
        beside: tuple[Answer, ...] = ("new",) if self.proposal.old and self.proposal.resolution.new_slug else ()
        writes: tuple[Answer, ...] = ("edit", "details") if self.what != "NOOP" else ()
        accept: tuple[Answer, ...] = () if self.obstacle else ("accept",)
        return (*accept, *beside, *writes, "reject", "later", "quit")

    @property
    def content(self) -> tuple[object, ...]:
        """All rows of the card, the file as it would be, and the words that are decided."""
        ids = sorted(candidate_id(one) for one in occurrences(self.case.item.candidate))
        old = rule_reading.write_rule(self.proposal.old) if self.proposal.old else ""
        return (*ids, *self.rows, self.before, self.after, old)

    def against(self) -> Iterator[dict[str, Any]]:
        """The rules and proposals that contradict it, each with an action that shows it."""
        for one in self.proposal.against:
            yield {"slug": one.slug, "waits": one.waits, "witness": witness_json(one.witness)}

    @property
    def remains(self) -> bool:
        """Whether nobody decided on it since it was found."""
        waits = self.case.options.waits
        return waits is None or waits.remain()

    def as_new(self) -> "CandidateCard":
        """The same as a rule of its own, whatever it is like."""
        return self.case.card(self.book, proposal_builder.resolve_as_new(self.proposal.resolution))

    def edited(self, typed: str) -> "CandidateCard":
        """The card with the rule that a person typed, proved."""
        text, proposal = redact(typed), self.proposal
        said, updates = proposal.resolution, proposal.resolution.decision == "UPDATE"
        rule = replace(
            rule_reading.read_rule(text, source=EDITED_RULE),
            revision=proposal.rule.revision, origin=proposal.rule.origin, source="",
        )  # fmt: skip
        if updates and rule.slug != proposal.rule.slug:
            hint = f"rulec edit {proposal.rule.slug} renames a rule"
            raise RulecError(f"this is an update of {proposal.rule.slug}", where=EDITED_RULE, hint=hint)
        if rule.slug != proposal.rule.slug and self.book.rule(rule.slug):
            raise RulecError(f"there is already a rule {rule.slug}", where=EDITED_RULE, hint="give it another slug")
        looser = said.manner == "looser"  # what happened before it is no offence any more
        session = None if looser else replay.merge_sessions(self.case.item.sessions, 0)
        proof = (
            rule_proof.prove_with_tools(self.book, rule, self.case.top, session, edges=True) if rule.checks else None
        )
        if proof and not proof.holds:
            hint = "fix the check or its examples, or remove the check"
            raise RulecError(f"its check fails at {redact(proof.failure)}", where=EDITED_RULE, hint=hint)
        said = replace(said, because=f"{said.because}; edited in review")
        said = replace(said, new_slug=rule.slug) if said.decision == "SUPERSEDE" else replace(said, slug=rule.slug)
        return self.case.card_of(self.book, replace(
            proposal, rule=rule, proof=proof, text=without_notes(text), failed=(), obstacle="", resolution=said,
        ))  # fmt: skip

    def write(self) -> Outcome:
        """Write the rule and its evidence; the data is the commit's id, "" where only the work tree was written."""
        if self.obstacle:
            hint = "edit the proposal, or make it a new rule"
            raise RulecError(self.obstacle, where=self.proposal.resolution.slug, hint=hint)
        top, onto = self.case.top, self.case.options.onto
        commit = rulebook_commit.write_rulebook_change(top, self._files(), self._message(), onto)
        if self.made.rule and not onto.branch:
            now = rulebook_commit.load_target_rulebook(top, onto)
            rule_conflicts.refresh_conflicts(top, now, {self.made.rule.slug})
        waiting_candidates.remove_decided(top, self.case.item.candidate)
        return Outcome(f"written: {rulebook_commit.describe_written(top, onto, commit)}", data=commit)

    def reject(self) -> str:
        """Not proposed again; what a person typed just now needs no remembering."""
        if self.case.options.own:
            return "nothing written"
        waiting_candidates.remember_rejection(self.case.top, self.case.item.candidate)
        waiting_candidates.remove_decided(self.case.top, self.case.item.candidate)
        return "rejected, and not proposed again"

    def leave(self) -> str:
        """Put it into the queue."""
        _enqueue(self.case.top, self.case.item, self.case.options)
        return "later: rulec review"

    def data(self) -> dict[str, Any]:
        """The proposal for programs, with who said it and what it contradicts."""
        candidate = self.case.item.candidate
        return {
            **super(CandidateCard, self).data(),
            **proposal_card.encode_proposal(self.proposal),
            "sessions": len(sessions_of_candidate(candidate)),
            "does": self.context.effect,
            "by_agent": candidate.by_agent,
            "source": self.case.item.source,
            "since": self.case.item.at,
        }

    @property
    def subject(self) -> str:
        """What accepting it does, in a few words: the subject of its commit."""
        said, old = self.proposal.resolution, self.proposal.old
        if said.decision == "SUPERSEDE" and old:
            return f"Supersede {old.slug} by {self.rule.slug}"
        return f"{_SUBJECTS.get(said.decision, '')} {said.slug}"

    def _files(self) -> dict[str, str | None]:
        """The files that it changes; a person's comments in them are kept."""
        made, proposal, top, onto = self.made, self.proposal, self.case.top, self.case.options.onto
        files = rulebook_commit.evidence_files(made.evidence)
        if made.rule is None:
            return files
        if proposal.resolution.decision == "SUPERSEDE" and proposal.old:
            slug = proposal.old.slug
            where = file_paths.archive_path(slug)
            if rulebook_commit.target_file_text(top, onto, where):
                hint = "delete that file or rename the rule"
                raise RulecError(f"an older {slug} is there", where=where, hint=hint)
            old, text = _next_revision(proposal.old), rulebook_commit.rule_text(top, onto, slug)
            return files | supersession_files(old, made.rule, text, proposal.text)
        before = rulebook_commit.rule_text(top, onto, made.rule.slug) if proposal.old else ""
        path = file_paths.rule_path(made.rule.slug)
        return files | {path: rule_reading.write_rule(made.rule, proposal.text or before)}

    def _message(self) -> str:
        """The commit message, with the trailers that why reads."""
        said, rule, old = self.proposal.resolution, self.rule, self.proposal.old
        body = [f"It says: {_line(rule.statement)}"]
        trailers = [f"Resolution: {said.line()}", f"Rule: {rule.slug}@{rule.revision}"]
        if said.decision == "SUPERSEDE" and old:
            body += [f"It said: {_line(old.statement)}", f"Witness: {_line(describe_witness(self.proposal.witness))}"]
            trailers.append(f"Rule: {old.slug}@{_next_revision(old).revision}")
        ids = ", ".join(evidence_file.evidence_id(item) for item in self.made.evidence)
        return "\n".join([self.subject, "", *body, "", *trailers, f"Evidence: {ids}", ""])


def _next_revision(old: Rule) -> Rule:
    return replace(old, revision=old.revision + 1)


def _line(text: str) -> str:
    return " ".join(text.split())


def _with_confirmed_examples(proposal: Proposal) -> Proposal:
    """The proposal, with the examples on its card as the person's, where they were made from the check."""
    shown = proposal_card.shown_examples(proposal)

    def own(examples: Sequence[Example]) -> tuple[Example, ...]:
        return tuple(replace(one, source="person") if one.source == "template" and one in shown else one
                     for one in examples)  # fmt: skip

    rule = proposal.rule
    return replace(proposal, rule=replace(rule, invalid=own(rule.invalid), valid=own(rule.valid)))


def decide_candidate(
    top: Path, item: WaitingCandidate, options: DecisionOptions, echo: Echo, backtest: Backtest, *,
    against: Sequence[OpposingRule] = (), ruling: Ruling = resolve_candidate,
    require: Callable[[Proposal], None] = lambda _: None, built: BuiltProposals | None = None,
    book: Rulebook | None = None,
) -> list[Decision]:  # fmt: skip
    """Show what a candidate would become, ask, and write; several corrections in it are decided one by one.

    ``require`` raises RulecError for a proposal that is not even to be shown; ``built`` are those that this command
    built before, and ``book`` is the rulebook where it was read just now.
    """
    if options.rest.deferred:
        return [_defer(top, item, options)]
    book = book or rulebook_commit.load_target_rulebook(top, options.onto)
    item = unknown_part(book, item)
    if not item.sessions:
        waiting_candidates.remove_decided(top, item.candidate)
        return [Decision("known")]
    parts = separate_wishes(book, item, ruling)
    if len(parts) == 1:
        case = CandidateCase(top, parts[0], options, tuple(against), ruling, backtest, built or BuiltProposals())
        return [_decide_one(case, book, echo, require)]
    if options.waits:
        options = replace(options, waits=replace(options.waits, some=True))
    echo(f"{len(parts)} corrections in one message, each decided by itself:\n")
    done = [
        one
        for part in parts
        for one in decide_candidate(top, part, options, echo, backtest, against=against, ruling=ruling)
    ]
    if all(one.answer != "later" for one in done):
        waiting_candidates.remove_decided(top, item.candidate)
    return done


def _decide_one(case: CandidateCase, book: Rulebook, echo: Echo, require: Callable[[Proposal], None]) -> Decision:
    def find(book: Rulebook) -> CandidateCard:
        card = case.find(book)
        require(card.proposal)
        return card

    done = decide(case.top, find, case.options, echo, book)
    card = done.card
    proposal = card.proposal if isinstance(card, CandidateCard) else None
    return Decision(done.answer, proposal, done.outcome.data or "", card.doubt if card else "", card)


def unknown_part(book: Rulebook, item: WaitingCandidate) -> WaitingCandidate:
    """The item without what is evidence already; without sessions where nothing of it is new."""
    return item.with_pairs([pair for pair in item.pairs if not is_known_evidence(book, pair[0])])


def separate_wishes(book: Rulebook, item: WaitingCandidate, ruling: Ruling) -> list[WaitingCandidate]:
    """The corrections in a candidate, each as its own; the candidate itself where there is only one."""
    found: list[WaitingCandidate] = []
    many = False
    for one, session in item.pairs:
        said = ruling(one, book)
        many = many or said.decision == "SPLIT"
        wishes = said.parts if said.decision == "SPLIT" else (one,)
        found += [replace(item, candidate=part, sessions=(session,)) for part in wishes]
    return merge_repeats(found) if many else [item]


def _defer(top: Path, item: WaitingCandidate, options: DecisionOptions) -> Decision:
    """Leave one that was not shown for later, unless somebody decided on it meanwhile."""
    if options.waits and not options.waits.remain():
        return Decision("gone")
    _enqueue(top, item, options)
    return Decision("later")


def _enqueue(top: Path, item: WaitingCandidate, options: DecisionOptions) -> None:
    waiting_candidates.enqueue(top, replace(item, pinned=options.pinned) if options.pinned != "auto" else item)
