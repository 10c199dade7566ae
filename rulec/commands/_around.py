"""The turns around a correction -> the session as replay needs it: all in its order, and what is judged of it."""

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from rulec.model.correction import Correction
from rulec.model.transcript import Action, Damage, Turn
from rulec.runtime import shell
from rulec.stages.verify import EARLIER, Session

LATER = 500  # actions of the rest of a session that a replay looks at
WORDS = 2_000  # the last characters of what was said


def sessions(
    told: Iterable[Turn | Damage], corrections: Sequence[Correction], corrected: frozenset[int]
) -> list[Session]:
    """The session around each correction, in one pass; ``corrected`` are the turns that correct anything."""
    rests = [_Rest(correction) for correction in corrections]
    past: deque[Action] = deque(maxlen=EARLIER)
    words: str | None = None  # the agent's, since a person spoke last
    wanting = rests
    for turn in told if rests else ():
        if isinstance(turn, Damage):
            continue
        wanting = [rest for rest in wanting if rest.pass_by(turn, past, words, corrected=turn.index in corrected)]
        if not wanting:
            break
        if turn.role == "agent":
            words = turn.text
            past.extend(map(aside, turn.actions))
        elif turn.role == "human":
            past.extend([*map(aside, ending(turn, words)), said(turn)])
            words = None
    return [rest.session() for rest in rests]


class _Rest:
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
            ended = [] if turn.interrupted or turn.kind == "rejection" else _stop(words)
            self.before = [*list(past)[: spoke + 1], *self.correction.before, *ended]
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
        self.pending += ending(turn, words) if self.seen else []
        self._close(corrected=corrected)
        self.later.append(said(turn))

    def _close(self, *, corrected: bool) -> None:
        told = [aside(action) for action in self.pending] if corrected else list(_accepted(self.pending))
        self.left -= sum(not action.aside for action in told)
        self.later += told
        self.pending = []

    def session(self) -> Session:
        self._close(corrected=False)
        done = self.correction.after
        after = (said(self.correction.turn), *(map(aside, done) if self.answered else _accepted(done)))
        kept = list(_standing([*after, *self.later]))
        return Session(before=tuple(self.before), after=tuple(kept[: len(after)]), later=tuple(kept[len(after) :]))


def blameless(session: Session) -> Session:
    """The session of a wish for which nothing is named that went wrong: what came before it only happened."""
    return replace(session, before=tuple(map(aside, session.before)))


def ending(turn: Turn, words: str | None) -> list[Action]:
    """The end of the agent's turn, where this one of a person came after it and not into it."""
    return [] if turn.interrupted or turn.kind in ("rejection", "queued") else _stop(words)


def _stop(words: str | None) -> list[Action]:
    return [] if words is None else [Action(kind="stop", new=words[-WORDS:])]


def said(turn: Turn) -> Action:
    """A person's words as an action that only happened."""
    return Action(kind="says", new=turn.text[:WORDS], aside=True)


def _standing(actions: Sequence[Action]) -> Iterator[Action]:
    """The actions, those aside whose text did not stay: what the session took back was not accepted."""
    for at, action in enumerate(actions):
        taken = action.kind in ("write", "edit") and any(_takes_back(one, action) for one in actions[at + 1 :])
        yield aside(action) if taken else action


def _takes_back(later: Action, action: Action) -> bool:
    """Whether a later action removed what this one wrote: its file, its text, or all that was not committed."""
    if later.ok is False or later.rejected:
        return False
    if later.kind == "command":
        return any(_restores(call.argv, action.path) for call in shell.parse(later.command).calls)
    if later.path != action.path or later.aside:
        return False
    text = action.new.strip()
    rewritten = later.kind == "write" and text not in later.new
    return later.kind == "delete" or rewritten or (bool(text) and text in later.old and text not in later.new)


def _restores(words: Sequence[str], path: str) -> bool:
    """Whether a command puts a file back, or takes it away: git restore, git checkout --, git reset --hard, rm."""
    program, *rest = [word.rpartition("/")[2] if not at else word for at, word in enumerate(words)] or [""]
    named = path in rest or "." in rest
    if program == "rm":
        return path in rest
    if program != "git" or not rest:
        return False
    hard = rest[0] == "reset" and "--hard" in rest
    return hard or (named and (rest[0] == "restore" or (rest[0] == "checkout" and "--" in rest)))


def _accepted(actions: Iterable[Action]) -> Iterator[Action]:
    return (aside(action) if action.rejected or action.ok is False else action for action in actions)


def aside(action: Action) -> Action:
    """The action as one that only happened: whoever looks back asks for no content."""
    said = action.kind in ("says", "stop")
    return replace(action, old="", new=action.new if said else "", output="", aside=True)


def together(sessions: Sequence[Session | None], number: int) -> Session | None:
    """The session of one time that a thing was said, with what was accepted in the others: that must pass as well."""
    own = sessions[number]
    if own is None:
        return None
    known, left = {*own.after, *own.later}, LATER - own.accepted
    others = []
    for session in (s for place, s in enumerate(sessions) if s and place != number):
        tale = [aside(action) for action in session.before]
        for action in (*session.after, *session.later):
            judged = left > 0 and not action.aside and action not in known
            left -= judged
            known.add(action)
            tale.append(action if judged else aside(action))
        others.append(tuple(tale))
    return replace(own, others=tuple(others))
