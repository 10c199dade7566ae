"""Mines some transcripts of a corpus without their repositories: what a worker is given, asks and gives back."""

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path, PurePosixPath
from typing import Any, NamedTuple

from rulec import __version__, registry
from rulec.checks import template_library
from rulec.domain.outcome import Progress, ignore_tick
from rulec.domain.prompt import ModelAnswer, ModelFailure, Prompt
from rulec.domain.text.redaction import redact
from rulec.domain.transcript import TranscriptFormat, Turn
from rulec.errors import RulecError
from rulec.infra import state
from rulec.infra.corpus import corpus_store
from rulec.infra.corpus.corpus_store import MinedRecord, MinedTranscript
from rulec.infra.corpus.transcript_store import ListedTranscript, fetched_transcript
from rulec.infra.git import git_session
from rulec.infra.scratch_repositories import scratch_repository
from rulec.infra.transcript_files import read_head
from rulec.llm.conversation import Conversation
from rulec.llm.model_settings import choose_models
from rulec.llm.prompt_safety import clean_prompt
from rulec.mining.mining_questions import (
    SESSION_LETTERS,
    TurnBundle,
    bundle_blocks,
    bundle_turns,
    turns_asked_about,
    write_mining_prompt,
)
from rulec.mining.moments import moments_of
from rulec.rulebook.rulebook import Rulebook
from rulec.sentences.names import Names
from rulec.services import session_transcripts
from rulec.services.asking import exchange_run
from rulec.services.corpus.repository_queues import plain_folder, plain_remote
from rulec.services.mining import candidate_search
from rulec.services.mining.candidate_search import FoundCandidates, SearchContext
from rulec.services.mining.earlier_runs import shortened_item
from rulec.services.mining.transcript_questions import TOGETHER, ReaderAnswers
from rulec.services.proposals.candidate_decision import DecisionOptions, Echo
from rulec.services.proposals.waiting_candidates import WaitingCandidate, merge_repeats, redacted_item

Answers = Mapping[int, Mapping[str, Any]]  # by after how many moments the turns begin that one is about
_UNANSWERED = ModelFailure(what="no answer came")  # so that rulec itself reads those turns


class CorpusQuestion(NamedTuple):
    """One question, without keys and secrets."""

    key: str  # of the transcript
    start: int
    prompt: Prompt


def write_questions(asked: tuple[str, str, tuple[ListedTranscript, ...]]) -> list[CorpusQuestion]:
    """The questions about some transcripts of a place, in a format or any; unreadable ones are reported elsewhere."""
    place, reader, transcripts = asked
    render, found = template_library.open_library().render, list[CorpusQuestion]()
    for one in transcripts:
        try:
            with fetched_transcript(place, one.name) as path:
                for some in _bundles(path, session_transcripts.find_reader(path, reader)):
                    prompt = clean_prompt(write_mining_prompt([bundle_blocks(some)], render))
                    found.append(CorpusQuestion(one.key, some.start, prompt))
        except (RulecError, OSError):
            continue
    return found


def _bundles(path: Path, reader: TranscriptFormat) -> Iterator[TurnBundle]:
    return bundle_turns(moments_of(session_transcripts.read_turns(path, reader)), {})


def require_model(backend: str) -> None:
    """Refuse a model that cannot be asked, before anything is written."""
    if registry.backend(backend).waits:
        hint = "name an API or an agent's CLI, such as --backend anthropic"
        raise RulecError(f"{backend} waits for answers in files", where="--backend", hint=hint)
    if lacks := registry.backend(backend).missing(choose_models(None, Rulebook(), backend)):
        raise RulecError(f"{backend} cannot be asked: {lacks}")


def open_chat(out: Path, backend: str, progress: Progress, echo: Echo) -> Conversation:
    """A conversation whose answers are kept beside the results, so that nothing is paid for twice."""
    top = out.resolve() / corpus_store.MODEL
    if not (top / ".git").is_dir():
        top.mkdir(mode=0o700, exist_ok=True)
        git_session.git_output(top, "init", "-q", "--template=")
    options = DecisionOptions(answer=lambda _: "later", progress=progress, backend=backend)
    return exchange_run.open_conversation(top, Rulebook(), options, echo)


def ask_questions(questions: Iterable[CorpusQuestion], chat: Conversation) -> dict[str, Answers]:
    """The answers by transcript: everything is asked in one conversation with one budget."""
    left = iter(questions)
    found: dict[str, dict[int, Mapping[str, Any]]] = {}
    while (some := list(islice(left, TOGETHER))) and not chat.over:
        for one, reply in zip(some, chat.ask([one.prompt for one in some]), strict=True):
            if isinstance(reply, ModelAnswer):
                found.setdefault(one.key, {})[one.start] = reply.data
    return dict(found)


@dataclass(slots=True)
class AnswersOfTranscript:
    """The answers about one transcript, checked against it."""

    answers: Answers
    whole: bool = True  # every question about it was answered with something that counts

    def said(self, path: Path, reader: TranscriptFormat) -> ReaderAnswers:
        """What the model said about its turns."""
        found = ReaderAnswers()
        for bundle in _bundles(path, reader):
            data = self.answers.get(bundle.start)
            reply = _UNANSWERED if data is None else ModelAnswer(data=data)
            found.add_reply(turns_asked_about(bundle, SESSION_LETTERS[0]), reply, "", waits=False)
        self.whole = not found.failed
        return found


MOST_NOTES = 5  # complaints about one transcript that are kept


@dataclass(frozen=True, slots=True, kw_only=True)
class CorpusPiece:
    """All that a worker needs to mine some transcripts, for it may run on another machine."""

    place: str
    scratch: str = ""  # a folder for unfinished work, which whoever runs it deletes; "" for any
    reader: str = ""
    model: str = ""  # BACKEND/MODEL, where one is asked about them
    answers: Mapping[str, Answers] = field(default_factory=dict)  # of the model, by transcript
    transcripts: tuple[ListedTranscript, ...] = ()

    def stamp_of(self, one: ListedTranscript, *, by_model: bool) -> str:
        """What changes when a transcript does, or the way in which it is read."""
        return f"{self._file_stamp(one)} {__version__} {self.model if by_model else ''}"

    def knows(self, one: ListedTranscript, stamp: str) -> bool:
        """Whether a reading with that stamp will do; who asks no model reads nothing worse than a model has."""
        if self.model:
            return stamp == self.stamp_of(one, by_model=True)
        by_model = stamp.startswith(f"{self._file_stamp(one)} ") and not stamp.endswith(" ")
        return by_model or stamp == self.stamp_of(one, by_model=False)

    def _file_stamp(self, one: ListedTranscript) -> str:
        return f"{one.stamp} {self.reader or 'any'}"


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
            heard = AnswersOfTranscript(piece.answers.get(one.key, {})) if piece.model else None
            record = _record_of(piece.place, one, _MiningTools(replace(how, mining=heard), top))
            stamp = piece.stamp_of(one, by_model=bool(heard and heard.whole))
            if not record.about.failed:  # what failed is tried again
                record = replace(record, about=replace(record.about, stamp=stamp))
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
