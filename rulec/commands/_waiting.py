"""A candidate that waits: what of it is kept, and by what it is known again."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from rulec.host import state
from rulec.model.candidate import Candidate, Draft, Offered
from rulec.model.correction import Correction
from rulec.model.rule import Pinned
from rulec.model.transcript import Action
from rulec.redact import redact
from rulec.stages.gather import gather
from rulec.stages.revise import LONGEST as TOLD
from rulec.stages.revise import clean, named, with_draft
from rulec.stages.verify import Session

LONGEST = 1_000_000  # characters of the actions of one session that are kept for the proof


@dataclass(frozen=True, slots=True, kw_only=True)
class Waiting:
    """All that review needs, even when the transcript is gone or has grown."""

    candidate: Candidate
    sessions: tuple[Session | None, ...] = (None,)  # of the candidate and of each of its repeats
    source: str = ""  # the transcript, or the verb that it came by
    at: str = ""  # since when it waits
    pinned: Pinned = "auto"  # what a person said that a finding does when they had it found


def members(candidate: Candidate) -> tuple[Candidate, ...]:
    """The candidate and each time the same was voiced again."""
    return (replace(candidate, repeats=()), *candidate.repeats)


def heard_in(candidate: Candidate) -> frozenset[str]:
    """The sessions in which it was voiced; what was typed with a verb has none."""
    return frozenset(named(one.correction.turn.session) for one in members(candidate) if one.correction)


def words(correction: Correction) -> tuple[str, int, str]:
    """By what the words of a turn are known again, in evidence and in the queue."""
    return named(correction.turn.session), correction.turn.index, redact(correction.quote)


def nested(one: str, other: str) -> bool:
    """Whether one quote of a turn is all of the other, or a part of it: signs at its end and blanks aside."""
    mine, theirs = (" ".join(quote.casefold().split()).rstrip(".!") for quote in (one, other))
    return mine in theirs or theirs in mine


def mark(candidate: Candidate) -> str:
    """What identifies a proposal on this machine, before it is anything in the rulebook."""
    said: Iterable[Any] = words(candidate.correction) if candidate.correction else ()
    return state.digest([*said, redact(candidate.rule.statement)])


def key(candidate: Candidate) -> object:
    """The same words drafted anew, by a later version of ours, are the same to decide."""
    return words(candidate.correction) if candidate.correction else mark(candidate)


def gathered(items: Iterable[Waiting]) -> list[Waiting]:
    """Each preference once, however often it was found, with the session of every time."""
    known: dict[str, tuple[Candidate, Session | None, Waiting]] = {}
    for item in items:
        for one, session in zip(members(item.candidate), item.sessions, strict=True):
            known.setdefault(mark(one), (one, session, item))
    found = []
    for candidate in gather(one for one, _, _ in known.values()):
        parts = [known[mark(one)] for one in members(candidate)]
        since = min(item.at for _, _, item in parts)
        sessions = tuple(session for _, session, _ in parts)
        found.append(replace(parts[0][2], candidate=candidate, sessions=sessions, at=since))
    return found


def kept(item: Waiting) -> Waiting:
    """What of it may touch the disk: no secrets, and no texts that review does not look at."""
    sessions = tuple(map(_cut, item.sessions))
    return replace(item, candidate=_kept(item.candidate, item.sessions), sessions=sessions)


def whole(item: Waiting) -> Waiting:
    """With the actions around each correction again, which stand in its session."""
    first, *others = (
        replace(one, correction=replace(one.correction, before=_deeds(session.before), after=_deeds(session.after)))
        if one.correction and session
        else one
        for one, session in zip(members(item.candidate), item.sessions, strict=True)
    )
    return replace(item, candidate=replace(first, repeats=tuple(others)))


def _deeds(actions: Iterable[Action]) -> tuple[Action, ...]:
    return tuple(action for action in actions if not action.aside and action.kind not in ("says", "stop"))


def _kept(candidate: Candidate, sessions: Sequence[Session | None]) -> Candidate:
    """The candidate as it may touch the disk; texts that review does not look at, and what its session holds, go."""
    said = candidate.correction
    if said:
        turn = replace(said.turn, text="", cwd="", session=named(said.turn.session), actions=())
        around = ((), ()) if sessions[0] else (tuple(map(_clean, said.before)), tuple(map(_clean, said.after)))
        said = replace(said, quote=redact(said.quote), turn=turn, before=around[0], after=around[1])
    return replace(
        candidate,
        rule=clean(candidate.rule, redact),
        drafts=tuple(_drafts(candidate)),
        correction=said,
        repeats=tuple(_kept(one, (session,)) for one, session in zip(candidate.repeats, sessions[1:], strict=True)),
        offered=_offered(candidate.offered),
    )


def _offered(one: Offered | None) -> Offered | None:
    """What a reader named, as far as evidence quotes it; its examples stand in the drafts."""
    return replace(one, offence=_short(one.offence), fix=_short(one.fix), invalid=(), valid=()) if one else None


def _short(action: Action | None) -> Action | None:
    if action is None:
        return None
    plain = _clean(action)
    return replace(plain, command=plain.command[:TOLD], old="", new=plain.new[:TOLD])


def _drafts(candidate: Candidate) -> Iterator[Draft]:
    """Those that hold no secret in a check: a redacted pattern would look for something else."""
    for draft in candidate.drafts:
        plain = with_draft(candidate.rule, draft)
        rule = clean(plain, redact)
        if rule.checks == plain.checks:
            yield replace(draft, invalid=rule.invalid, valid=rule.valid, do=rule.do)


def _cut(session: Session | None) -> Session | None:
    """The session redacted, and no longer than the proof needs it: what is nearest to the correction stays."""
    if session is None:
        return None
    left = LONGEST

    def some(actions: Iterable[Action]) -> Iterator[Action]:
        nonlocal left
        for action in actions:
            left -= len(action.command) + len(action.old) + len(action.new)
            if left < 0:
                return
            yield _clean(action)

    before = tuple(some(reversed(session.before)))[::-1]
    return replace(session, before=before, after=tuple(some(session.after)), later=tuple(some(session.later)))


def _clean(action: Action) -> Action:
    return replace(
        action,
        command=redact(action.command),
        path=redact(action.path),
        old=redact(action.old),
        new=redact(action.new),
        output="",
    )
