"""A server on 127.0.0.1 that speaks the Messages API over real HTTP, scripted per test; it keeps all that it gets.

The fixture is ``messages`` (tests/conftest.py). A script is a list of replies, used up one by one, or a function of
what was asked. A reply is a Reply of messages_replies, or a plain mapping: the tool use with just that input::

    messages.script = [{"wishes": []}, limited(), tool({"wishes": []})]
    messages.script = lambda asked: {"verdicts": verdicts_for(asked.text)}
    assert len(messages.asked) == 2
    assert messages.tokens < 12_000
"""

import json
import os
import socket
import struct
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self

from tests.support.messages_replies import Reply, complaint, events, failed, message, tool

KEY = "-".join(("sk", "ant", "api03", "Zq7Lw3" * 8))  # has the form of a real one, so that a leak would be seen
_PIECE = 16  # bytes that a slow answer comes by


@dataclass(frozen=True)
class Asked:
    """One request for a message."""

    body: Mapping[str, Any]
    headers: Mapping[str, str]  # names in lower case

    @cached_property
    def system(self) -> str:
        """The instructions."""
        given = self.body.get("system", "")
        return given if isinstance(given, str) else "\n".join(block["text"] for block in given)

    @cached_property
    def text(self) -> str:
        """All that the user's messages say."""
        return "\n".join(_words(one["content"]) for one in self.body["messages"] if one["role"] == "user")

    @cached_property
    def schema(self) -> Mapping[str, Any]:
        """The form of the answer: the input of the first tool."""
        return self.body["tools"][0]["input_schema"] if self.body.get("tools") else {}

    @property
    def tokens(self) -> int:
        """About how many were sent, four bytes each: what it says, not how JSON escapes it."""
        return sum(_count(part) for part in (self.system, self.text, json.dumps(self.schema)))


Answerer = Callable[[Asked], Reply | Mapping[str, Any]]
Script = list[Any] | Answerer


@dataclass
class Call:
    """One HTTP request, whatever it was for."""

    method: str
    path: str
    headers: Mapping[str, str]
    body: bytes


@dataclass
class MessagesServer:
    """The server; use it as a context."""

    script: Script = field(default_factory=list)
    calls: list[Call] = field(default_factory=list)  # every HTTP request
    asked: list[Asked] = field(default_factory=list)  # every request for a message
    replies: list[Reply] = field(default_factory=list)  # what each was answered
    reached: threading.Event = field(default_factory=threading.Event)  # somebody has asked
    stopped: threading.Event = field(default_factory=threading.Event)
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _cached: set[str] = field(default_factory=set)

    def __enter__(self) -> Self:
        served = self
        handler = type("Handler", (_Handler,), {"served": served})
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
        """Where it listens."""
        return f"http://127.0.0.1:{self._http.server_port}"

    @property
    def tokens(self) -> int:
        """About how many were sent to it in all."""
        return sum(asked.tokens for asked in self.asked)

    def reply(self, asked: Asked) -> tuple[Reply, int]:
        """The next reply of the script, and its number."""
        with self._lock:
            self.asked.append(asked)
            self.reached.set()
            number = len(self.asked)
            if callable(self.script):
                given = self.script(asked)
            elif self.script:
                given = self.script.pop(0)
                given = given(asked) if callable(given) else given
            else:
                given = failed(400, "invalid_request_error", f"the script has no reply for request {number}")
            reply = _within(asked, given if isinstance(given, Reply) else tool(dict(given)))
            self.replies.append(reply)
            return reply, number

    def usage(self, asked: Asked, reply: Reply) -> dict[str, int]:
        """Tokens as the API counts them: what a cache holds is read from it the second time."""
        marked = isinstance(asked.body.get("system"), list) and any("cache_control" in s for s in asked.body["system"])
        cached = _count(asked.system) + _count(json.dumps(asked.schema)) if marked else 0
        known = json.dumps([asked.system, asked.schema])
        with self._lock:
            again = known in self._cached
            self._cached |= {known} if marked else set()
        sent = asked.tokens if reply.sent is None else reply.sent
        cached = min(cached, sent)
        received = _count(json.dumps(list(reply.content))) if reply.received is None else reply.received
        return {
            "input_tokens": sent - cached,
            "cache_creation_input_tokens": 0 if again else cached,
            "cache_read_input_tokens": cached if again else 0,
            "output_tokens": received,
        }


class _Server(ThreadingHTTPServer):
    daemon_threads = False  # server_close waits for all of them, so that no socket is left

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing: that a client goes away is part of many tests."""


class _Handler(BaseHTTPRequestHandler):
    served: MessagesServer
    protocol_version = "HTTP/1.1"
    timeout = 20

    def log_message(self, *args: Any) -> None:
        """Keep quiet."""

    def do_HEAD(self) -> None:
        self._take()
        self._send(200, b"")

    def do_POST(self) -> None:
        body = self._take()
        path = self.path.partition("?")[0]
        if path == "/v1/messages":
            self._message(body)
        elif path == "/v1/messages/count_tokens":
            self._json(200, {"input_tokens": Asked(body, self._headers()).tokens})
        else:
            self._json(404, complaint("not_found_error", f"nothing at {path}"))

    def _take(self) -> Mapping[str, Any]:
        raw = self.rfile.read(int(self.headers.get("content-length", 0)))
        self.served.calls.append(Call(self.command, self.path, self._headers(), raw))
        return json.loads(raw) if raw else {}

    def _headers(self) -> dict[str, str]:
        return {name.lower(): value for name, value in self.headers.items()}

    def _message(self, body: Mapping[str, Any]) -> None:
        asked = Asked(body, self._headers())
        reply, number = self.served.reply(asked)
        if reply.reset:
            self._reset()
        elif reply.hang:
            self.served.stopped.wait()
            self.close_connection = True
        elif reply.raw is not None:
            self._send(reply.status, reply.raw, reply.headers)
        elif reply.status != 200:
            self._json(reply.status, complaint(*reply.error), reply.headers)
        else:
            whole = message(reply, body, number, self.served.usage(asked, reply))
            streamed = bool(body.get("stream"))
            kind = "text/event-stream" if streamed else "application/json"
            text = events(whole) if streamed else json.dumps(whole).encode()
            self._send(200, text, {"content-type": kind, **reply.headers}, reply.drip, early=reply.early)

    def _json(self, status: int, body: Mapping[str, Any], headers: Mapping[str, str] | None = None) -> None:
        self._send(status, json.dumps(body).encode(), headers)

    def _send(
        self,
        status: int,
        body: bytes,
        headers: Mapping[str, str] | None = None,
        drip: float = 0,
        *,
        early: bool = False,
    ) -> None:
        self.send_response(status)
        all_of_them = {"content-type": "application/json", "request-id": "req_1", **(headers or {})}
        for name, value in {**all_of_them, "content-length": str(len(body)), "connection": "close"}.items():
            self.send_header(name, value)
        if early:
            body, self._headers_buffer = b"".join([*self._headers_buffer, b"\r\n", body]), []
        else:
            self.end_headers()
        for at in range(0, len(body), _PIECE if drip else len(body) or 1):
            self.wfile.write(body[at : at + _PIECE] if drip else body)
            self.wfile.flush()
            if drip and self.served.stopped.wait(drip):
                break

    def _reset(self) -> None:
        """Close so that the other side gets a reset, not an end."""
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.close_connection = True
        os.close(self.connection.detach())


def _within(asked: Asked, reply: Reply) -> Reply:
    """The reply, or what there is of it where it is longer than it may be: the API cuts it off there."""
    if _count(json.dumps(list(reply.content))) <= asked.body.get("max_tokens", 0):
        return reply
    return replace(reply, stop="max_tokens")


def _words(content: Any) -> str:
    if isinstance(content, str):
        return content
    return "\n".join(block.get("text", "") for block in content)


def _count(text: str) -> int:
    return len(text.encode()) // 4
