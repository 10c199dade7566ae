"""Runs tools, and handles signals meanwhile."""

import os
import signal
import subprocess
import sys
import threading
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
