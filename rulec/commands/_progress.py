"""How far a long piece of work is, for whoever looks."""

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext

Tick = Callable[[int], None]  # so much more is done
Progress = Callable[[str, int], AbstractContextManager[Tick]]  # what is done, and how much of it there is


def unseen(_: int) -> None:
    """Nobody looks."""


def unwatched(_: str, __: int) -> AbstractContextManager[Tick]:
    """Nobody looks at any of it."""
    return nullcontext(unseen)
