"""rulec ingest --queue: what rulec mine-corpus found for a repository goes into its own queue, for rulec review."""

from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path

from rulec import registry
from rulec.domain.outcome import Outcome
from rulec.errors import RulecError
from rulec.infra.rulebooks import rulebook_files
from rulec.reports.wording import count_of
from rulec.services.asking import reader_drafts
from rulec.services.asking.exchange_run import ExchangeRun
from rulec.services.asking.repository_profile import names_in
from rulec.services.corpus.queue_format import TO_PROVE, holds_own_program, read_queue
from rulec.services.mining.candidate_search import SearchContext
from rulec.services.mining.transcript_questions import open_mining
from rulec.services.proposals import waiting_candidates
from rulec.services.proposals.candidate_decision import DecisionOptions, Echo
from rulec.services.proposals.proposal_builder import resolve_candidate
from rulec.services.proposals.waiting_candidates import WaitingCandidate, with_actions


def take_queue(top: Path, path: Path, options: DecisionOptions, echo: Echo) -> Outcome:
    """Let every candidate wait that nobody here has decided on; a model that is named writes checks where none is."""
    if options.backend and registry.backend(options.backend).waits:
        hint = "name an API or an agent's CLI, or write checks with rulec propose"
        raise RulecError(f"{options.backend} waits for answers in files", where="--backend", hint=hint)
    queue = read_queue(path)
    fresh, known, foreign = _new_items(top, queue.items)
    new = waiting_candidates.with_room(top, fresh)  # before a model is paid for checks of the others
    left = len(fresh) - len(new)
    lines: list[str] = []
    with open_mining(top, ExchangeRun(), replace(options, offline=not options.backend), echo, nullcontext()) as mining:
        if mining and new:
            book = rulebook_files.load_rulebook(top)
            drafted = reader_drafts.draft_checks(
                top, book, list(map(with_actions, new)), mining.chat, resolve_candidate
            )
            new = [*drafted.items, *drafted.held]
            lines = list(filter(None, (*drafted.notes, mining.chat.spent())))
    added = sum(waiting_candidates.enqueue_changed(top, item) for item in new)
    known += len(new) - added
    lines.insert(
        0, f"{count_of(len(queue.items), 'candidate')} of {queue.repository}: {added} taken, {known} known already"
    )
    lines += [f"{foreign} left out: a check of theirs is a program of its own, which a file may not bring"] * bool(
        foreign
    )
    full = f"{waiting_candidates.MOST} proposals wait, and no more may; decide, then take this file again"
    lines += [f"{left} left out: {full}"] * bool(left)
    lines += [f"{TO_PROVE}; rulec review does that", waiting_candidates.describe_waiting(added, asks=True)] * bool(
        added
    )
    return Outcome("\n".join(lines), data={"taken": added, "known": known, "left_out": foreign, "no_room": left})


def _new_items(top: Path, items: tuple[WaitingCandidate, ...]) -> tuple[list[WaitingCandidate], int, int]:
    """The candidates of which something is undecided, how many are decided, and how many bring a program."""
    book = rulebook_files.load_rulebook(top)
    here = SearchContext(
        book, waiting_candidates.rejection_test(top), waiting_candidates.read_by_model(top), "", None, names_in(top)
    )
    allowed = [item for item in items if not holds_own_program(item)]
    left = [item.with_pairs([pair for pair in item.pairs if here.new(pair[0])]) for item in allowed]
    new = [item for item in left if item.sessions]
    return new, len(allowed) - len(new), len(items) - len(allowed)
