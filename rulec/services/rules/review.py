"""rulec review: decides on the queue in batches; duplicates and contradictions follow each other."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from rulec.domain.outcome import Outcome
from rulec.domain.text import one_line
from rulec.errors import RulecError
from rulec.infra import clock, journal
from rulec.infra.rulebooks import rulebook_files
from rulec.reports import rule_lines
from rulec.resolving.grouping import contrary_candidates
from rulec.rulebook import example_file
from rulec.rulebook.rulebook import Rulebook
from rulec.services import rulebook_commit
from rulec.services.asking import doubtful_resolutions
from rulec.services.backtest.past_runs import commit_backtest
from rulec.services.proposals import (
    acceptance,
    candidate_decision,
    proposal_builder,
    proposal_card,
    rule_conflicts,
    waiting_candidates,
)
from rulec.services.proposals.candidate_decision import Decision, DecisionOptions, Echo
from rulec.services.proposals.candidate_identity import occurrences, sessions_of_candidate
from rulec.services.proposals.proposal_builder import OpposingRule, Proposal, Ruling
from rulec.services.proposals.waiting_candidates import WaitingCandidate, merge_repeats

BATCH = 5
NOTHING = "no proposal waits"


def review_all(top: Path, options: DecisionOptions, echo: Echo, complain: Echo) -> Outcome:
    """Ask about everything that waits, a batch at a time."""
    with journal.write_lock(top):
        book = rulebook_commit.load_target_rulebook(top, options.onto)
        items = _ordered_queue(top, complain)
        if not items:
            return Outcome("\n".join([NOTHING, *rule_conflicts.conflict_lines(book, top)]), data={})
        rulebook_commit.require_ready_to_write(top, options.onto)
        chat = doubtful_resolutions.review_conversation(top, book, options, echo)
        ruling = doubtful_resolutions.ask_and_report(book, [item.candidate for item in items], chat, echo).ruling
        doubtful_resolutions.close_conversation(top, chat, echo)
        done, backtest = list[Decision](), commit_backtest(top)
        undecided = list(items)
        files = [waiting_candidates.queue_files(top, item.candidate) for item in items]
        cards = candidate_decision.number_cards(options, len(items))
        for start in range(0, len(items), BATCH):
            batch = items[start : start + BATCH]
            place = f"{start + 1}-{start + len(batch)} of {len(items)}"
            own = _ask_about_batch(top, batch, place, options, echo, ruling=ruling)
            for item, waits in zip(batch, files[start:], strict=False):
                done += candidate_decision.decide_candidate(
                    top,
                    item,
                    replace(own, place=next(cards).place, waits=waits),
                    echo,
                    backtest,
                    against=_opposing_items(item, undecided),
                    ruling=ruling,
                )
                undecided.remove(item)
        return _review_outcome(top, done, options)


def list_waiting(top: Path, complain: Echo, *, whole: bool = False) -> Outcome:
    """Everything that waits, in a line or two each; ``whole`` adds the proofs, as data."""
    book = rulebook_files.load_rulebook(top)
    items = _ordered_queue(top, complain)
    conflicts = rule_conflicts.conflict_lines(book, top)
    if not items:
        return Outcome("\n".join([NOTHING, *conflicts]), data=[])
    hint = "to decide: rulec review in a terminal, or with --accept SLUG, --new SLUG or --reject SLUG"
    lines = [line for number, item in enumerate(items, 1) for line in _item_lines(number, book, item, items)]
    data = [_item_json(top, book, item, items) for item in items] if whole else []
    return Outcome("\n".join([*lines, *conflicts, hint]), data=data)


def decide_by_slug(
    top: Path, answers: Sequence[tuple[str, str]], options: DecisionOptions, echo: Echo, complain: Echo
) -> Outcome:
    """Decide by slug: pairs of a slug and accept, new or reject."""
    twice = next((slug for slug, times in Counter(slug for slug, _ in answers).items() if times > 1), "")
    if twice:
        raise RulecError(f"{twice} is named more than once", hint="name it in one option only")
    with rulebook_commit.open_rulebook(top, options.onto):
        items = _ordered_queue(top, complain)
        chosen = [(_item_by_slug(slug, items), answer) for slug, answer in answers]
        done, backtest = list[Decision](), commit_backtest(top)
        for item, answer in chosen:
            own = replace(
                options,
                answer=_answer_new if answer == "new" else _answer_always(answer),
                waits=waiting_candidates.queue_files(top, item.candidate),
            )
            done += candidate_decision.decide_candidate(
                top, item, own, echo, backtest, against=_opposing_items(item, items)
            )
        return _review_outcome(top, done, options)


def _review_outcome(top: Path, done: Sequence[Decision], options: DecisionOptions) -> Outcome:
    tally = Counter(one.answer for one in done)
    lines = [
        _count_line(top, tally),
        *rule_conflicts.conflict_lines(rulebook_commit.load_target_rulebook(top, options.onto), top),
        rulebook_commit.push_hint(top, options.onto),
    ]
    proposals = [one.data for one in done if one.proposal]
    return Outcome("\n".join(filter(None, lines)), data={**tally, "proposals": proposals})


def _ordered_queue(top: Path, complain: Echo) -> list[WaitingCandidate]:
    """Each correction once, followed by those that contradict it."""
    items = merge_repeats(waiting_candidates.load_waiting(top, complain).values())
    ordered: list[WaitingCandidate] = []
    for item in items:
        ordered += [one for one in (item, *_contraries(item, items)) if one not in ordered]
    return ordered


def _contraries(item: WaitingCandidate, items: Sequence[WaitingCandidate]) -> list[WaitingCandidate]:
    against = contrary_candidates(item.candidate, [one.candidate for one in items])
    return [one for one in items if one.candidate in against]


def _opposing_items(item: WaitingCandidate, items: Sequence[WaitingCandidate]) -> list[OpposingRule]:
    rules = [one.candidate.rule for one in _contraries(item, items)]
    return [OpposingRule(slug=rule.slug, statement=rule.statement, waits=True) for rule in rules]


def _ask_about_batch(
    top: Path,
    batch: Sequence[WaitingCandidate],
    place: str,
    options: DecisionOptions,
    echo: Echo,
    *,
    ruling: Ruling,
) -> DecisionOptions:
    """Ask whether to go card by card, or give one answer for the batch."""
    if len(batch) == 1 or options.rest.deferred:
        return options
    book = rulebook_commit.load_target_rulebook(top, options.onto)
    echo(f"{place} that wait:")
    for number, item in enumerate(batch, int(place.partition("-")[0])):
        echo("\n".join(_item_lines(number, book, item, batch, ruling)))
    answer, same = rulebook_commit.ask_unlocked(top, options.onto, lambda: options.batch(len(batch)))
    if answer == "later":
        return replace(options, rest=candidate_decision.Rest(deferred=True))
    return options if answer == "each" or not same else replace(options, answer=_answer_always(answer))


def _answer_new(proposal: Proposal) -> str:
    """Accept as a new rule, beside a similar one."""
    return "new" if proposal.old and proposal.resolution.new_slug else "accept"


def _answer_always(answer: str) -> Callable[[Proposal], str]:
    return lambda _: answer


def _item_lines(
    number: int,
    book: Rulebook,
    item: WaitingCandidate,
    items: Sequence[WaitingCandidate],
    ruling: Ruling = proposal_builder.resolve_candidate,
) -> Iterator[str]:
    candidate = item.candidate
    times = len(occurrences(candidate))
    said = candidate.correction
    quote = f'"{said.quote}"' if said else item.source
    places = len(sessions_of_candidate(candidate))
    often = f", said in {places} sessions" if places > 1 else f", {times} times" * (times > 1)
    often += ", worded by a model" * proposal_card.worded_by_model(candidate)
    yield f"{number:3}  {candidate.rule.slug}: {one_line.shorten(candidate.rule.statement)}"
    yield f"     {one_line.shorten(quote)}{often}"
    becomes = ruling(candidate, book)
    if becomes.decision != "NEW":
        yield f"     {one_line.shorten(proposal_card.resolution_line(becomes))}"
    yield from (
        f"     against {text}" for one in _opposing_items(item, items) for text in proposal_card.opposing_lines(one)
    )


def _item_json(top: Path, book: Rulebook, item: WaitingCandidate, items: Sequence[WaitingCandidate]) -> dict[str, Any]:
    """Everything on the card, as data."""
    candidate = item.candidate
    proposal = proposal_builder.build_proposal(candidate, book, top, item.sessions, pinned=item.pinned)
    made = proposal_builder.accepted_revision(proposal, reviewed=True, at=clock.now())
    proof = [f"{stage.name} {stage.detail or 'ok'}" for stage in proposal.proof.stages] if proposal.proof else []
    return {
        **proposal_card.encode_proposal(proposal),
        "slug": candidate.rule.slug,  # by which --accept knows it, whatever rule it becomes
        "statement": candidate.rule.statement,
        "category": candidate.rule.category,
        "severity": candidate.rule.severity,
        "quotes": [one.correction.quote for one in occurrences(candidate) if one.correction],
        "sessions": len(sessions_of_candidate(candidate)),
        "proof": proof,
        "examples": {
            "invalid": list(map(example_file.example_data, proposal.rule.invalid)),
            "valid": list(map(example_file.example_data, proposal.rule.valid)),
        },
        "does": acceptance.describe_effect(book, proposal, made),
        "doubt": acceptance.why_doubtful(book, proposal, made),
        "drafted": [rule_lines.check_line(check) for draft in candidate.drafts[:1] for check in draft.checks],
        "against": [one.candidate.rule.slug for one in _contraries(item, items)],
        "check_by_model": proposal_card.check_by_model(candidate, proposal.rule),
        "by_agent": candidate.by_agent,
        "source": item.source,
        "since": item.at,
    }


def _item_by_slug(slug: str, items: Sequence[WaitingCandidate]) -> WaitingCandidate:
    found = [item for item in items if item.candidate.rule.slug == slug]
    if not found:
        known = ", ".join(sorted({item.candidate.rule.slug for item in items})) or "none"
        raise RulecError(f"no {slug!r} waits for review", hint=f"waiting are: {known}")
    if len(found) > 1:
        raise RulecError(f"{len(found)} proposals are called {slug}", hint="decide on them one by one: rulec review")
    return found[0]


def _count_line(top: Path, tally: Counter[str]) -> str:
    words = {"accept": "accepted", "reject": "rejected", "later": "left for later", "known": "known already"}
    words["gone"] = "decided elsewhere"
    counted = ", ".join(f"{tally[key]} {word}" for key, word in words.items() if tally[key])
    return f"{counted}; {waiting_candidates.count_waiting(top)} in the queue"
