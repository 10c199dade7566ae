"""What a person voiced in a turn: as a reader says where one spoke, else as our own reader does, never both."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

from rulec import rulefile
from rulec.commands._mined import Said
from rulec.drafting.drafter import Drafter
from rulec.language import Clause, slug_of
from rulec.mining.borne import QUOTE
from rulec.mining.short import middle
from rulec.model.candidate import Candidate, Offered
from rulec.model.correction import Band, Correction, Label, Reading
from rulec.model.mined import Mined, Moment
from rulec.model.rule import Rule
from rulec.redact import redact
from rulec.stages.extract import extract
from rulec.stages.mine import BY

SURE, UNSURE, NONE = 0.95, 0.6, 0.05  # how likely a turn is durable of which a reader says so


@dataclass(frozen=True, slots=True)
class Voiced:
    """What becomes of one human turn: candidates by the words that they come from."""

    label: Label
    band: Band
    score: float
    reasons: tuple[str, ...] = ()
    wishes: tuple[tuple[Correction, tuple[Candidate, ...]], ...] = ()
    again: tuple[tuple[Correction, tuple[Candidate, ...]], ...] = ()  # of wishes that other turns voice more plainly


def voiced(item: Reading, said: Said, drafter: Drafter) -> Voiced:
    """A reader's word goes where it spoke; what a person marked as a rule counts as they said it."""
    own = clean(item.correction) if item.correction else None
    if item.turn.index not in said.read:
        ours = ((own, tuple(extract(own, drafter))),) if own else ()
        return Voiced(item.label, item.band, item.score, item.reasons, ours)
    mined = said.wishes.get(item.turn.index, ())
    lasting = [one for one in mined if one.lasting]
    marked = own if own and own.marked else None
    here = [one for one in lasting if one.moment.turn.index == item.turn.index]
    if marked:
        here = [one for one in here if not _same(one.quote, marked)]
    wishes = _pairs(map(worded, here))
    again = _pairs(repeated(one, item) for one in lasting if one.moment.turn.index != item.turn.index)
    if marked:
        wishes = ((marked, tuple(extract(marked, drafter))), *wishes)
        return Voiced(item.label, item.band, item.score, item.reasons, wishes, again)
    if any(one.sure for one in lasting):
        return Voiced("durable", "auto", SURE, ("its reader hears a lasting wish",), wishes, again)
    if lasting:
        return Voiced("durable", "review", UNSURE, ("its reader is not sure that it is lasting",), wishes, again)
    return Voiced("episodic" if mined else "none", "none", NONE, ("its reader hears no lasting wish",))


def _pairs(candidates: Iterable[Candidate]) -> tuple[tuple[Correction, tuple[Candidate, ...]], ...]:
    return tuple((one.correction, (one,)) for one in candidates if one.correction)


def _same(quote: str, own: Correction) -> bool:
    """Whether two quotes of a turn have words in common."""
    text = own.turn.text
    one, two = text.find(quote), text.find(own.quote)
    return min(one, two) < 0 or (one < two + len(own.quote) and two < one + len(quote))


def clean(correction: Correction) -> Correction:
    """The correction without secrets in its words: slug, statement and parameters are made of them."""
    turn = replace(correction.turn, text=redact(correction.turn.text))
    return replace(correction, quote=redact(correction.quote), turn=turn)


def worded(one: Mined) -> Candidate:
    """The candidate of a wish in its reader's words; what may check it is asked of the reader, and never guessed."""
    moment = one.moment
    earlier = (one.offence,) if one.offence and one.offence not in moment.before else ()
    later = (one.fix,) if one.fix and one.fix not in moment.after else ()
    before, after = (*earlier, *moment.before), (*moment.after, *later)
    said = clean(Correction(quote=one.quote, turn=moment.turn, before=before, after=after))
    offered = Offered(sure=one.sure, offence=one.offence, fix=one.fix)
    return Candidate(rule=_rule(one), drafts=(), correction=said, offered=offered)


def repeated(one: Mined, item: Reading) -> Candidate:
    """The same wish as another turn voices it: one more piece of its evidence."""
    moment = next((other for other in one.again if other.turn.index == item.turn.index), Moment(turn=item.turn))
    quote = middle(" ".join(moment.turn.text.split()), QUOTE)
    said = clean(Correction(quote=quote, turn=moment.turn, before=moment.before, after=moment.after))
    return Candidate(rule=_rule(one), drafts=(), correction=said, offered=Offered(sure=one.sure))


def _slug(text: str) -> str:
    """The name that a reader gives, "" where it is none."""
    name = "-".join(re.findall(r"[a-z0-9]+", text.casefold().replace("'", "")))
    return name if rulefile.SLUG.fullmatch(name) and len(name) <= rulefile.LONGEST and name != "config" else ""


def _rule(one: Mined) -> Rule:
    statement = one.statement if one.statement.endswith((".", "!", "?")) else f"{one.statement}."
    return Rule(
        slug=_slug(one.name) or slug_of(Clause(text=statement), statement),
        statement=statement,
        rationale=BY,
        category=one.category or "process",
        severity=one.severity or "should",
        when=one.when,
        do=one.do,
    )
