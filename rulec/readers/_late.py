"""Actions that are read from their records only when somebody looks at them: most stretches are never looked at."""

from collections.abc import Callable, Iterator, Sequence
from typing import overload

from rulec.model.transcript import Action

Made = Callable[[], list[Action]]


class Late(Sequence[Action]):
    """The actions of one stretch of an agent's work, made on the first look."""

    __slots__ = ("_made", "_makers")

    def __init__(self, makers: Sequence[Made]) -> None:
        self._makers = tuple(makers)
        self._made: tuple[Action, ...] | None = None

    def _all(self) -> tuple[Action, ...]:
        if self._made is None:
            self._made = tuple(action for maker in self._makers for action in maker())
            self._makers = ()
        return self._made

    @overload
    def __getitem__(self, at: int) -> Action: ...
    @overload
    def __getitem__(self, at: slice) -> Sequence[Action]: ...
    def __getitem__(self, at: int | slice) -> Action | Sequence[Action]:
        return self._all()[at]

    def __iter__(self) -> Iterator[Action]:
        return iter(self._all())

    def __len__(self) -> int:
        return len(self._all())

    def __bool__(self) -> bool:
        return bool(self._makers or self._made)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and self._all() == tuple(other)

    def __hash__(self) -> int:
        return hash(self._all())

    def __repr__(self) -> str:
        return repr(self._all())
