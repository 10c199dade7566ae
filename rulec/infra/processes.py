"""Runs programs: tools that answer, and what nobody vouches for within bounds; handles signals meanwhile."""

import os
import selectors
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, TypeVar, cast

from rulec.errors import RulecError


@dataclass(frozen=True, slots=True)
class ToolResult:
    """The exit code and output of a tool."""

    code: int
    out: bytes
    err: bytes

    @property
    def text(self) -> str:
        """Standard output as text; bytes that are not UTF-8 survive a round trip through paths."""
        return self.out.decode("utf-8", "surrogateescape")

    @property
    def both(self) -> str:
        """Both its streams as text."""
        return (self.out + b"\n" + self.err).decode("utf-8", "replace")

    @property
    def said(self) -> str:
        """The last line of its error output, or of its output."""
        lines = (self.err or self.out).decode("utf-8", "replace").strip().splitlines()
        return lines[-1] if lines else f"exit {self.code}"


def run_tool(
    argv: Sequence[str], *, cwd: Path, stdin: bytes = b"", environment: Mapping[str, str] | None = None,
    seconds: float | None = None,
) -> ToolResult:  # fmt: skip
    """Run a tool in a folder, with a time limit; RulecError where it is not installed."""
    env = {**os.environ, **environment} if environment else None
    try:
        done = subprocess.run(argv, cwd=cwd, input=stdin, env=env, capture_output=True, check=False, timeout=seconds)
    except subprocess.TimeoutExpired:
        return ToolResult(124, b"", f"it took more than {seconds:g} seconds".encode())  # as timeout(1) says it
    except FileNotFoundError:
        if not cwd.is_dir():
            raise RulecError("no such folder", where=str(cwd), hint="cd to one that exists") from None
        raise RulecError(
            f"{argv[0]} is not here", hint=f"install {Path(argv[0]).name} and see that it is on PATH"
        ) from None
    return ToolResult(done.returncode, done.stdout, done.stderr)


@contextmanager
def open_conversation(
    argv: Sequence[str], *, cwd: Path, environment: Mapping[str, str]
) -> Iterator[tuple[BinaryIO, BinaryIO]]:
    """A tool that answers what it is asked: where to ask, and where to read; it is ended where nobody asks on."""
    process = subprocess.Popen(
        argv,
        cwd=cwd,
        env={**os.environ, **environment},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    asked, answered = cast("BinaryIO", process.stdin), cast("BinaryIO", process.stdout)
    try:
        yield asked, answered
    finally:
        process.kill()
        process.wait()
        answered.close()
        with suppress(BrokenPipeError):  # what it never read
            asked.close()


MOST_OUTPUT = 16 * 2**20  # bytes kept of one stream
_CHUNK = 2**16
_GLANCE = 0.05  # seconds between looks at a leader whose children keep its pipes open
_RUNNING: dict[int, tuple[str, subprocess.Popen[bytes]]] = {}  # by process id: the program and its process
_STARTING = threading.Lock()  # held until what was started is known as running


@dataclass(frozen=True, slots=True)
class BoundedEnd:
    """How a program ended; the code is None where its time was over, it wrote too much, or it was stopped."""

    code: int | None
    out: bytes
    err: bytes
    seconds: float
    spilled: bool  # it wrote more than is kept

    @property
    def texts(self) -> tuple[str, str]:
        """Both its streams as text."""
        return self.out.decode("utf-8", "replace"), self.err.decode("utf-8", "replace")


@dataclass(frozen=True, slots=True, kw_only=True)
class Bounds:
    """What a program may take: seconds, and output of which the beginning is kept, or all that it likes and the end."""

    seconds: float
    keeps_end: bool = False
    stopped: threading.Event | None = None  # somebody wants it to end


def run_bounded(
    argv: Sequence[str], bounds: Bounds, *, cwd: Path, environment: Mapping[str, str], stdin: Path | None = None
) -> BoundedEnd:
    """Run a program that nobody vouches for: with these variables alone, within bounds, in a group of its own.

    Nothing of the group outlives it. RulecError where it does not start.
    """
    begun = time.monotonic()
    try:
        with (stdin or Path(os.devnull)).open("rb") as given, _STARTING:
            process = subprocess.Popen(
                argv, cwd=cwd, env=dict(environment), stdin=given, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                start_new_session=True,
            )  # fmt: skip
            _RUNNING[process.pid] = (argv[0], process)
    except FileNotFoundError:
        hint = f"install {Path(argv[0]).name} and see that it is on PATH"
        raise RulecError(f"{argv[0]} is not here", hint=hint) from None
    except OSError as error:
        hint = "see that it is a program and its arguments are not too long"
        raise RulecError(f"{argv[0]} does not start: {error.strerror}", hint=hint) from None
    out, err = bytearray(), bytearray()
    try:
        ended = _drain(process, out, err, bounds)
    finally:
        _end_group(process)
    spilled = len(out) > MOST_OUTPUT or len(err) > MOST_OUTPUT
    code = process.returncode if ended else None
    return BoundedEnd(code, bytes(out[:MOST_OUTPUT]), bytes(err[:MOST_OUTPUT]), time.monotonic() - begun, spilled)


def _drain(process: subprocess.Popen[bytes], out: bytearray, err: bytearray, bounds: Bounds) -> bool:
    """Read both streams; whether the process ended by itself, within its bounds."""
    until = time.monotonic() + bounds.seconds
    with selectors.DefaultSelector() as selector:
        for stream, kept in ((process.stdout, out), (process.stderr, err)):
            if stream:
                os.set_blocking(stream.fileno(), False)
                selector.register(stream, selectors.EVENT_READ, kept)
        while selector.get_map():
            left = until - time.monotonic()
            stopped = bounds.stopped is not None and bounds.stopped.is_set()
            if left <= 0 or stopped or len(out) > MOST_OUTPUT or len(err) > MOST_OUTPUT:
                return False
            ready = selector.select(min(left, _GLANCE))
            if not ready and process.poll() is not None:
                return True
            for key, _ in ready:
                _read_on(selector, key, keeps_end=bounds.keeps_end)
    try:
        process.wait(max(0.0, until - time.monotonic()))
    except subprocess.TimeoutExpired:
        return False
    return True


def _read_on(selector: selectors.BaseSelector, key: selectors.SelectorKey, *, keeps_end: bool) -> None:
    data = os.read(key.fd, _CHUNK)
    key.data.extend(data)
    if keeps_end:
        del key.data[:-MOST_OUTPUT]
    if not data:
        selector.unregister(key.fileobj)


def _end_group(process: subprocess.Popen[bytes]) -> None:
    """End the process group, so that no child outlives the process."""
    with suppress(ProcessLookupError, PermissionError):  # the group is gone; macOS says so with EPERM
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    _RUNNING.pop(process.pid, None)
    for stream in (process.stdout, process.stderr):
        if stream:
            stream.close()


def stop_program(program: str) -> None:
    """End the processes of a program that other threads run."""
    with _STARTING:
        running = list(_RUNNING.values())
    for name, process in running:
        if name == program:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(process.pid, signal.SIGKILL)


Done = TypeVar("Done")

TERMINATED = 128 + signal.SIGTERM  # the exit code of what a signal ends


def exit_on_sigterm() -> None:
    """Let SIGTERM end rulec by an exception, so that programs it started are ended on the way out."""
    if signal.getsignal(signal.SIGTERM) is signal.SIG_DFL:
        signal.signal(signal.SIGTERM, _leave)


def _leave(*_: Any) -> None:
    signal.signal(signal.SIGTERM, signal.SIG_DFL)  # who asks twice does not wait for us
    sys.exit(TERMINATED)


def finish_despite_interrupt(act: Callable[[], Done]) -> Done:
    """Do something to its end although Ctrl-C is pressed; KeyboardInterrupt afterwards."""
    if threading.current_thread() is not threading.main_thread():
        return act()  # Ctrl-C reaches the main thread alone
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


@contextmanager
def without_interrupts() -> Iterator[None]:
    """Let what is started leave Ctrl-C to its starter, from its first moment on."""
    if threading.current_thread() is not threading.main_thread():
        yield  # only the main thread may say so
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
