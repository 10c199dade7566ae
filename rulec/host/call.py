"""One tool, run to its end: argv in, bytes out."""

import os
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from rulec.errors import RulecError


@dataclass(frozen=True, slots=True)
class Called:
    """What a tool left behind."""

    code: int
    out: bytes
    err: bytes

    @property
    def text(self) -> str:
        """Standard output as text; bytes that are no UTF-8 survive a round trip through paths."""
        return self.out.decode("utf-8", "surrogateescape")

    @property
    def said(self) -> str:
        """The last line of its complaint, or of its output."""
        lines = (self.err or self.out).decode("utf-8", "replace").strip().splitlines()
        return lines[-1] if lines else f"exit {self.code}"


def call(
    argv: Sequence[str], *, cwd: Path, stdin: bytes = b"", environment: Mapping[str, str] | None = None,
    seconds: float | None = None,
) -> Called:  # fmt: skip
    """Run a tool in a folder, for so long at most; RulecError where it is not installed."""
    env = {**os.environ, **environment} if environment else None
    try:
        done = subprocess.run(argv, cwd=cwd, input=stdin, env=env, capture_output=True, check=False, timeout=seconds)
    except subprocess.TimeoutExpired:
        return Called(124, b"", f"it took more than {seconds:g} seconds".encode())  # as timeout(1) says it
    except FileNotFoundError:
        if not cwd.is_dir():
            raise RulecError("no such folder", where=str(cwd), hint="cd to one that exists") from None
        raise RulecError(
            f"{argv[0]} is not here", hint=f"install {Path(argv[0]).name} and see that it is on PATH"
        ) from None
    return Called(done.returncode, done.stdout, done.stderr)
