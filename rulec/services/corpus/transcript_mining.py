"""Mines the transcripts of one piece of a corpus without their repositories, and writes what it found as one shard."""

import hashlib
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from rulec.domain.outcome import ignore_tick
from rulec.domain.text.redaction import redact
from rulec.domain.transcript import Turn
from rulec.errors import RulecError
from rulec.infra import state
from rulec.infra.corpus import out_folder, shard_files
from rulec.infra.corpus.shard_files import Record
from rulec.infra.corpus.transcript_store import ListedTranscript, fetched_transcript
from rulec.infra.scratch_repositories import scratch_repository
from rulec.infra.transcript_files import read_head
from rulec.rulebook.rulebook import Rulebook
from rulec.sentences.names import Names
from rulec.services import session_transcripts
from rulec.services.corpus.corpus_piece import SCHEMA, CorpusPiece
from rulec.services.corpus.corpus_questions import AnswersOfTranscript, answers_to
from rulec.services.corpus.repository_names import plain_folder, plain_remote
from rulec.services.mining import candidate_search
from rulec.services.mining.candidate_search import FoundCandidates, SearchContext
from rulec.services.mining.earlier_runs import shortened_item
from rulec.services.proposals.waiting_candidates import WaitingCandidate, merge_repeats, redacted_item

MOST_NOTES = 5  # complaints about one transcript that are kept
_BLOCK = 1 << 20


class PieceCounts(NamedTuple):
    """What a worker says about its piece; all else is in the shard."""

    opened: int  # transcripts whose bytes were read
    size: int  # bytes of them
    seconds: float  # CPU


def mine_piece(piece: CorpusPiece) -> PieceCounts:
    """Mine every transcript of a piece; the shard appears once all of them are done, and replaces one of that name."""
    from time import process_time  # noqa: PLC0415 - what a piece costs is told, and decides nothing

    began, out = process_time(), Path(piece.out)
    with ExitStack() as stack:
        if not (out / out_folder.WORK).is_dir():
            where = str(out / out_folder.WORK)
            raise RulecError("a worker does not find this folder", where=where, hint=shard_files.SHARED_BY_ALL)
        how = SearchContext(Rulebook(), _never, _never, piece.reader, None, Names())
        top = _repository_when_needed(stack, out / out_folder.WORK)
        said = answers_to(piece) if piece.asked else {}
        records = []
        for one in piece.transcripts:
            heard = AnswersOfTranscript(said.get(one.key, {})) if piece.asked else None
            record = _record_of(piece.place, one, _MiningTools(replace(how, mining=heard), top))
            stamp = piece.stamp_of(one, by_model=bool(heard and heard.whole))
            records.append(record | {"stamp": "" if record["failed"] else stamp})  # what failed is tried again
        shard_files.write_lines(shard_files.shard_path(out, piece.name), records)
    size = sum(one.size for one in piece.transcripts)
    return PieceCounts(len(records), size, process_time() - began)


@dataclass(frozen=True, slots=True)
class _MiningTools:
    """How transcripts are read, and the empty repository in which checks are compiled and proved."""

    how: SearchContext
    top: Callable[[], Path]


def _never(_: object) -> bool:
    """Nobody has decided on anything yet: that is looked at when a repository takes its queue."""
    return False


def _repository_when_needed(stack: ExitStack, within: Path) -> Callable[[], Path]:
    made: list[Path] = []

    def top() -> Path:
        if not made:
            made.append(stack.enter_context(scratch_repository(within=within)).top)
        return made[0]

    return top


def _record_of(place: str, listed: ListedTranscript, tools: _MiningTools) -> Record:
    """What is learned of one transcript; whatever is wrong with it is a line of the record."""
    known: Record = {"schema": SCHEMA, "key": listed.key, "transcript": listed.shown, "bytes": listed.size}
    known |= {
        "digest": "",
        "remote": "",
        "folder": "",
        "beside": "",
        "human": 0,
        "lasting": 0,
        "failed": "",
        "notes": [],
        "items": [],
    }
    try:
        with fetched_transcript(place, listed.name) as path:
            return known | {"digest": _digest(path)} | _mined(path, listed, tools)
    except RulecError as error:
        why = error.message
    except OSError as error:
        why = f"cannot be read: {error.strerror or error}"
    except Exception as error:  # noqa: BLE001 - a bug of ours on one transcript must not stop ten thousand
        why = f"a bug of rulec, please report it: {type(error).__name__}: {error}"
    return known | {"failed": redact(" ".join(why.split()))}


def _digest(path: Path) -> str:
    found = hashlib.sha256()
    with path.open("rb") as file:
        while block := file.read(_BLOCK):
            found.update(block)
    return found.hexdigest()


def _mined(path: Path, listed: ListedTranscript, tools: _MiningTools) -> Record:
    found = FoundCandidates()
    candidate_search.search_transcript(found, path, tools.how, ignore_tick)
    items = [_kept_item(replace(one, source=listed.shown), found, tools) for one in merge_repeats(found.items)]
    reader = session_transcripts.find_reader(path, tools.how.reader_name)
    turns = (turn for turn in session_transcripts.read_turns(path, reader) if isinstance(turn, Turn))
    folder = next((turn.cwd for turn in turns if turn.cwd), "")
    return {
        "remote": plain_remote(reader.remote(read_head(path))),
        "folder": plain_folder(folder),
        "beside": plain_folder(f"/{PurePosixPath(listed.name).parent}").removeprefix("/"),
        "human": found.human,
        "lasting": found.durable,
        "notes": [redact(one.replace(str(path), listed.shown)) for one in found.complaints[:MOST_NOTES]],
        "items": items,
    }


def _kept_item(item: WaitingCandidate, found: FoundCandidates, tools: _MiningTools) -> Record:
    """A candidate as a shard keeps it: redacted; of one that is not shown and has no check only what is near."""
    proved = candidate_search.proof_holds(item, tools.how, tools.top()) if item.candidate.drafts else False
    shown = proved or candidate_search.is_said_plainly(item, found, tools.how)
    kept = [item] if shown or item.candidate.drafts else [shortened_item(item, one) for one, _ in item.pairs]
    plain = [state.plain_data(redacted_item(one)) for one in kept]
    return {"shown": shown, "proved": proved, "parts": plain}
