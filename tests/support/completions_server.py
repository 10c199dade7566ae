"""A server on 127.0.0.1 that speaks OpenAI's chat completions over real HTTP, scripted per test.

The fixture is ``completions`` (tests/conftest.py). A script is a list of replies, used up one by one, or a function of
the request's body. A reply is a Completion; a plain mapping is the answer with just that object.
"""

import json
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self

KEY = "-".join(("sk", "proj", "Zq7Lw3" * 8))  # has the form of a real one, so that a leak would be seen


@dataclass(frozen=True, kw_only=True)
class Completion:
    """One answer of the server: a completion, an error, or bytes that are neither."""

    text: str = ""
    finish: str = "stop"
    refusal: str | None = None
    status: int = 200
    words: str = ""  # of an error
    headers: Mapping[str, str] = field(default_factory=lambda: {"retry-after-ms": "1"})
    raw: bytes | None = None
    usage: bool = True
    hang: bool = False  # nothing is sent until the server stops


Script = list[Any] | Callable[[Mapping[str, Any]], Any]


@dataclass
class CompletionsServer:
    """The server; use it as a context."""

    script: Script = field(default_factory=list)
    models: list[str] = field(default_factory=lambda: ["qwen3:8b"])
    asked: list[Mapping[str, Any]] = field(default_factory=list)  # the bodies of requests for a completion
    headers: list[Mapping[str, str]] = field(default_factory=list)  # theirs, names in lower case
    stopped: threading.Event = field(default_factory=threading.Event)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def __enter__(self) -> Self:
        handler = type("Handler", (_Handler,), {"served": self})
        self._http = _Server(("127.0.0.1", 0), handler)
        self._thread = threading.Thread(target=self._http.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.stopped.set()
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()

    @property
    def url(self) -> str:
        """Where it listens, as it stands in a person's settings."""
        return f"http://127.0.0.1:{self._http.server_port}/v1"

    def reply(self, body: Mapping[str, Any], headers: Mapping[str, str]) -> Completion:
        """The next reply of the script."""
        with self._lock:
            self.asked.append(body)
            self.headers.append(headers)
            given = self.script(body) if callable(self.script) else self.script.pop(0)
            return given if isinstance(given, Completion) else Completion(text=json.dumps(given))


class _Server(ThreadingHTTPServer):
    daemon_threads = False  # server_close waits for all of them, so that no socket is left

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing: that a client goes away is part of some tests."""


class _Handler(BaseHTTPRequestHandler):
    served: CompletionsServer
    protocol_version = "HTTP/1.1"
    timeout = 20

    def log_message(self, *args: Any) -> None:
        """Keep quiet."""

    def do_GET(self) -> None:
        listed = [{"id": name, "object": "model", "created": 1, "owned_by": "me"} for name in self.served.models]
        self._send(200, json.dumps({"object": "list", "data": listed}).encode())

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers.get("content-length", 0))))
        if self.path != "/v1/chat/completions":
            self._send(404, b'{"error": {"message": "nothing here"}}')
            return
        one = self.served.reply(body, {name.lower(): value for name, value in self.headers.items()})
        if one.hang:
            self.served.stopped.wait()
            self.close_connection = True
        elif one.raw is not None:
            self._send(one.status, one.raw, one.headers)
        elif one.status != 200:
            self._send(one.status, json.dumps({"error": {"message": one.words}}).encode(), one.headers)
        else:
            self._send(200, json.dumps(_completion(one, body)).encode())

    def _send(self, status: int, body: bytes, headers: Mapping[str, str] | None = None) -> None:
        self.send_response(status)
        told = {"content-type": "application/json", "content-length": str(len(body)), "connection": "close"}
        for name, value in {**told, **(headers or {})}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)


def _completion(one: Completion, body: Mapping[str, Any]) -> dict[str, Any]:
    message = {"role": "assistant", "content": one.text, "refusal": one.refusal}
    usage = {"prompt_tokens": 120, "completion_tokens": 30, "total_tokens": 150}
    return {
        "id": "c1",
        "object": "chat.completion",
        "created": 1,
        "model": body["model"],
        "choices": [{"index": 0, "message": message, "finish_reason": one.finish}],
        **({"usage": usage} if one.usage else {}),
    }
