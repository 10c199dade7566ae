"""``rulec ui`` in a process of its own at a pseudo-terminal, as a person runs it, and a browser paired with it."""

import os
import pty
import re
import select
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from rulec.agents.protocol.agent_spec import all_agents
from tests.support.browser import LIMIT, Page
from tests.support.world import run

_ADDRESS = re.compile(r"http://[0-9a-z]+\.localhost:\d+/")


@dataclass
class RunningPage:
    """The process, its terminal, and all that was shown there."""

    pid: int
    terminal: int
    top: Path
    shown: str = ""
    code: int | None = None  # once it has ended

    @property
    def address(self) -> str:
        """Where the page is."""
        found = _ADDRESS.search(self.shown)
        assert found, self.shown
        return found[0].rstrip("/")

    def reads_until(self, pattern: str, since: int = 0) -> None:
        """Wait until the terminal shows it."""
        end = time.monotonic() + LIMIT
        while not re.search(pattern, self.shown[since:]):
            late = time.monotonic() > end or self.code is not None
            assert not late, f"not shown: {pattern}\n{self.shown}"
            self._read()

    def types(self, line: str) -> None:
        """Type a line at the terminal."""
        os.write(self.terminal, f"{line}\n".encode())

    def pair(self, page: Page) -> None:
        """Open the page, and type the code that it shows."""
        page.open(f"{self.address}/")
        page.until("document.querySelector('#code')?.textContent.trim()")
        self.types(str(page.value("document.querySelector('#code').textContent")))
        page.until("document.querySelector('nav') && document.readyState === 'complete'")

    def ends(self) -> int:
        """Ctrl-C, and the exit code."""
        os.write(self.terminal, b"\x03")
        end = time.monotonic() + LIMIT
        while time.monotonic() < end:
            self._read()
            if self.code is not None:
                assert "Traceback" not in self.shown, self.shown
                return self.code
        raise AssertionError(f"Ctrl-C does not end it\n{self.shown}")

    def _read(self) -> None:
        if self.code is None and select.select([self.terminal], [], [], 0.1)[0]:
            try:
                self.shown += os.read(self.terminal, 65_536).decode("utf-8", "replace")
            except OSError:  # Linux says so when the other end is gone
                self.code = os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])


@contextmanager
def running_page(top: Path, *options: str) -> Iterator[RunningPage]:
    """``rulec ui`` in a repository, ready for a browser."""
    pid, terminal = pty.fork()
    if pid == 0:
        os.chdir(top)
        signal.signal(signal.SIGINT, signal.default_int_handler)  # a runner in the background has it ignored
        os.execve(sys.executable, [sys.executable, "-m", "rulec", "ui", "--no-browser", *options], _environment())
    running = RunningPage(pid, terminal, top)
    try:
        running.reads_until(_ADDRESS.pattern)
        yield running
    finally:
        if running.code is None:
            os.kill(running.pid, signal.SIGTERM)
            os.waitpid(running.pid, 0)
        os.close(terminal)


def _environment() -> dict[str, str]:
    """As a person has it, also where an agent runs the tests."""
    names = {name for agent in all_agents() for name in agent.runs_with}
    return {name: value for name, value in os.environ.items() if name not in names}


def names_commit(page: Page, top: Path, before: str, act: Callable[[], None]) -> str:
    """Do something; it has to make one commit, which the page names. The commit."""
    before = before or head(top)
    page.value("document.querySelector('#told').replaceChildren()")
    act()
    page.until("document.querySelector('#told').innerText.trim()")
    made = head(top)
    assert made != before, page.text("#told")
    assert run(top, "rev-list", "--count", f"{before}..{made}").strip() == "1"
    assert made[:7] in page.text("#told"), page.text("#told")
    return made


def head(top: Path) -> str:
    """The commit that is checked out."""
    return run(top, "rev-parse", "HEAD").strip()
