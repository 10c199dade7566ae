"""rulec add: makes a rule, or changes one, from a person's sentence and the checks that they give."""

import shlex
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import BinaryIO

from rulec.compiling.artifacts import template_library
from rulec.domain.candidate import Candidate
from rulec.domain.outcome import Outcome
from rulec.domain.template import Template
from rulec.domain.text.one_line import to_one_line
from rulec.domain.text.redaction import redact
from rulec.drafting.candidates import typed_candidates, with_judge_alone
from rulec.drafting.drafter import MOST_NEAR, Drafter
from rulec.errors import RulecError
from rulec.rulebook.rulebook import Rulebook
from rulec.rulebook.yaml_text import YamlNode
from rulec.services import rulebook_commit
from rulec.services.asking import doubtful_resolutions, reader_drafts
from rulec.services.asking.repository_profile import drafter_for
from rulec.services.backtest.past_runs import commit_backtest, would_have_refused
from rulec.services.proposals import candidate_decision, proposal_builder, rule_offer
from rulec.services.proposals.candidate_decision import Decision, DecisionOptions, Echo
from rulec.services.proposals.rule_offer import CheckOptions, RuleOffer
from rulec.services.proposals.waiting_candidates import WaitingCandidate

SOURCE = "typed with rulec add"
TRY = "fix the check, or the example if that is wrong; rulec try shows each example's verdict"

GIVE = "give one that was wrong: --invalid 'npm install x', or --invalid '{file: a.py, content: …}'"


def add_sentence(top: Path, text: str, options: DecisionOptions, echo: Echo, *, judge: bool = False) -> Outcome:
    """Draft a rule from each wish of a text, prove its check on examples made from it, ask, write.

    With ``judge`` no template checks it, but a model.
    """
    if not text.strip():
        raise RulecError("the rule is empty", hint='say it in a sentence: rulec add "Use pnpm, not npm"')
    options = replace(options, own=True)
    drafting = drafter_for(top)
    candidates = typed_candidates(redact(text), drafting)
    candidates = tuple(map(with_judge_alone, candidates)) if judge else candidates
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
        return _add_outcome(top, options, done, _near_template_lines(top, drafting, done))


def add_with_checks(top: Path, text: str, given: CheckOptions, options: DecisionOptions, echo: Echo) -> Outcome:
    """A sentence with the checks and examples that a person said with it: they are proved, and no other is tried."""
    shelf = template_library(top)
    data = rule_offer.rule_from_options(text, given, lambda name: shelf.template(name, "rulec add"))
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
    with rulebook_commit.open_rulebook(top, options.onto) as book:
        rule = rule_offer.offered_rule(offer)
        rule = replace(rule, revision=1, supersedes=(), superseded_by="", retired="", origin="")
        candidate = rule_offer.offered_candidate(offer, rule, book, top)
        _require_holding_checks(candidate, book, top)
        item = WaitingCandidate(candidate=candidate, source=SOURCE)
        decided = candidate_decision.decide_candidate(top, item, options, echo, commit_backtest(top))
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


def _require_holding_checks(candidate: Candidate, book: Rulebook, top: Path) -> None:
    """Refuse checks that cannot be proved, with the example that fails."""
    if not candidate.drafts:
        raise RulecError("no check is given", where="rulec add", hint="rulec templates --catalogue lists what there is")
    proposal = proposal_builder.build_proposal(candidate, book, top)
    said, draft = proposal.resolution, candidate.drafts[0]
    if said.decision == "NOOP":
        old = proposal.old
        if old is not None and not set(map(str, draft.checks)) <= set(map(str, old.checks)):
            hint = f"change its check with rulec edit {old.slug}"
            raise RulecError(f"{old.slug} says that already, with another check", where="rulec add", hint=hint)
        return
    if not proposal.rule.checks or proposal.obstacle:
        failed = (*proposal.failed, proposal.obstacle, "its checks do not hold")
        hint = TRY if draft.invalid else GIVE
        raise RulecError(f"not written: {redact(next(filter(None, failed)))}", where="rulec add", hint=hint)


def _known_lines(top: Path, options: DecisionOptions, done: Sequence[tuple[Candidate, Decision]]) -> Iterator[str]:
    book = rulebook_commit.load_target_rulebook(top, options.onto)
    for candidate, one in done:
        if one.answer == "known":
            said = candidate.rule.statement.casefold()
            same = [rule.slug for rule in book.rules if rule.statement.casefold() == said]
            yield f"{', '.join(same)} says that already"


def _near_template_lines(top: Path, drafting: Drafter, done: Sequence[tuple[Candidate, Decision]]) -> Iterator[str]:
    """Where no check was found: the words that no template covers, templates that come near, and how to name one."""
    for candidate, one in done:
        if candidate.near and one.answer != "known" and not (one.proposal and one.proposal.rule.checks):
            words, first = drafting.unread(candidate.rule.statement)
            why = f"'{to_one_line(words)}' was not understood" if words else "no template covers the whole sentence"
            near = tuple(dict.fromkeys(filter(None, (first, *candidate.near))))[:MOST_NEAR]
            ways = [_template_usage(template_library(top).template(name)) for name in near]
            said = shlex.quote(to_one_line(candidate.rule.statement))
            shows = f"(rulec templates {near[0]} shows what it sees)"
            yield "\n  or ".join([f"no check: {why}; name one yourself: rulec add {said} {ways[0]} {shows}", *ways[1:]])


def _template_usage(template: Template) -> str:
    """The options that choose a template, with its required or first parameters."""
    needed = [one.name for one in template.parameters if one.required] or [template.parameters[0].name]
    return " ".join([f"--check {template.name}", *(f"--with {name}=…" for name in needed)])


def _waiting_lines(done: Sequence[tuple[Candidate, Decision]]) -> Iterator[str]:
    for _, one in done:
        if one.answer == "later" and one.doubt and one.proposal:
            yield f"not written, it waits for you: {one.proposal.resolution.line()} ({one.doubt}): rulec review"
