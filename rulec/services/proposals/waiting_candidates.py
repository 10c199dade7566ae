"""Candidates that wait for a person, and those that were rejected: one file each in the git directory, redacted."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from rulec.checks.proving.replay import ProofSession
from rulec.domain.candidate import Candidate, Draft
from rulec.domain.enforcement import PinnedEnforcement
from rulec.domain.text.redaction import redact
from rulec.domain.transcript import Action
from rulec.errors import RulecError
from rulec.infra import clock, state
from rulec.mining.mining_questions import WORDED_BY_MODEL
from rulec.resolving.check_values import likeness, plain_sentence
from rulec.resolving.grouping import contrary_places, group_candidates, wish_of
from rulec.resolving.revisions import LONGEST_ACTION, redact_rule, session_name, with_draft
from rulec.services.proposals.candidate_identity import (
    candidate_id,
    decision_key,
    occurrences,
    quote_place,
    quotes_overlap,
    sessions_of_candidate,
)

Pairs = list[tuple[Candidate, ProofSession | None]]
MOST_CHARACTERS = 1_000_000  # characters of the actions of one session that are kept for the proof


@dataclass(frozen=True, slots=True, kw_only=True)
class WaitingCandidate:
    """A candidate with all that review needs, even when its transcript is gone."""

    candidate: Candidate
    sessions: tuple[ProofSession | None, ...] = (None,)  # of the candidate and of each of its repeats
    source: str = ""  # the transcript, or the verb that it came by
    at: str = ""  # since when it waits
    pinned: PinnedEnforcement = "auto"  # what a person said that a finding does when they had it found

    @property
    def pairs(self) -> Pairs:
        """The candidate and its repeats as candidates of their own, each with its session."""
        return list(zip(occurrences(self.candidate), self.sessions, strict=True))

    def with_pairs(self, pairs: Pairs) -> "WaitingCandidate":
        """The item with these candidates and sessions alone; without a session where there are none."""
        if not pairs:
            return replace(self, sessions=())
        first, *others = (one for one, _ in pairs)
        candidate = replace(first, repeats=tuple(others))
        return replace(self, candidate=candidate, sessions=tuple(session for _, session in pairs))


def merge_repeats(items: Iterable[WaitingCandidate]) -> list[WaitingCandidate]:
    """Each correction once, with all the sessions it was said in."""
    known: dict[str, tuple[Candidate, ProofSession | None, WaitingCandidate]] = {}
    for item in items:
        for one, session in item.pairs:
            known.setdefault(candidate_id(one), (one, session, item))
    found = []
    for candidate in group_candidates(one for one, _, _ in known.values()):
        parts = [known[candidate_id(one)] for one in occurrences(candidate)]
        since = min(item.at for _, _, item in parts)
        sessions = tuple(session for _, session, _ in parts)
        found.append(replace(parts[0][2], candidate=candidate, sessions=sessions, at=since))
    return found


def redacted_item(item: WaitingCandidate) -> WaitingCandidate:
    """The candidate as it is saved: without secrets and texts that review does not show."""
    sessions = tuple(map(_redacted_session, item.sessions))
    return replace(item, candidate=_redacted_candidate(item.candidate, item.sessions), sessions=sessions)


def with_actions(item: WaitingCandidate) -> WaitingCandidate:
    """The candidate with the actions around each correction, taken from its sessions."""

    def seen(one: Candidate, session: ProofSession | None) -> Candidate:
        if not (one.correction and session):
            return one
        before, after = _judged_actions(session.before), _judged_actions(session.after)
        return replace(one, correction=replace(one.correction, before=before, after=after))

    return item.with_pairs([(seen(one, session), session) for one, session in item.pairs])


def _judged_actions(actions: Iterable[Action]) -> tuple[Action, ...]:
    return tuple(action for action in actions if not action.aside and action.kind not in ("says", "stop"))


def _redacted_candidate(candidate: Candidate, sessions: Sequence[ProofSession | None]) -> Candidate:
    """The candidate as it is saved."""
    said = candidate.correction
    if said:
        turn = replace(said.turn, text="", cwd="", session=session_name(said.turn.session), actions=())
        kept = ((), ()) if sessions[0] else (said.before, said.after)  # the session holds them
        before, after = (tuple(map(_redacted_action, actions)) for actions in kept)
        said = replace(said, quote=redact(said.quote), turn=turn, before=before, after=after)
    offered = candidate.offered
    if offered:  # as far as evidence quotes it
        offence, fix = _shortened_action(offered.offence), _shortened_action(offered.fix)
        offered = replace(offered, offence=offence, fix=fix, invalid=(), valid=())
    pairs = zip(candidate.repeats, sessions[1:], strict=True)
    repeats = (_redacted_candidate(one, [session]) for one, session in pairs)
    return replace(
        candidate, rule=redact_rule(candidate.rule, redact), drafts=tuple(_drafts_without_secrets(candidate)),
        correction=said, repeats=tuple(repeats), offered=offered,
    )  # fmt: skip


def _shortened_action(action: Action | None) -> Action | None:
    if action is None:
        return None
    plain = _redacted_action(action)
    return replace(plain, command=plain.command[:LONGEST_ACTION], old="", new=plain.new[:LONGEST_ACTION])


def _drafts_without_secrets(candidate: Candidate) -> Iterator[Draft]:
    """The drafts whose checks hold no secret: a redacted pattern would match something else."""
    for draft in candidate.drafts:
        plain = with_draft(candidate.rule, draft)
        rule = redact_rule(plain, redact)
        if rule.checks == plain.checks:
            yield replace(draft, invalid=rule.invalid, valid=rule.valid, do=rule.do)


def _redacted_session(session: ProofSession | None) -> ProofSession | None:
    """The session, redacted and cut to the actions nearest to the correction."""
    if session is None:
        return None
    left = MOST_CHARACTERS

    def some(actions: Iterable[Action]) -> Iterator[Action]:
        nonlocal left
        for action in actions:
            left -= len(action.command) + len(action.old) + len(action.new)
            if left < 0:
                return
            yield _redacted_action(action)

    before = tuple(some(reversed(session.before)))[::-1]
    return replace(session, before=before, after=tuple(some(session.after)), later=tuple(some(session.later)))


def _redacted_action(action: Action) -> Action:
    return replace(
        action,
        command=redact(action.command),
        path=redact(action.path),
        old=redact(action.old),
        new=redact(action.new),
        output="",
    )


QUEUE, REJECTED = "queue", "rejected"
MOST = 1_000  # that may wait; an agent that proposes without end must not fill the disk
_CURE = "mend it or delete it"


@dataclass(frozen=True, slots=True, kw_only=True)
class _RejectedCandidate:
    """A candidate that a person rejected."""

    statement: str
    quote: str = ""
    at: str = ""
    own: bool = True  # a person's words: what a model or an agent worded is refused of those alone
    transcript: str = ""
    turn: int = -1


def enqueue(top: Path, item: WaitingCandidate) -> str:
    """Save a candidate for review and return its name. Needs no lock: each has a file of its own."""
    name, known = candidate_id(item.candidate), state.state_names(top, QUEUE)
    if name not in known and len(known) >= MOST:
        raise RulecError(f"{MOST} proposals already wait", hint="decide on them first: rulec review")
    text = state.dump_dataclass(replace(redacted_item(item), at=item.at or clock.now()))
    beside = _beside(top, name, item) if name in known else None
    state.write_state_text(top, f"{QUEUE}/{name}", text)
    if beside and beside.sessions:
        state.write_state_text(top, f"{QUEUE}/{candidate_id(beside.candidate)}", state.dump_dataclass(beside))
    _remove_covered(top, item.candidate, {candidate_id(one) for one in item.candidate.repeats} & set(known) - {name})
    _remove_offline_readings(top, item.candidate)
    return name


def _beside(top: Path, name: str, item: WaitingCandidate) -> WaitingCandidate | None:
    """The part of a waiting candidate of that name that the new one does not contain."""
    with suppress(RulecError):
        old, new = _item(top, name), {decision_key(one) for one in occurrences(item.candidate)}
        return old.with_pairs([pair for pair in old.pairs if decision_key(pair[0]) not in new])
    return None


def enqueue_changed(top: Path, item: WaitingCandidate) -> bool:
    """Save a candidate in place of an earlier one in the same words; False where nothing changes."""
    name = candidate_id(item.candidate)
    if name in state.state_names(top, QUEUE):
        item = replace(item, at=_item(top, name).at)
        if state.dump_dataclass(redacted_item(item)) == state.read_state_text(top, f"{QUEUE}/{name}"):
            return False
    enqueue(top, item)
    return True


def load_waiting(top: Path, complain: Callable[[str], None]) -> dict[str, WaitingCandidate]:
    """All waiting candidates by name, oldest first; damaged files are reported and left alone."""
    found: dict[str, WaitingCandidate] = {}
    for name in state.state_names(top, QUEUE):
        try:
            found[name] = with_actions(_item(top, name))
        except RulecError as error:
            complain(f"{error}; the others are not touched")
    return dict(sorted(found.items(), key=lambda pair: (pair[1].at, pair[0])))


@dataclass(frozen=True, slots=True)
class QueueEntry:
    """One wish that waits, with those that ask for the contrary."""

    item: WaitingCandidate
    against: tuple[WaitingCandidate, ...] = ()

    @property
    def identity(self) -> str:
        """By what it is opened and decided."""
        return candidate_id(self.item.candidate)

    @property
    def identities(self) -> frozenset[str]:
        """Of all of it, its own among them."""
        return frozenset(map(candidate_id, occurrences(self.item.candidate)))

    @property
    def times(self) -> int:
        """How often it was said."""
        return len(occurrences(self.item.candidate))

    @property
    def sessions(self) -> int:
        """In how many sessions it was said."""
        return len(sessions_of_candidate(self.item.candidate))

    @property
    def by_model(self) -> bool:
        """Whether a model worded it."""
        return self.item.candidate.rule.rationale == WORDED_BY_MODEL

    @property
    def contrary(self) -> dict[str, str]:
        """The identity and the name of each that asks for the contrary."""
        return {candidate_id(one.candidate): one.candidate.rule.slug for one in self.against}


def list_queue(top: Path, complain: Callable[[str], None]) -> list[QueueEntry]:
    """What waits, each wish once with all the sessions that it was said in, and followed by those against it."""
    items = merge_repeats(load_waiting(top, complain).values())
    places = contrary_places([wish_of(item.candidate) for item in items])
    order = list(dict.fromkeys(at for first, against in enumerate(places) for at in (first, *against)))
    return [QueueEntry(items[at], tuple(items[other] for other in places[at])) for at in order]


@dataclass(frozen=True, slots=True)
class QueueFiles:
    """The files of the queue in which a candidate waited when it was read."""

    top: Path
    names: frozenset[str]
    some: bool = False  # whether one of them is enough, as of a candidate that is decided in parts

    def remain(self) -> bool:
        """Whether it still waits: nobody decided on it meanwhile, in another window or at a terminal."""
        here = self.names & frozenset(state.state_names(self.top, QUEUE))
        return bool(here) if self.some else here == self.names


def queue_files(top: Path, candidate: Candidate) -> QueueFiles:
    """The files in which a candidate waits now."""
    names = (candidate_id(one) for one in occurrences(candidate))
    return QueueFiles(top, frozenset(name for name in names if state.state_path(top, f"{QUEUE}/{name}").exists()))


def separate_waiting(top: Path, whole: WaitingCandidate, parts: Sequence[WaitingCandidate]) -> None:
    """Let the wishes of one candidate wait each for itself, in its place."""
    new = {enqueue(top, part) for part in parts}
    _remove_covered(top, whole.candidate, set(state.state_names(top, QUEUE)) - new)


def with_room(top: Path, items: Sequence[WaitingCandidate]) -> list[WaitingCandidate]:
    """The first of these candidates, as many as may still wait; who waits already takes no more room."""
    known = set(state.state_names(top, QUEUE))
    kept = []
    for item in items:
        name = candidate_id(item.candidate)
        if name in known or len(known) < MOST:
            known.add(name)
            kept.append(item)
    return kept


def count_waiting(top: Path) -> int:
    """How many wait."""
    return len(state.state_names(top, QUEUE))


def describe_waiting(number: int, *, asks: bool) -> str:
    """That so many proposals wait, and why where nobody was asked."""
    nobody = "nobody can be asked here, so " * (not asks)
    wait = "1 proposal waits" if number == 1 else f"{number} proposals wait"
    return f"{nobody}{wait} for you, not active yet: rulec review"


def remove_decided(top: Path, candidate: Candidate) -> None:
    """Remove a decided candidate, and those whose words are all part of it."""
    _remove_covered(top, candidate, set(state.state_names(top, QUEUE)))
    _remove_offline_readings(top, candidate)


def _remove_covered(top: Path, candidate: Candidate, names: set[str]) -> None:
    decided = {decision_key(one) for one in occurrences(candidate)}
    for name in sorted(names):
        try:
            item = _item(top, name)
        except RulecError:  # take() complains of it
            continue
        if {decision_key(one) for one in occurrences(item.candidate)} <= decided:
            state.remove_state(top, f"{QUEUE}/{name}")


def _remove_offline_readings(top: Path, candidate: Candidate) -> None:
    """Remove what was found offline in words that a model has read now."""
    places = [quote_place(one.correction) for one in occurrences(candidate) if one.offered and one.correction]
    for name, item in _items_of_sessions(top, {session for session, _, _ in places}):
        gone = [one for one, _ in item.pairs if _found_offline(one) and _same_words(one, places)]
        if not gone:
            continue
        rest = item.with_pairs([pair for pair in item.pairs if pair[0] not in gone])
        state.remove_state(top, f"{QUEUE}/{name}")
        if rest.sessions:
            state.write_state_text(top, f"{QUEUE}/{candidate_id(rest.candidate)}", state.dump_dataclass(rest))


def read_by_model(top: Path) -> Callable[[Candidate], bool]:
    """Whether a candidate was found offline in words of which a model's candidate waits."""
    items = (item for _, item in _items_of_sessions(top, {""}))
    every = (one for item in items for one in occurrences(item.candidate))
    places = [quote_place(one.correction) for one in every if one.offered and one.correction]
    return lambda one: _found_offline(one) and _same_words(one, places)


def _items_of_sessions(top: Path, sessions: set[str]) -> Iterator[tuple[str, WaitingCandidate]]:
    """The waiting candidates that contain any of these words, without reading all files."""
    for name in state.state_names(top, QUEUE) if sessions else ():
        with suppress(RulecError, ValueError):  # take() complains of it
            if any(session in state.read_state_text(top, f"{QUEUE}/{name}") for session in sessions):
                yield name, _item(top, name)


def _same_words(candidate: Candidate, places: list[tuple[str, int, str]]) -> bool:
    """Whether a candidate is of the same words of the same turn."""
    if candidate.correction is None:
        return False
    *turn, quote = quote_place(candidate.correction)
    return any([*place] == turn and quotes_overlap(said, quote) for *place, said in places)


def _found_offline(candidate: Candidate) -> bool:
    """Whether rulec found it offline; marked rules are the person's own."""
    return not (candidate.offered or candidate.by_agent or candidate.source or _marked(candidate))


def remember_rejection(top: Path, candidate: Candidate) -> None:
    """Remember that a person rejected this."""
    for one in occurrences(candidate):
        transcript, turn, quote = quote_place(one.correction) if one.correction else ("", -1, "")
        what = _RejectedCandidate(
            statement=redact(one.rule.statement), quote=quote, at=clock.now(), own=not _worded_by_other(one),
            transcript=transcript, turn=turn,
        )  # fmt: skip
        state.write_state_text(top, f"{REJECTED}/{candidate_id(one)}", state.dump_dataclass(what))


def rejection_test(top: Path) -> Callable[[Candidate], bool]:
    """A test whether a person rejected a candidate, or the same sentence in another session."""
    names = set(state.state_names(top, REJECTED))
    refused: list[_RejectedCandidate] = [
        _loaded(top, f"{REJECTED}/{name}", _RejectedCandidate) for name in sorted(names)
    ]
    statements = {plain_sentence(what.statement): what.own for what in sorted(refused, key=lambda what: what.own)}

    def known(one: Candidate) -> bool:
        own = statements.get(plain_sentence(redact(one.rule.statement)))
        said = own is not None and (own or _worded_by_other(one))
        return (said or any(_again(one, what) for what in refused)) and not _marked(one)

    return lambda one: candidate_id(one) in names or known(one)


def _again(candidate: Candidate, refused: _RejectedCandidate) -> bool:
    """Whether a candidate is another reading of rejected words of the same turn."""
    transcript, turn, quote = quote_place(candidate.correction) if candidate.correction else ("", -1, "")
    here = turn >= 0 and (transcript, turn) == (refused.transcript, refused.turn)
    return (
        here
        and quotes_overlap(quote, refused.quote)
        and likeness(redact(candidate.rule.statement), refused.statement) > 0
    )


def _worded_by_other(candidate: Candidate) -> bool:
    return candidate.by_agent or candidate.rule.rationale == WORDED_BY_MODEL


def _marked(candidate: Candidate) -> bool:
    return bool(candidate.correction and candidate.correction.marked)


def _item(top: Path, name: str) -> WaitingCandidate:
    item: WaitingCandidate = _loaded(top, f"{QUEUE}/{name}", WaitingCandidate)
    times = 1 + len(item.candidate.repeats)
    if len(item.sessions) != times:
        where = str(state.state_path(top, f"{QUEUE}/{name}"))
        raise RulecError(f"cannot be read: it has {len(item.sessions)} sessions, not {times}", where=where, hint=_CURE)
    return item


def _loaded(top: Path, name: str, kind: Any) -> Any:
    place = state.state_path(top, name)
    try:
        return state.load_dataclass(kind, state.read_state_text(top, name))
    except ValueError as error:
        raise RulecError(f"cannot be read: {error}", where=str(place), hint=_CURE) from None
