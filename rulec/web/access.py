"""Lets only the person's browser through: address, origin, session and signature of every request.

Reads need the cookie of a browser that the person paired at the terminal. Everything else also needs a signature of
the key that this browser made and cannot give away. Views need to do nothing for it.
"""

import secrets
from collections.abc import Callable
from urllib.parse import parse_qsl

from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from rulec.web.pairing import SECONDS_OF_CODE, NotPaired, Pairing, Session, read_key, signed_text
from rulec.web.rendering import render

COOKIE = "rulec"
PAIR = "/pair"
SIGNATURE, SECONDS, NONCE = "x-rulec-signature", "x-rulec-seconds", "x-rulec-nonce"
FORM = "application/x-www-form-urlencoded"
LARGEST_BODY = 1_000_000
_STATIC = "/static/"
_READS = ("GET", "HEAD")
_ACTS = ("POST", "PUT", "PATCH", "DELETE")
_HEADERS = {
    "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cache-control": "no-store",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}
# A form that is sent without JavaScript says where it comes from only under this policy; nobody else learns more by it.
_OF_PAIRING = {**_HEADERS, "referrer-policy": "same-origin"}


class Access:
    """What one running page knows of its address and its browsers; called with an application, it guards it."""

    def __init__(self, port: int, *, name: str = "", pairing: Pairing | None = None) -> None:
        # A name of its own, because cookies do not know ports: no other server of this machine is sent the cookie.
        self.name = f"{name or secrets.token_hex(8)}.localhost"
        self.hosts = (f"{self.name}:{port}", f"127.0.0.1:{port}")
        self.pairing = pairing or Pairing()
        self.on_waiting: Callable[[int], None] = lambda _: None  # told how many browsers wait, whenever one begins to

    @property
    def address(self) -> str:
        """Where the person's browser finds the page."""
        return f"http://{self.hosts[0]}/"

    @property
    def plain_address(self) -> str:
        """The same for a browser that does not know names below localhost."""
        return f"http://{self.hosts[1]}/"

    def __call__(self, app: ASGIApp) -> ASGIApp:
        """The application behind this access."""

        async def guarded(scope: Scope, receive: Receive, send: Send) -> None:
            if scope["type"] == "websocket":
                await send({"type": "websocket.close", "code": 1008})
            elif scope["type"] == "http":
                await self._answer(app, scope, receive, send)
            else:
                await app(scope, receive, send)

        return guarded

    async def _answer(self, app: ASGIApp, scope: Scope, receive: Receive, send: Send) -> None:
        request = _Asked(scope)
        refusal = self._refusal(request)
        if refusal:
            return await _with_headers(refusal, scope, receive, send)
        if request.path.startswith(_STATIC) and request.reads:
            return await _with_headers(app, scope, receive, send)
        session = self._session(request)
        if request.reads:
            if request.path == PAIR:
                return await _with_headers(_state(session), scope, receive, send)
            if session is None or not session.paired:
                return await _with_headers(_pairing_page(request, session), scope, receive, send)
            return await _with_headers(app, scope, receive, send)
        body = await _body(receive)
        if request.path == PAIR:
            return await _with_headers(self._begin(request, body), scope, receive, send)
        refusal = self._act_refusal(request, session, body)
        if refusal or body is None:
            return await _with_headers(refusal or _TOO_LARGE, scope, receive, send)
        return await _with_headers(app, scope, _again(body, receive), send)

    def _refusal(self, asked: "_Asked") -> Response | None:
        """Why a request is refused whoever sends it, from what browsers say of where it comes from."""
        if asked.host not in self.hosts:
            return _line(421, "the page answers under its own address alone")
        if asked.method not in (*_READS, *_ACTS):
            return _line(405, "the page knows no such method")
        if asked.odd or not asked.path.startswith("/"):
            return _line(400, "the page answers plain requests alone")
        if not asked.reads and asked.path != PAIR and not asked.signature:
            return _line(403, "nothing was done: acts need JavaScript and the browser that the person paired")
        if asked.site not in (("", "same-origin", "none") if asked.reads else ("", "same-origin")):
            return _line(403, "requests from other sites are refused")
        if asked.origin != f"http://{asked.host}" and (asked.origin or not asked.reads):
            return _line(403, "requests from other origins are refused")
        return None

    def _session(self, asked: "_Asked") -> Session | None:
        found = (self.pairing.session(cookie, f"http://{asked.host}") for cookie in asked.cookies)
        return next(filter(None, found), None)

    def _act_refusal(self, asked: "_Asked", session: Session | None, body: bytes | None) -> Response | None:
        if session is None or not session.paired:
            return _line(401, "nothing was done: this browser is not paired; reload the page")
        if session.key is None:
            return _line(403, "nothing was done: this browser was paired for reading alone")
        if body is None:
            return _TOO_LARGE
        if body and asked.content != FORM:
            return _line(415, "nothing was done: acts are sent as forms")
        return None if self._is_signed(asked, session, body) else _NOT_SIGNED

    def _is_signed(self, asked: "_Asked", session: Session, body: bytes) -> bool:
        if session.key is None:
            return False
        seconds, nonce = asked.seconds, asked.nonce
        text = signed_text(asked.method, session.origin, asked.target, body, seconds=seconds, nonce=nonce)
        return self.pairing.is_signed(session.key, asked.signature, seconds, nonce, text)

    def _begin(self, asked: "_Asked", body: bytes | None) -> Response:
        """Let a browser wait for the person, with the key that it signs with; without one, for reading alone."""
        if asked.method != "POST" or body is None or asked.content != FORM:
            return _line(400, "a browser asks to be paired with a form")
        try:
            self.pairing.require_room()  # before anything is kept of who asks
        except NotPaired as closed:
            return _line(409, str(closed))
        given = dict(parse_qsl(body.decode("ascii", "replace")))
        key = read_key(given["key"]) if "key" in given else None
        if "key" in given and key is None:
            return _line(400, "that is no key of the form that the page makes")
        origin = f"http://{asked.host}"
        if key is not None and not self._is_signed(asked, Session(origin, key, "", 0), body):
            return _NOT_SIGNED
        cookie, session = self.pairing.begin(origin, key)
        self.on_waiting(self.pairing.waiting)
        if key is None:
            answer = Response(status_code=303, headers={"location": "/"})
        else:
            answer = JSONResponse({"code": _spaced(session.code), "seconds": SECONDS_OF_CODE}, 201)
        answer.set_cookie(COOKIE, cookie, httponly=True, samesite="strict", path="/")
        return answer


class _Asked:
    """What a request says of itself; a header that is given twice counts as a wrong one."""

    def __init__(self, scope: Scope) -> None:
        self.scope = scope
        self.headers = Headers(scope=scope)
        self.method = str(scope["method"])
        self.reads = self.method in _READS
        self.path = str(scope["path"])
        raw, query = scope.get("raw_path") or self.path.encode(), scope["query_string"]
        self.target = (raw + (b"?" + query if query else b"")).decode("latin-1")
        self.host, self.origin = self._one("host"), self._one("origin")
        self.site = self._one("sec-fetch-site")
        self.content = self._one("content-type").partition(";")[0].strip().lower()
        self.signature, self.seconds, self.nonce = map(self._one, (SIGNATURE, SECONDS, NONCE))
        self.odd = "upgrade" in self.headers or not self.target.startswith("/")

    def _one(self, name: str) -> str:
        found = self.headers.getlist(name)
        return found[0] if len(found) == 1 else "?" * len(found)

    @property
    def cookies(self) -> list[str]:
        """The values of our cookie; another server could have set one of the same name beside it."""
        pairs = (part.partition("=") for line in self.headers.getlist("cookie") for part in line.split(";"))
        return [value for name, _, value in pairs if name.strip() == COOKIE]

    @property
    def navigates(self) -> bool:
        """Whether a person opens a page, rather than a script asking for something."""
        mode = self._one("sec-fetch-mode")
        wants = "text/html" in self.headers.get("accept", "") and "hx-request" not in self.headers
        return mode == "navigate" or (not mode and wants)


def _line(status: int, text: str) -> Response:
    return PlainTextResponse(f"{text}\n", status)


_TOO_LARGE = _line(413, "nothing was done: that is too much for one act")
_NOT_SIGNED = _line(403, "nothing was done: the request has no valid signature of the paired browser")


def _spaced(code: str) -> str:
    return f"{code[:3]} {code[3:]}"


def _state(session: Session | None) -> Response:
    """Whether the browser that asks waits, is paired, or has to begin anew."""
    return JSONResponse({"state": "none" if session is None else "paired" if session.paired else "waiting"})


def _pairing_page(asked: _Asked, session: Session | None) -> Response:
    if not asked.navigates:
        return _line(401, "this browser is not paired; open the page in it")
    waits = session is not None and session.key is None
    code = _spaced(session.code) if session and waits else ""
    answer = render(Request(asked.scope), "web/pairing.html.j2", status=401, title="Pair this browser", code=code)
    answer.headers.update(_OF_PAIRING)
    return answer


async def _body(receive: Receive) -> bytes | None:
    """The whole body of a request; None where it is too large or the browser went away."""
    parts, size = [], 0
    while True:
        message = await receive()
        if message["type"] != "http.request":
            return None
        parts.append(message.get("body", b""))
        size += len(parts[-1])
        if size > LARGEST_BODY:
            return None
        if not message.get("more_body"):
            return b"".join(parts)


def _again(body: bytes, receive: Receive) -> Receive:
    """A body that was read, for the application to read."""
    left: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def next_message() -> Message:
        return left.pop() if left else await receive()

    return next_message


async def _with_headers(app: ASGIApp, scope: Scope, receive: Receive, send: Send) -> None:
    """The application's answer with the security headers; what breaks is a bug and is answered with one line."""
    begun = False

    async def sent(message: Message) -> None:
        nonlocal begun
        if message["type"] == "http.response.start":
            begun = True
            own = [(name, value) for name, value in message.get("headers", []) if name.decode().lower() not in _HEADERS]
            given = {name.decode().lower(): value.decode("latin-1") for name, value in message.get("headers", [])}
            policy = given.get("referrer-policy", "")
            ours = _OF_PAIRING if policy == _OF_PAIRING["referrer-policy"] else _HEADERS
            message = {**message, "headers": [*own, *((name.encode(), text.encode()) for name, text in ours.items())]}
        await send(message)

    try:
        await app(scope, receive, sent)
    except Exception:
        if not begun:
            await _line(500, "a bug of rulec; the terminal where rulec ui runs says more")(scope, receive, sent)
        raise
