"""Listens to the page's events as a browser does: over real HTTP, from the application on a port of this machine."""

import json
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Any

import uvicorn
from starlette.applications import Starlette

SECONDS = 10.0


class Server(uvicorn.Server):
    """A server in a thread, whose end lets go who listens."""

    def __init__(self, app: Starlette) -> None:
        super().__init__(uvicorn.Config(app, host="127.0.0.1", port=0, log_level="error"))
        self.live = app.state.live
        self.tabs: list[Tab] = []

    @property
    def port(self) -> int:
        number: int = self.servers[0].sockets[0].getsockname()[1]
        return number

    def tab(self, after: str = "") -> "Tab":
        self.tabs.append(Tab(self.port, after))
        return self.tabs[-1]

    def stop(self) -> None:
        self.should_exit = True
        self.live.end()


@contextmanager
def served(app: Starlette) -> Iterator[Server]:
    """The application behind a real server."""
    server = Server(app)
    thread = threading.Thread(target=server.run)
    thread.start()
    try:
        while not server.started:
            thread.join(0.01)
            assert thread.is_alive()
        yield server
    finally:
        server.stop()
        thread.join(SECONDS)
        for tab in server.tabs:
            tab.close()
        assert not thread.is_alive(), "the server does not end"


@dataclass
class Tab:
    """What one tab heard."""

    port: int
    after: str = ""
    cookie: str = ""
    heard: list[tuple[str, str, dict[str, Any]]] = field(default_factory=list)  # id, topic, data
    times: list[float] = field(default_factory=list)  # when it heard each
    ended: bool = False

    def __post_init__(self) -> None:
        self._socket = socket.create_connection(("127.0.0.1", self.port), SECONDS)
        self._answer = self._socket.makefile("rb")
        headers = {"Host": f"127.0.0.1:{self.port}", "Last-Event-ID": self.after, "Cookie": self.cookie}
        lines = [f"{name}: {value}" for name, value in headers.items() if value]
        self._socket.sendall("\r\n".join(["GET /events HTTP/1.0", *lines, "", ""]).encode("latin-1"))
        self.status = int(self._answer.readline().split()[1])
        while self._answer.readline().strip():
            pass
        self._answer.readline()  # the first is sent when the tab is known
        self._socket.settimeout(None)
        self._news = threading.Condition()
        self._thread = threading.Thread(target=self._listen)
        self._thread.start()

    def _listen(self) -> None:
        parts: dict[str, str] = {}
        while line := self._answer.readline():
            name, _, value = line.decode().rstrip("\n").partition(": ")
            if line == b"\n":
                if "event" in parts:
                    with self._news:
                        self.times.append(time.time())
                        self.heard.append((parts["id"], parts["event"], json.loads(parts["data"])))
                        self._news.notify_all()
                parts = {}
            elif name:
                parts[name] = value
        with self._news:
            self.ended = True
            self._news.notify_all()

    def lines(self) -> list[str]:
        """The ids of the ledger's lines that it heard of."""
        return [data["id"] for _, topic, data in list(self.heard) if topic == "ledger" and data]

    def topics(self) -> set[str]:
        return {topic for _, topic, _ in list(self.heard)}

    def wait(self, true: Callable[["Tab"], bool], seconds: float = SECONDS) -> None:
        """Wait until something is true of what it heard."""
        with self._news:
            assert self._news.wait_for(lambda: true(self), seconds), self.heard

    def close(self) -> None:
        """As when a tab is closed, or its connection is lost."""
        with suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)
        self._thread.join(SECONDS)
        self._answer.close()
        self._socket.close()
