"""What a person voiced in a turn: as a model reads it where it spoke, else as our own reader does, never both."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

from rulec.commands._mined import Said
from rulec.errors import RulecError
from rulec.language import Clause, slug_of
from rulec.model.candidate import Candidate, Draft
from rulec.model.correction import Band, Correction, Label, Reading
from rulec.model.mined import Mined
from rulec.model.rule import Rule
from rulec.ports import Fit
from rulec.redact import redact
from rulec.stages.extract import MOST_DRAFTS, drafted, extract
from rulec.stages.mine import BY

SURE = 0.95  # how likely a turn is durable of which a model says so


@dataclass(frozen=True, slots=True)
class Voiced:
    """What becomes of one human turn: candidates by the words that they come from."""

    label: Label
    band: Band
    score: float
    reasons: tuple[str, ...] = ()
    wishes: tuple[tuple[Correction, tuple[Candidate, ...]], ...] = ()


def voiced(item: Reading, said: Said, fits: Sequence[Fit]) -> Voiced:
    """The model's word goes where it spoke.

    What a person marked as a rule counts as they said it, and what is plainly lasting to us is left for review where a
    model passed those words over: a session's text may have talked it into that, or into a wish beside it.
    """
    own = clean(item.correction) if item.correction else None
    ours = ((own, tuple(extract(own, fits))),) if own else ()
    if item.turn.index not in said.read:
        return Voiced(item.label, item.band, item.score, item.reasons, ours)
    mined = said.wishes.get(item.turn.index, ())
    marked = bool(own and own.marked)
    found = [worded(one, fits) for one in mined if one.lasting and not (own and marked and _same(one.quote, own))]
    pairs = tuple((one.correction, (one,)) for one in found if one.correction)
    if marked:
        return Voiced(item.label, item.band, item.score, item.reasons, (*ours, *pairs))
    if own and item.band == "auto" and not any(_same(one.quote, own) for one in mined):
        return Voiced(item.label, "review", item.score, ("a model passes it over", *item.reasons), (*ours, *pairs))
    if found:
        return Voiced("durable", "auto", SURE, ("a model reads a lasting wish",), pairs)
    return Voiced("episodic" if mined else "none", "none", round(1 - SURE, 4), ("a model reads no lasting wish",))


def _same(quote: str, own: Correction) -> bool:
    """Whether two quotes of a turn have words in common."""
    text = own.turn.text
    one, two = text.find(quote), text.find(own.quote)
    return min(one, two) < 0 or (one < two + len(own.quote) and two < one + len(quote))


def clean(correction: Correction) -> Correction:
    """The correction without secrets in its words: slug, statement and parameters are made of them."""
    turn = replace(correction.turn, text=redact(correction.turn.text))
    return replace(correction, quote=redact(correction.quote), turn=turn)


def worded(one: Mined, fits: Sequence[Fit]) -> Candidate:
    """The candidate of a wish as a model worded it: no word of it is marked, whatever the person marked beside it."""
    moment = one.moment
    earlier = (one.offence,) if one.offence and one.offence not in moment.before else ()
    later = (one.fix,) if one.fix and one.fix not in moment.after else ()
    before, after = (*earlier, *moment.before), (*moment.after, *later)
    correction = clean(Correction(quote=one.quote, turn=moment.turn, before=before, after=after))
    made = list(_made(one, correction, fits))
    rule = made[0].rule if made else Rule(slug=slug_of(Clause(text=one.statement), one.statement), statement="")
    rule = replace(
        rule,
        statement=one.statement if one.statement.endswith((".", "!", "?")) else f"{one.statement}.",
        rationale=BY,
        category=one.category or rule.category,
        severity=one.severity or rule.severity,
        when=one.when,
        do=one.do,
    )
    offered = replace(one.offered, offence=one.offence, fix=one.fix)
    return Candidate(rule=rule, drafts=_drafts(made), correction=correction, offered=offered)


def _made(one: Mined, correction: Correction, fits: Sequence[Fit]) -> Iterator[Candidate]:
    """Our own candidates for the model's sentence and for the person's, of the named pair before all that was done.

    Where no action was wrong none shows what to catch; where none shows anything the sentence is as one that is typed.
    """
    offence, fix = (one.offence,) if one.offence else (), (one.fix,) if one.fix else correction.after
    around = [(offence, fix), (correction.before, correction.after)] if offence else [(offence, fix)]
    checked = False
    for words in dict.fromkeys((one.statement, one.quote)):
        turn = replace(correction.turn, text=words)  # its other sentences are other wishes
        for before, after in dict.fromkeys(around):
            for made in extract(replace(correction, quote=words, turn=turn, before=before, after=after), fits):
                checked = checked or bool(made.drafts)
                yield made
    if not checked:
        with suppress(RulecError):  # it has none of the forms of a wish
            yield drafted(one.statement, fits)


def _drafts(made: Sequence[Candidate]) -> tuple[Draft, ...]:
    found: dict[object, Draft] = {}
    for draft in (draft for one in made for draft in one.drafts):
        found.setdefault((repr(draft.checks), repr(draft.invalid[:1])), draft)
    return tuple(found.values())[:MOST_DRAFTS]
