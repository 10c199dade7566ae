"""Brings together what all runs found in a corpus: the queue of each repository, and the wishes that several share.

A transcript belongs to a repository by its git remote, else by the session's folder, else by its own folder.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from urllib.parse import urlsplit

from rulec.domain.text.one_line import to_one_line
from rulec.domain.text.redaction import redact
from rulec.errors import RulecError
from rulec.infra import state
from rulec.infra.corpus.corpus_store import CorpusStore, MinedTranscript
from rulec.resolving.grouping import Wish, group_wishes, wish_of
from rulec.services.corpus.queue_files import write_queue
from rulec.services.proposals.candidate_identity import candidate_id, occurrences, sessions_of_candidate
from rulec.services.proposals.waiting_candidates import WaitingCandidate, merge_repeats

_BY_SCHEME = re.compile(r"(?P<host>[\w.-]+)(?::\d*)?/+(?P<path>\S+?)(?:\.git)?/*")
_BY_COLON = re.compile(r"(?P<host>[\w.-]{2,}):/*(?P<path>\S+?)(?:\.git)?/*")  # one letter is a drive of Windows
_LONGEST = 60  # characters of a file's name that say which repository it is


def plain_remote(address: str) -> str:
    """HOST/PATH of a git remote, the same for each way to reach it and without credentials; "" for anything else.

    Passwords may hold signs that no address should: whatever stands before the last "@" is dropped, and an address in
    which it is doubtful what that is has no name.
    """
    try:
        parts = urlsplit(address.strip())
    except ValueError:
        return ""
    if "@" in f"{parts.query}{parts.fragment}":
        return ""
    by_scheme = "://" in address
    whole = f"{parts.netloc}{parts.path}" if by_scheme else address.strip().partition("?")[0].partition("#")[0]
    found = (_BY_SCHEME if by_scheme else _BY_COLON).fullmatch(whole.rpartition("@")[2])
    return plain_folder(f"{found['host'].lower()}/{found['path'].strip('/')}") if found else ""


def plain_folder(folder: str) -> str:
    """A folder without secrets and the name of its person's home, and still no other's."""
    plain = redact(folder)
    return plain if plain == folder else f"{plain} ({state.digest_of_values([folder])[:8]})"


def remotes_of_folders(named: Iterable[tuple[str, str]]) -> dict[str, str]:
    """The remote that stands for a folder: the only one that sessions in that folder name."""
    found: dict[str, set[str]] = {}
    for folder, remote in named:
        if folder and remote:
            found.setdefault(folder, set()).add(remote)
    return {folder: next(iter(remotes)) for folder, remotes in found.items() if len(remotes) == 1}


def repository_of(one: MinedTranscript, remotes: Mapping[str, str]) -> str:
    """The repository of a transcript."""
    return one.remote or remotes.get(one.folder, one.folder) or f"transcripts in {one.beside}"


def file_name_of(repository: str) -> str:
    """A name for the files of a repository, which nobody else's has."""
    words = re.sub(r"[^A-Za-z0-9]+", "-", shown_name(repository)).strip("-")[-_LONGEST:].strip("-")
    return f"{words or 'repository'}-{state.digest_of_values([repository])[:8]}"


def shown_name(repository: str) -> str:
    """The repository as a person reads it: in a line, without secrets."""
    return to_one_line(redact(repository))


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


MOST_REPEATS = 12  # repositories whose words a shared candidate quotes
LEAST = 2  # repositories that make a wish a recurring one


@dataclass(frozen=True, slots=True)
class RecurringWish:
    """One wish of several repositories, in the words of the one that says it most."""

    first: RepositoryWish
    wishes: tuple[RepositoryWish, ...]
    repositories: Counter[str]  # in how many sessions of each

    @property
    def checked(self) -> bool:
        """Whether anybody's words gave a check."""
        return any(one.wish.check for one in self.wishes)


def find_recurring(wishes: Sequence[RepositoryWish]) -> list[RecurringWish]:
    """The wishes of two repositories or more, the most shared first.

    Equal words are one wish at once; of the others the sentence, the check and the name are compared.
    """
    same: dict[Wish, list[RepositoryWish]] = {}
    for said in wishes:
        same.setdefault(said.wish, []).append(said)
    groups: dict[int, list[list[RepositoryWish]]] = {}
    for one, group in zip(same.values(), group_wishes(list(same)), strict=True):
        groups.setdefault(group, []).append(one)
    found = []
    for some in groups.values():
        first = max(some, key=lambda one: (bool(one[0].wish.check), len({each.repository for each in one})))[0]
        every = tuple(one for each in some for one in each)
        counted = Counter[str]()
        for wish in every:
            counted[wish.repository] += wish.sessions
        if len(counted) >= LEAST:
            found.append(RecurringWish(first, every, counted))
    return sorted(found, key=lambda one: (-len(one.repositories), one.first.wish.statement))


def shared_item(store: CorpusStore, recurring: RecurringWish) -> WaitingCandidate:
    """One candidate with the words of some repositories as its repeats."""
    of_each = list({one.repository: one for one in reversed(recurring.wishes)}.values())[::-1]
    items = [first_item(store, one) for one in of_each[:MOST_REPEATS]]
    first = max(items, key=lambda item: (bool(item.candidate.drafts), bool(item.sessions[0])))
    pairs = [pair for item in (first, *(one for one in items if one is not first)) for pair in item.pairs]
    candidate = replace(first.candidate, repeats=tuple(one for one, _ in pairs[1:]))
    return replace(first, candidate=candidate, sessions=tuple(session for _, session in pairs))
