"""One human turn -> how likely it holds for next time, and its candidates."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

from rulec.domain.candidate import Candidate, Correction, CorrectionBand, ReaderOpinion, TurnLabel, TurnReading
from rulec.domain.rule import Rule
from rulec.domain.text.excerpts import both_ends
from rulec.domain.text.redaction import redact
from rulec.mining.mining_questions import WORDED_BY_MODEL
from rulec.mining.moments import Moment
from rulec.mining.quote_grounding import LONGEST_QUOTE, MinedWish
from rulec.rulebook import rule_file
from rulec.sentences.candidates import candidates_of, slug_of
from rulec.sentences.names import Names
from rulec.services.mining.transcript_questions import ReaderAnswers

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
