"""The originating session through a rule's checks: its offence caught, all that was accepted passed."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache

from rulec.checks.proving.example_changes import change_of_action
from rulec.checks.proving.proof import StageFailure
from rulec.domain.artifact import Artifact, judges_whole_changes
from rulec.domain.candidate import Correction
from rulec.domain.change import Change, TreeAfterChange
from rulec.domain.finding import Fault, Finding
from rulec.domain.transcript import Action, Turn, UnreadableLine
from rulec.shell.parsing import parser
from rulec.transcripts.session_commits import commits_of

Seen = Sequence[Finding | Fault]
ObserveChanges = Callable[[Sequence[Artifact], Sequence[Change]], Sequence[Seen]]  # each change through the artifacts
MOST_EARLIER = 1_000  # actions before one that is replayed, as many as its checks get to see


@dataclass(frozen=True, slots=True, kw_only=True)
class ProofSession:
    """The originating session, cut around the correction."""

    before: tuple[Action, ...] = ()  # the offence is among them
    after: tuple[Action, ...] = ()  # accepted
    later: tuple[Action, ...] = ()  # the rest of the session, as far as no other correction speaks of it
    tree: TreeAfterChange | None = None  # what stood beside the changes
    others: tuple[tuple[Action, ...], ...] = ()  # what was accepted when the same was said another time

    @property
    def accepted(self) -> int:
        """How many actions must pass."""
        return sum(is_judged(action) for tale in (self.after, self.later, *self.others) for action in tale)


def is_judged(action: Action) -> bool:
    return not action.aside and action.kind != "says"


def replay_failures(
    artifacts: Sequence[Artifact], observe: ObserveChanges, session: ProofSession
) -> list[StageFailure]:
    tales = [(*session.before, *session.after, *session.later), *session.others]
    changes = [change for tale in tales for change in _changes_in_order(tale)]
    actions = [action for tale in tales for action in tale if is_judged(action)]
    seen = observe(artifacts, changes)
    start = sum(map(is_judged, session.before))
    whole = [artifact for artifact in artifacts if judges_whole_changes(artifact)]
    past, accepted = commits_of(actions[:start], actions[start:]) if whole else ([], [])
    made = [*seen[:start], *observe(whole, past)]
    if whole and not any_finding(made):
        made = list(observe(whole, [replace(change, tree=session.tree) for change in past]))
    if start and not any_finding(made):
        return [StageFailure(what="did not catch the action that was corrected", expected="caught", got="passed")]
    commits = zip(accepted, observe(whole, accepted), strict=True)
    blocked = [
        f"a commit of {', '.join(f.path for f in one.files)[:80]}" for one, found in commits if has_finding(found)
    ]
    deeds = zip(actions[start:], seen[start:], strict=True)
    blocked += [_name_action(action) for action, found in deeds if has_finding(found)]
    return [
        StageFailure(what=f"would have blocked what was accepted: {what}", expected="passed", got="caught", why=what)
        for what in dict.fromkeys(blocked)
    ]


def _changes_in_order(tale: Sequence[Action]) -> Iterator[Change]:
    """A change for each action that is judged, with what the session had done before it."""
    for number, action in enumerate(tale):
        if is_judged(action):
            yield replace(change_of_action(action), earlier=tuple(tale[max(0, number - MOST_EARLIER) : number]))


def any_finding(seen: Sequence[Seen]) -> bool:
    return any(map(has_finding, seen))


def has_finding(found: Seen) -> bool:
    return any(isinstance(item, Finding) for item in found)


def _name_action(action: Action) -> str:
    return repr((action.command or f"{action.kind} {action.path or action.new}")[:80])


def remembered_actions(artifacts: Iterable[Artifact]) -> int:
    """How many earlier actions the checks need to see."""
    looking_back = ('"on": "session"', '"on": "reply"')
    return MOST_EARLIER if any(mark in (artifact.text or "") for artifact in artifacts for mark in looking_back) else 0


class SessionActions:
    """The actions of a session in order, each with those before it, at least as many as are remembered."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._past: tuple[Action, ...] = ()
        self._words: str | None = None  # the agent's, since a person spoke last

    def _remember(self, *actions: Action) -> None:
        """Add to the past; its older half goes at once, for whoever looks back reads on where it only grew."""
        self._past = (*self._past, *actions) if self._most else ()
        if len(self._past) > 2 * self._most:
            self._past = self._past[-self._most :]

    def of_turn(self, turn: Turn) -> Iterator[Change]:
        """The actions that a turn brings: its own, or the end of the agent's turn before it."""
        actions = turn.actions if turn.role == "agent" else turn_end_actions(turn, self._words)
        if turn.role == "agent" and turn.text and actions:  # said before them, and no end of the turn
            self._remember(Action(kind="reply", new=turn.text, aside=True))
        for action in actions:
            yield Change(actions=(action,), earlier=self._past)
            self._remember(set_aside(action))
        self._words = turn.text if turn.role == "agent" else None
        if turn.role == "human":
            self._remember(spoken_action(turn))


LATER = 500  # actions of the rest of a session that a replay looks at
WORDS = 2_000  # the last characters of what was said


def sessions_around(
    told: Iterable[Turn | UnreadableLine], corrections: Sequence[Correction], corrected: frozenset[int]
) -> list[ProofSession]:
    """The session around each correction, in one pass; ``corrected`` are the turns that correct anything."""
    rests = [_SessionBuilder(correction) for correction in corrections]
    past: deque[Action] = deque(maxlen=MOST_EARLIER)
    words: str | None = None  # the agent's, since a person spoke last
    wanting = rests
    for turn in told if rests else ():
        if isinstance(turn, UnreadableLine):
            continue
        wanting = [rest for rest in wanting if rest.pass_by(turn, past, words, corrected=turn.index in corrected)]
        if not wanting:
            break
        if turn.role == "agent":
            words = turn.text
            past.extend(map(set_aside, turn.actions))
        elif turn.role == "human":
            past.extend([*map(set_aside, turn_end_actions(turn, words)), spoken_action(turn)])
            words = None
    return [rest.session() for rest in rests]


class _SessionBuilder:
    """One correction's session in the making: later actions are accepted where no correction follows them."""

    def __init__(self, correction: Correction) -> None:
        self.correction = correction
        self.before: list[Action] = []
        self.later: list[Action] = []
        self.pending: list[Action] = []
        self.seen = False  # the stretch right after the correction is its own part
        self.left = LATER
        self.answered: bool | None = None  # whether the next turn corrects what was done right after this one

    def pass_by(self, turn: Turn, past: Sequence[Action], words: str | None, *, corrected: bool) -> bool:
        """Whether more is wanted."""
        if turn.index == self.correction.turn.index:
            spoke = max((at for at, action in enumerate(past) if action.kind == "says"), default=-1)
            done = self.correction.before
            named = bool(done) and done[-1].kind == "stop"  # the end of the agent's turn is what was wrong
            ended = [] if named or turn.interrupted or turn.kind == "rejection" else _stop_action(words)
            self.before = [*list(past)[: spoke + 1], *done, *ended]
        elif turn.index > self.correction.turn.index:
            self._follow(turn, words, corrected=corrected)
        return self.left > 0

    def _follow(self, turn: Turn, words: str | None, *, corrected: bool) -> None:
        if turn.role == "agent":
            self._close(corrected=True)
            self.pending = list(turn.actions) if self.seen else []
            self.seen = True
            return
        self.answered = corrected if self.answered is None else self.answered
        self.pending += turn_end_actions(turn, words) if self.seen else []
        self._close(corrected=corrected)
        self.later.append(spoken_action(turn))

    def _close(self, *, corrected: bool) -> None:
        told = [set_aside(action) for action in self.pending] if corrected else list(_set_refused_aside(self.pending))
        self.left -= sum(not action.aside for action in told)
        self.later += told
        self.pending = []

    def session(self) -> ProofSession:
        self._close(corrected=False)
        done = self.correction.after
        after = (
            spoken_action(self.correction.turn),
            *(map(set_aside, done) if self.answered else _set_refused_aside(done)),
        )
        kept = list(_set_undone_aside([*after, *self.later]))
        return ProofSession(before=tuple(self.before), after=tuple(kept[: len(after)]), later=tuple(kept[len(after) :]))


def without_offence(session: ProofSession) -> ProofSession:
    """The session of a wish for which nothing is named that went wrong: what came before it only happened."""
    return replace(session, before=tuple(map(set_aside, session.before)))


def turn_end_actions(turn: Turn, words: str | None) -> list[Action]:
    """The end of the agent's turn, where this one of a person came after it and not into it."""
    return [] if turn.interrupted or turn.kind in ("rejection", "queued") else _stop_action(words)


def _stop_action(words: str | None) -> list[Action]:
    return [] if words is None else [Action(kind="stop", new=words[-WORDS:])]


def spoken_action(turn: Turn) -> Action:
    """A person's words as an action that only happened."""
    return Action(kind="says", new=turn.text[:WORDS], aside=True)


def _set_undone_aside(actions: Sequence[Action]) -> Iterator[Action]:
    """The actions, those aside whose text did not stay: what the session took back was not accepted."""
    undone, kept = _UndoneLater(), list[Action]()
    for action in reversed(actions):
        taken = action.kind in ("write", "edit") and undone.holds(action)
        undone.note(action)
        kept.append(set_aside(action) if taken else action)
    return reversed(kept)


@dataclass(slots=True)
class _UndoneLater:
    """What the actions noted so far take back of those before them: files, texts, or all that was not committed."""

    all: bool = False
    files: set[str] = field(default_factory=set)
    changes: dict[str, list[Action]] = field(default_factory=dict)  # by path

    def note(self, action: Action) -> None:
        if action.ok is False or action.rejected:
            return
        if action.kind == "command":
            whole, files = _restored(action.command)
            self.all = self.all or whole
            self.files |= files
        elif action.kind == "delete" and not action.aside:
            self.files.add(action.path)
        elif action.kind in ("write", "edit") and not action.aside:
            self.changes.setdefault(action.path, []).append(action)

    def holds(self, action: Action) -> bool:
        text = action.new.strip()
        return (
            self.all
            or action.path in self.files
            or any(
                text not in later.new and (later.kind == "write" or (bool(text) and text in later.old))
                for later in self.changes.get(action.path, ())
            )
        )


@lru_cache(maxsize=10_000)  # each correction of a session looks at the commands after it
def _restored(command: str) -> tuple[bool, frozenset[str]]:
    """Whether a command puts every file back, and which it puts back or takes away: git restore, checkout --, rm."""
    whole, files = False, set[str]()
    for call in parser.parse_shell(command).calls:
        program, *rest = [word.rpartition("/")[2] if not at else word for at, word in enumerate(call.argv)] or [""]
        verb = rest[0] if program == "git" and rest else ""
        named = rest if verb == "restore" or (verb == "checkout" and "--" in rest) else ()
        files.update(rest if program == "rm" else named)
        whole = whole or "." in named or (verb == "reset" and "--hard" in rest)
    return whole, frozenset(files)


def _set_refused_aside(actions: Iterable[Action]) -> Iterator[Action]:
    return (set_aside(action) if action.rejected or action.ok is False else action for action in actions)


def set_aside(action: Action) -> Action:
    """The action as one that only happened: whoever looks back asks for no content."""
    said = action.kind in ("says", "stop")
    return replace(action, old="", new=action.new if said else "", output="", aside=True)


def merge_sessions(sessions: Sequence[ProofSession | None], number: int) -> ProofSession | None:
    """The session of one time that a thing was said, with what was accepted in the others: that must pass as well."""
    own = sessions[number]
    if own is None:
        return None
    known, left = {*own.after, *own.later}, LATER - own.accepted
    others = []
    for session in (s for place, s in enumerate(sessions) if s and place != number):
        tale = [set_aside(action) for action in session.before]
        for action in (*session.after, *session.later):
            judged = left > 0 and not action.aside and action not in known
            left -= judged
            known.add(action)
            tale.append(action if judged else set_aside(action))
        others.append(tuple(tale))
    return replace(own, others=tuple(others))
