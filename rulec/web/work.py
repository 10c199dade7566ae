"""Runs services beside the requests, each in a thread: reads side by side, acts one after the other."""

import asyncio
import contextlib
import threading
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any, TypeVar

READS_AT_ONCE = 4
_READS = threading.BoundedSemaphore(READS_AT_ONCE)
_ACT = threading.Lock()
Made = TypeVar("Made")


async def read(function: Callable[..., Made], /, *args: Any) -> Made:
    """What a service returns that changes nothing; RulecError as the service raises it."""
    return await _run(_READS, lambda: function(*args))


async def act(function: Callable[..., Made], /, *args: Any) -> Made:
    """What a service returns that changes something. No act waits for a read, and each is the only one."""
    return await _run(_ACT, lambda: function(*args))


def finish(seconds: float) -> None:
    """Let an act that is under way go on for so long; the next command finishes or undoes one that takes longer."""
    if _ACT.acquire(timeout=seconds):
        _ACT.release()


async def _run(room: AbstractContextManager[Any], work: Callable[[], Made]) -> Made:
    """What the work returns, of a thread that the end of the page waits for no longer."""
    loop = asyncio.get_running_loop()
    future: asyncio.Future[Made] = loop.create_future()

    def tell(say: Callable[[Any], None], what: object) -> None:
        with contextlib.suppress(RuntimeError):  # the page has ended
            loop.call_soon_threadsafe(lambda: None if future.done() else say(what))

    def begin() -> None:
        try:
            with room:
                made = work()
        except BaseException as error:  # noqa: BLE001 - whoever waits for it handles it, or tells of the bug
            tell(future.set_exception, error)
        else:
            tell(future.set_result, made)

    threading.Thread(target=begin, daemon=True).start()
    return await future
