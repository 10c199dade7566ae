"""Candidates that wait for a person, and those a person rejected: one file each, in the git directory."""

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from rulec.commands import _stored
from rulec.commands._waiting import Waiting, kept, key, mark, members, nested, whole, words
from rulec.errors import RulecError
from rulec.host import clock, state
from rulec.language.likeness import alike
from rulec.model.candidate import Candidate
from rulec.redact import redact
from rulec.stages.mine import BY
from rulec.stages.verify import Session

__all__ = ["Waiting", "count", "heard", "put", "reject", "rejected", "renew", "settle", "take"]

QUEUE, REJECTED = "queue", "rejected"
MOST = 1_000  # that may wait; an agent that proposes without end must not fill the disk
_CURE = "mend it or delete it"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Refused:
    """What a person does not want to be asked about again."""

    statement: str
    quote: str = ""
    at: str = ""
    own: bool = True  # a person's words: what a model or an agent worded is refused of those alone
    transcript: str = ""
    turn: int = -1


def put(top: Path, item: Waiting) -> str:
    """Let a candidate wait, redacted; its name. Needs no lock: each has a file of its own."""
    name, known = mark(item.candidate), state.names(top, QUEUE)
    if name not in known and len(known) >= MOST:
        raise RulecError(f"{MOST} proposals wait already", hint="decide on them first: rulec review")
    text = _stored.dumps(replace(kept(item), at=item.at or clock.now()))
    beside = _beside(top, name, item) if name in known else None
    state.write_text(top, f"{QUEUE}/{name}", text)
    if beside:
        state.write_text(top, f"{QUEUE}/{mark(beside.candidate)}", _stored.dumps(beside))
    _drop(top, item.candidate, {mark(one) for one in item.candidate.repeats} & set(known) - {name})
    _displace(top, item.candidate)
    return name


def _beside(top: Path, name: str, item: Waiting) -> Waiting | None:
    """What waits under that name and is not in the item that takes its place."""
    with suppress(RulecError):
        old, new = _item(top, name), {key(one) for one in members(item.candidate)}
        return _rest(old, [pair for pair in _pairs(old) if key(pair[0]) not in new])
    return None


def _pairs(item: Waiting) -> list[tuple[Candidate, Session | None]]:
    return list(zip(members(item.candidate), item.sessions, strict=True))


def _rest(item: Waiting, left: list[tuple[Candidate, Session | None]]) -> Waiting | None:
    """The item with some of its members alone."""
    if not left:
        return None
    first, *others = (one for one, _ in left)
    candidate = replace(first, repeats=tuple(others))
    return replace(item, candidate=candidate, sessions=tuple(session for _, session in left))


def renew(top: Path, item: Waiting) -> bool:
    """Let it wait in the place of what was proposed in the same words before; False where that says the same."""
    name = mark(item.candidate)
    if name in state.names(top, QUEUE):
        item = replace(item, at=_item(top, name).at)
        if _stored.dumps(kept(item)) == state.text(top, f"{QUEUE}/{name}"):
            return False
    put(top, item)
    return True


def take(top: Path, complain: Callable[[str], None]) -> dict[str, Waiting]:
    """All that waits by its name, the oldest first; a damaged file is complained of and left where it is."""
    found: dict[str, Waiting] = {}
    for name in state.names(top, QUEUE):
        try:
            found[name] = whole(_item(top, name))
        except RulecError as error:
            complain(f"{error}; the others are not touched")
    return dict(sorted(found.items(), key=lambda pair: (pair[1].at, pair[0])))


def count(top: Path) -> int:
    """How many wait."""
    return len(state.names(top, QUEUE))


def settle(top: Path, candidate: Candidate) -> None:
    """Take from the queue what a decision on this candidate decides too: all whose every word is among its own."""
    _drop(top, candidate, set(state.names(top, QUEUE)))
    _displace(top, candidate)


def _drop(top: Path, candidate: Candidate, names: set[str]) -> None:
    decided = {key(one) for one in members(candidate)}
    for name in sorted(names):
        try:
            item = _item(top, name)
        except RulecError:  # take() complains of it
            continue
        if {key(one) for one in members(item.candidate)} <= decided:
            state.remove(top, f"{QUEUE}/{name}")


def _displace(top: Path, candidate: Candidate) -> None:
    """Take out what was read offline of the words in which a model hears this: they have one voice."""
    voices = [words(one.correction) for one in members(candidate) if one.offered and one.correction]
    for name, item in _of(top, {session for session, _, _ in voices}):
        left = [(one, session) for one, session in _pairs(item) if not (_ours(one) and _voiced(one, voices))]
        if len(left) == len(item.sessions):
            continue
        state.remove(top, f"{QUEUE}/{name}")
        if rest := _rest(item, left):
            state.write_text(top, f"{QUEUE}/{mark(rest.candidate)}", _stored.dumps(rest))


def heard(top: Path) -> Callable[[Candidate], bool]:
    """Whether it was read offline of words in which a model heard something that still waits."""
    items = (item for _, item in _of(top, {""}))
    every = (one for item in items for one in members(item.candidate))
    voices = [words(one.correction) for one in every if one.offered and one.correction]
    return lambda one: _ours(one) and _voiced(one, voices)


def _of(top: Path, sessions: set[str]) -> Iterator[tuple[str, Waiting]]:
    """What waits with any of these words in it; most of it need not be read as what it is."""
    for name in state.names(top, QUEUE) if sessions else ():
        with suppress(RulecError, ValueError):  # take() complains of it
            if any(session in state.text(top, f"{QUEUE}/{name}") for session in sessions):
                yield name, _item(top, name)


def _voiced(candidate: Candidate, voices: list[tuple[str, int, str]]) -> bool:
    """Whether one of them is of the same words of that turn: of its other sentences a model said nothing."""
    if candidate.correction is None:
        return False
    *turn, quote = words(candidate.correction)
    return any([*place] == turn and nested(said, quote) for *place, said in voices)


def _ours(candidate: Candidate) -> bool:
    """Whether our own reader found it; what a person marked is theirs, whoever reads it."""
    return not (candidate.offered or candidate.by_agent or candidate.source or _marked(candidate))


def reject(top: Path, candidate: Candidate) -> None:
    """Remember that a person does not want this."""
    for one in members(candidate):
        transcript, turn, quote = words(one.correction) if one.correction else ("", -1, "")
        what = _Refused(
            statement=redact(one.rule.statement), quote=quote, at=clock.now(), own=not _foreign(one),
            transcript=transcript, turn=turn,
        )  # fmt: skip
        state.write_text(top, f"{REJECTED}/{mark(one)}", _stored.dumps(what))


def rejected(top: Path) -> Callable[[Candidate], bool]:
    """Whether a person rejected this proposal, in whosever words, or the same sentence from another session."""
    names = set(state.names(top, REJECTED))
    refused: list[_Refused] = [_loaded(top, f"{REJECTED}/{name}", _Refused) for name in sorted(names)]
    statements = {_plain(what.statement): what.own for what in sorted(refused, key=lambda what: what.own)}

    def known(one: Candidate) -> bool:
        own = statements.get(_plain(redact(one.rule.statement)))
        said = own is not None and (own or _foreign(one))
        return (said or any(_again(one, what) for what in refused)) and not _marked(one)

    return lambda one: mark(one) in names or known(one)


def _again(candidate: Candidate, refused: _Refused) -> bool:
    """Whether it is another reading of words that were refused: of that turn, quoted and put a little otherwise."""
    transcript, turn, quote = words(candidate.correction) if candidate.correction else ("", -1, "")
    here = turn >= 0 and (transcript, turn) == (refused.transcript, refused.turn)
    return here and nested(quote, refused.quote) and alike(redact(candidate.rule.statement), refused.statement) > 0


def _foreign(candidate: Candidate) -> bool:
    return candidate.by_agent or candidate.rule.rationale == BY


def _marked(candidate: Candidate) -> bool:
    return bool(candidate.correction and candidate.correction.marked)


def _plain(statement: str) -> str:
    return " ".join(statement.casefold().split()).rstrip(".!")


def _item(top: Path, name: str) -> Waiting:
    item: Waiting = _loaded(top, f"{QUEUE}/{name}", Waiting)
    times = len(members(item.candidate))
    if len(item.sessions) != times:
        where = str(state.place(top, f"{QUEUE}/{name}"))
        raise RulecError(f"cannot be read: it has {len(item.sessions)} sessions, not {times}", where=where, hint=_CURE)
    return item


def _loaded(top: Path, name: str, kind: Any) -> Any:
    place = state.place(top, name)
    try:
        return _stored.loads(kind, state.text(top, name))
    except ValueError as error:
        raise RulecError(f"cannot be read: {error}", where=str(place), hint=_CURE) from None
