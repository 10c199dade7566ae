"""rulec ingest: transcripts -> corrections -> proposals -> what a person accepts, one commit each."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from rulec.domain.candidate import TurnReading
from rulec.domain.outcome import Outcome
from rulec.domain.prompt import AwaitedAnswer, ModelFailure
from rulec.domain.text.redaction import redact
from rulec.domain.transcript import UnreadableLine
from rulec.infra import journal, state, transcript_files
from rulec.reports.rule_lines import check_line
from rulec.reports.wording import count_of
from rulec.rulebook.rulebook import Rulebook
from rulec.services import rulebook_commit, session_transcripts
from rulec.services.asking import exchange_run, reader_drafts
from rulec.services.asking.doubtful_resolutions import DoubtAnswers, ask_about_doubts
from rulec.services.asking.exchange_run import ExchangeRun
from rulec.services.asking.repository_profile import names_in
from rulec.services.backtest.past_runs import Backtest, commit_backtest
from rulec.services.mining import candidate_search, transcript_questions
from rulec.services.mining.candidate_search import FoundCandidates, TurnCandidates, candidates_of_turn
from rulec.services.mining.transcript_questions import ReaderAnswers, TranscriptQuestions
from rulec.services.proposals import candidate_decision, waiting_candidates
from rulec.services.proposals.candidate_decision import Decision, DecisionOptions, Echo, number_cards
from rulec.services.proposals.candidate_identity import candidate_id, occurrences
from rulec.services.proposals.proposal_builder import BuiltProposals, Ruling, resolve_candidate
from rulec.services.proposals.waiting_candidates import WaitingCandidate


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadyItems:
    """Candidates to decide now, how they are resolved, and those that wait for an answer."""

    items: tuple[WaitingCandidate, ...]
    held: tuple[WaitingCandidate, ...] = ()
    ruling: Ruling = resolve_candidate
    notes: tuple[str, ...] = ()


def ready_items(
    top: Path, book: Rulebook, items: Sequence[WaitingCandidate], mining: TranscriptQuestions | None
) -> ReadyItems:
    """Nobody is asked a thing that would be asked otherwise once something else is answered or written.

    So by files nothing more is asked while a transcript is still read, and nothing decided while anything is asked.
    """
    if mining is None or not items:
        return ReadyItems(items=tuple(items))
    chat, files = mining.chat, mining.chat.waits
    reading = files and bool(chat.open)
    doubt = [item for item in items if reading and resolve_candidate(item.candidate, book).in_doubt]
    items = [item for item in items if item not in doubt]
    word = DoubtAnswers() if reading else ask_about_doubts(book, [item.candidate for item in items], chat)
    lines = tuple(one.line for one in word.unasked if isinstance(one, ModelFailure))
    lines += tuple(filter(None, [exchange_run.dropped_line(word.dropped)]))
    if any(isinstance(one, AwaitedAnswer) for one in word.unasked):
        return ReadyItems(items=(), held=(*doubt, *items), notes=lines)
    found = reader_drafts.draft_checks(top, book, items, chat, word.ruling)
    lines += found.notes
    if files and not reading and found.held:
        return ReadyItems(items=(), held=(*doubt, *found.items, *found.held), notes=lines)
    return ReadyItems(items=found.items, held=(*doubt, *found.held), ruling=word.ruling, notes=lines)


READ = "read"


def read_dry(
    source: str,
    reader_name: str,
    complain: Echo,
    *,
    whole: bool,
    top: Path | None = None,
    options: DecisionOptions | None = None,
) -> Iterator[dict[str, Any]]:
    """One object for each human turn, as the scorer of detection reads them; nothing is written.

    A program gets the ``whole`` text, by which it knows the turn again; a person's screen gets it redacted. With a
    ``options`` the backend that it names is asked.
    """
    path, known = transcript_files.transcript_file(source), names_in(top)
    reader = session_transcripts.find_reader(path, reader_name)
    run = ExchangeRun(transcript=source, reader=reader_name, dry=True)
    asking = (
        transcript_questions.open_mining(top, run, options, complain, journal.write_lock(top))
        if top and options
        else nullcontext()
    )
    with asking as mining:
        if mining:
            mining.ask([path], reader_name)
        said = mining.said(path, reader) if mining else ReaderAnswers()
        for item in session_transcripts.classify_turns(path, reader):
            if isinstance(item, UnreadableLine):
                complain(f"{source}:{item.line}: {item.what}; passed over")
            else:
                yield _turn_json(item, path, candidates_of_turn(item, said, known), whole=whole)
        for line in filter(None, [exchange_run.dropped_line(said.notes), *(mining.closing() if mining else ())]):
            complain(line)


def _turn_json(item: TurnReading, path: Path, one: TurnCandidates, *, whole: bool) -> dict[str, Any]:
    return {
        "transcript": item.turn.session or path.stem,
        "turn": item.turn.index,
        "speaker": item.turn.role,
        "text": item.turn.text if whole else redact(item.turn.text),
        "label": one.label,
        "band": one.band,
        "score": one.score,
        "reasons": list(one.reasons),
        "candidates": [
            {
                "slug": candidate.rule.slug,
                "statement": candidate.rule.statement,
                "checks": [check_line(check) for draft in candidate.drafts[:1] for check in draft.checks],
            }
            for _, found in one.wishes
            for candidate in found
        ],
    }


def ingest_transcript(top: Path, source: str, reader_name: str, options: DecisionOptions, echo: Echo) -> Outcome:
    """Read a transcript, ask about each proposal, write what is accepted."""
    path = transcript_files.transcript_file(source)
    run = ExchangeRun(transcript=source, reader=reader_name)
    with transcript_questions.open_mining(top, run, options, echo, _deciding(top, options, None)) as mining:
        if mining:
            mining.ask([path], reader_name)
        with _deciding(top, options, mining) as book:
            found = candidate_search.find_candidates(
                top, book, [path], reader_name, options.progress, strict=True, mining=mining
            )
            done, backtest = [Decision("known")] * found.known, commit_backtest(top)
            ready = _ready_of_round(top, book, found, mining)
            known: Rulebook | None = book
            for item, own in zip(ready.items, number_cards(options, len(ready.items)), strict=True):
                done += _answer(
                    top, item, own, echo, backtest=backtest, ruling=ready.ruling, built=found.built, book=known
                )
                known = None  # while a person thought, others may have written
        return _ingest_outcome(top, found, done, options, mining)


def ingest_repository(top: Path, options: DecisionOptions, echo: Echo) -> Outcome:
    """Read every transcript of this repository that is new or has grown since, and ask about each preference once."""
    read: dict[str, list[int]] = state.read_state(top, READ) or {}
    with transcript_questions.open_mining(top, ExchangeRun(), options, echo, _deciding(top, options, None)) as mining:
        stamps = _stamps(top, mining)
        fresh = [path for path, stamp in stamps.items() if read.get(str(path), [])[: len(stamp)] != stamp]
        if not fresh:
            return _nothing_new(top, mining)
        if mining:
            mining.ask(fresh, "")
        total, backtest = FoundCandidates(), commit_backtest(top)
        done: list[Decision] = []
        with _deciding(top, options, mining):
            while fresh:
                book = rulebook_commit.load_target_rulebook(top, options.onto)
                found = candidate_search.find_candidates(
                    top, book, fresh, "", options.progress, strict=False, mining=mining
                )
                fresh = fresh[len(found.read) :]
                ready = _ready_of_round(top, book, found, mining)
                total.add(found)
                done += [Decision("known")] * found.known
                waiting = Counter(found.left)
                waiting.update(path for item in ready.items for path in _files(found, item))
                _note_read(top, read, stamps, (path for path in found.read if not waiting[path]))
                for item, own in zip(ready.items, number_cards(options, len(ready.items)), strict=True):
                    done += _answer(top, item, own, echo, backtest=backtest, ruling=ready.ruling, built=found.built)
                    waiting.subtract(_files(found, item))
                    _note_read(top, read, stamps, (path for path in _files(found, item) if not waiting[path]))
        return _ingest_outcome(top, total, done, options, mining)


def _stamps(top: Path, mining: TranscriptQuestions | None) -> dict[Path, list[int]]:
    """For each transcript a stamp that changes when it has to be read again: it grew, or a model reads now."""
    by_model = [1] if mining else []
    return {
        path: [*transcript_files.transcript_stamp(path), *by_model]
        for path in session_transcripts.repository_transcripts(top)
    }


def _nothing_new(top: Path, mining: TranscriptQuestions | None) -> Outcome:
    """The outcome where there is nothing to read; pending questions about deleted transcripts are removed."""
    lines = ["no new transcripts of this repository; name one: rulec ingest TRANSCRIPT"]
    if mining:
        waited = exchange_run.count_unanswered(top, exchange_run.RUN_STEPS)
        lines += mining.closing()
        if gone := waited - exchange_run.count_unanswered(top, exchange_run.RUN_STEPS):
            what = "1 question is" if gone == 1 else f"{gone} questions are"
            lines.append(f"{what} withdrawn: what it was about is gone or decided")
    if number := waiting_candidates.count_waiting(top):
        lines.append(f"{count_of(number, 'proposal')} of earlier {'waits' if number == 1 else 'wait'}: rulec review")
    return Outcome("\n".join(filter(None, lines)))


def _deciding(
    top: Path, options: DecisionOptions, mining: TranscriptQuestions | None
) -> AbstractContextManager[Rulebook]:
    """The rulebook, with the write lock while cards are decided; a run with files holds it already."""
    if mining and mining.chat.waits:
        return nullcontext(rulebook_commit.load_target_rulebook(top, options.onto))
    return rulebook_commit.open_rulebook(top, options.onto, writes=options.asks)


def _ready_of_round(
    top: Path, book: Rulebook, found: FoundCandidates, mining: TranscriptQuestions | None
) -> ReadyItems:
    """The candidates to decide now; those that need a model wait."""
    ready = ready_items(top, book, found.items, mining)
    found.left |= {path for item in ready.held for path in _files(found, item)}
    found.held += len(ready.held)
    found.complaints += ready.notes
    return ready


def _answer(
    top: Path, item: WaitingCandidate, options: DecisionOptions, echo: Echo, *, backtest: Backtest, ruling: Ruling,
    built: BuiltProposals, book: Rulebook | None = None,
) -> list[Decision]:  # fmt: skip
    if options.asks:
        return candidate_decision.decide_candidate(
            top, item, options, echo, backtest, ruling=ruling, built=built, book=book
        )
    waiting_candidates.enqueue(top, replace(item, pinned=options.pinned))
    return [Decision("later")]


def _files(found: FoundCandidates, item: WaitingCandidate) -> set[Path]:
    return {path for one in occurrences(item.candidate) for path in found.where.get(candidate_id(one), ())}


def _note_read(top: Path, read: dict[str, list[int]], stamps: dict[Path, list[int]], paths: Iterable[Path]) -> None:
    """Mark transcripts as read once all their candidates are decided, so that Ctrl-C loses none."""
    read.update({str(path): stamps[path] for path in paths})
    state.update_state(top, READ, lambda known: {**(known if isinstance(known, dict) else {}), **read})


def _ingest_outcome(
    top: Path,
    found: FoundCandidates,
    done: Sequence[Decision],
    options: DecisionOptions,
    mining: TranscriptQuestions | None,
) -> Outcome:
    tally = Counter(one.answer for one in done)
    lines = [found.summary(tally)]
    if tally["later"]:
        lines.append(waiting_candidates.describe_waiting(tally["later"], asks=options.asks))
        lines += [f"  {one.proposal.resolution.line()} ({one.doubt})" for one in done if one.doubt and one.proposal]
    lines.append(rulebook_commit.push_hint(top, options.onto))
    ending = list(filter(None, mining.closing())) if mining else []
    lines += (
        ending if mining or options.offline or found.unread else [transcript_questions.READ_OFFLINE]
    )  # of these a line says it already
    counts = {key: tally[key] for key in ("accept", "reject", "later", "known")}
    proposals = [one.data for one in done if one.proposal]
    waits = {"turns_left": found.waits, "held": found.held, "model": ending} if mining else {}
    return Outcome("\n".join(filter(None, lines)), data={**counts, **waits, "proposals": proposals})
