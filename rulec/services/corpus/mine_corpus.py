"""rulec mine-corpus: transcripts of many repositories -> one queue a repository, and what recurs across them."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from rulec import registry
from rulec.domain.outcome import Outcome, Progress
from rulec.errors import RulecError
from rulec.infra.corpus import out_folder, shard_files, transcript_store
from rulec.infra.corpus.transcript_store import ListedTranscript, Listing
from rulec.infra.engines import run_pieces
from rulec.infra.engines.pieces import WorkerSettings
from rulec.llm.conversation import Conversation
from rulec.services.corpus.corpus_piece import CorpusPiece
from rulec.services.corpus.corpus_questions import ask_about_corpus, open_chat, require_model
from rulec.services.corpus.corpus_report import ReadCounts, write_report
from rulec.services.corpus.known_transcripts import fold_corpus, known_stamps
from rulec.services.corpus.transcript_mining import PieceCounts, mine_piece
from rulec.services.proposals.candidate_decision import Echo

PIECE_BYTES = 4 << 20  # of transcripts that one worker is given at a time: what it loses when it is killed
PIECE_TRANSCRIPTS = 24  # transcripts, where they are small


@dataclass(frozen=True, slots=True, kw_only=True)
class CorpusOptions:
    """What a person chose."""

    out: Path
    how: WorkerSettings
    reader: str
    progress: Progress
    echo: Echo
    backend: str = ""  # the model that is asked about every transcript, "" for none
    bulk: bool = False


def mine_corpus(place: str, options: CorpusOptions) -> Outcome:
    """Read the transcripts that are new or changed, then write queues and report of all that are known."""
    run_pieces.require_engine(options.how)
    if options.bulk and not options.backend:
        raise RulecError("--bulk needs --backend", where="--bulk", hint="name one, such as --backend anthropic")
    if options.reader and options.reader not in registry.readers():
        raise RulecError(f"no reader {options.reader!r}", hint=f"known are {', '.join(registry.readers())}")
    transcript_store.check_place(place)
    out_folder.check_out(options.out, place)
    listing = transcript_store.list_transcripts(place)
    if not listing.transcripts:
        why = f" that can be listed ({listing.failed[0][1]})" if listing.failed else ""
        raise RulecError(f"holds no files{why}", where=place, hint="name the folder in which the transcripts lie")
    if options.backend:
        require_model(options.backend)
    run_pieces.require_cluster(options.how)
    with out_folder.hold_out(options.out, place):  # up to here nothing was written
        scratch = str((options.out / out_folder.WORK).resolve())
        options = replace(options, how=replace(options.how, scratch=scratch))
        counts = _read_new(place, listing, options, _chat_of(options))
        with out_folder.new_results(options.out) as results:
            names = {one.key for one in listing.transcripts}
            folded = fold_corpus(options.out, names, results, options.how)
            return write_report(results, options.out / out_folder.RESULTS, counts, folded)


def _chat_of(options: CorpusOptions) -> Conversation | None:
    """The conversation with the model that a person named; settings alone let nobody be asked ten thousand times."""
    if not options.backend:
        return None
    return open_chat(options.out, options.backend, options.progress, options.echo, bulk=options.bulk)


def _read_new(place: str, listing: Listing, options: CorpusOptions, chat: Conversation | None) -> ReadCounts:
    """Mine what is new or changed, in pieces; a piece on which workers died again, one transcript at a time."""
    known = known_stamps(options.out)
    counts = ReadCounts(listed=len(listing.transcripts), lost=list(listing.failed))
    run = shard_files.next_run(options.out)
    place = place if place.startswith(transcript_store.S3) else str(Path(place).resolve())
    model = f"{options.backend}/{chat.model}" if chat else ""
    base = CorpusPiece(place=place, out=str(options.out.resolve()), name="", reader=options.reader, model=model)
    fresh = [one for one in listing.transcripts if not base.knows(one, known.get(one.key, ""))]
    pieces = [replace(base, name=f"{run:06d}-{n:06d}", transcripts=some) for n, some in enumerate(_grouped(fresh))]
    if chat and pieces:
        pieces = [replace(piece, asked=piece.name) for piece in pieces]
        ask_about_corpus(pieces, chat, options.how)
        counts.asked = [line for line in (chat.spent(), chat.over.line if chat.over else "") if line]
    with options.progress(f"mining {len(fresh)} transcripts", sum(one.size for one in fresh)) as tick:
        left = _run_pieces(pieces, options.how, counts, tick)
        alone = [
            replace(piece, name=f"{piece.name}-{number:03d}", transcripts=(one,))
            for piece in left
            for number, one in enumerate(piece.transcripts)
        ]
        for piece in _run_pieces(alone, options.how, counts, tick):
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
    pieces: Sequence[CorpusPiece], how: WorkerSettings, counts: ReadCounts, tick: Callable[[int], Any]
) -> list[CorpusPiece]:
    """Run the pieces and count; those on which too many workers died."""
    left: list[CorpusPiece] = []
    if not pieces:
        return left
    with closing(run_pieces.run_pieces(mine_piece, pieces, how)) as ends:  # so that its workers end before we do
        for end in ends:
            piece = pieces[end.number]
            if end.value is None:
                left.append(piece)
                continue
            if not shard_files.shard_path(Path(piece.out), piece.name).is_file():
                raise RulecError("a worker writes elsewhere", where=piece.out, hint=shard_files.SHARED_BY_ALL)
            done = PieceCounts(*end.value)
            counts.opened += done.opened
            counts.size += done.size
            counts.seconds += done.seconds
            tick(done.size)
    return left
