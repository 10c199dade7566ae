"""Requests over the network, some beside each other: what can go wrong with one, and none keeps us longer than it may."""

import threading
from collections.abc import Callable, Iterator, Sequence

from rulec.domain.prompt import ModelFailure, ModelReply, ModelRequest
from rulec.infra import clock


class RequestTimedOut(Exception):  # noqa: N818 - it says what happened
    """The time of a request is over."""


class ReplyTooLarge(Exception):  # noqa: N818 - it says what happened
    """A reply goes on and on."""


def is_unreachable(error: BaseException) -> bool:
    """Whether nobody was there to answer: no name, no route, no proxy, no certificate."""
    names = {type(cause).__name__ for cause in _causes(error)}
    return bool(names & {"ConnectError", "ConnectTimeout", "ProxyError", "UnsupportedProtocol", "InvalidURL"})


def _causes(error: BaseException) -> Iterator[BaseException]:
    cause: BaseException | None = error
    for _ in range(10):
        if cause is None:
            return
        yield cause
        cause = cause.__cause__ or cause.__context__


_GRACE = 1.0  # seconds past its time after which a request is left to itself


def ask_beside(
    ask: Callable[[ModelRequest], ModelReply],
    requests: Sequence[ModelRequest],
    seconds: float,
    late: Callable[[int], ModelFailure],
    many: int = 0,
) -> Iterator[ModelReply]:
    """Their answers in their order, ``many`` at a time or all at once where it is 0.

    Each has a thread of its own: one that cannot be stopped at its time is left, and Ctrl-C waits for none.
    """
    for at in range(0, len(requests), many or len(requests) or 1):
        yield from _together(ask, requests[at : at + (many or len(requests))], seconds, late)


def _together(
    ask: Callable[[ModelRequest], ModelReply],
    requests: Sequence[ModelRequest],
    seconds: float,
    late: Callable[[int], ModelFailure],
) -> Iterator[ModelReply]:
    found: list[ModelReply | None] = [None] * len(requests)

    def work(place: int) -> None:
        found[place] = ask(requests[place])

    threads = [threading.Thread(target=work, args=(place,), daemon=True) for place in range(len(requests))]
    for thread in threads:
        thread.start()
    left = clock.countdown(seconds + _GRACE)
    for place, thread in enumerate(threads):
        thread.join(max(left(), 0.0))
        yield found[place] or late(requests[place].tokens)
