"""A person at a pseudo-terminal: types an answer once its question is seen."""

import os
import pty
import select
import signal
import time
from collections.abc import Mapping
from pathlib import Path


def on_terminal(
    cwd: Path, argv: list[str], answers: list[tuple[str, str]], environment: Mapping[str, str] | None = None
) -> tuple[int, str]:
    """Exit code and all that was shown; each answer is typed once its question is seen anew."""
    pid, master = pty.fork()
    if pid == 0:
        os.chdir(cwd)
        signal.signal(signal.SIGINT, signal.default_int_handler)  # a runner in the background has it ignored
        os.execvpe(argv[0], argv, {**os.environ, **(environment or {})})
    seen, waiting, end = "", list(answers), time.monotonic() + 90
    read_up_to, typed = 0, ""
    while time.monotonic() < end:
        if select.select([master], [], [], 0.5)[0]:
            try:
                chunk = os.read(master, 65536)
            except OSError:  # Linux says so when the other end is gone
                break
            if not chunk:
                break
            seen += chunk.decode("utf-8", "replace")
        elif typed == "\x03":  # Python loses one that comes right before it begins to wait; a person presses again
            os.write(master, b"\x03")
        if waiting and waiting[0][0] in seen[read_up_to:]:
            read_up_to = len(seen)
            typed = waiting.pop(0)[1]
            os.write(master, typed.encode())
    os.close(master)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), seen
