"""What all runs know of a corpus: which transcripts were read, and what was found in each, by repository."""

from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Self

from rulec.errors import RulecError
from rulec.infra.corpus import out_folder, shard_files
from rulec.infra.corpus.shard_files import Record
from rulec.infra.engines.pieces import WorkerSettings
from rulec.infra.engines.run_pieces import run_pieces
from rulec.services.corpus.corpus_piece import SCHEMA
from rulec.services.corpus.repository_names import file_name_of, remotes_of_folders, repository_of, shown_name
from rulec.services.corpus.repository_queues import QueueCounts, RepositoryParts, fold_repositories

QUEUES, PARTS, WISHES = "queues", "parts", "wishes"
_HELD = 8 << 20  # bytes of found candidates that are held before they are written
_SHAPE: dict[str, type] = {
    **dict.fromkeys(("key", "transcript", "stamp", "digest", "remote", "folder", "beside", "failed"), str),
    **dict.fromkeys(("human", "lasting"), int),
    **dict.fromkeys(("notes", "items"), list),
}  # of a record, as far as it is read
_TOGETHER = 8  # repositories that one worker folds at a time


@dataclass(slots=True)
class FoldedCorpus:
    """What is known after a run."""

    transcripts: int = 0  # that count: each content once
    twice: int = 0  # with a content that another one has
    human: int = 0
    lasting: int = 0
    failed: list[tuple[str, str]] = field(default_factory=list)  # and why
    repositories: Counter[str] = field(default_factory=Counter)  # how many transcripts of each
    counts: QueueCounts = field(default_factory=lambda: QueueCounts(0, 0, 0, 0))
    wishes: list[Path] = field(default_factory=list)  # files of wishes
    readings: list[str] = field(default_factory=list)  # what was passed over in a transcript


def known_stamps(out: Path) -> dict[str, str]:
    """The stamp of each transcript when it was last read."""
    return {record["key"]: record["stamp"] for _, record in _records(out)}


def _records(out: Path) -> Iterator[tuple[Path, Record]]:
    for path in shard_files.shard_paths(out):
        for record in shard_files.read_shard(path, _SHAPE, SCHEMA):
            yield path, record


def fold_corpus(out: Path, listed: Collection[str], results: Path, how: WorkerSettings) -> FoldedCorpus:
    """Bring together what was found, repository by repository; candidates go through files and not through memory.

    What is no longer ``listed`` was deleted or has another name now, and does not count.
    """
    last: dict[str, tuple[Path, str]] = {}  # of each transcript where it is told of, and the digest of its content
    folders: list[tuple[str, str]] = []
    for path, record in _records(out):
        if record["key"] not in listed:
            continue
        last[record["key"]] = path, record["digest"]
        folders += [(record["folder"], record["remote"])] if record["remote"] else []
    first = {digest: key for key, (_, digest) in sorted(last.items(), reverse=True)}  # whichever was read first
    found = FoldedCorpus()
    work = out / out_folder.WORK
    for folder in (results / QUEUES, work / PARTS, work / WISHES):
        folder.mkdir(mode=0o700)
    with _PartsWriter(work / PARTS) as parts:
        remotes = remotes_of_folders(dict.fromkeys(folders))
        for path, record in _records(out):
            if last.get(record["key"], (None,))[0] != path:
                continue  # it has changed since, or is gone
            if record["failed"]:
                found.failed.append((record["transcript"], record["failed"]))
            elif first[record["digest"]] != record["key"]:
                found.twice += 1
            else:
                _count(found, record, repository := repository_of(record, remotes))
                parts.add(file_name_of(repository), record["items"])
    plans = [_parts_of(name, many, results, work) for name, many in sorted(found.repositories.items())]
    some = [tuple(plans[at : at + _TOGETHER]) for at in range(0, len(plans), _TOGETHER)]
    _fold_all(found, some, how)
    found.failed.sort()
    found.readings.sort()
    found.wishes = [Path(one.wishes) for one in plans]
    return found


def _count(found: FoldedCorpus, record: Record, repository: str) -> None:
    found.transcripts += 1
    found.human += record["human"]
    found.lasting += record["lasting"]
    found.repositories[repository] += 1
    found.readings += record["notes"]


def _parts_of(repository: str, many: int, results: Path, work: Path) -> RepositoryParts:
    name = file_name_of(repository)
    results, work = results.resolve(), work.resolve()  # a worker may stand elsewhere
    return RepositoryParts(
        repository=shown_name(repository),
        transcripts=many,
        parts=str(work / PARTS / f"{name}.jsonl"),
        queue=str(results / QUEUES / f"{name}.json"),
        wishes=str(work / WISHES / f"{name}.jsonl"),
    )


def _fold_all(found: FoldedCorpus, some: list[tuple[RepositoryParts, ...]], how: WorkerSettings) -> None:
    """Let workers fold the repositories; one of few is folded here, without the start of any."""
    if len(some) == 1:
        found.counts = fold_repositories(some[0])
        return
    ends = list(run_pieces(fold_repositories, some, how)) if some else []
    for end in ends:
        if end.value is None:
            what = f"{end.deaths} workers were killed while they folded {some[end.number][0].repository}"
            raise RulecError(what, hint="see the memory of the machine; what was read is kept")
    values = [QueueCounts(*end.value) for end in ends]
    found.counts = QueueCounts(*map(sum, zip(*values, strict=True))) if values else found.counts


class _PartsWriter:
    """Writes found candidates into one file a repository, many at a time."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.size = folder, 0
        self.held: dict[str, list[Record]] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._write()

    def add(self, name: str, items: list[Record]) -> None:
        """Add what was found in one transcript."""
        self.held.setdefault(name, []).extend(items)
        self.size += len(str(items))
        if self.size > _HELD:
            self._write()

    def _write(self) -> None:
        for name, items in self.held.items():
            shard_files.append_lines(self.folder / f"{name}.jsonl", items)
        self.held, self.size = {}, 0
