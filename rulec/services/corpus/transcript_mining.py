"""Mines some transcripts of a corpus without their repositories: what a worker is given, and gives back."""

import hashlib
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from typing import Any, NamedTuple

from rulec import __version__
from rulec.domain.outcome import ignore_tick
from rulec.domain.text.redaction import redact
from rulec.domain.transcript import Turn
from rulec.errors import RulecError
from rulec.infra import state
from rulec.infra.corpus.corpus_store import MinedRecord, MinedTranscript
from rulec.infra.corpus.transcript_store import ListedTranscript, fetched_transcript
from rulec.infra.scratch_repositories import scratch_repository
from rulec.infra.transcript_files import read_head
from rulec.rulebook.rulebook import Rulebook
from rulec.sentences.names import Names
from rulec.services import session_transcripts
from rulec.services.corpus.repository_queues import plain_folder, plain_remote
from rulec.services.mining import candidate_search
from rulec.services.mining.candidate_search import FoundCandidates, SearchContext
from rulec.services.mining.earlier_runs import shortened_item
from rulec.services.proposals.waiting_candidates import WaitingCandidate, merge_repeats, redacted_item

MOST_NOTES = 5  # complaints about one transcript that are kept


@dataclass(frozen=True, slots=True, kw_only=True)
class CorpusPiece:
    """All that a worker needs to mine some transcripts, for it may run on another machine."""

    place: str
    scratch: str = ""  # a folder for unfinished work, which whoever runs it deletes; "" for any
    reader: str = ""
    transcripts: tuple[ListedTranscript, ...] = ()

    def stamp_of(self, one: ListedTranscript) -> str:
        """What changes when a transcript does, or the way in which it is read."""
        return f"{one.stamp} {self.reader or 'any'} {__version__}"


class MinedPiece(NamedTuple):
    """What a worker found."""

    records: list[MinedRecord]  # one a transcript
    seconds: float  # CPU


def mine_piece(piece: CorpusPiece) -> MinedPiece:
    """Mine every transcript of a piece."""
    from time import process_time  # noqa: PLC0415 - what a piece costs is told, and decides nothing

    began = process_time()
    with ExitStack() as stack:
        how = SearchContext(Rulebook(), _never, _never, piece.reader, None, Names())
        top = _repository_when_needed(stack, Path(piece.scratch) if piece.scratch else None)
        records = []
        for one in piece.transcripts:
            record = _record_of(piece.place, one, _MiningTools(how, top))
            if not record.about.failed:  # what failed is tried again
                record = replace(record, about=replace(record.about, stamp=piece.stamp_of(one)))
            records.append(record)
    return MinedPiece(records, process_time() - began)


@dataclass(frozen=True, slots=True)
class _MiningTools:
    """How transcripts are read, and the empty repository in which checks are compiled and proved."""

    how: SearchContext
    top: Callable[[], Path]


def _never(_: object) -> bool:
    """Nobody has decided on anything yet: that is looked at when a repository takes its queue."""
    return False


def _repository_when_needed(stack: ExitStack, within: Path | None) -> Callable[[], Path]:
    made: list[Path] = []

    def top() -> Path:
        if not made:
            made.append(stack.enter_context(scratch_repository(within=within)).top)
        return made[0]

    return top


def _record_of(place: str, listed: ListedTranscript, tools: _MiningTools) -> MinedRecord:
    """What is learned of one transcript; whatever is wrong with it is a line of the record."""
    known = MinedTranscript(key=listed.key, transcript=listed.shown)
    try:
        with fetched_transcript(place, listed.name) as path, path.open("rb") as file:
            return _mined(replace(known, digest=hashlib.file_digest(file, "sha256").hexdigest()), path, listed, tools)
    except RulecError as error:
        why = error.message
    except OSError as error:
        why = f"cannot be read: {error.strerror or error}"
    except Exception as error:  # noqa: BLE001 - a bug of ours on one transcript must not stop ten thousand
        why = f"a bug of rulec, please report it: {type(error).__name__}: {error}"
    return MinedRecord(about=replace(known, failed=redact(" ".join(why.split()))))


def _mined(known: MinedTranscript, path: Path, listed: ListedTranscript, tools: _MiningTools) -> MinedRecord:
    found = FoundCandidates()
    candidate_search.search_transcript(found, path, tools.how, ignore_tick)
    reader = session_transcripts.find_reader(path, tools.how.reader_name)
    turns = (turn for turn in session_transcripts.read_turns(path, reader) if isinstance(turn, Turn))
    about = replace(
        known,
        remote=plain_remote(reader.remote(read_head(path))),
        folder=plain_folder(next((turn.cwd for turn in turns if turn.cwd), "")),
        beside=plain_folder(f"/{PurePosixPath(listed.name).parent}").removeprefix("/"),
        human=found.human,
        lasting=found.durable,
    )
    return MinedRecord(
        about=about,
        notes=[redact(one.replace(str(path), listed.shown)) for one in found.complaints[:MOST_NOTES]],
        items=[_kept_item(replace(one, source=listed.shown), tools) for one in merge_repeats(found.items)],
    )


def _kept_item(item: WaitingCandidate, tools: _MiningTools) -> dict[str, Any]:
    """A candidate as it is kept: redacted; of one that is not shown and has no check only what is near."""
    proved = candidate_search.proof_holds(item, tools.how, tools.top()) if item.candidate.drafts else False
    shown = proved or candidate_search.is_said_plainly(item, tools.how)
    kept = [item] if shown or item.candidate.drafts else [shortened_item(item, one) for one, _ in item.pairs]
    return {"shown": shown, "proved": proved, "parts": [state.plain_data(redacted_item(one)) for one in kept]}
