"""One process with a time limit in a group of its own: its exit, its output, and nothing of it left running."""

import os
import selectors
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Event

from rulec.errors import RulecError

MOST_OUTPUT = 32 * 2**20  # bytes of one stream that are kept; the rest is read and dropped
_CHUNK = 2**16
_GLANCE = 0.05  # seconds between looks at a leader whose children keep its pipes open


@dataclass(frozen=True, slots=True)
class ProcessEnd:
    """How a process ended; the code is None where its time was over or it was stopped."""

    code: int | None
    out: str
    err: str
    seconds: float
    spilled: bool = False  # it wrote more than is kept


def run_bounded(
    argv: Sequence[str], *, cwd: Path, environment: Mapping[str, str], seconds: float, stopped: Event | None = None
) -> ProcessEnd:
    """Run a program to its end, to its time limit or until it is stopped; RulecError where it does not start."""
    begun = time.monotonic()
    try:
        process = subprocess.Popen(
            argv, cwd=cwd, env=dict(environment), stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True,
        )  # fmt: skip
    except OSError as error:
        hint = "see that the program runs and that the suite's folder is there"
        raise RulecError(f"{argv[0]} does not start: {error.strerror}", where=str(cwd), hint=hint) from None
    out, err = bytearray(), bytearray()
    spilled = False
    try:
        ended, spilled = _drain(process, out, err, begun + seconds, stopped)
    finally:
        _kill(process)
    code = process.returncode if ended else None
    said, wrong = (stream.decode("utf-8", "replace") for stream in (out, err))
    return ProcessEnd(code, said, wrong, seconds=time.monotonic() - begun, spilled=spilled)


def _drain(
    process: subprocess.Popen[bytes], out: bytearray, err: bytearray, until: float, stopped: Event | None
) -> tuple[bool, bool]:
    """Whether the process ended within its time, and whether it wrote more than is kept."""
    spilled = False
    with selectors.DefaultSelector() as selector:
        for stream, kept in ((process.stdout, out), (process.stderr, err)):
            if stream:
                os.set_blocking(stream.fileno(), False)
                selector.register(stream, selectors.EVENT_READ, kept)
        while selector.get_map():
            left = until - time.monotonic()
            if left <= 0 or (stopped and stopped.is_set()):
                return False, spilled
            ready = selector.select(min(left, _GLANCE))
            if not ready and process.poll() is not None:
                return True, spilled
            for key, _ in ready:
                data = os.read(key.fd, _CHUNK)
                room = MOST_OUTPUT - len(key.data)
                key.data.extend(data[:room])
                spilled = spilled or len(data) > room
                if not data:
                    selector.unregister(key.fileobj)
    try:
        process.wait(max(0.0, until - time.monotonic()))
    except subprocess.TimeoutExpired:
        return False, spilled
    return True, spilled


def _kill(process: subprocess.Popen[bytes]) -> None:
    """End the whole group, so that nothing outlives the run."""
    with suppress(ProcessLookupError, PermissionError):  # the group is gone; macOS says so with EPERM
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    for stream in (process.stdout, process.stderr):
        if stream:
            stream.close()
