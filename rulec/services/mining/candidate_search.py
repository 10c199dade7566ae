"""Transcripts -> candidates to ask a person about: what each turn gives, without what is known or rejected."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Protocol

from rulec.checks.proving.replay import without_offence
from rulec.domain.candidate import Candidate, Correction, CorrectionBand, ReaderOpinion, TurnLabel, TurnReading
from rulec.domain.outcome import Progress, Tick
from rulec.domain.rule import Rule
from rulec.domain.text.excerpts import action_line, both_ends
from rulec.domain.text.one_line import to_one_line
from rulec.domain.text.redaction import redact
from rulec.domain.transcript import TranscriptFormat, UnreadableLine
from rulec.errors import RulecError
from rulec.infra import transcript_files
from rulec.mining.mining_questions import LONGEST_QUOTE, WORDED_BY_MODEL, MinedWish
from rulec.mining.moments import Moment
from rulec.reports.wording import count_of
from rulec.rulebook import rule_file
from rulec.rulebook.rulebook import Rulebook
from rulec.sentences.candidates import BY_SESSION, candidates_of, slug_of
from rulec.sentences.names import Names
from rulec.services import session_transcripts
from rulec.services.asking.exchange_run import dropped_line
from rulec.services.asking.repository_profile import names_in
from rulec.services.mining import earlier_runs
from rulec.services.mining.transcript_questions import ReaderAnswers, TranscriptQuestions
from rulec.services.proposals import waiting_candidates
from rulec.services.proposals.candidate_identity import (
    candidate_id,
    is_known_evidence,
    occurrences,
    sessions_of_candidate,
)
from rulec.services.proposals.proposal_builder import BuiltProposals, resolve_candidate
from rulec.services.proposals.waiting_candidates import WaitingCandidate, merge_repeats

SURE, UNSURE, NONE = 0.95, 0.6, 0.05  # how likely a turn is durable of which a reader says so


@dataclass(frozen=True, slots=True)
class TurnCandidates:
    """The label and score of one human turn, with its candidates by quote."""

    label: TurnLabel
    band: CorrectionBand
    score: float
    reasons: tuple[str, ...] = ()
    wishes: tuple[tuple[Correction, tuple[Candidate, ...]], ...] = ()
    again: tuple[tuple[Correction, tuple[Candidate, ...]], ...] = ()  # of wishes that other turns voice more plainly


def candidates_of_turn(item: TurnReading, said: ReaderAnswers, names: Names) -> TurnCandidates:
    """The candidates of a turn: a reader's where one answered, else rulec's own; marked rules count in any case."""
    own = redacted_correction(item.correction) if item.correction else None
    if item.turn.index not in said.read:
        ours = ((own, candidates_of(own, names)),) if own else ()
        return TurnCandidates(item.label, item.band, item.score, item.reasons, ours)
    mined = said.wishes.get(item.turn.index, ())
    lasting = [one for one in mined if one.lasting]
    marked = own if own and own.marked else None
    here = [one for one in lasting if one.moment.turn.index == item.turn.index]
    if marked:
        here = [one for one in here if not _quotes_meet(one.quote, marked)]
    wishes = _by_correction(map(candidate_of_wish, here))
    again = _by_correction(repeated_candidate(one, item) for one in lasting if one.moment.turn.index != item.turn.index)
    if marked:
        wishes = ((marked, candidates_of(marked, names)), *wishes)
        return TurnCandidates(item.label, item.band, item.score, item.reasons, wishes, again)
    if any(one.sure for one in lasting):
        return TurnCandidates(
            "durable", "auto", SURE, ("its reader says that it is a lasting correction",), wishes, again
        )
    if lasting:
        return TurnCandidates(
            "durable", "review", UNSURE, ("its reader is not sure that it is lasting",), wishes, again
        )
    return TurnCandidates(
        "episodic" if mined else "none", "none", NONE, ("its reader says that it is no lasting correction",)
    )


def _by_correction(candidates: Iterable[Candidate]) -> tuple[tuple[Correction, tuple[Candidate, ...]], ...]:
    return tuple((one.correction, (one,)) for one in candidates if one.correction)


def _quotes_meet(quote: str, own: Correction) -> bool:
    """Whether two quotes of a turn share words."""
    text = own.turn.text
    one, two = text.find(quote), text.find(own.quote)
    return min(one, two) < 0 or (one < two + len(own.quote) and two < one + len(quote))


def redacted_correction(correction: Correction) -> Correction:
    """The correction without secrets, because slug, statement and parameters are made from it."""
    turn = replace(correction.turn, text=redact(correction.turn.text))
    return replace(correction, quote=redact(correction.quote), turn=turn)


def candidate_of_wish(one: MinedWish) -> Candidate:
    """The candidate in a reader's words; its check is asked of the reader."""
    moment = one.moment
    before, after = moment.before, moment.after
    if one.offence and one.offence not in before:
        ended = one.offence.kind == "stop"  # the message with which the agent's turn ended
        before = (*before, one.offence) if ended else (one.offence, *before)
    if one.fix and one.fix not in after:
        after = (*after, one.fix)
    said = redacted_correction(Correction(quote=one.quote, turn=moment.turn, before=before, after=after))
    offered = ReaderOpinion(sure=one.sure, offence=one.offence, fix=one.fix)
    return Candidate(rule=_rule(one), drafts=(), correction=said, offered=offered)


def repeated_candidate(one: MinedWish, item: TurnReading) -> Candidate:
    """The same correction from another turn, as further evidence."""
    moment = next((other for other in one.again if other.turn.index == item.turn.index), Moment(turn=item.turn))
    quote = both_ends(" ".join(moment.turn.text.split()), LONGEST_QUOTE)
    said = redacted_correction(Correction(quote=quote, turn=moment.turn, before=moment.before, after=moment.after))
    return Candidate(rule=_rule(one), drafts=(), correction=said, offered=ReaderOpinion(sure=one.sure))


def _slug(text: str) -> str:
    """The slug that a reader gives, "" where it is invalid."""
    name = "-".join(re.findall(r"[a-z0-9]+", text.casefold().replace("'", "")))
    return (
        name if rule_file.SLUG_PATTERN.fullmatch(name) and len(name) <= rule_file.LONGEST and name != "config" else ""
    )


def _rule(one: MinedWish) -> Rule:
    statement = one.statement if one.statement.endswith((".", "!", "?")) else f"{one.statement}."
    return Rule(
        slug=_slug(one.name) or slug_of(statement),
        statement=statement,
        rationale=WORDED_BY_MODEL,
        category=one.category or "process",
        severity=one.severity or "should",
        when=one.when,
        do=one.do,
    )


MOST_SHOWN = 20  # turns that look like corrections and gave no rule
LONGEST_SHOWN = 200  # characters of the words of one
ROUND = 50  # proposals with their sessions that are held at once, whatever the number of transcripts


@dataclass(slots=True)
class FoundCandidates:
    """The candidates of some transcripts, with counts of what was read and passed over."""

    items: list[WaitingCandidate] = field(default_factory=list)
    built: BuiltProposals = field(default_factory=BuiltProposals)
    where: dict[str, set[Path]] = field(default_factory=dict)  # mark of a candidate -> the files it is from
    complaints: list[str] = field(default_factory=list)
    read: list[Path] = field(default_factory=list)
    left: set[Path] = field(default_factory=set)  # of which a model is still to say something
    human: int = 0
    waits: int = 0  # human turns on which it is
    held: int = 0  # wishes on which it is
    durable: int = 0
    known: int = 0
    again: int = 0  # wishes that say what another one of the same run says: one decision is about all of them
    # wishes, by session, turn and number, that look like corrections and no more: each with its words and actions
    unread: dict[tuple[str, int, int], str] = field(default_factory=dict)
    sessions: set[str] = field(default_factory=set)

    def add(self, other: "FoundCandidates") -> None:
        """Add the counts of another round."""
        for name in ("complaints", "read", "human", "waits", "held", "durable", "known", "again"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.left |= other.left
        self.unread |= other.unread

    def summary(self, tally: Counter[str]) -> str:
        """What was read and decided, complaints first."""
        many = f"{len(self.read)} transcripts, " * (len(self.read) > 1)
        counted = ", ".join([*(f"{tally[key]} {word}" for key, word in _WORDS.items()), *self._without_decision()])
        turns, held = _counted_waits(self.waits, "turn", "turns"), _counted_waits(self.held, "wish", "wishes")
        left = " and ".join(filter(None, (turns, held)))
        if self.waits and not (self.human or self.durable or self.held):
            return "\n".join([*self.complaints, f"{many}nothing is decided yet: {left} for a model"])
        waits, lasting = f"; {left} for a model" if left else "", count_of(self.durable, "lasting correction")
        turns_with_wishes = len({(session, turn) for session, turn, _ in self.unread})
        wishes = f" with {len(self.unread)} wishes" * (len(self.unread) > turns_with_wishes)
        look = "looks like a correction" if turns_with_wishes == 1 else "look like corrections"
        rest = f"{count_of(turns_with_wishes, 'turn')}{wishes} {look}; "
        rest += "your agent can read them: rulec ingest --backend exchange"
        read = f"{many}{count_of(self.human, 'human turn')}, {lasting}: {counted}{waits}"
        shown = list(self.unread.values())[:MOST_SHOWN]
        more = [f"  and {len(self.unread) - MOST_SHOWN} more"] if len(self.unread) > MOST_SHOWN else []
        return "\n".join([*self.complaints, read, *([rest, *shown, *more] if self.unread else [])])

    def _without_decision(self) -> Iterator[str]:
        """The wishes beside those that were decided, so that the sum is that of all."""
        if self.again:
            yield f"{self.again} said again"
        if self.unread:
            yield f"{len(self.unread)} without a rule"


def _counted_waits(number: int, one: str, more: str) -> str:
    return f"{number} {one} waits" if number == 1 else f"{number} {more} wait" * (number > 1)


_WORDS = {"accept": "accepted", "reject": "rejected", "later": "left for later", "known": "known already"}


def find_candidates(
    top: Path,
    book: Rulebook,
    paths: Iterable[Path],
    reader_name: str,
    progress: Progress,
    *,
    strict: bool,
    mining: TranscriptQuestions | None = None,
) -> FoundCandidates:
    """Read transcripts, at most one round; an unreadable one is an error where ``strict``, else a complaint."""
    found = FoundCandidates()
    how = SearchContext(
        book,
        waiting_candidates.rejection_test(top),
        waiting_candidates.read_by_model(top),
        reader_name,
        mining,
        names_in(top),
    )
    sizes = {path: transcript_files.transcript_stamp(path)[-1] for path in paths}
    many = f"{len(sizes)} transcripts" if len(sizes) > 1 else "the transcript"
    with progress(f"reading {many}", sum(sizes.values())) as tick:
        for path in sizes:
            try:
                search_transcript(found, path, how, tick)
            except RulecError as error:
                if strict or error.where != str(path):
                    raise
                found.complaints.append(f"{path}: {error.message}, passed over")
            found.read.append(path)
            if len(found.items) >= ROUND:
                break
    found.items = _shown_items(found, merge_repeats(found.items), how, top)
    return found


def _shown_items(
    found: FoundCandidates, items: Sequence[WaitingCandidate], how: "SearchContext", top: Path
) -> list[WaitingCandidate]:
    """The candidates that are shown: found by a reader, marked, repeated, like a rule, or proved by the session.

    The rest is only counted, and kept for a session that repeats it.
    """
    shown, rest = list[WaitingCandidate](), list[WaitingCandidate]()
    before = earlier_runs.earlier_items(top) if any(not item.candidate.offered for item in items) else []
    for item in items:
        whole = item if item.candidate.offered else earlier_runs.join_repeats(item, before, how.new)
        if is_said_plainly(whole, how) or proof_holds(whole, how, top, found.built):
            shown.append(whole)
            found.again += len(occurrences(item.candidate)) - 1
        else:
            rest.append(item)
    for one in (one for item in rest for one in occurrences(item.candidate)):
        if said := one.correction:
            found.unread[said.turn.session, said.turn.index, one.part[0]] = _unread_line(said)
    earlier_runs.remember_unshown(top, found.sessions, rest)
    return shown


def _unread_line(said: Correction) -> str:
    """A correction that gave no rule: its words, the last action before it and the first one after it."""
    words = both_ends(" ".join(said.quote.split()), LONGEST_SHOWN)
    before = f"; before: {action_line(said.before[-1])}" if said.before else ""
    after = f"; after: {action_line(said.after[0])}" if said.after else ""
    return f'  turn {said.turn.index}: "{to_one_line(redact(words))}"{before}{after}'


def is_said_plainly(item: WaitingCandidate, how: "SearchContext") -> bool:
    """Whether a candidate is shown for how it was said: found by a model, marked, repeated, or like a rule."""
    candidates = occurrences(item.candidate)
    said = [one.correction for one in candidates if one.correction]
    if any(one.offered for one in candidates):
        return True
    if any(one.marked for one in said) or len(sessions_of_candidate(item.candidate)) > 1:
        return True
    return not item.candidate.drafts and resolve_candidate(item.candidate, how.book).decision == "NOOP"


def proof_holds(item: WaitingCandidate, how: "SearchContext", top: Path, built: BuiltProposals | None = None) -> bool:
    """Whether a rule says it already, or a check that the session shows to be needed holds its proof."""
    if not item.candidate.drafts:
        return False
    said = resolve_candidate(item.candidate, how.book)
    found = (built or BuiltProposals()).build(
        item.candidate, how.book, top, item.sessions, pinned=item.pinned, resolution=said
    )
    return found.resolution.decision == "NOOP" or bool(found.proof and found.proof.holds)


def _names_offence(candidate: Candidate) -> bool:
    """Whether something that the agent did is what the wish is about.

    A reader names it; who marks a wish as a rule may say it at any time, so that its words must point at a deed.
    """
    if candidate.offered:
        return candidate.offered.offence is not None
    marked = candidate.correction and candidate.correction.marked
    return not marked or any(draft.because == BY_SESSION for draft in candidate.drafts)


class TranscriptReader(Protocol):
    """Whoever has read transcripts for us."""

    def said(self, path: Path, reader: TranscriptFormat, /) -> ReaderAnswers:
        """What was said about one transcript."""


@dataclass(frozen=True, slots=True)
class SearchContext:
    """The settings and earlier decisions with which transcripts are read."""

    book: Rulebook
    refused: Callable[[Candidate], bool]
    read_by_model: Callable[[Candidate], bool]
    reader_name: str
    mining: TranscriptReader | None
    names: Names

    def new(self, candidate: Candidate) -> bool:
        """Whether nobody has decided on it, and no model's candidate of the same words waits."""
        return not (self.read_by_model(candidate) or is_known_evidence(self.book, candidate) or self.refused(candidate))


def search_transcript(found: FoundCandidates, path: Path, how: SearchContext, tick: Tick) -> None:
    """Read one transcript and add its candidates and counts."""
    reader = session_transcripts.find_reader(path, how.reader_name)
    said = how.mining.said(path, reader) if how.mining else ReaderAnswers()
    wishes: list[tuple[Correction, Sequence[Candidate]]] = []
    again: list[tuple[Correction, Sequence[Candidate]]] = []
    corrected: set[int] = set()
    damaged: list[UnreadableLine] = []
    for item in session_transcripts.classify_turns(path, reader, tick):
        if isinstance(item, UnreadableLine):
            damaged.append(item)
            continue
        index = item.turn.index
        found.sessions.add(item.turn.session)
        if index in said.left:
            found.waits += 1
            continue
        found.human += 1
        one = candidates_of_turn(item, said, how.names)
        if one.label != "none" or item.label != "none":  # also where a model and we differ, it may correct something
            corrected.add(index)
        wishes += one.wishes
        again += one.again
    if damaged:
        first = damaged[0]
        many = f"{len(damaged)} damaged lines were" if len(damaged) > 1 else "1 damaged line was"
        found.complaints.append(f"{many} passed over (line {first.line}: {first.what})")
    found.complaints += filter(None, [dropped_line(said.notes)])
    found.left |= {path} if said.left or said.failed else set()
    wishes += again
    found.durable += sum(len(all_of) for _, all_of in wishes)
    asked: list[tuple[Correction, list[Candidate]]] = []
    for correction, all_of in wishes:
        fresh = [candidate for candidate in all_of if how.new(candidate)]
        found.known += len(all_of) - len(fresh)
        if fresh:
            asked.append((correction, fresh))
    sessions = session_transcripts.sessions_of_corrections(
        path, reader, [correction for correction, _ in asked], frozenset(corrected)
    )
    for (_, fresh), session in zip(asked, sessions, strict=True):
        for candidate in fresh:
            found.where.setdefault(candidate_id(candidate), set()).add(path)
            around = session if _names_offence(candidate) else without_offence(session)
            found.items.append(WaitingCandidate(candidate=candidate, sessions=(around,), source=str(path)))
