"""One process with a time limit, in a group of its own: its exit and the end of its output; nothing of it stays."""

import os
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Event, Thread
from typing import IO

from rulec.errors import RulecError

MOST_OUTPUT = 4 * 2**20  # bytes of the end of a stream that are kept
_CHUNK = 2**16
_GLANCE = 0.05  # seconds between looks at whether it is to be stopped


@dataclass(frozen=True, slots=True)
class ProcessEnd:
    """How a process ended; the code is None where its time was over or it was stopped."""

    code: int | None
    out: str
    err: str
    seconds: float


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
    kept = bytearray(), bytearray()
    readers = [
        Thread(target=_keep_end, args=(stream, end), daemon=True)
        for stream, end in zip((process.stdout, process.stderr), kept, strict=True)
    ]
    for reader in readers:
        reader.start()
    try:
        code = _wait(process, begun + seconds, stopped)
    finally:
        with suppress(ProcessLookupError, PermissionError):  # the group is gone; macOS says so with EPERM
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        for reader in readers:
            reader.join(1)  # what left the group may hold a pipe open for ever
    out, err = (bytes(end).decode("utf-8", "replace") for end in kept)
    return ProcessEnd(code, out, err, seconds=time.monotonic() - begun)


def _keep_end(stream: IO[bytes], kept: bytearray) -> None:
    with stream:
        while data := os.read(stream.fileno(), _CHUNK):
            kept += data
            del kept[:-MOST_OUTPUT]


def _wait(process: subprocess.Popen[bytes], until: float, stopped: Event | None) -> int | None:
    """The code with which it ended; None where its time was over, or it was stopped."""
    while (left := until - time.monotonic()) > 0 and not (stopped and stopped.is_set()):
        with suppress(subprocess.TimeoutExpired):
            return process.wait(min(left, _GLANCE) if stopped else left)
    return None
