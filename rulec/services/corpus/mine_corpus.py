"""rulec mine-corpus: transcripts of many repositories -> one queue a repository, and what recurs across them."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from rulec import registry
from rulec.domain.outcome import Outcome, Progress
from rulec.errors import RulecError
from rulec.infra.corpus import corpus_store, transcript_store, workers
from rulec.infra.corpus.corpus_store import CorpusStore
from rulec.infra.corpus.transcript_store import ListedTranscript, Listing
from rulec.infra.corpus.workers import WorkerSettings
from rulec.services.corpus.corpus_report import ReadCounts, write_report
from rulec.services.corpus.repository_queues import fold_corpus
from rulec.services.corpus.transcript_mining import CorpusPiece, mine_piece

PIECE_BYTES = 4 << 20  # of transcripts that one worker is given at a time: what it loses when it is killed
PIECE_TRANSCRIPTS = 24  # transcripts, where they are small


@dataclass(frozen=True, slots=True, kw_only=True)
class CorpusOptions:
    """What a person chose."""

    out: Path
    how: WorkerSettings
    reader: str
    progress: Progress


def mine_corpus(place: str, options: CorpusOptions) -> Outcome:
    """Read the transcripts that are new or changed, then write queues and report of all that are known."""
    workers.require_engine(options.how)
    if options.reader and options.reader not in registry.readers():
        raise RulecError(f"no reader {options.reader!r}", hint=f"known are {', '.join(registry.readers())}")
    transcript_store.check_place(place)
    corpus_store.check_out(options.out, place)
    listing = transcript_store.list_transcripts(place)
    if not listing.transcripts:
        why = f" that can be listed ({listing.failed[0][1]})" if listing.failed else ""
        raise RulecError(f"holds no files{why}", where=place, hint="name the folder in which the transcripts lie")
    workers.require_cluster(options.how)
    with corpus_store.hold_out(options.out, place) as store:  # up to here nothing was written
        scratch = str((options.out / corpus_store.WORK).resolve())
        options = replace(options, how=replace(options.how, scratch=scratch))
        counts = _read_new(place, listing, store, options)
        with store.new_results() as results:
            folded = fold_corpus(store, {one.key for one in listing.transcripts}, results)
            return write_report(store, results, options.out / corpus_store.RESULTS, counts, folded)


def _read_new(place: str, listing: Listing, store: CorpusStore, options: CorpusOptions) -> ReadCounts:
    """Mine what is new or changed, in pieces; a piece on which workers died again, one transcript at a time."""
    how, known = options.how, store.stamps()
    counts = ReadCounts(listed=len(listing.transcripts), lost=list(listing.failed))
    place = place if place.startswith(transcript_store.S3) else str(Path(place).resolve())
    base = CorpusPiece(place=place, reader=options.reader, scratch="" if how.cluster else how.scratch)
    fresh = [one for one in listing.transcripts if known.get(one.key) != base.stamp_of(one)]
    pieces = [replace(base, transcripts=some) for some in _grouped(fresh)]
    with options.progress(f"mining {len(fresh)} transcripts", sum(one.size for one in fresh)) as tick:
        left = _run_pieces(pieces, store, how, counts, tick)
        alone = [replace(piece, transcripts=(one,)) for piece in left for one in piece.transcripts]
        for piece in _run_pieces(alone, store, how, counts, tick):
            counts.killed += len(piece.transcripts)
            counts.lost += [(one.shown, "its worker was killed each time") for one in piece.transcripts]
    return counts


def _grouped(fresh: Iterable[ListedTranscript]) -> Iterator[tuple[ListedTranscript, ...]]:
    """The transcripts in their order, as many together as one worker is given."""
    group: list[ListedTranscript] = []
    size = 0
    for one in fresh:
        if group and (size + one.size > PIECE_BYTES or len(group) == PIECE_TRANSCRIPTS):
            yield tuple(group)
            group, size = [], 0
        group.append(one)
        size += one.size
    if group:
        yield tuple(group)


def _run_pieces(
    pieces: Sequence[CorpusPiece], store: CorpusStore, how: WorkerSettings, counts: ReadCounts,
    tick: Callable[[int], Any],
) -> list[CorpusPiece]:  # fmt: skip
    """Run the pieces, keep what they find, and count; those on which too many workers died."""
    left: list[CorpusPiece] = []
    if not pieces:
        return left
    with closing(workers.run_pieces(mine_piece, pieces, how)) as ends:  # so that its workers end before we do
        for end in ends:
            piece = pieces[end.number]
            if end.value is None:
                left.append(piece)
                continue
            records, seconds = end.value
            store.keep(records)
            counts.opened += len(records)
            counts.size += (size := sum(one.size for one in piece.transcripts))
            counts.seconds += seconds
            tick(size)
    return left
