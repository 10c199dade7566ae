"""One human turn -> how likely it holds for next time, its candidates, and the exceptions it allows in passing."""

import re
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

from rulec.domain.candidate import Candidate, Correction, CorrectionBand, ReaderOpinion, TurnLabel, TurnReading
from rulec.domain.rule import Rule
from rulec.domain.text.redaction import redact
from rulec.domain.transcript import Action, Turn, UnreadableLine
from rulec.errors import RulecError
from rulec.language.clauses import clauses
from rulec.language.durability import is_momentary
from rulec.language.excerpts import both_ends
from rulec.language.semantics.meaning import meaning_of
from rulec.language.time_limit import ReadingTooLongError
from rulec.mining.mining_questions import WORDED_BY_MODEL
from rulec.mining.moments import Moment
from rulec.mining.quote_grounding import LONGEST_QUOTE, MinedWish
from rulec.resolving.exception_wording import globs_of_places
from rulec.resolving.resolver import resolve
from rulec.rulebook import rule_file
from rulec.rulebook.rulebook import Rulebook
from rulec.sentences.candidates import candidates_of, slug_of, typed_candidate
from rulec.sentences.names import Names
from rulec.services.mining.transcript_questions import ReaderAnswers

LONGEST = 600  # characters of a turn that may allow something and nothing else
_SENTENCE = re.compile(r"(?<=[.!?;])\s+|\n+")
_LEAD = re.compile(r"(?:\W*(?:no|yes|but|and|well|ok(?:ay)?|actually|sorry|hm+|also|so)\b[\s,.!:-]*)++", re.IGNORECASE)
_REASON = re.compile(
    r",\s{0,3}(?:that|because|it|since|as|this|they)\b.*|\s[-\u2013\u2014]\s.*", re.IGNORECASE | re.DOTALL
)
ACTIONS = 20  # before it, among which stands what was refused


@dataclass(slots=True)
class SpokenExceptions:
    """Collects exceptions that a person mentions in passing, such as "npm is fine in legacy/"."""

    book: Rulebook
    names: Names
    found: list[Candidate] = field(default_factory=list)
    acts: deque[Action] = field(default_factory=lambda: deque(maxlen=ACTIONS))

    def watch(self, turns: Iterable[Turn | UnreadableLine]) -> Iterator[Turn | UnreadableLine]:
        """Pass the turns on, and look at each."""
        for turn in turns:
            if isinstance(turn, Turn) and self.book.rules:
                self._see(turn)
            yield turn

    def _see(self, turn: Turn) -> None:
        if turn.role == "agent":
            self.acts.extend(turn.actions)
            return
        if len(turn.text) <= LONGEST:
            self.found += (one for text in _plain_sentences(turn.text) if (one := self._exception(text, turn)))
        self.acts.clear()

    def _exception(self, text: str, turn: Turn) -> Candidate | None:
        """The candidate of a sentence that exempts something from a rule, None for others."""
        if meaning_of(text).leave != "free" or any(map(is_momentary, clauses(text))):
            return None
        quote = redact(text)
        said = Correction(quote=quote, turn=replace(turn, text=redact(turn.text)), before=tuple(self.acts), after=())
        try:
            candidate = replace(typed_candidate(quote, self.names), correction=said)
        except RulecError:
            return None  # the sentence says no wish after all
        becomes = resolve(candidate, self.book)
        refused = any(becomes.slug in action.output for action in self.acts)
        sure = (becomes.band == "auto" or refused) and bool(globs_of_places(becomes.where))
        return candidate if sure and (becomes.decision, becomes.manner) == ("UPDATE", "exception") else None


def _plain_sentences(text: str) -> Iterator[str]:
    """Each sentence without its opening words and its reason."""
    for sentence in _SENTENCE.split(text):
        if words := _REASON.sub("", _LEAD.sub("", sentence, count=1)).strip():
            yield words


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
    unread: str = ""  # why it could not be read


def candidates_of_turn(item: TurnReading, said: ReaderAnswers, names: Names) -> TurnCandidates:
    """The candidates of a turn: a reader's where one answered, else rulec's own; marked rules count in any case."""
    try:
        return _candidates_of_turn(item, said, names)
    except ReadingTooLongError as error:
        return TurnCandidates("none", "none", NONE, (error.message,), unread=error.message)


def _candidates_of_turn(item: TurnReading, said: ReaderAnswers, names: Names) -> TurnCandidates:
    own = redacted_correction(item.correction) if item.correction else None
    if item.turn.index not in said.read:
        ours = ((own, candidates_of(own, names)),) if own else ()
        return TurnCandidates(item.label, item.band, item.score, item.reasons, ours, unread=item.unread)
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
    earlier = (one.offence,) if one.offence and one.offence not in moment.before else ()
    later = (one.fix,) if one.fix and one.fix not in moment.after else ()
    before, after = (*earlier, *moment.before), (*moment.after, *later)
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
