"""Programs that a test starts, and waits for until they are where it wants them."""

import subprocess
import time
from collections.abc import Callable
from typing import Any


def wait_until(ready: Callable[[], bool], process: "subprocess.Popen[Any]", seconds: float = 60) -> None:
    """Wait until something is so, as long as the process that brings it about runs."""
    end = time.monotonic() + seconds
    while not ready():
        assert time.monotonic() < end, "it takes too long"
        try:
            process.wait(timeout=0.05)
        except subprocess.TimeoutExpired:
            continue
        assert ready(), "it ended before"
