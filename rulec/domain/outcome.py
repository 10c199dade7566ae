"""What a use case has to say: how far it is while it runs, its text, data and exit code at the end."""

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from typing import Any

CLEAN, FINDINGS, REFUSED, BUG = 0, 1, 2, 3


@dataclass(frozen=True, slots=True)
class Outcome:
    """Text for people, data for machines, and 0 clean or 1 findings; refusals are RulecErrors."""

    text: str = ""
    code: int = CLEAN
    data: Any = field(default=None)


Tick = Callable[[int], None]  # so much more is done
Progress = Callable[[str, int], AbstractContextManager[Tick]]  # what is done, and how much of it there is


def ignore_tick(_: int) -> None:
    """Report no progress."""


def no_progress(_: str, __: int) -> AbstractContextManager[Tick]:
    """Progress that nobody watches."""
    return nullcontext(ignore_tick)
