"""Folds what was found in the transcripts of a repository into its queue, and notes its wishes for the report."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

from rulec.errors import RulecError
from rulec.infra import state
from rulec.infra.corpus import shard_files
from rulec.infra.corpus.shard_files import Record
from rulec.resolving.grouping import wish_of
from rulec.services.corpus.queue_format import write_queue
from rulec.services.proposals.candidate_identity import candidate_id, occurrences, sessions_of_candidate
from rulec.services.proposals.waiting_candidates import WaitingCandidate, merge_repeats


@dataclass(frozen=True, slots=True, kw_only=True)
class RepositoryParts:
    """Where the found candidates of one repository lie, and how many transcripts it has."""

    repository: str
    parts: str  # the file of what was found
    queue: str  # the file of its queue
    wishes: str  # the file of its wishes
    transcripts: int


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundItem:
    """What a shard keeps of one candidate."""

    shown: bool  # it was said plainly, or proved
    proved: bool
    parts: tuple[WaitingCandidate, ...]


class QueueCounts(NamedTuple):
    """What became of the wishes of some repositories."""

    queues: int
    waiting: int  # candidates in queues
    proved: int  # of them with a check that held in its session
    unread: int  # wishes that look like corrections and no more


def fold_repositories(some: Iterable[RepositoryParts]) -> QueueCounts:
    """Write the queue and the wishes of each repository."""
    counts = list(map(_fold_repository, some))
    return QueueCounts(*map(sum, zip(*counts, strict=True))) if counts else QueueCounts(0, 0, 0, 0)


def _fold_repository(one: RepositoryParts) -> QueueCounts:
    shown, proved = set[str](), set[str]()
    found: list[WaitingCandidate] = []
    for record in shard_files.read_lines(Path(one.parts)):
        told = _found_item(record)
        for item in told.parts:
            found.append(item)
            names = {candidate_id(each) for each in occurrences(item.candidate)}
            shown |= names if told.shown else set()
            proved |= names if told.proved else set()
    merged = merge_repeats(sorted(found, key=lambda item: item.source))  # in whichever order they were read
    waiting = [item for item in merged if _ids(item) & shown or len(sessions_of_candidate(item.candidate)) > 1]
    if waiting:
        write_queue(Path(one.queue), one.repository, one.transcripts, waiting)
    Path(one.wishes).unlink(missing_ok=True)  # of a worker that was killed on it
    shard_files.append_lines(Path(one.wishes), (_wish_record(one.repository, item) for item in merged))
    sure = sum(bool(_ids(item) & proved) for item in waiting)
    return QueueCounts(int(bool(waiting)), len(waiting), sure, len(merged) - len(waiting))


def _found_item(record: Record) -> FoundItem:
    try:
        found: FoundItem = state.build_dataclass(FoundItem, record)
        if all(len(item.sessions) == 1 + len(item.candidate.repeats) for item in found.parts):
            return found
        what = "sessions and repeats differ in number"
    except ValueError as error:
        what = str(error)
    hint = "delete the folder shards in --out: all is read again"
    raise RulecError(f"what was found in a transcript is damaged: {what}", hint=hint)


def _ids(item: WaitingCandidate) -> set[str]:
    return {candidate_id(one) for one in occurrences(item.candidate)}


def _wish_record(repository: str, item: WaitingCandidate) -> Record:
    """What the report compares, and the candidate without its repeats."""
    wish, said = wish_of(item.candidate), item.candidate.correction
    return {
        "repository": repository,
        "slug": item.candidate.rule.slug,
        "statement": wish.statement,
        "named": wish.named,
        "check": wish.check,
        "quote": said.quote if said else "",
        "sessions": sorted(sessions_of_candidate(item.candidate)),
        "item": state.plain_data(_alone(item)),
    }


def _alone(item: WaitingCandidate) -> WaitingCandidate:
    return replace(item, candidate=replace(item.candidate, repeats=()), sessions=item.sessions[:1])
