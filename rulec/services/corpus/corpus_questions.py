"""What a model is asked about a corpus: workers write questions, one conversation asks them, workers read answers."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from rulec import registry
from rulec.checks import template_library
from rulec.domain.outcome import Progress
from rulec.domain.prompt import ModelAnswer, ModelFailure, Prompt
from rulec.domain.transcript import TranscriptFormat
from rulec.errors import RulecError
from rulec.infra.corpus import corpus_store
from rulec.infra.corpus.transcript_store import ListedTranscript, fetched_transcript
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
from rulec.services.mining.transcript_questions import TOGETHER, ReaderAnswers
from rulec.services.proposals.candidate_decision import DecisionOptions, Echo

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
