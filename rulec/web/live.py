"""Server-sent events: what changes in the clone, to every tab that listens, each event once and in its order."""

import asyncio
import json
import logging
import secrets
from collections import deque
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response, StreamingResponse
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from rulec.services.changes.change_watch import ChangeWatch

PAUSE = 0.3  # seconds between two looks at the clone, while somebody listens
HEARTBEAT = 15.0  # seconds after which a tab that heard nothing gets a comment, so that a lost connection is noticed
RETRY = 1_000  # milliseconds after which a browser connects again
KEPT = 2_000  # events that a tab which was away can still get; after more it has to read everything again
MOST_TABS = 64
RELOAD = "reload"


@dataclass(frozen=True, slots=True)
class _Event:
    number: int
    text: bytes


class Live:
    """The events of one clone: one watcher for all tabs, which works only while there are any."""

    def __init__(self, top: Path) -> None:
        self._watch = ChangeWatch(top)
        self._run = secrets.token_hex(4)  # numbers of an earlier server are none of this one's
        self._number = 0
        self._kept: deque[_Event] = deque(maxlen=KEPT)
        self._news = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._ended = False
        self.tabs = 0

    @property
    def position(self) -> str:
        """The id of the last event: a page that was read now misses nothing that follows it."""
        return f"{self._run}-{self._number}"

    async def follow(self, after: str) -> AsyncIterator[bytes]:
        """The events after that id, "" for the last one, until the server ends."""
        self.tabs += 1
        self._start()
        try:
            at = self._number_of(after)
            yield f"retry: {RETRY}\n\n".encode()
            while not self._ended:
                news, missed = self._news, self._after(at)
                at = self._number
                if missed:
                    yield missed
                    continue
                try:
                    await asyncio.wait_for(news.wait(), HEARTBEAT)
                except TimeoutError:
                    yield b": still here\n\n"
        finally:
            self.tabs -= 1

    def end(self) -> None:
        """Let every tab go, as the server ends; may be called from a signal's handler or another thread."""
        self._ended = True
        if self._loop and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._tell)

    async def close(self) -> None:
        """End, and wait until the watcher is done."""
        self.end()
        if self._task:
            await self._task
        self._watch.close()

    def _number_of(self, name: str) -> int:
        """The number in an event's id; -1 where it is none of this server's."""
        run, _, number = name.partition("-")
        if not name:
            return self._number
        known = run == self._run and number.isdecimal() and len(number) < 20
        return int(number) if known and int(number) <= self._number else -1

    def _after(self, at: int) -> bytes:
        """The events after that number as they are sent; where some of them are not kept, that all may have changed."""
        if at == self._number:
            return b""
        if at < 0 or at < self._number - len(self._kept):
            return self._written(RELOAD, {})
        return b"".join(one.text for one in self._kept if one.number > at)

    def _written(self, topic: str, data: dict[str, object]) -> bytes:
        return f"id: {self.position}\nevent: {topic}\ndata: {json.dumps(data)}\n\n".encode()

    def _start(self) -> None:
        self._loop = asyncio.get_running_loop()
        if self._task is None or self._task.done():
            self._task = self._loop.create_task(self._look())

    async def _look(self) -> None:
        """Look at the clone again and again while somebody listens; what changes in between is seen with the next."""
        while self.tabs and not self._ended:
            try:
                found = await asyncio.to_thread(self._watch.look)
            except Exception:
                # else every tab would wait for news for ever, and be told that it is connected
                logging.getLogger("uvicorn.error").exception("what changes in the clone cannot be seen")
                await asyncio.sleep(HEARTBEAT)
                continue
            for one in found:
                self._number += 1
                self._kept.append(_Event(self._number, self._written(one.topic, one.data)))
            if found:
                self._tell()
            await asyncio.sleep(PAUSE)

    def _tell(self) -> None:
        news, self._news = self._news, asyncio.Event()
        news.set()


class NotePosition:
    """Notes with each request where the events stood when it began, for the page that is made of it."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on."""
        if scope["type"] == "http":
            scope.setdefault("state", {})["live_from"] = scope["app"].state.live.position
        await self._app(scope, receive, send)


async def events(request: Request) -> Response:
    """The stream of events, after the one that the browser had last."""
    live: Live = request.app.state.live
    if live.tabs >= MOST_TABS:
        return PlainTextResponse("too many tabs listen", status_code=503)
    after = request.headers.get("Last-Event-ID") or request.query_params.get("after", "")
    head = {"Cache-Control": "no-store", "X-Content-Type-Options": "nosniff"}
    return StreamingResponse(live.follow(after), media_type="text/event-stream", headers=head)


ROUTES = [Route("/events", events)]
