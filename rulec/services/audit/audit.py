"""rulec audit: which instructions and corrections agents broke, in sessions that are there; nothing is written."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from rulec.domain.candidate import Candidate
from rulec.domain.outcome import Outcome, Progress, Tick
from rulec.domain.transcript import Turn, UnreadableLine
from rulec.errors import RulecError
from rulec.infra import transcript_files
from rulec.infra.git import git_session
from rulec.infra.rulebooks import rulebook_files
from rulec.mining.correction_detection import detect_corrections
from rulec.rulebook.rulebook import Rulebook
from rulec.services import session_transcripts
from rulec.services.asking import exchange_run, reader_drafts
from rulec.services.asking.repository_profile import names_in
from rulec.services.audit.corrections import CorrectionCount, RepeatedCorrection
from rulec.services.audit.instructions import Draft, Instructions, read_instructions
from rulec.services.audit.sessions import RuleRecord, SessionJudge
from rulec.services.mining.instruction_documents import all_documents, select_documents
from rulec.services.proposals import waiting_candidates
from rulec.services.proposals.candidate_decision import DecisionOptions
from rulec.services.proposals.candidate_identity import is_known_evidence
from rulec.services.proposals.proposal_builder import resolve_candidate
from rulec.services.proposals.waiting_candidates import WaitingCandidate, describe_waiting

Echo = Callable[[str], None]
_FIRST_TURNS = 20  # of a transcript, in which its folder is looked for


@dataclass(slots=True)
class Audit:
    """What the sessions of one folder show."""

    top: Path
    instructions: Instructions
    sessions: list[Path]
    records: list[RuleRecord] = field(default_factory=list)
    repeated: list[RepeatedCorrection] = field(default_factory=list)
    unread: int = 0  # turns that look like corrections, of which no check is read
    days: list[str] = field(default_factory=list)  # first and last of the sessions, [] where no format tells
    unreadable: list[str] = field(default_factory=list)  # transcripts that were passed over, each with the reason

    @property
    def broken(self) -> list[RuleRecord]:
        """The instructions that agents broke, most often first."""
        found = [one for one in self.records if one.breaches and not one.fault]
        return sorted(found, key=lambda one: -len(one.breaches))

    def proposals(self) -> list[tuple[Candidate, str]]:
        """What a person may make rules of, each with its source: what was broken, and what had to be said again."""
        found = [(one.rule.candidate, one.rule.place) for one in self.broken]
        return [*found, *((one.candidate, str(one.times[0].session)) for one in self.repeated)]


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditSubject:
    """What to look at: sessions and documents that a person named, or those that are there."""

    here: Path
    transcripts: Sequence[str] = ()
    documents: Sequence[str] = ()
    everywhere: bool = False  # every session of this machine, each held against the documents of its own folder
    backend: str = ""  # who writes the checks of sentences of which none is read


def run_audit(subject: AuditSubject, echo: Echo, progress: Progress) -> list[Audit]:
    """An audit of each folder that has sessions; RulecError where there is nothing to look at."""
    named = [transcript_files.transcript_file(name) for name in subject.transcripts]
    if subject.everywhere:
        return [
            _audit_folder(top, sessions, subject, echo, progress)
            for top, sessions in _by_folder(session_transcripts.every_transcript(), echo).items()
        ]
    top = _top_of(subject.here)
    sessions = named or session_transcripts.repository_transcripts(top)
    if not sessions:
        hint = "name transcripts, or use --all for every session of this machine"
        raise RulecError("no agent's session is here", where=str(top), hint=hint)
    return [_audit_folder(top, sessions, subject, echo, progress)]


def _audit_folder(top: Path, sessions: list[Path], subject: AuditSubject, echo: Echo, progress: Progress) -> Audit:
    names = names_in(top)
    named = subject.documents
    read = select_documents(top, subject.here, named) if named else list(all_documents(top))
    many = "1 session" if len(sessions) == 1 else f"{len(sessions)} sessions"
    echo(f"{top.name}: {many} against {', '.join(one.path for one in read) or 'no document'}")
    draft = _model_drafts(top, subject.backend, echo, progress) if subject.backend else None
    audit = Audit(top=top, instructions=read_instructions(read, names, top, draft), sessions=sessions)
    judge, corrections = SessionJudge(audit.instructions.rules, names), CorrectionCount(names)
    days: set[str] = set()

    def watch(path: Path, turns: Iterator[Turn | UnreadableLine]) -> Iterator[Turn | UnreadableLine]:
        for turn in judge.turns_seen(path, turns):
            if isinstance(turn, Turn) and turn.at:
                days.add(turn.at[:10])
            yield turn

    sizes = {path: transcript_files.transcript_stamp(path)[-1] for path in sessions}
    with progress("reading sessions", sum(sizes.values())) as tick:
        for path in sizes:
            try:
                _read_session(path, corrections, watch, tick)
            except RulecError as error:
                audit.unreadable.append(f"{path}: {error.message}")
        judge.finish()
    audit.records, audit.unread = judge.records, corrections.unread
    audit.repeated = list(corrections.repeated())
    audit.days = [min(days), max(days)] if days else []
    return audit


Watch = Callable[[Path, Iterator[Turn | UnreadableLine]], Iterator[Turn | UnreadableLine]]


def _read_session(path: Path, corrections: CorrectionCount, watch: Watch, tick: Tick) -> None:
    turns = session_transcripts.read_turns(path, session_transcripts.find_reader(path), tick)
    for item in detect_corrections(watch(path, turns)):
        if not isinstance(item, UnreadableLine):
            corrections.see(path, item)


def _top_of(here: Path) -> Path:
    try:
        return git_session.work_tree_root(here)
    except RulecError:
        return here


def _by_folder(sessions: Sequence[Path], echo: Echo) -> dict[Path, list[Path]]:
    """The sessions of each folder that is still there."""
    found: dict[Path, list[Path]] = defaultdict(list)
    gone = 0
    for path in sessions:
        folder = _folder_of(path)
        if folder and folder.is_dir():
            found[_top_of(folder)].append(path)
        else:
            gone += 1
    if not found:
        raise RulecError("no agent's session is on this machine", hint="name transcripts: rulec audit session.jsonl")
    if gone:
        which = "1 session is of a folder that is gone, or names none" if gone == 1 else ""
        echo(f"{which or f'{gone} sessions are of folders that are gone, or name none'}: not looked at")
    return dict(found)


def _folder_of(path: Path) -> Path | None:
    try:
        turns = session_transcripts.read_turns(path, session_transcripts.find_reader(path))
        for _, turn in zip(range(_FIRST_TURNS), turns, strict=False):
            if isinstance(turn, Turn) and turn.cwd:
                return Path(turn.cwd)
    except RulecError:
        return None
    return None


def _model_drafts(top: Path, backend: str, echo: Callable[[str], None], progress: Progress) -> Draft:
    """A function that asks the model about candidates without a check; what it costs is said before and after.

    Answers are kept in the git directory, so that no question is paid for twice.
    """
    try:
        git_session.work_tree_root(top)
    except RulecError:
        raise RulecError("--backend needs a git repository, in which answers are kept", where=str(top)) from None
    options = DecisionOptions(answer=lambda _: "later", progress=progress, backend=backend)
    chat = exchange_run.open_conversation(top, Rulebook(), options, echo)
    if chat.waits:
        hint = "name a model that answers at once, such as claude-cli"
        raise RulecError(f"{backend} waits for answers in files", where="--backend", hint=hint)

    def draft(candidates: Sequence[Candidate]) -> Sequence[Candidate]:
        items = [WaitingCandidate(candidate=one) for one in candidates]
        found = reader_drafts.draft_checks(top, Rulebook(), items, chat, resolve_candidate)
        for line in filter(None, (*found.notes, chat.spent(), chat.over.line if chat.over else "")):
            echo(line)
        drafted = {item.candidate.digest: item.candidate for item in (*found.items, *found.held)}
        return [replace(drafted.get(one.digest, one), source=one.source) for one in candidates]

    return draft


def propose_broken(top: Path, echo: Callable[[str], None], progress: Progress) -> Outcome:
    """Queue a proposal for each instruction and repeated correction that agents broke in this repository's sessions.

    What is a rule already, or was rejected, is left out.
    """
    book, rejected = rulebook_files.load_rulebook(top), waiting_candidates.rejection_test(top)
    found = [pair for audit in run_audit(AuditSubject(here=top), echo, progress) for pair in audit.proposals()]
    new = [(one, source) for one, source in found if not (is_known_evidence(book, one) or rejected(one))]
    for candidate, source in new:
        waiting_candidates.enqueue(top, WaitingCandidate(candidate=candidate, source=source))
    if not new:
        return Outcome("the audit found nothing broken that is not known already")
    return Outcome(describe_waiting(len(new), asks=True))
