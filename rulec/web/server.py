"""Serves the page on this machine until Ctrl-C, and takes the codes that the person types at the terminal."""

import asyncio
import contextlib
import ctypes
import logging
import os
import signal
import socket
import sys
import threading
import webbrowser
from collections.abc import Callable, Generator, Iterator
from pathlib import Path

import uvicorn

from rulec.checkout import open_pages
from rulec.errors import RulecError
from rulec.web import work
from rulec.web.access import Access
from rulec.web.app import make_app
from rulec.web.pairing import MOST_WRONG, Typed

Tell = Callable[[str], None]
_DUMPABLE = 4  # prctl's name for it; a process that is not dumpable belongs to no debugger of its user
_TRIES = 20  # to find a port that is free for both addresses of this machine
_SECONDS_TO_FINISH = 0.6  # that an act has at the end
_TOLD = {
    Typed.OPENED: "Pairing is open: load the page in the other browser, and type the code that it shows here.",
    Typed.PAIRED: "This browser is paired. Enter lets another one in; Ctrl-C ends the page.",
    Typed.WRONG: "No browser shows that code.",
}


def serve_page(top: Path, *, port: int, opens: bool, tell: Tell) -> None:
    """Serve the page of a work tree until Ctrl-C; RulecError where the port is taken, or codes were wrong too often."""
    hide_memory()
    sockets = _listen(port)
    number = sockets[0].getsockname()[1]
    access = Access(number)
    app = make_app(top, access)
    with _noted(top, number), _bugs_told(tell):
        server = _Server(uvicorn.Config(
            app, http="h11", ws="none", loop="asyncio", lifespan="on", log_config=None, access_log=False,
            proxy_headers=False, server_header=False, timeout_graceful_shutdown=1,
        ))  # fmt: skip
        page = _Page(access, server, tell)
        tell(f"The page is at {access.address}\n(or {access.plain_address} where a browser does not find that name).")
        tell("Type the code that your browser shows, then Enter; Ctrl-C ends the page.")
        if opens:
            threading.Thread(target=_open_browser, args=(access.address, tell), daemon=True).start()
        with asyncio.Runner() as runner:
            runner.run(page.run(sockets))
    if page.over:
        raise RulecError(f"{MOST_WRONG} wrong codes were typed, so the page has ended", hint="run rulec ui again")


def hide_memory() -> None:
    """Keep other programs of the same user out of this process and what it forks, where the system can."""
    if sys.platform == "linux":
        with contextlib.suppress(OSError, AttributeError):
            ctypes.CDLL(None).prctl(_DUMPABLE, 0)


class _Server(uvicorn.Server):
    @contextlib.contextmanager
    def capture_signals(self) -> Generator[None, None, None]:
        """Leave signals alone: the page takes them."""
        yield


class _Page:
    """A page that runs: its server, and the person at its terminal."""

    def __init__(self, access: Access, server: uvicorn.Server, tell: Tell) -> None:
        self.access, self.server, self.tell = access, server, tell
        self.over = False
        access.on_waiting = self._waits

    async def run(self, sockets: list[socket.socket]) -> None:
        """Serve until the person ends it."""
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            loop.add_signal_handler(number, self.end)
        threading.Thread(target=self._read_lines, args=(loop,), daemon=True).start()
        await self.server.serve(sockets)
        work.finish(_SECONDS_TO_FINISH)

    def end(self) -> None:
        """Serve no more."""
        logging.getLogger("uvicorn.error").setLevel(logging.CRITICAL)  # what is cut off now is no bug
        self.server.should_exit = True

    def _waits(self, many: int) -> None:
        if many > 1:
            self.tell(f"{many} browsers wait. Type only the code that you see in your own.")

    def _read_lines(self, loop: asyncio.AbstractEventLoop) -> None:
        """Hand what the person types to the page, line by line; its thread may wait for ever."""
        line = b" "
        while line:
            try:
                line = os.read(sys.stdin.fileno(), 4096)
            except OSError:
                line = b""
            with contextlib.suppress(RuntimeError):  # the loop has ended
                loop.call_soon_threadsafe(self._typed, line)

    def _typed(self, line: bytes) -> None:
        if not line:
            return self.end()
        said = self.access.pairing.type_line(line.decode("utf-8", "replace"))
        if said is Typed.OVER:
            self.over = True
            return self.end()
        return self.tell(_TOLD[said]) if said in _TOLD else None


def _listen(port: int) -> list[socket.socket]:
    """Sockets at one port of both addresses of this machine: browsers try both, and no other program may be there."""
    for _ in range(1 if port else _TRIES):
        first = _bound(socket.AF_INET, "127.0.0.1", port)
        number = first.getsockname()[1] if first else 0
        if first and not _has_second():
            return [first]
        second = _bound(socket.AF_INET6, "::1", number) if first else None
        if first and second:
            return [first, second]
        if first:
            first.close()
    hint = "name another with --port, or leave that out"
    raise RulecError(f"port {port} cannot be had" if port else "no port is free", where="--port", hint=hint)


def _bound(family: socket.AddressFamily, address: str, port: int) -> socket.socket | None:
    bound = socket.socket(family, socket.SOCK_STREAM)
    bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # a page that ended just now leaves its port busy
    try:
        bound.bind((address, port))
        bound.listen(128)
    except OSError:
        bound.close()
        return None
    return bound


def _has_second() -> bool:
    """Whether this machine has the address ::1."""
    if not socket.has_ipv6:
        return False
    probe = _bound(socket.AF_INET6, "::1", 0)
    if probe:
        probe.close()
    return probe is not None


@contextlib.contextmanager
def _noted(top: Path, port: int) -> Iterator[None]:
    """Let agents' hooks know the port, which is no secret, while the page runs."""
    try:
        handle = open_pages.note_page(str(top), port)
    except OSError as error:
        hint = "agents' hooks read there which requests they refuse"
        raise RulecError(f"cannot be written: {error.strerror}", where=str(error.filename), hint=hint) from None
    try:
        yield
    finally:
        open_pages.forget_page(str(top), port, handle)


@contextlib.contextmanager
def _bugs_told(tell: Tell) -> Iterator[None]:
    """Tell of a bug in one line, or with its traceback where RULEC_DEBUG asks for it."""

    class Told(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            error = record.exc_info[1] if record.exc_info else None
            if os.environ.get("RULEC_DEBUG"):
                tell(logging.Formatter().format(record))
            elif error:
                what = f"{type(error).__name__}: {error}"
                tell(f"a bug of rulec, please report it: {what} (RULEC_DEBUG=1 shows where)")

    handler, log = Told(logging.ERROR), logging.getLogger("uvicorn.error")
    level, log.propagate = log.level, False
    log.addHandler(handler)
    try:
        yield
    finally:
        log.removeHandler(handler)
        log.setLevel(level)


def _open_browser(address: str, tell: Tell) -> None:
    """Open the person's browser; one that would run in this terminal is left alone."""
    here = sys.platform == "darwin" or any(map(os.environ.get, ("BROWSER", "DISPLAY", "WAYLAND_DISPLAY")))
    if not here or not webbrowser.open(address):
        tell("No browser could be opened here: open the address in yours.")
