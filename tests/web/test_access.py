"""Who gets through to the page: the person's own browser, and nothing else on this machine or in another page."""

import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import httpx2 as httpx
import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Mount, Route
from starlette.testclient import TestClient
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.websockets import WebSocketDisconnect

from rulec.checks.template_library import open_library
from rulec.web import access as accessing
from rulec.web.access import Access
from rulec.web.pairing import MOST_WAITING, SECONDS_OF_CODE, SECONDS_OF_SIGNATURE, Pairing, Typed
from tests.support.paired import FORM, Browser, ask_for_code

PORT = 43117
BODY = b"slug=use-pnpm"
FETCH = {"sec-fetch-site": "same-origin", "sec-fetch-mode": "cors"}
OPENED = {"sec-fetch-mode": "navigate", "accept": "text/html"}


@dataclass
class Standing:
    """A page with one paired browser; ``done`` are the bodies of the acts that came through."""

    access: Access
    client: TestClient
    browser: Browser
    done: list[bytes] = field(default_factory=list)
    ahead: float = 0.0  # seconds that have passed beside the real ones

    def paired(self) -> None:
        code = ask_for_code(self.client, self.browser).json()["code"]
        assert self.access.pairing.type_line(code) is Typed.PAIRED

    def signed(
        self, body: bytes = BODY, target: str = "/act", method: str = "POST", seconds: float = 0
    ) -> dict[str, str]:
        origin = {"origin": self.browser.origin}
        return {**FORM, **FETCH, **origin, **self.browser.headers(method, target, body, seconds=seconds)}

    def act(self, headers: dict[str, str], body: bytes = BODY, target: str = "/act") -> httpx.Response:
        return self.client.post(target, content=body, headers=headers)


@pytest.fixture
def standing(tmp_path: Path) -> Iterator[Standing]:
    found: list[Standing] = []

    async def act(request: Request) -> PlainTextResponse:
        found[0].done.append(await request.body())
        return PlainTextResponse("done")

    async def read(_: Request) -> PlainTextResponse:
        return PlainTextResponse("read")

    async def stream(scope: Scope, receive: Receive, send: Send) -> None:
        await PlainTextResponse("event")(scope, receive, send)

    page = Access(PORT, pairing=Pairing(lambda: time.time() + (found[0].ahead if found else 0)))
    app = Starlette(routes=[
        Route("/act", act, methods=["POST", "PUT", "PATCH", "DELETE"]), Route("/", read), Mount("/events", stream),
    ])  # fmt: skip
    app.state.top, app.state.library, app.state.nav = tmp_path, open_library(), []
    browser = Browser(page.address.rstrip("/"))
    with TestClient(_guarded(app, page), base_url=browser.origin, follow_redirects=False) as client:
        found.append(Standing(page, client, browser))
        yield found[0]


def _guarded(app: Starlette, page: Access) -> ASGIApp:
    app.add_middleware(page)  # as make_app does
    return app


HEADERS = {  # what a request is -> what it has instead of the paired browser's own headers; the rest is right
    "rebinding": {"host": f"evil.example:{PORT}"},
    "localhost": {"host": f"localhost:{PORT}"},
    "another name of this machine": {"host": f"other.localhost:{PORT}"},
    "another port": {"host": "127.0.0.1:9"},
    "no port": {"host": "127.0.0.1"},
    "the plain address with the name's cookie": {"host": f"127.0.0.1:{PORT}", "origin": f"http://127.0.0.1:{PORT}"},
    "no origin": {"origin": ""},
    "an origin that hides": {"origin": "null"},
    "a foreign origin": {"origin": "https://evil.example"},
    "another server of this machine": {"origin": "http://127.0.0.1:3000"},
    "the same name at another port": {"origin": "http://{name}:3000"},
    "the same place over https": {"origin": "https://{host}"},
    "a foreign page": {"sec-fetch-site": "cross-site"},
    "another port, as browsers call it": {"sec-fetch-site": "same-site"},
    "typed into the address": {"sec-fetch-site": "none"},
    "no cookie": {"cookie": ""},
    "a foreign cookie": {"cookie": "rulec=" + "A" * 43},
    "no signature": {"x-rulec-signature": ""},
    "a forged signature": {"x-rulec-signature": "A" * 86},
    "no base64": {"x-rulec-signature": "%" * 86},
    "a short signature": {"x-rulec-signature": "AAAA"},
    "another time": {"x-rulec-seconds": str(int(time.time()) - 5)},  # no request is signed before this
    "no time": {"x-rulec-seconds": "soon"},
    "another nonce": {"x-rulec-nonce": "f" * 32},
    "no nonce": {"x-rulec-nonce": ""},
    "JSON": {"content-type": "application/json"},
    "text, which needs no preflight": {"content-type": "text/plain"},
    "files": {"content-type": "multipart/form-data; boundary=x"},
    "an upgrade": {"connection": "upgrade", "upgrade": "websocket"},
}


def _sent(
    standing: Standing, method: str, path: str, headers: dict[str, str], changed: dict[str, str]
) -> httpx.Response:
    request = standing.client.build_request(method, path, content=BODY if method != "GET" else None, headers=headers)
    for name, value in changed.items():
        request.headers.pop(name, None)
        text = value.format(name=standing.access.name, host=standing.access.hosts[0])
        if text:
            request.headers[name] = text
    return standing.client.send(request)


def test_the_paired_browser_reads_and_acts_once_for_each_signature(standing: Standing) -> None:
    standing.paired()
    assert standing.client.get("/", headers=FETCH).text == "read"
    assert standing.client.get("/events/", headers=FETCH).text == "event"
    signed = standing.signed()
    assert standing.act(signed).text == "done"
    assert standing.act(signed).status_code == 403  # replayed
    assert standing.act(standing.signed()).text == "done"
    assert standing.done == [BODY, BODY]


def test_each_request_that_is_not_the_paired_browsers_own_is_refused_with_one_line(standing: Standing) -> None:
    standing.paired()
    wrong = []
    for why, changed in HEADERS.items():
        answer = _sent(standing, "POST", "/act", standing.signed(), changed)
        if answer.status_code < 400 or answer.text.count("\n") != 1 or standing.done:
            wrong.append((why, answer.status_code, answer.text))
            standing.done.clear()
    assert wrong == []
    assert _sent(standing, "POST", "/act", standing.signed(), {}).text == "done"


def test_a_signature_is_of_one_request_alone(standing: Standing) -> None:
    standing.paired()
    old = time.time() - SECONDS_OF_SIGNATURE - 2
    foreign = Browser(standing.browser.origin)
    cases = {
        "another body": standing.act(standing.signed(b"slug=other")),
        "another path": standing.act(standing.signed(target="/other")),
        "another query": standing.act(standing.signed(), target="/act?all=1"),
        "another method": standing.act(standing.signed(method="DELETE")),
        "too old": standing.act(standing.signed(seconds=old)),
        "ahead of time": standing.act(standing.signed(seconds=time.time() + SECONDS_OF_SIGNATURE + 3)),
        "another key": standing.act({**standing.signed(), **foreign.headers("POST", "/act", BODY)}),
        "another origin's": standing.act({**standing.signed(), **Browser("http://x").headers("POST", "/act", BODY)}),
        "too large": standing.act(standing.signed(b"x" * 2_000_000), b"x" * 2_000_000),
    }
    assert {why: answer.status_code for why, answer in cases.items() if answer.status_code not in (403, 413)} == {}
    assert standing.done == []
    assert standing.act(standing.signed(target="/act?a=%20b"), target="/act?a=%20b").text == "done"


def test_a_nonce_is_kept_as_long_as_its_signature_counts(standing: Standing) -> None:
    standing.paired()
    signed = standing.signed(seconds=time.time() + SECONDS_OF_SIGNATURE - 3)  # a clock that is ahead
    assert standing.act(signed).text == "done"
    for ahead in (1, SECONDS_OF_SIGNATURE, 2 * SECONDS_OF_SIGNATURE - 5):
        standing.ahead = ahead
        standing.act({**standing.signed(seconds=time.time() + ahead)})
        assert standing.act(signed).status_code == 403, ahead


def test_reads_need_the_cookie_the_address_and_no_foreign_page(standing: Standing) -> None:
    standing.paired()
    names = ("rebinding", "localhost", "another name of this machine", "another port", "a foreign origin", "no cookie")
    more = ("a foreign page", "another port, as browsers call it", "a foreign cookie", "an upgrade", "no port")
    wrong = []
    for path in ("/", "/events/", "/nothing"):
        for name in (*names, *more):
            answer = _sent(standing, "GET", path, FETCH, HEADERS[name])
            if answer.status_code < 400 or answer.status_code == 404 or answer.text.count("\n") != 1:
                wrong.append((path, name, answer.status_code))
    assert wrong == []
    bare = httpx.Client(transport=standing.client._transport, base_url=standing.browser.origin)
    assert bare.get("/events/").status_code == 401


def test_the_cookie_is_for_this_browser_and_this_site_alone(standing: Standing) -> None:
    answer = ask_for_code(standing.client, standing.browser)
    name, _, rest = answer.headers["set-cookie"].partition("=")
    value, *said = (part.strip().lower() for part in rest.split(";"))
    assert (name, sorted(said)) == (accessing.COOKIE, ["httponly", "path=/", "samesite=strict"])
    assert len(value) >= 43
    assert value not in answer.text.lower()


def test_a_browser_that_waits_sees_its_code_and_nothing_else(standing: Standing) -> None:
    code = ask_for_code(standing.client, standing.browser).json()["code"]
    seen = standing.client.get("/rules", headers=OPENED)
    assert (seen.status_code, "Is this your browser?" in seen.text, code in seen.text) == (401, True, False)
    assert standing.client.get("/", headers=FETCH).status_code == 401
    assert standing.client.get("/pair", headers=FETCH).json() == {"state": "waiting"}
    assert standing.act(standing.signed()).status_code == 401
    assert standing.access.pairing.type_line(code.lower().replace(" ", "-")) is Typed.PAIRED
    assert standing.client.get("/pair", headers=FETCH).json() == {"state": "paired"}
    assert standing.client.get("/", headers=OPENED).text == "read"


def test_pairing_is_for_one_browser_until_the_person_opens_it_again(standing: Standing) -> None:
    with TestClient(standing.client.app, base_url=standing.browser.origin) as other:
        waits = ask_for_code(other, Browser(standing.browser.origin)).json()["code"]  # an agent's, beside the person's
        standing.paired()
        assert standing.access.pairing.type_line(waits) is Typed.NOTHING
        assert other.get("/", headers=FETCH).status_code == 401
        refused = ask_for_code(other, Browser(standing.browser.origin))
        assert (refused.status_code, "press Enter in the terminal" in refused.text) == (409, True)
        assert standing.access.pairing.type_line("\n") is Typed.OPENED
        code = ask_for_code(other, Browser(standing.browser.origin)).json()["code"]
        assert standing.access.pairing.type_line(code) is Typed.PAIRED
        assert (other.get("/", headers=FETCH).text, standing.client.get("/", headers=FETCH).text) == ("read", "read")


def test_codes_are_not_guessed_end_and_are_bounded(standing: Standing) -> None:
    pairing = standing.access.pairing
    code = ask_for_code(standing.client, standing.browser).json()["code"]
    assert [pairing.type_line(word) for word in ("", "AAAAAA", " é\x00 ", code[:-1])] == [
        Typed.NOTHING, Typed.WRONG, Typed.NOTHING, Typed.WRONG,
    ]  # fmt: skip
    standing.ahead = SECONDS_OF_CODE + 1
    assert standing.client.get("/pair", headers=FETCH).json() == {"state": "none"}
    standing.browser.ahead = standing.ahead
    answers = [ask_for_code(standing.client, standing.browser) for _ in range(MOST_WAITING + 1)]
    assert [answer.status_code for answer in answers] == [*[201] * MOST_WAITING, 409]
    codes = {answer.json()["code"] for answer in answers[:-1]}
    assert (len(codes), code in codes) == (MOST_WAITING, False)
    assert pairing.type_line(code) is Typed.OVER
    assert pairing.type_line(codes.pop()) is Typed.NOTHING


def test_who_asks_for_a_code_has_the_key_and_comes_from_the_page(standing: Standing) -> None:
    stolen = Browser(standing.browser.origin)
    body = f"key={stolen.public_key}".encode()
    wrong = {
        "somebody else's key": standing.signed(body, "/pair"),
        "a foreign page": {**FORM, "origin": "https://evil.example", **stolen.headers("POST", "/pair", body)},
        "no origin": {**FORM, **stolen.headers("POST", "/pair", body)},
        "a page of another site": {**FORM, "origin": stolen.origin, "sec-fetch-site": "cross-site"},
    }
    answers = {why: standing.act(headers, body, "/pair").status_code for why, headers in wrong.items()}
    odd = standing.act(standing.signed(b"key=AAAA", "/pair"), b"key=AAAA", "/pair")
    assert {*answers.values(), odd.status_code} == {400, 403}
    assert standing.access.pairing.waiting == 0


def test_without_javascript_a_browser_is_paired_for_reading_alone(standing: Standing) -> None:
    plain = {**FORM, "origin": standing.browser.origin, "sec-fetch-site": "same-origin"}
    assert (
        standing.client.get("/", headers=OPENED).headers["referrer-policy"] == "same-origin"
    )  # else the form says null
    assert standing.act(plain, b"", "/pair").status_code == 303
    shown = standing.client.get("/", headers=OPENED).text
    code = shown.partition('id="code"')[2].partition(">")[2].partition("<")[0]
    assert standing.access.pairing.type_line(code) is Typed.PAIRED
    assert standing.client.get("/", headers=OPENED).text == "read"
    assert "acts need JavaScript" in standing.act(plain).text
    assert standing.act(standing.signed()).status_code == 403
    assert standing.done == []


def test_a_websocket_is_refused_and_static_files_are_not(standing: Standing, page: TestClient) -> None:
    standing.paired()
    with pytest.raises(WebSocketDisconnect), standing.client.websocket_connect("/events/"):
        pass
    page.cookies.clear()
    assert page.get("/static/app.js").status_code == 200
    assert page.get("/static/app.js", headers={"host": "evil.example"}).status_code == 421
    assert page.get("/static/../app.py").status_code in (401, 404)
    assert page.get("/static/%2e%2e/app.py").status_code in (401, 404)


def test_every_answer_has_the_security_headers(standing: Standing, page: TestClient) -> None:
    pages = [page.get(path) for path in ("/", "/nothing", "/static/app.css", "/pair")]
    waiting = [standing.client.get("/", headers=OPENED), standing.client.get("/", headers={"host": "x"})]
    standing.paired()
    acts = [standing.act(standing.signed()), standing.act({})]
    for answer in (*pages, *waiting, *acts):
        lacking = [name for name, text in accessing._HEADERS.items() if answer.headers.get_list(name) != [text]]
        assert lacking in ([], ["referrer-policy"]), answer.url
        assert "unsafe" not in answer.headers["content-security-policy"]
