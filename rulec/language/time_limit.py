"""A time limit for reading words of which nobody knows what they hold."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from rulec.errors import RulecError

LONGEST_READING = 2.0  # seconds of CPU time for one turn or sentence; a usual one takes a few milliseconds


class ReadingTooLongError(RulecError):
    """A turn or sentence took longer to read than it may."""


@contextmanager
def reading_limit(seconds: float = LONGEST_READING) -> Iterator[None]:
    """Stop the block with ReadingTooLongError after that much CPU time of this process.

    Only the main thread can be stopped, and only where the system has such a timer; elsewhere there is no limit.
    """
    if threading.current_thread() is not threading.main_thread() or not hasattr(signal, "setitimer"):
        yield
        return

    def stop(*_: object) -> None:
        raise ReadingTooLongError(f"took longer than {seconds:g} s to read", hint="say it in fewer words")

    before = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)
