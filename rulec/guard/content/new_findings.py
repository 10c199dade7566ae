"""Which findings are new: what was only moved, indented or renamed was found before, too."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Sequence


def spaced_alike(text: str) -> str:
    """The text as one compares it with an earlier one: however it was indented, spaced or ended."""
    return " ".join(text.split())


def new_among(doubted: Sequence[Hashable], now: Iterable[Hashable], before: Iterable[Hashable]) -> set[int]:
    """The positions of the doubted ones that are new: of several alike as many as there are more than before.

    They are among those that are found ``now``. Nobody can say which of them are new: it is the last ones.
    """
    more: dict[Hashable, int] = {}
    for key in now:
        more[key] = more.get(key, 0) + 1
    for key in before:
        more[key] = more.get(key, 0) - 1
    new: set[int] = set()
    for at in range(len(doubted) - 1, -1, -1):
        if more.get(doubted[at], 0) > 0:
            more[doubted[at]] -= 1
            new.add(at)
    return new
