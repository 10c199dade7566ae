"""Work on a text that a repository brings, in a process of its own with limits of time, memory and size."""

import json
import os
import signal
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from rulec.errors import RulecError

SECONDS = 5  # of CPU time
MEGABYTES = 1024  # of address space, beyond what the program itself takes
MOST_TEXT = 4 * 2**20  # bytes of what is made


def bounded_text(work: Callable[[], str], what: str) -> str:
    """The text that ``work`` makes; RulecError, its own or one about the limits, which Windows has none of."""
    if not hasattr(os, "fork"):
        return work()
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        _work_and_exit(work, writing)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        data = pipe.read(MOST_TEXT + 1)
    with suppress(ProcessLookupError):
        os.kill(child, signal.SIGKILL)  # where it would write more
    os.waitpid(child, 0)
    try:
        text, problem, hint = json.loads(data)
    except ValueError:
        most = f"{SECONDS} s, {MEGABYTES} MB of memory or {MOST_TEXT >> 20} MB of text"
        raise RulecError(f"{what} needs more than {most}", hint="make it simpler") from None
    if problem:
        raise RulecError(problem, hint=hint)
    return str(text)


def _work_and_exit(work: Callable[[], str], writing: int) -> None:
    """Do the work in this child, write what came of it, and end without any of the parent's last words."""
    import resource  # noqa: PLC0415 - Windows, which has no fork, has none

    try:
        resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
        most = _address_space() + (MEGABYTES << 20)
        resource.setrlimit(resource.RLIMIT_AS, (most, most))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        try:
            answer = [work(), "", ""]
        except RulecError as error:
            answer = ["", error.message, error.hint]
        with os.fdopen(writing, "wb") as pipe:
            pipe.write(json.dumps(answer).encode("utf-8", "surrogatepass"))
    finally:
        os._exit(0)


def _address_space() -> int:
    """The bytes of address space that this process has already, 0 where the system does not say."""
    try:
        return int(Path("/proc/self/statm").read_text("ascii").split()[0]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, IndexError):
        return 0
