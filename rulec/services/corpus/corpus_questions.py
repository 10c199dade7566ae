"""What a model is asked about a corpus: workers write questions, one conversation asks them, workers read answers."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any

from rulec import registry
from rulec.checks import template_library
from rulec.domain.outcome import Progress
from rulec.domain.prompt import DataBlock, ModelAnswer, ModelFailure, Prompt
from rulec.domain.transcript import TranscriptFormat
from rulec.errors import RulecError
from rulec.infra import state
from rulec.infra.corpus import out_folder, shard_files
from rulec.infra.corpus.shard_files import Record
from rulec.infra.corpus.transcript_store import ListedTranscript, fetched_transcript
from rulec.infra.engines.pieces import WorkerSettings
from rulec.infra.engines.run_pieces import run_pieces
from rulec.infra.git import git_session
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
from rulec.services import session_transcripts
from rulec.services.asking import exchange_run
from rulec.services.corpus.corpus_piece import CorpusPiece
from rulec.services.mining.transcript_questions import IN_BULK, TOGETHER, ReaderAnswers
from rulec.services.proposals.candidate_decision import DecisionOptions, Echo

QUESTIONS, ANSWERS = "questions", "answers"
_UNANSWERED = ModelFailure(what="no answer came")  # so that rulec itself reads those turns


def write_questions(piece: CorpusPiece) -> int:
    """Write the questions about the transcripts of a piece, without keys; unreadable ones are reported elsewhere."""
    lines = [line for one in piece.transcripts for line in _questions_about(piece, one)]
    shard_files.write_lines(_file(piece, QUESTIONS), lines)
    return len(lines)


def _questions_about(piece: CorpusPiece, one: ListedTranscript) -> list[Record]:
    render = template_library.open_library().render
    try:
        with fetched_transcript(piece.place, one.name) as path:
            bundles = _bundles(path, session_transcripts.find_reader(path, piece.reader))
            asked = ((some.start, clean_prompt(write_mining_prompt([bundle_blocks(some)], render))) for some in bundles)
            return [{"key": one.key, "start": start, "blocks": state.plain_data(said.data)} for start, said in asked]
    except (RulecError, OSError):
        return []


def _bundles(path: Path, reader: TranscriptFormat) -> Iterator[TurnBundle]:
    return bundle_turns(moments_of(session_transcripts.read_turns(path, reader)), {})


def _file(piece: CorpusPiece, folder: str) -> Path:
    return Path(piece.out) / out_folder.WORK / folder / f"{piece.asked}.jsonl"


def require_model(backend: str) -> None:
    """Refuse a model that cannot be asked, before anything is written."""
    if registry.backend(backend).waits:
        hint = "name an API or an agent's CLI, such as --backend anthropic"
        raise RulecError(f"{backend} waits for answers in files", where="--backend", hint=hint)
    if lacks := registry.backend(backend).missing(choose_models(None, Rulebook(), backend)):
        raise RulecError(f"{backend} cannot be asked: {lacks}")


def open_chat(out: Path, backend: str, progress: Progress, echo: Echo, *, bulk: bool) -> Conversation:
    """A conversation whose answers are kept beside the results, so that nothing is paid for twice."""
    top = out.resolve() / out_folder.MODEL
    if not (top / ".git").is_dir():
        top.mkdir(mode=0o700, exist_ok=True)
        git_session.git_output(top, "init", "-q", "--template=")
    options = DecisionOptions(answer=lambda _: "later", progress=progress, backend=backend, bulk=bulk)
    return exchange_run.open_conversation(top, Rulebook(), options, echo)


def ask_about_corpus(pieces: Sequence[CorpusPiece], chat: Conversation, how: WorkerSettings) -> None:
    """Ask everything in one conversation with one budget, and write the answers where the workers find them."""
    for folder in (QUESTIONS, ANSWERS):
        (Path(pieces[0].out) / out_folder.WORK / folder).mkdir(mode=0o700)
    for _ in run_pieces(write_questions, pieces, how):
        pass  # a piece on which workers died is read offline
    left = _written_questions(pieces)
    form = write_mining_prompt([], template_library.open_library().render)
    most = IN_BULK if chat.models.bulk else TOGETHER
    while (some := list(islice(left, most))) and not chat.over:
        replies = chat.ask([_prompt_of(record, form) for _, record in some])
        for (piece, record), reply in zip(some, replies, strict=True):
            if isinstance(reply, ModelAnswer):
                answer = {"key": record["key"], "start": record["start"], "answer": reply.data}
                shard_files.append_lines(_file(piece, ANSWERS), [answer])


def _written_questions(pieces: Iterable[CorpusPiece]) -> Iterator[tuple[CorpusPiece, Record]]:
    for piece in pieces:
        if (file := _file(piece, QUESTIONS)).is_file():
            yield from ((piece, record) for record in shard_files.read_lines(file))


def _prompt_of(record: Record, form: Prompt) -> Prompt:
    return replace(form, data=tuple(state.build_dataclass(DataBlock, block) for block in record["blocks"]))


Answers = Mapping[int, Mapping[str, Any]]  # after how many moments the turns begin that one is about


def answers_to(piece: CorpusPiece) -> Mapping[str, Answers]:
    """The answers about each transcript of a piece."""
    found: dict[str, dict[int, Mapping[str, Any]]] = {}
    if (file := _file(piece, ANSWERS)).is_file():
        for record in shard_files.read_lines(file):
            found.setdefault(record["key"], {})[record["start"]] = record["answer"]
    return found


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
