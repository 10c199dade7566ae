"""Who may use the page: browsers that wait with a code, and those that the person let in at the terminal."""

import base64
import hashlib
import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric import ec, utils
from cryptography.hazmat.primitives.hashes import SHA256

SECONDS_OF_CODE = 120
SECONDS_OF_SIGNATURE = 60  # by which the clock of a signed request may differ from ours, either way
MOST_WAITING = 20
MOST_WRONG = 3
_LETTERS = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"  # none that is easily taken for another
_CODE = 6
_HALF = 32  # bytes of each of the two numbers of a signature
_NONCES = (16, 64)  # how long a nonce may be


class Typed(Enum):
    """What a line that the person typed at the terminal came to."""

    NOTHING = "nothing"
    OPENED = "opened"  # pairing is open again
    PAIRED = "paired"
    WRONG = "wrong"
    OVER = "over"  # wrong too often


@dataclass(slots=True)
class Session:
    """A browser: where it came in, the key that it signs with, and the code that it shows until it is paired."""

    origin: str
    key: ec.EllipticCurvePublicKey | None  # None: a browser without JavaScript, which only reads
    code: str
    ends: float
    paired: bool = False


class NotPaired(Exception):  # noqa: N818 - said in one line to a browser, no error of the program
    """Why no browser can be paired now."""


class Pairing:
    """The browsers of one running page; all of it is kept in memory alone."""

    def __init__(self, now: Callable[[], float] = time.time) -> None:
        self.now = now
        self.is_open = True
        self._wrong = 0
        self._sessions: dict[bytes, Session] = {}  # by the digest of the cookie
        self._nonces: dict[str, float] = {}  # seen -> when they may be forgotten

    def require_room(self) -> None:
        """NotPaired where no browser may begin to wait."""
        self._forget()
        if not self.is_open:
            raise NotPaired("pairing is closed: press Enter in the terminal where rulec ui runs, then reload this page")
        if self.waiting >= MOST_WAITING:
            raise NotPaired("too many browsers wait for a code; try again in two minutes")

    def begin(self, origin: str, key: ec.EllipticCurvePublicKey | None) -> tuple[str, Session]:
        """Let a browser wait: its cookie, and the session with the code that it shows."""
        cookie = secrets.token_urlsafe(32)
        code = "".join(secrets.choice(_LETTERS) for _ in range(_CODE))
        session = Session(origin, key, code, self.now() + SECONDS_OF_CODE)
        self._sessions[_digest(cookie)] = session
        return cookie, session

    @property
    def waiting(self) -> int:
        """How many browsers wait for the person."""
        return sum(not session.paired and session.ends > self.now() for session in self._sessions.values())

    def session(self, cookie: str, origin: str) -> Session | None:
        """The session of a cookie, if it is used where it was given; None for one whose code has ended."""
        found = self._sessions.get(_digest(cookie))
        if found is None or found.origin != origin or not (found.paired or found.ends > self.now()):
            return None
        return found

    def type_line(self, line: str) -> Typed:
        """Take what the person typed: a code, or an empty line, which opens pairing again once it is closed."""
        self._forget()
        typed = "".join(sign for sign in line.upper() if sign.isascii() and sign.isalnum())
        if not self.is_open:
            self.is_open = not typed
            return Typed.NOTHING if typed else Typed.OPENED
        if not typed:
            return Typed.NOTHING
        meant = [one for one in self._sessions.values() if not one.paired and secrets.compare_digest(one.code, typed)]
        if not meant:
            self._wrong += 1
            self.is_open = self._wrong < MOST_WRONG
            return Typed.WRONG if self.is_open else Typed.OVER
        meant[0].paired, meant[0].code = True, ""
        self.is_open, self._wrong = False, 0
        self._sessions = {digest: one for digest, one in self._sessions.items() if one.paired}
        return Typed.PAIRED

    def is_signed(self, key: ec.EllipticCurvePublicKey, signature: str, seconds: str, nonce: str, text: str) -> bool:
        """Whether the key signed the text just now, and for the first time."""
        now = self.now()
        if not (seconds.isascii() and seconds.isdigit() and len(seconds) < 12):
            return False
        if abs(int(seconds) - now) > SECONDS_OF_SIGNATURE or not _NONCES[0] <= len(nonce) <= _NONCES[1]:
            return False
        if nonce in self._nonces or not _verifies(key, signature, text):
            return False
        self._nonces = {one: until for one, until in self._nonces.items() if until > now}
        self._nonces[nonce] = now + 2 * SECONDS_OF_SIGNATURE
        return True

    def _forget(self) -> None:
        now = self.now()
        self._sessions = {digest: one for digest, one in self._sessions.items() if one.paired or one.ends > now}


def read_key(text: str) -> ec.EllipticCurvePublicKey | None:
    """The public key that a browser sends: a point of P-256, in base64url; None for anything else."""
    try:
        return ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), _bytes(text))
    except ValueError:
        return None


def signed_text(method: str, origin: str, target: str, body: bytes, *, seconds: str, nonce: str) -> str:
    """What a browser signs for a request; rulec/web/static/app.js writes the same."""
    return "\n".join(["rulec act", method, origin, target, hashlib.sha256(body).hexdigest(), seconds, nonce])


def _verifies(key: ec.EllipticCurvePublicKey, signature: str, text: str) -> bool:
    try:
        raw = _bytes(signature)
        if len(raw) != 2 * _HALF:
            return False
        pair = utils.encode_dss_signature(int.from_bytes(raw[:_HALF]), int.from_bytes(raw[_HALF:]))
        key.verify(pair, text.encode(), ec.ECDSA(SHA256()))
    except (ValueError, InvalidSignature):
        return False
    return True


def _bytes(text: str) -> bytes:
    return base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)


def _digest(cookie: str) -> bytes:
    return hashlib.sha256(cookie.encode()).digest()
