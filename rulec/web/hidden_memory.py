"""Keeps other programs of the same user out of a process: its memory, and the pipes that it holds open."""

import contextlib
import ctypes
import sys

_DUMPABLE = 4  # prctl's name for it; a process that is not dumpable belongs to no debugger of its user


def hide_memory() -> None:
    """Keep other programs of the same user out of this process and what it forks, where the system can."""
    if sys.platform == "linux":
        with contextlib.suppress(OSError, AttributeError):
            ctypes.CDLL(None).prctl(_DUMPABLE, 0)
