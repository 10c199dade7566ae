"""Ctrl-C: it counts after what a person decided has been written, not in the middle of it."""

import signal
from collections.abc import Callable
from typing import Any, TypeVar

from rulec.errors import RulecError

Done = TypeVar("Done")


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
