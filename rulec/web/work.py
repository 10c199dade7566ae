"""Runs services in threads beside the requests, one at a time: like commands, they are written to run alone."""

import asyncio
import contextlib
import threading
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

Made = TypeVar("Made")


class _Queue:
    """Lets one at a time through; acts go before reads."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._busy = False
        self._acts = 0  # that wait

    @contextlib.contextmanager
    def turn(self, *, acts: bool) -> Iterator[None]:
        """Wait for one's turn, and take it."""
        with self._changed:
            self._acts += acts
            self._changed.wait_for(lambda: not self._busy and (acts or not self._acts))
            self._acts -= acts
            self._busy = True
        try:
            yield
        finally:
            with self._changed:
                self._busy = False
                self._changed.notify_all()

    def finish(self, seconds: float) -> None:
        """Wait for so long until nobody is at it."""
        with self._changed:
            self._changed.wait_for(lambda: not self._busy, seconds)


_QUEUE = _Queue()


async def read(function: Callable[..., Made], /, *args: Any) -> Made:
    """What a service returns that changes nothing; RulecError as the service raises it."""
    return await _run(lambda: function(*args), acts=False)


async def act(function: Callable[..., Made], /, *args: Any) -> Made:
    """What a service returns that changes something."""
    return await _run(lambda: function(*args), acts=True)


def finish(seconds: float) -> None:
    """Let what is under way go on for so long; the next command finishes or undoes a change that takes longer."""
    _QUEUE.finish(seconds)


async def _run(work: Callable[[], Made], *, acts: bool) -> Made:
    """What the work returns, of a thread that the end of the page waits for no longer."""
    loop = asyncio.get_running_loop()
    future: asyncio.Future[Made] = loop.create_future()

    def tell(say: Callable[[Any], None], what: object) -> None:
        with contextlib.suppress(RuntimeError):  # the page has ended
            loop.call_soon_threadsafe(lambda: None if future.done() else say(what))

    def begin() -> None:
        try:
            with _QUEUE.turn(acts=acts):
                made = work()
        except BaseException as error:  # noqa: BLE001 - whoever waits for it handles it, or tells of the bug
            tell(future.set_exception, error)
        else:
            tell(future.set_result, made)

    threading.Thread(target=begin, daemon=True).start()
    return await future
