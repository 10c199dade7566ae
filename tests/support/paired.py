"""A browser as the page knows it: a key of its own, its cookie, and requests signed as rulec/web/static/app.js does."""

import base64
import secrets
import time
from collections.abc import Generator
from typing import Any

import httpx2 as httpx
from cryptography.hazmat.primitives.asymmetric import ec, utils
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from rulec.web import access
from rulec.web.pairing import signed_text

FORM = {"content-type": access.FORM}


def base64url(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


class Browser(httpx.Auth):
    """Signs what a client sends that is no read, and says where it comes from, as a page's own requests do."""

    requires_request_body = True

    def __init__(self, origin: str) -> None:
        self.origin = origin
        self.ahead = 0.0  # seconds by which its clock is ahead
        self.key = ec.generate_private_key(ec.SECP256R1())

    @property
    def public_key(self) -> str:
        return base64url(self.key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint))

    def headers(self, method: str, target: str, body: bytes, *, seconds: float = 0, nonce: str = "") -> dict[str, str]:
        """The headers of a signed request."""
        at, once = str(int(seconds or time.time() + self.ahead)), nonce or secrets.token_hex(16)
        text = signed_text(method, self.origin, target, body, seconds=at, nonce=once).encode()
        first, second = utils.decode_dss_signature(self.key.sign(text, ec.ECDSA(SHA256())))
        signature = base64url(first.to_bytes(32) + second.to_bytes(32))
        return {access.SIGNATURE: signature, access.SECONDS: at, access.NONCE: once}

    def auth_flow(self, request: httpx.Request) -> Generator[httpx.Request, httpx.Response, None]:
        request.headers.setdefault("sec-fetch-site", "same-origin")
        if request.method not in ("GET", "HEAD"):
            request.headers.setdefault("origin", self.origin)
            if access.SIGNATURE not in request.headers:
                signed = self.headers(request.method, request.url.raw_path.decode(), request.content)
                request.headers.update(signed)
        yield request


def ask_for_code(client: httpx.Client, browser: Browser) -> Any:
    """What the page answers a browser that wants to be paired; its cookie is the client's afterwards."""
    return client.post("/pair", data={"key": browser.public_key}, auth=browser)
