"""Shows a candidate, asks, and writes what is accepted in one commit; shared by ingest, review, add and import."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

from rulec.checks.proving import replay
from rulec.checks.proving.proof import Proof
from rulec.domain.enforcement import PinnedEnforcement
from rulec.domain.outcome import Progress, no_progress
from rulec.domain.rule import Example, Rule
from rulec.domain.text import one_line
from rulec.errors import RulecError
from rulec.gates.findings import rule_proof
from rulec.gates.findings.past_refusals import REFUSES_OFTEN
from rulec.infra import clock, processes
from rulec.infra.rulebooks import rule_reading
from rulec.resolving.resolver import Resolution
from rulec.resolving.revisions import Revision
from rulec.rulebook import evidence_file, file_paths
from rulec.rulebook.rulebook import Rulebook
from rulec.services import rulebook_commit
from rulec.services.backtest.existing_findings import ExistingFindings, find_existing
from rulec.services.backtest.past_runs import Backtest
from rulec.services.proposals import (
    acceptance,
    kept_conflicts,
    proposal_builder,
    proposal_card,
    proposal_editor,
    waiting_candidates,
)
from rulec.services.proposals.candidate_identity import is_known_evidence, sessions_of_candidate
from rulec.services.proposals.proposal_builder import Answer, OpposingRule, Proposal, Ruling, resolve_candidate
from rulec.services.proposals.rule_conflicts import describe_witness
from rulec.services.proposals.waiting_candidates import QueueFiles, WaitingCandidate, merge_repeats
from rulec.services.rulebook_commit import HEAD, ChangeTarget, supersession_files

_SUBJECTS = {"NEW": "Add the rule", "NOOP": "Add evidence for", "UPDATE": "Update the rule"}
Texts = dict[str, str | None]


def commit_proposal(top: Path, proposal: Proposal, made: Revision, onto: ChangeTarget) -> str:
    """Write an accepted proposal; returns the commit's id, "" where only the work tree was written."""
    if proposal.obstacle:
        raise RulecError(
            proposal.obstacle, where=proposal.resolution.slug, hint="edit the proposal, or make it a new rule"
        )
    files = changed_files(proposal, made, lambda path: rulebook_commit.target_file_text(top, onto, path))
    commit = rulebook_commit.write_rulebook_change(top, files, proposal_message(proposal, made), onto)
    if made.rule and not onto.branch:
        kept_conflicts.refresh_conflicts(top, rulebook_commit.load_target_rulebook(top, onto), {made.rule.slug})
    return commit


def changed_files(proposal: Proposal, made: Revision, text: Callable[[str], str]) -> Texts:
    """The files that a revision changes; a person's comments in them are kept."""
    files = rulebook_commit.evidence_files(made.evidence)
    rule, old = made.rule, proposal.old
    if rule is None:
        return files
    if proposal.resolution.decision == "SUPERSEDE" and old:
        where = file_paths.archive_path(old.slug)
        if text(where):
            raise RulecError(f"an older {old.slug} is there", where=where, hint="delete that file or rename the rule")
        return files | supersession_files(
            _next_revision(old), rule, text(file_paths.rule_path(old.slug)), proposal.text
        )
    path = file_paths.rule_path(rule.slug)
    return files | {path: rule_reading.write_rule(rule, proposal.text or (text(path) if old else ""))}


def _next_revision(old: Rule) -> Rule:
    return replace(old, revision=old.revision + 1)


def proposal_subject(proposal: Proposal) -> str:
    """What accepting a proposal does, in a few words: the subject of its commit."""
    said, old = proposal.resolution, proposal.old
    if said.decision == "SUPERSEDE" and old:
        return f"Supersede {old.slug} by {proposal.rule.slug}"
    return f"{_SUBJECTS.get(said.decision, '')} {said.slug}"


def proposal_message(proposal: Proposal, made: Revision) -> str:
    """The commit message, with the trailers that log and why read."""
    said, rule, old = proposal.resolution, proposal.rule, proposal.old
    body = [f"It says: {_line(rule.statement)}"]
    trailers = [f"Resolution: {said.line()}", f"Rule: {rule.slug}@{rule.revision}"]
    if said.decision == "SUPERSEDE" and old:
        body += [f"It said: {_line(old.statement)}", f"Witness: {_line(describe_witness(proposal.witness))}"]
        trailers.append(f"Rule: {old.slug}@{_next_revision(old).revision}")
    ids = ", ".join(evidence_file.evidence_id(item) for item in made.evidence)
    return "\n".join([proposal_subject(proposal), "", *body, "", *trailers, f"Evidence: {ids}", ""])


def _line(text: str) -> str:
    return " ".join(text.split())


Echo = Callable[[str], None]
Batch = Callable[[int], str]  # how many -> each, accept, reject or later


@dataclass(slots=True)
class Rest:
    """What happens to the cards that are left: once a person has answered "quit", they wait and are not shown."""

    deferred: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class DecisionOptions:
    """What the person chose on the command line, and how to ask for the rest."""

    answer: Answer  # asked about each proposal
    edit: proposal_editor.Editor = lambda _, __: None
    batch: Batch = lambda _: "each"
    progress: Progress = no_progress
    pinned: PinnedEnforcement = "auto"
    reviewed: bool = True  # a person sees each proposal
    confirms: bool = True  # and says yes to what its card shows, which makes the examples there their own
    own: bool = False  # the words are the person's, who types them now
    onto: ChangeTarget = HEAD
    asks: bool = True  # somebody is there, or said beforehand what the answer is
    backend: str = ""  # who is asked to read for us, "" is as the settings say
    offline: bool = False  # nobody is asked, whatever the settings say
    looks_back: bool = True  # each card says what its rule finds of what is there
    waits: QueueFiles | None = None  # where the candidate waits, which another window may decide on meanwhile
    place: str = ""  # of the card among those that are shown: "card 3 of 23"
    rest: Rest = field(default_factory=Rest)


def number_cards(options: DecisionOptions, count: int) -> Iterator[DecisionOptions]:
    """For each of several cards the options with its place among them."""
    return (replace(options, place=f"card {number} of {count}" * (count > 1)) for number in range(1, count + 1))


@dataclass(frozen=True, slots=True)
class Decision:
    """The decision about one candidate."""

    answer: str  # accept, reject, later, known where nothing is new, or gone where it waits no more
    proposal: Proposal | None = None
    commit: str = ""
    doubt: str = ""

    @property
    def data(self) -> dict[str, Any]:
        """The decision for programs."""
        data = proposal_card.encode_proposal(self.proposal) if self.proposal else {}
        return {"answer": self.answer, "commit": self.commit, "doubt": self.doubt, **data}


def with_doubts(
    options: DecisionOptions, backtest: Backtest, doubtful: Callable[[Proposal, str], bool]
) -> tuple[DecisionOptions, Backtest]:
    """The options and the backtest, where a yes for all leaves to a person what is ``doubtful`` by its backtest."""
    past = ""

    def seen(book: Rulebook, rule: Rule) -> str:
        nonlocal past
        past = backtest(book, rule)
        return past

    def answer(proposal: Proposal) -> str:
        own = options.answer(proposal)
        return "later" if own == "accept" and doubtful(proposal, past) else own

    return replace(options, answer=answer), seen


def decide_candidate(
    top: Path, item: WaitingCandidate, options: DecisionOptions, echo: Echo, backtest: Backtest, *,
    against: Sequence[OpposingRule] = (), ruling: Ruling = resolve_candidate,
) -> list[Decision]:  # fmt: skip
    """Show what a candidate would become, ask, and write; several corrections in it are decided one by one."""
    if options.rest.deferred:
        return [_defer(top, item, options)]
    book = rulebook_commit.load_target_rulebook(top, options.onto)
    item = item.with_pairs([pair for pair in item.pairs if not is_known_evidence(book, pair[0])])
    if not item.sessions:
        waiting_candidates.remove_decided(top, item.candidate)
        return [Decision("known")]
    parts = separate_wishes(book, item, ruling)
    if not parts:
        return [_decide_one(OpenDecision(top, book, item, options, tuple(against), ruling), echo, backtest)]
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


def separate_wishes(book: Rulebook, item: WaitingCandidate, ruling: Ruling) -> list[WaitingCandidate]:
    """The corrections in a candidate, each as its own; [] where there is only one."""
    found: list[WaitingCandidate] = []
    many = False
    for one, session in item.pairs:
        said = ruling(one, book)
        many = many or said.decision == "SPLIT"
        wishes = said.parts if said.decision == "SPLIT" else (one,)
        found += [replace(item, candidate=part, sessions=(session,)) for part in wishes]
    return merge_repeats(found) if many else []


@dataclass(frozen=True, slots=True)
class OpenDecision:
    """A candidate to decide, with the rulebook and the options."""

    top: Path
    book: Rulebook
    item: WaitingCandidate
    options: DecisionOptions
    against: tuple[OpposingRule, ...]
    ruling: Ruling

    def proposal(self, said: Resolution | None = None) -> Proposal:
        """The proposal for the candidate, or for the resolution that a person chose."""
        said = said or self.ruling(self.item.candidate, self.book)
        pinned = self.options.pinned if self.options.pinned != "auto" else self.item.pinned
        found = proposal_builder.build_proposal(
            self.item.candidate, self.book, self.top, self.item.sessions, pinned=pinned, resolution=said
        )
        return replace(found, against=(*found.against, *self.against))

    def edited(self, proposal: Proposal, text: str) -> Proposal:
        """The proposal as a person edited it, proved; RulecError with what is wrong with it."""
        return proposal_editor.read_edited(proposal, self.book, partial(self._prove, proposal), text)

    def edit(self, proposal: Proposal, echo: Echo) -> Proposal:
        """The proposal as the person leaves it in their editor."""
        return proposal_editor.edit_proposal(
            proposal, self.book, partial(self._prove, proposal), self.options.edit, echo,
            before=self.text_before(proposal),
        )  # fmt: skip

    def text_before(self, proposal: Proposal) -> str:
        """The text of the file that the proposal would rewrite, "" where it makes a new one."""
        old = proposal.old if proposal.resolution.decision == "UPDATE" else None
        if old is None:
            return ""
        return rulebook_commit.target_file_text(self.top, self.options.onto, file_paths.rule_path(old.slug))

    def _prove(self, proposal: Proposal, rule: Rule) -> Proof:
        looser = proposal.resolution.manner == "looser"  # what happened before it is no offence any more
        return rule_proof.prove_with_tools(
            self.book, rule, self.top, None if looser else replay.merge_sessions(self.item.sessions, 0), edges=True
        )

    def made(self, proposal: Proposal) -> Revision:
        """What accepting the proposal writes."""
        options = self.options
        seen = _with_confirmed_examples(proposal) if options.confirms and options.reviewed else proposal
        return proposal_builder.accepted_revision(seen, reviewed=options.reviewed or options.own, at=clock.now())

    def context(
        self, proposal: Proposal, made: Revision, past: str = "", there: ExistingFindings | None = None
    ) -> proposal_card.CardContext:
        """What a card shows in addition to its proposal; ``past`` and ``there`` are what it would have found."""
        candidate, book = self.item.candidate, self.book
        there = replace(there or ExistingFindings(), said_in=len(sessions_of_candidate(candidate)))
        much = f"it would have refused many of the last commits: {past}" if REFUSES_OFTEN in past else there.held_back
        return proposal_card.CardContext(
            effect=acceptance.describe_effect(book, proposal, made),
            place=self.options.place,
            origin="" if candidate.correction or self.options.own else one_line.shorten(self.item.source),
            past="; ".join(filter(None, (past, there.line))),
            doubt=acceptance.why_doubtful(book, proposal, made) or much,
            audiences=acceptance.audiences_of(book, proposal.rule, self.top) if proposal.proof else (),
        )

    def look_back(self, proposal: Proposal, backtest: Backtest) -> tuple[str, ExistingFindings]:
        """What the rule would have refused, and what it finds of what is there."""
        if not proposal.proof:
            return "", ExistingFindings()
        return backtest(self.book, proposal.rule), find_existing(self.top, self.book, proposal.rule)

    def still_waits(self) -> bool:
        """Whether nobody decided on it meanwhile."""
        return self.options.waits is None or self.options.waits.remain()


def _decide_one(case: OpenDecision, echo: Echo, backtest: Backtest) -> Decision:
    top, options = case.top, case.options
    proposal = case.proposal()
    while True:
        made = case.made(proposal)
        seen = case.look_back(proposal, backtest) if options.looks_back else ("", None)
        context = case.context(proposal, made, *seen)
        echo(proposal_card.render_card(proposal, context))
        answer = "later" if context.doubt and not options.reviewed else _ask(case, proposal, echo)
        if answer == "edit":
            edit = partial(case.edit, proposal, echo)
            proposal, same = rulebook_commit.ask_unlocked(top, options.onto, edit)
            answer = answer if same else CHANGED
        if answer == "quit":
            options.rest.deferred, answer = True, "later"
        if not case.still_waits():
            echo(f"  -> {GONE}\n")
            return Decision("gone", proposal)
        if answer == CHANGED:
            echo("  the rules were changed meanwhile, so here it is again:\n")
            again = replace(case, book=rulebook_commit.load_target_rulebook(top, options.onto))
            return _decide_one(again, echo, backtest)
        if answer == "new" and proposal.old:
            proposal = case.proposal(proposal_builder.resolve_as_new(proposal.resolution))
        elif answer == "accept" and proposal.obstacle:
            echo(f"  -> not written: {proposal.obstacle}")
            answer = "later"
            break
        elif answer != "edit":
            break
    commit, message = processes.finish_despite_interrupt(lambda: _carry_out(case, answer, proposal, made))
    echo(message)
    return Decision(answer, proposal, commit, context.doubt)


GONE = "it waits no more as it was shown: somebody decided on it meanwhile; nothing was written"
CHANGED = "changed"  # no answer: another command wrote rules while the person was asked


def _ask(case: OpenDecision, proposal: Proposal, echo: Echo) -> str:
    """The person's answer; other commands may write while they think."""

    def ask() -> str:
        while (answer := case.options.answer(proposal)) == "details":
            echo(proposal_card.card_details(proposal))
        return answer

    answer, same = rulebook_commit.ask_unlocked(case.top, case.options.onto, ask)
    return answer if same or answer in ("later", "quit", "reject") else CHANGED


def _with_confirmed_examples(proposal: Proposal) -> Proposal:
    """The proposal, with the examples on its card as the person's, where they were made from the check."""
    shown = proposal_card.shown_examples(proposal)

    def own(examples: Sequence[Example]) -> tuple[Example, ...]:
        return tuple(replace(one, source="person") if one.source == "template" and one in shown else one
                     for one in examples)  # fmt: skip

    rule = proposal.rule
    return replace(proposal, rule=replace(rule, invalid=own(rule.invalid), valid=own(rule.valid)))


def _carry_out(case: OpenDecision, answer: str, proposal: Proposal, made: Revision) -> tuple[str, str]:
    """Write, reject or keep a candidate; the id of the commit, and what to say."""
    top, item, options = case.top, case.item, case.options
    if answer == "accept":
        commit = commit_proposal(top, proposal, made, options.onto)
        waiting_candidates.remove_decided(top, item.candidate)
        return commit, f"  -> written: {rulebook_commit.describe_written(top, options.onto, commit)}\n"
    if answer != "reject":
        _later(top, item, options)
        return "", "  -> later: rulec review\n"
    if options.own:
        return "", "  -> nothing written\n"
    waiting_candidates.remember_rejection(top, item.candidate)
    waiting_candidates.remove_decided(top, item.candidate)
    return "", "  -> rejected, and not proposed again\n"


def _defer(top: Path, item: WaitingCandidate, options: DecisionOptions) -> Decision:
    """Leave one that was not shown for later, unless somebody decided on it meanwhile."""
    if options.waits and not options.waits.remain():
        return Decision("gone")
    _later(top, item, options)
    return Decision("later")


def _later(top: Path, item: WaitingCandidate, options: DecisionOptions) -> None:
    waiting_candidates.enqueue(top, replace(item, pinned=options.pinned) if options.pinned != "auto" else item)
