"""Turns in the making: the agent's stretch, its open calls, and the person's words that wait for their results."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import chain
from typing import NamedTuple, overload

from rulec.domain.transcript import Action, Role, Turn, TurnKind, relative_to_folder

MakeActions = Callable[[], list[Action]]


class LazyActions(Sequence[Action]):
    """The actions of one stretch of an agent's work, each made on the first look at it."""

    __slots__ = ("_parts",)

    def __init__(self, makers: Sequence[MakeActions]) -> None:
        self._parts: list[MakeActions | list[Action]] = list(makers)

    def _part(self, at: int) -> list[Action]:
        part = self._parts[at]
        if not isinstance(part, list):
            part = self._parts[at] = part()
        return part

    def _all(self) -> tuple[Action, ...]:
        return tuple(iter(self))  # not of itself: its length is asked first, and that comes here

    @overload
    def __getitem__(self, at: int) -> Action: ...
    @overload
    def __getitem__(self, at: slice) -> Sequence[Action]: ...
    def __getitem__(self, at: int | slice) -> Action | Sequence[Action]:
        return self._all()[at]

    def __iter__(self) -> Iterator[Action]:
        return chain.from_iterable(map(self._part, range(len(self._parts))))

    def __reversed__(self) -> Iterator[Action]:
        return chain.from_iterable(reversed(self._part(at)) for at in reversed(range(len(self._parts))))

    def __len__(self) -> int:
        return len(self._all())

    def __bool__(self) -> bool:
        return any(not isinstance(part, list) or part for part in self._parts)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and self._all() == tuple(other)

    def __hash__(self) -> int:
        return hash(self._all())

    def __repr__(self) -> str:
        return repr(self._all())


WORDS = 8_000  # characters of the agent's words that are kept, the last ones
OUTPUT = 2_000
_MOST_CALLS, _ENDS = 1_500, 500  # in one stretch; of a longer one only both ends are kept
_WAITING = 100  # human turns that wait at most: memory stays bounded whatever the file holds


class CallOutcome(NamedTuple):
    """How a call went: what it printed, at most OUTPUT characters of it, whether it went well, as far as is known."""

    output: str
    ok: bool | None
    rejected: bool = False  # the person refused it


def _same(actions: list[Action]) -> list[Action]:
    return actions


@dataclass(slots=True)
class _OpenCall:
    made: MakeActions
    ended: Callable[[], CallOutcome] | None = None

    def actions(self) -> list[Action]:
        """What was done, with its result."""
        if self.ended is None:
            return self.made()
        output, ok, rejected = self.ended()
        return [
            replace(action, ok=ok, rejected=rejected, output=f"{action.output}\n{output}".strip()[:OUTPUT])
            for action in self.made()
        ]


class _PendingWords(NamedTuple):
    kind: TurnKind
    text: str
    line: int
    at: str
    interrupted: bool = False
    actions: Sequence[Action] = ()
    role: Role = "human"


@dataclass(slots=True)
class TurnBuilder:
    """Collects one transcript; ``flush`` gives the turns that are complete."""

    agent: str
    id: str = ""
    cwd: str = ""
    _index: int = 0
    _line: int = 0
    _at: str = ""
    _words: list[str] = field(default_factory=list)
    _size: int = 0
    _calls: list[_OpenCall] = field(default_factory=list)
    _open: dict[str, deque[_OpenCall]] = field(default_factory=dict)
    _waiting: list[_PendingWords] = field(default_factory=list)
    _interrupted: bool = False

    def path(self, path: str, cwd: str = "") -> str:
        """The path relative to the session's folder, or to the folder the agent was in."""
        return relative_to_folder(relative_to_folder(path, self.cwd), cwd)

    def say(self, text: str, line: int, at: str) -> None:
        """Add words of the agent."""
        if not text.strip():
            return
        self._begin(line, at)
        self._words.append(text.strip()[-WORDS:])
        self._size += len(self._words[-1]) + 1
        while self._size - len(self._words[0]) - 1 >= WORDS:
            self._size -= len(self._words.pop(0)) + 1

    def call(self, call_id: str, actions: list[Action] | MakeActions, line: int, at: str) -> None:
        """Add one tool call, which may be several actions."""
        self._begin(line, at)
        self._calls.append(_OpenCall(actions if callable(actions) else partial(_same, actions)))
        self._open.setdefault(call_id, deque()).append(self._calls[-1])
        if len(self._calls) > _MOST_CALLS:
            del self._calls[_ENDS:-_ENDS]
            self._open = {name: deque(kept) for name, calls in self._open.items() if (kept := self._kept(calls))}

    def _kept(self, calls: Iterable[_OpenCall]) -> list[_OpenCall]:
        return [call for call in calls if any(call is kept for kept in self._calls)]

    def result(self, call_id: str, output: str, *, ok: bool | None, rejected: bool = False) -> None:
        """Join a result to the first open call of that id; ids are not always unique."""
        outcome = CallOutcome(output[:OUTPUT], ok, rejected)
        self.answer(call_id, lambda: outcome)

    def answer(self, call_id: str, ended: Callable[[], CallOutcome]) -> None:
        """The same, of a result that is read when somebody asks for the call's actions."""
        calls = self._open.get(call_id)
        if not calls:
            return
        calls.popleft().ended = ended
        if not calls:
            del self._open[call_id]

    def interrupt(self) -> None:
        """Remember that the person stopped the agent."""
        self._interrupted = True

    def human(self, kind: TurnKind, text: str, line: int, at: str, *, sure: bool = True) -> list[Turn]:
        """Add a person's words; they wait while results of the agent's calls are still to come.

        Where it is not ``sure`` that a person said them, they are an unknown speaker's.
        """
        text = text.strip()
        if not text:
            return []
        self._waiting.append(
            _PendingWords(kind, text, line, at, self._interrupted, role="human" if sure else "unknown")
        )
        self._interrupted = False
        return self.flush() if not self._open or len(self._waiting) >= _WAITING else []

    def begin(self, session_id: str, agent: str) -> list[Turn]:
        """Another session in the same file."""
        done = self.flush()
        self.id, self.agent, self.cwd, self._interrupted = session_id, agent, "", False
        return done

    def go_on(self) -> list[Turn]:
        """The turns that are complete as the agent works again: those of before, where a person has spoken since."""
        return self.flush() if self._waiting else []

    def flush(self) -> list[Turn]:
        """The agent's stretch, then what the person said to it."""
        told = self._waiting
        if self._words or self._calls:
            actions = LazyActions([call.actions for call in self._calls])
            text = "\n".join(self._words)[-WORDS:]
            told = [_PendingWords("agent", text, self._line, self._at, actions=actions, role="agent"), *told]
        self._words, self._size, self._calls, self._open, self._waiting = [], 0, [], {}, []
        first, self._index = self._index, self._index + len(told)
        return [
            Turn(**words._asdict(), index=index, session=self.id, agent=self.agent, cwd=self.cwd)
            for index, words in enumerate(told, first)
        ]

    def _begin(self, line: int, at: str) -> None:
        if not self._words and not self._calls:
            self._line, self._at = line, at
