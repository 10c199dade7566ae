"""Queues of candidates that were mined elsewhere: written to a file, read, and taken into a repository's own queue."""

import json
import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from rulec.checkout import private_files
from rulec.domain.candidate import Candidate
from rulec.domain.outcome import Outcome
from rulec.domain.rule import RAW_TEMPLATES, Rule
from rulec.errors import RulecError
from rulec.infra import state, text_files
from rulec.infra.rulebooks import rulebook_files
from rulec.reports.wording import count_of
from rulec.rulebook.rule_file import checked_slug
from rulec.services.asking.repository_profile import names_in
from rulec.services.mining.candidate_search import SearchContext
from rulec.services.proposals import waiting_candidates
from rulec.services.proposals.waiting_candidates import WaitingCandidate

SCHEMA = 1
LARGEST = 100_000_000  # bytes of a queue that is read
TO_PROVE = (
    "replayed in its session where that shows an action; still to prove in the repository that takes it: harmless "
    "files and commits of its tree, and how it stands to its rules"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class CandidateQueue:
    """The candidates of one repository, and what has been proved of them."""

    schema: int
    repository: str
    proof: str
    transcripts: int  # in which they were found, or which were read
    items: tuple[WaitingCandidate, ...] = ()


def write_queue(path: Path, repository: str, transcripts: int, items: Sequence[WaitingCandidate]) -> None:
    """Write the file; the items are redacted already."""
    queue = CandidateQueue(
        schema=SCHEMA, repository=repository, proof=TO_PROVE, transcripts=transcripts, items=tuple(items)
    )
    text_files.write_atomically(path, state.dump_dataclass(queue).encode("utf-8", "replace"), mode=0o600)


def read_queue(path: Path) -> CandidateQueue:
    """A queue that somebody wrote; RulecError where it is none."""
    hint = "name a file that rulec mine-corpus wrote, such as results/queues/NAME.json"
    data = private_files.read_file(str(path), LARGEST, links=True)
    if data is None:
        what = f"is no plain file of at most {LARGEST // 1_000_000} MB that can be read"
        raise RulecError(what if os.path.lexists(path) else "no such file", where=str(path), hint=hint)
    try:
        found: CandidateQueue = state.load_dataclass(CandidateQueue, data.decode())
    except (json.JSONDecodeError, ValueError) as error:
        raise RulecError(f"is no queue: {error}", where=str(path), hint=hint) from None
    if found.schema != SCHEMA:
        raise RulecError(f"has schema {found.schema}, not {SCHEMA}", where=str(path), hint=hint)
    for item in found.items:
        if len(item.sessions) != 1 + len(item.candidate.repeats):
            raise RulecError("is no queue: sessions and repeats differ in number", where=str(path), hint=hint)
        if any(one.repeats for one in item.candidate.repeats):
            raise RulecError("is no queue: a repeat has repeats of its own", where=str(path), hint=hint)
    return replace(found, items=tuple(_without_settings(item, str(path)) for item in found.items))


def _without_settings(item: WaitingCandidate, where: str) -> WaitingCandidate:
    """The item with what was found alone: how a rule is enforced, and what it spares, is for the repository to say."""

    def found(one: Candidate) -> Candidate:
        told, said = one.rule, one.correction
        for slug in (told.slug, *([said.slug] if said and said.slug else [])):
            checked_slug(slug, where)
        rule = Rule(
            slug=told.slug, statement=told.statement, rationale=told.rationale, category=told.category,
            severity=told.severity, when=told.when, do=told.do, scope=told.scope, invalid=told.invalid,
            valid=told.valid,
        )  # fmt: skip
        return replace(one, rule=rule, source=None)

    whole = found(item.candidate)
    whole = replace(whole, repeats=tuple(map(found, whole.repeats)))
    return WaitingCandidate(candidate=whole, sessions=item.sessions, source=item.source)


def holds_own_program(item: WaitingCandidate) -> bool:
    """Whether a check of it is a program or pattern in its own words, which a stranger's file must not bring."""
    every = (item.candidate, *item.candidate.repeats)
    return any(check.template in RAW_TEMPLATES for one in every for draft in one.drafts for check in draft.checks)


def take_queue(top: Path, path: Path) -> Outcome:
    """Rulec ingest --queue: every candidate that nobody here has decided on waits for rulec review."""
    queue = read_queue(path)
    fresh, known, foreign = _new_items(top, queue.items)
    new = waiting_candidates.with_room(top, fresh)
    left = len(fresh) - len(new)
    added = sum(waiting_candidates.enqueue_changed(top, item) for item in new)
    known += len(new) - added
    lines = [f"{count_of(len(queue.items), 'candidate')} of {queue.repository}: {added} taken, {known} known already"]
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
