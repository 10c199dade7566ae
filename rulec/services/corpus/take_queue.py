"""rulec ingest --queue: what rulec mine-corpus found for a repository goes into its own queue, for rulec review."""

from pathlib import Path

from rulec.domain.outcome import Outcome
from rulec.infra.rulebooks import rulebook_files
from rulec.reports.wording import count_of
from rulec.services.asking.repository_profile import drafter_for
from rulec.services.corpus.queue_format import TO_PROVE, holds_own_program, read_queue
from rulec.services.mining.candidate_search import SearchContext
from rulec.services.proposals import waiting_candidates


def take_queue(top: Path, path: Path) -> Outcome:
    """Let every candidate wait that nobody here has decided on; nothing is proved or written before a person looks."""
    queue, book = read_queue(path), rulebook_files.load_rulebook(top)
    here = SearchContext(
        book, waiting_candidates.rejection_test(top), waiting_candidates.read_by_model(top), "", None, drafter_for(top)
    )
    taken = known = foreign = 0
    for item in queue.items:
        if holds_own_program(item):
            foreign += 1
            continue
        new = [pair for pair in item.pairs if here.new(pair[0])]
        added = bool(new) and waiting_candidates.enqueue_changed(top, item.with_pairs(new))
        taken += added
        known += not added
    lines = [f"{count_of(len(queue.items), 'candidate')} of {queue.repository}: {taken} taken, {known} known already"]
    lines += [f"{foreign} left out: a check of theirs is a program of its own, which a file may not bring"] * bool(
        foreign
    )
    lines += [f"{TO_PROVE}; rulec review does that", waiting_candidates.describe_waiting(taken, asks=True)] * bool(
        taken
    )
    return Outcome("\n".join(lines), data={"taken": taken, "known": known, "left_out": foreign})
