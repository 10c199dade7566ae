"""Brings together what all runs found in a corpus: the queue of each repository, and every wish for the report."""

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from rulec.errors import RulecError
from rulec.infra import state
from rulec.infra.corpus.corpus_store import CorpusStore
from rulec.resolving.grouping import Wish, wish_of
from rulec.services.corpus.queue_format import write_queue
from rulec.services.corpus.repository_names import file_name_of, remotes_of_folders, repository_of, shown_name
from rulec.services.proposals.candidate_identity import candidate_id, occurrences, sessions_of_candidate
from rulec.services.proposals.waiting_candidates import WaitingCandidate, merge_repeats

QUEUES = "queues"


@dataclass(frozen=True, slots=True, kw_only=True)
class RepositoryWish:
    """What one repository wishes, for the report."""

    repository: str
    slug: str
    wish: Wish
    quote: str
    sessions: int
    keys: tuple[str, ...]  # of the transcripts that hold it


@dataclass(slots=True)
class FoldedCorpus:
    """What is known after a run."""

    transcripts: int = 0  # that count: each content once
    twice: int = 0  # with a content that another one has
    human: int = 0
    lasting: int = 0
    failed: list[tuple[str, str]] = field(default_factory=list)  # and why
    repositories: dict[str, list[str]] = field(default_factory=dict)  # the keys of the transcripts of each
    counts: Counter[str] = field(default_factory=Counter)  # queues, waiting, proved and unread candidates
    wishes: list[RepositoryWish] = field(default_factory=list)
    readings: list[str] = field(default_factory=list)  # what was passed over in a transcript


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundItem:
    """What is kept of one candidate."""

    shown: bool  # it was said plainly, or proved
    proved: bool
    parts: tuple[WaitingCandidate, ...]


def fold_corpus(store: CorpusStore, listed: Collection[str], results: Path) -> FoldedCorpus:
    """Write the queue of each repository; only the candidates of one are held at a time.

    What is no longer ``listed`` was deleted or has another name now, and does not count.
    """
    found = FoldedCorpus()
    known = [one for one in store.transcripts() if one.key in listed]
    remotes = remotes_of_folders((one.folder, one.remote) for one in known)
    seen = set[str]()
    for one in known:
        if one.failed:
            found.failed.append((one.transcript, one.failed))
        elif one.digest in seen:
            found.twice += 1
        else:
            seen.add(one.digest)
            found.transcripts += 1
            found.human += one.human
            found.lasting += one.lasting
            found.readings += store.notes_of(one.key)
            found.repositories.setdefault(repository_of(one, remotes), []).append(one.key)
    found.failed.sort()
    found.readings.sort()
    (results / QUEUES).mkdir(mode=0o700)
    for repository, keys in sorted(found.repositories.items()):
        _fold_repository(store, found, repository, keys, results / QUEUES)
    return found


def _fold_repository(
    store: CorpusStore, folded: FoldedCorpus, repository: str, keys: Sequence[str], queues: Path
) -> None:
    shown, proved, places = set[str](), set[str](), dict[str, list[str]]()
    found: list[WaitingCandidate] = []
    for key, told in _found_items(store, keys):
        found += told.parts
        for name in {name for item in told.parts for name in _ids(item)}:
            places.setdefault(name, []).append(key)
            shown |= {name} if told.shown else set()
            proved |= {name} if told.proved else set()
    merged = merge_repeats(sorted(found, key=lambda item: item.source))  # in whichever order they were read
    waiting = [item for item in merged if _ids(item) & shown or len(sessions_of_candidate(item.candidate)) > 1]
    if waiting:
        write_queue(queues / f"{file_name_of(repository)}.json", shown_name(repository), len(keys), waiting)
    folded.counts += Counter(
        queues=int(bool(waiting)), waiting=len(waiting), proved=sum(bool(_ids(item) & proved) for item in waiting),
        unread=len(merged) - len(waiting),
    )  # fmt: skip
    for item in merged:
        said = item.candidate.correction
        where = dict.fromkeys(key for one in occurrences(item.candidate) for key in places[candidate_id(one)])
        folded.wishes.append(
            RepositoryWish(
                repository=shown_name(repository), slug=item.candidate.rule.slug, wish=wish_of(item.candidate),
                quote=said.quote if said else "", sessions=len(sessions_of_candidate(item.candidate)),
                keys=tuple(where),
            )
        )  # fmt: skip


def first_item(store: CorpusStore, wish: RepositoryWish) -> WaitingCandidate:
    """The candidate of a wish, without its repeats."""
    return next(
        replace(item, candidate=replace(one, repeats=()), sessions=(session,))
        for _, told in _found_items(store, wish.keys)
        for item in told.parts
        for one, session in item.pairs
        if wish_of(one) == wish.wish
    )


def _found_items(store: CorpusStore, keys: Sequence[str]) -> Iterator[tuple[str, FoundItem]]:
    """What was found in some transcripts, each item with the key of its transcript."""
    for key in keys:
        for record in store.items_of(key):
            yield key, _read_item(record)


def _read_item(record: object) -> FoundItem:
    try:
        found: FoundItem = state.build_dataclass(FoundItem, record)
        if all(len(item.sessions) == 1 + len(item.candidate.repeats) for item in found.parts):
            return found
        what = "sessions and repeats differ in number"
    except ValueError as error:
        what = str(error)
    hint = "delete the folder --out: all is read again"
    raise RulecError(f"what was found in a transcript is damaged: {what}", hint=hint)


def _ids(item: WaitingCandidate) -> set[str]:
    return {candidate_id(one) for one in occurrences(item.candidate)}
