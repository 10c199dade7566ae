"""A candidate that waits for a person, and what of it may be kept on disk."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from rulec.checks.proving.replay import ProofSession
from rulec.domain.candidate import Candidate, Draft, ReaderOpinion
from rulec.domain.enforcement import PinnedEnforcement
from rulec.domain.secrets.redaction import redact
from rulec.domain.transcript import Action
from rulec.resolving.grouping import group_candidates
from rulec.resolving.revisions import LONGEST_ACTION, redact_rule, session_name, with_draft
from rulec.services.decisions.candidate_identity import candidate_id, occurrences

MOST_CHARACTERS = 1_000_000  # characters of the actions of one session that are kept for the proof


@dataclass(frozen=True, slots=True, kw_only=True)
class WaitingCandidate:
    """All that review needs, even when the transcript is gone or has grown."""

    candidate: Candidate
    sessions: tuple[ProofSession | None, ...] = (None,)  # of the candidate and of each of its repeats
    source: str = ""  # the transcript, or the verb that it came by
    at: str = ""  # since when it waits
    pinned: PinnedEnforcement = "auto"  # what a person said that a finding does when they had it found


def merge_repeats(items: Iterable[WaitingCandidate]) -> list[WaitingCandidate]:
    """Each preference once, however often it was found, with the session of every time."""
    known: dict[str, tuple[Candidate, ProofSession | None, WaitingCandidate]] = {}
    for item in items:
        for one, session in zip(occurrences(item.candidate), item.sessions, strict=True):
            known.setdefault(candidate_id(one), (one, session, item))
    found = []
    for candidate in group_candidates(one for one, _, _ in known.values()):
        parts = [known[candidate_id(one)] for one in occurrences(candidate)]
        since = min(item.at for _, _, item in parts)
        sessions = tuple(session for _, session, _ in parts)
        found.append(replace(parts[0][2], candidate=candidate, sessions=sessions, at=since))
    return found


def redacted_item(item: WaitingCandidate) -> WaitingCandidate:
    """What of it may touch the disk: no secrets, and no texts that review does not look at."""
    sessions = tuple(map(_redacted_session, item.sessions))
    return replace(item, candidate=_redacted_candidate(item.candidate, item.sessions), sessions=sessions)


def with_actions(item: WaitingCandidate) -> WaitingCandidate:
    """With the actions around each correction again, which stand in its session."""
    first, *others = (
        replace(
            one,
            correction=replace(
                one.correction, before=_judged_actions(session.before), after=_judged_actions(session.after)
            ),
        )
        if one.correction and session
        else one
        for one, session in zip(occurrences(item.candidate), item.sessions, strict=True)
    )
    return replace(item, candidate=replace(first, repeats=tuple(others)))


def _judged_actions(actions: Iterable[Action]) -> tuple[Action, ...]:
    return tuple(action for action in actions if not action.aside and action.kind not in ("says", "stop"))


def _redacted_candidate(candidate: Candidate, sessions: Sequence[ProofSession | None]) -> Candidate:
    """The candidate as it may touch the disk; texts that review does not look at, and what its session holds, go."""
    said = candidate.correction
    if said:
        turn = replace(said.turn, text="", cwd="", session=session_name(said.turn.session), actions=())
        around = (
            ((), ())
            if sessions[0]
            else (tuple(map(_redacted_action, said.before)), tuple(map(_redacted_action, said.after)))
        )
        said = replace(said, quote=redact(said.quote), turn=turn, before=around[0], after=around[1])
    return replace(
        candidate,
        rule=redact_rule(candidate.rule, redact),
        drafts=tuple(_drafts_without_secrets(candidate)),
        correction=said,
        repeats=tuple(
            _redacted_candidate(one, (session,)) for one, session in zip(candidate.repeats, sessions[1:], strict=True)
        ),
        offered=_redacted_offer(candidate.offered),
    )


def _redacted_offer(one: ReaderOpinion | None) -> ReaderOpinion | None:
    """What a reader named, as far as evidence quotes it; its examples stand in the drafts."""
    return (
        replace(one, offence=_shortened_action(one.offence), fix=_shortened_action(one.fix), invalid=(), valid=())
        if one
        else None
    )


def _shortened_action(action: Action | None) -> Action | None:
    if action is None:
        return None
    plain = _redacted_action(action)
    return replace(plain, command=plain.command[:LONGEST_ACTION], old="", new=plain.new[:LONGEST_ACTION])


def _drafts_without_secrets(candidate: Candidate) -> Iterator[Draft]:
    """Those that hold no secret in a check: a redacted pattern would look for something else."""
    for draft in candidate.drafts:
        plain = with_draft(candidate.rule, draft)
        rule = redact_rule(plain, redact)
        if rule.checks == plain.checks:
            yield replace(draft, invalid=rule.invalid, valid=rule.valid, do=rule.do)


def _redacted_session(session: ProofSession | None) -> ProofSession | None:
    """The session redacted, and no longer than the proof needs it: what is nearest to the correction stays."""
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
