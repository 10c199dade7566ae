"""Requests over the network, some beside each other, none of which can keep us longer than it may take."""

import threading
from collections.abc import Callable, Iterator, Sequence

from rulec.host import clock
from rulec.model.exchange import Heard, Request, Trouble

_GRACE = 1.0  # seconds past its time after which a request is left to itself


def beside(
    ask: Callable[[Request], Heard],
    requests: Sequence[Request],
    seconds: float,
    late: Callable[[int], Trouble],
    many: int = 0,
) -> Iterator[Heard]:
    """Their answers in their order, ``many`` at a time or all at once where it is 0.

    Each has a thread of its own: one that cannot be stopped at its time is left, and Ctrl-C waits for none.
    """
    for at in range(0, len(requests), many or len(requests) or 1):
        yield from _together(ask, requests[at : at + (many or len(requests))], seconds, late)


def _together(
    ask: Callable[[Request], Heard], requests: Sequence[Request], seconds: float, late: Callable[[int], Trouble]
) -> Iterator[Heard]:
    found: list[Heard | None] = [None] * len(requests)

    def work(place: int) -> None:
        found[place] = ask(requests[place])

    threads = [threading.Thread(target=work, args=(place,), daemon=True) for place in range(len(requests))]
    for thread in threads:
        thread.start()
    left = clock.countdown(seconds + _GRACE)
    for place, thread in enumerate(threads):
        thread.join(max(left(), 0.0))
        yield found[place] or late(requests[place].tokens)
