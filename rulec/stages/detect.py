"""Turns -> readings: which of a person's words hold for next time too, with the labelled pair around them."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from math import exp
from typing import NamedTuple

from rulec.language import Clause, clauses
from rulec.language.lasting import BASE, asking, reasons_of, wishes_in
from rulec.language.terms import table
from rulec.model.correction import Band, Correction, Label, Reading
from rulec.model.transcript import Action, Damage, Turn

AUTO, REVIEW = 0.0, -2.1  # log odds; see language.lasting
MOST_ACTIONS = 100  # on either side of a turn that are kept
MOST_QUOTED = 500
SHORT = 600
NEAR = 8  # actions on either side that a few words may speak of
_PUSHBACK = re.compile(
    r"^\W*(?:no+|nope|stop|wait|don'?t|do not|dude|wtf|why|actually|please don'?t|that'?s not|not like|instead)\b",
    re.IGNORECASE,
)
_WORD = re.compile(r"[^\W_]{3,}")
_COMMON = table(
    "the and you your for not don dont with that this are was can use using just never "
    "always stop please make sure all any our file files code instead of one it"
    " when before after from into should must now still why have has let lets add run want"
)


class Score(NamedTuple):
    """What the words of one turn say, before its actions are looked at."""

    label: Label
    band: Band
    score: float
    reasons: tuple[str, ...]


def detect(turns: Iterable[Turn | Damage]) -> Iterator[Reading | Damage]:
    """One reading for each human turn, in order; a turn waits until the actions that follow it have passed."""
    here = _Place()
    for turn in turns:
        if isinstance(turn, Damage):
            yield turn
            continue
        if turn.session != here.session:
            yield from here.close()
            here = _Place(session=turn.session)
        if turn.role == "human":
            yield from here.close()
            here.open(turn)
        else:
            here.pass_by(turn)
    yield from here.close()


def score(text: str, prev_text: str, prev_tools: str, interrupted: bool, kind: str) -> Score:  # noqa: FBT001 - the fields of a row
    """Judge one turn by its words and what stood before it."""
    acted = bool(prev_tools) or "```" in prev_text
    return _scored(text, clauses(text), acted=acted, interrupted=interrupted, kind=kind)


@dataclass
class _Place:
    """Where in the session we are: the human turn that waits, and the actions on both sides of it."""

    session: str = ""
    turn: Turn | None = None
    before: list[Action] = field(default_factory=list)
    after: list[Action] = field(default_factory=list)

    def open(self, turn: Turn) -> None:
        self.turn, self.before, self.after = turn, self.after, []

    def pass_by(self, turn: Turn) -> None:
        self.after += turn.actions
        if (
            len(self.after) > 2 * MOST_ACTIONS
        ):  # the nearest on both sides: what was accepted, and what the next turn is about
            del self.after[MOST_ACTIONS:-MOST_ACTIONS]

    def close(self) -> Iterator[Reading]:
        if self.turn is not None:
            yield _reading(self.turn, tuple(self.before), tuple(self.after))
        self.turn = None


def _reading(turn: Turn, before: tuple[Action, ...], after: tuple[Action, ...]) -> Reading:
    read = clauses(turn.text)
    label, band, value, reasons = _scored(
        turn.text, read, acted=bool(before), interrupted=turn.interrupted, kind=turn.kind
    )
    wishes = wishes_in(read)
    if wishes and all(map(asking, wishes)) and not any(action not in before for action in after):
        label, band = ("episodic" if before else "none"), "none"  # a question that changed nothing
        return Reading(turn=turn, label=label, band=band, score=value, reasons=reasons)
    answer = "" if band != "none" else _answered(turn.text, read, before, after)
    if answer:
        label, band, reasons = "episodic", "review", (*reasons, answer)
    if band == "none":
        return Reading(turn=turn, label=label, band=band, score=value, reasons=reasons)
    slug = next((clause.slug for clause in read if clause.slug), "")
    correction = Correction(
        quote=_quote(turn.text, read),
        turn=turn,
        before=before,
        after=after,
        marked=any(clause.marked for clause in read),
        slug=slug,
    )
    return Reading(turn=turn, label=label, band=band, score=value, reasons=reasons, correction=correction)


def _scored(text: str, read: tuple[Clause, ...], *, acted: bool, interrupted: bool, kind: str) -> Score:
    found = reasons_of(text, read, acted=acted, interrupted=interrupted, kind=kind)
    odds = BASE + sum(weight for _, weight in found)
    reasons = tuple(reason for reason, weight in found if weight > 0)
    value = round(1 / (1 + exp(-odds)), 4)
    if odds >= AUTO:
        return Score("durable", "auto", value, reasons)
    if odds >= REVIEW:
        return Score("durable", "review", value, reasons)
    refused = any(clause.polarity == "forbid" for clause in wishes_in(read)) or kind == "rejection"
    return Score("episodic" if refused and acted else "none", "none", value, reasons)


def _answered(text: str, read: tuple[Clause, ...], before: tuple[Action, ...], after: tuple[Action, ...]) -> str:
    """Why these few words are worth showing: they speak of what the agent just did, and it then did otherwise."""
    wishes = wishes_in(read)
    if len(text) > SHORT or not wishes or not any(action not in before for action in after) or not before:
        return ""
    words = {word.lower() for clause in wishes for word in _WORD.findall(clause.text)} - _COMMON
    spoken_of = words & _words_of(before[-NEAR:])
    refusing = any(clause.polarity in ("forbid", "prefer") or clause.cues for clause in wishes)
    same = _programs(before[-NEAR:]) & _programs(after[:NEAR])
    retried = any(clause.polarity == "forbid" for clause in wishes) and same
    demanding = any(clause.polarity == "require" and clause.forceful for clause in wishes) and same and spoken_of
    named = {word for clause in wishes for thing in clause.preferred for word in thing.lower().split()[:1]}
    switched = named & {program.lower() for program in _programs(after[:NEAR]) - _programs(before[-NEAR:])}
    if demanding or switched:
        return "speaks of what the agent just did, and it did otherwise afterwards"
    if refusing and (spoken_of or retried or words & _words_of(after[:NEAR])):
        return "speaks of what the agent just did, and it did otherwise afterwards"
    if _PUSHBACK.match(text):
        return "pushes back, and the agent did otherwise afterwards"
    return ""


def _words_of(actions: tuple[Action, ...]) -> set[str]:
    text = " ".join(f"{action.command} {action.path} {action.new[:2_000]}" for action in actions)
    return {word.lower() for word in _WORD.findall(text)}


def _programs(actions: tuple[Action, ...]) -> set[str]:
    return {action.command.split()[0] for action in actions if action.command.strip()}


def _quote(text: str, read: tuple[Clause, ...]) -> str:
    """The stretch of the turn, word for word, that carries the wish."""
    carrying = wishes_in(read) or list(read)
    if not carrying:
        return text.strip()[:MOST_QUOTED]
    start = text.find(carrying[0].text)
    end = text.find(carrying[-1].text, start) + len(carrying[-1].text)
    if 0 <= start < end <= start + MOST_QUOTED:
        return text[start:end]
    return max(carrying, key=lambda clause: (bool(clause.cues), clause.polarity == "forbid", -len(clause.text))).text
