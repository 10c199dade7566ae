"""Actions that are read from their records only when somebody looks at them: most stretches are never looked at."""

from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from typing import overload

from rulec.model.transcript import Action

Made = Callable[[], list[Action]]


class Late(Sequence[Action]):
    """The actions of one stretch of an agent's work, each made on the first look at it."""

    __slots__ = ("_parts",)

    def __init__(self, makers: Sequence[Made]) -> None:
        self._parts: list[Made | list[Action]] = list(makers)

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
