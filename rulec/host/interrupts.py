"""Being stopped: Ctrl-C counts after what a person decided has been written; SIGTERM leaves nothing running."""

import signal
import sys
from collections.abc import Callable
from typing import Any, TypeVar

from rulec.errors import RulecError

Done = TypeVar("Done")

TERMINATED = 128 + signal.SIGTERM  # the exit code of what a signal ends


def heed() -> None:
    """Let SIGTERM end us as an exception does, so that whoever started a program ends it on the way out."""
    if signal.getsignal(signal.SIGTERM) is signal.SIG_DFL:
        signal.signal(signal.SIGTERM, _leave)


def _leave(*_: Any) -> None:
    signal.signal(signal.SIGTERM, signal.SIG_DFL)  # who asks twice does not wait for us
    sys.exit(TERMINATED)


def through(act: Callable[[], Done]) -> Done:
    """Do something to its end though Ctrl-C is pressed meanwhile; KeyboardInterrupt afterwards."""
    pressed = False

    def note(*_: Any) -> None:
        nonlocal pressed
        pressed = True

    before = signal.signal(signal.SIGINT, note)
    try:
        try:
            done = act()
        except RulecError:
            if not pressed:
                raise
            done = act()  # the terminal sent it to our git as well, which died of it
    finally:
        signal.signal(signal.SIGINT, before)
    if pressed:
        raise KeyboardInterrupt
    return done
