"""The clock: asked here and nowhere else."""

import time
from collections.abc import Callable
from datetime import UTC, datetime


def now() -> str:
    """The present moment, ISO 8601 in UTC, to the second."""
    return datetime.now(UTC).replace(microsecond=0).isoformat().replace("+00:00", "Z")


def epoch_seconds() -> float:
    """The present moment as the hooks of agents note it, in seconds since 1970."""
    return time.time()


def pause(seconds: float = 1.0) -> None:
    """Wait, while nothing else is done."""
    time.sleep(seconds)


def countdown(seconds: float) -> Callable[[], float]:
    """A function that returns the seconds left of a time that begins now."""
    end = time.monotonic() + seconds
    return lambda: end - time.monotonic()
