"""What the backends of hosted models share: requests beside each other, tries, and failures told without keys."""

import importlib
import json
import os
import re
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from rulec.domain.prompt import ModelFailure, ModelReply, ModelRequest, ModelSettings
from rulec.domain.text.one_line import to_one_line
from rulec.domain.text.redaction import redact
from rulec.infra import clock

LOOK_UP = 0.5  # seconds between looks at signals: one that comes just before a wait does not wake it
THOUGHT = 8_000  # tokens that a model may think before it answers, beyond those of the answer
_TRIES = 3
_PAUSE = 0.5  # seconds before the second try; twice as many before each that follows
_GRACE = 1.0  # seconds past its time after which a request is left to itself
_LARGEST_REPLY = 4_000_000  # bytes
_MOST_WORDS = 200  # characters of what a server says
_OTHER = "another model may answer: models.model"
_AGAIN = "what is done is kept: run it again later"
_WHERE = "see models.base_url and the proxies in your environment"
_PASSES = (408, 409, 429)  # statuses after which the same may be asked again, as after those from 500 on
_TOO_LARGE, _NO_CREDIT, _BROKEN = 413, 402, 500
# status -> what it means, what to do, and whether to ask anything else would be in vain
_MEANINGS: Mapping[int, tuple[str, str, bool]] = {
    401: ("does not take the key in {key}", "see {key} and models.base_url", True),
    402: ("has no credit left for us", "see your account there", True),
    403: ("does not let this key do that", "see {key} and models.base_url", True),
    404: ("knows no such model or address", f"see models.model; {_WHERE}", True),
    413: ("finds the request too large", "", False),
    429: ("has no requests or tokens left for us", _AGAIN, True),
    503: ("is not ready", _AGAIN, True),
    529: ("is overloaded", _AGAIN, True),
}
# of a request that is refused: what was asked about brings it about
_THEIRS = re.compile(
    r"\btoo (?:long|large)\b|context.{0,10}(?:length|size|window)|maximum context|content.{0,3}(?:filter|policy)",
    re.IGNORECASE,
)


class RequestTimedOut(Exception):  # noqa: N818 - it says what happened
    """The time limit of a request has passed."""


class ReplyTooLarge(Exception):  # noqa: N818 - it says what happened
    """A reply is longer than any that was asked for."""


def read_key(variable: str) -> str:
    """The key in an environment variable, "" where there is none."""
    return os.environ.get(variable, "").strip()


def key_problem(variable: str) -> str:
    """Why what is in the variable cannot be a key, "" where it can, or is empty."""
    key = read_key(variable)
    fine = key.isascii() and key.isprintable() and " " not in key
    return "" if fine else f"{variable} holds characters that no key has: see how it is set"


@dataclass(frozen=True, slots=True, kw_only=True)
class HostedModel:
    """Who is asked, through which SDK, and how its failures are told."""

    sdk: str  # its module
    who: str  # "the API", "the server"
    key: str  # the variable with the key
    models: ModelSettings
    address: str = ""  # "" where the SDK knows it

    def late(self, sent: int = 0) -> ModelFailure:
        """The failure of a request that took too long: its tokens may have to be paid all the same."""
        what = f"{self.who} took more than {self.models.seconds:g} seconds"
        return ModelFailure(what=what, hint="raise models.seconds", sent=sent)

    def unusable(self, error: BaseException) -> ModelFailure:
        """The failure of an SDK that cannot start; its own message is left out, it may hold passwords of proxies."""
        what = f"the {self.sdk} SDK cannot be used: {type(error).__name__}"
        return ModelFailure(what=what, hint=f"{_WHERE}; pip install -U {self.sdk} may help", over=True)

    def failure(self, error: BaseException, sent: int = 0) -> ModelFailure:
        """The failure that an exception of the SDK means; of its words only those of the server are shown.

        ``sent`` tokens count where the server had them and nobody knows what became of them.
        """
        sdk = importlib.import_module(self.sdk)
        if isinstance(error, sdk.APIStatusError):
            return self._refused(error.status_code, _server_words(error))
        if _is_unreachable(error):
            return ModelFailure(what=f"{self.who} cannot be reached{self._host}", hint=_WHERE, over=True)
        if isinstance(error, RequestTimedOut | sdk.APITimeoutError):
            return self.late(sent)
        if isinstance(error, ReplyTooLarge):
            return ModelFailure(what=f"{self.who}'s answer is larger than any that was asked for", sent=sent)
        if isinstance(error, sdk.APIConnectionError):
            return ModelFailure(what=f"the connection to {self.who} broke off", hint=_AGAIN, sent=sent)
        hint = f"pip install -U {self.sdk} may help"
        return ModelFailure(what=f"asking {self.who} failed: {type(error).__name__}", hint=hint)

    def _refused(self, code: int, words: str) -> ModelFailure:
        """The failure that an HTTP status and the server's words mean."""
        said = clean_words(words, read_key(self.key))
        code = _NO_CREDIT if "credit balance" in said.casefold() else code
        means, hint, over = _MEANINGS.get(code, ("refuses the request", "", False))
        if 300 <= code < 400:
            means, hint, over = "answers from elsewhere, which is not followed", "see models.base_url", True
        elif code >= _BROKEN and code not in _MEANINGS:
            means, hint = f"is broken ({code})", _AGAIN
        means, hint = (text.format(key=self.key) for text in (means, hint))
        theirs = code == _TOO_LARGE or (not over and code < _BROKEN and bool(_THEIRS.search(said)))
        what = f"{self.who} {means}: {said}" if said else f"{self.who} {means}"
        return ModelFailure(what=what, hint=hint, over=over, theirs=theirs)

    def odd(self, what: str, request: ModelRequest) -> ModelFailure:
        """The failure of an answer that is not what such a server sends."""
        told = f"{self.who} answered with something that is not {what}"
        return ModelFailure(what=told, hint=_WHERE, misfit=True, sent=request.tokens)

    @property
    def _host(self) -> str:
        """The host that was asked, without other parts of the address."""
        try:
            host = urlsplit(self.address).hostname
        except ValueError:
            host = None
        return f" at {to_one_line(host)[:_MOST_WORDS]}" if host else ""


def refusal(who: str, spent: Mapping[str, Any]) -> ModelFailure:
    """The failure of a model that does not answer."""
    return ModelFailure(what=f"{who} refused to answer", hint=_OTHER, theirs=True, **spent)


def cut_off(who: str, most: int, spent: Mapping[str, Any]) -> ModelFailure:
    """The failure of an answer that ends at its limit."""
    what = f"{who} was cut off: its answer is longer than the {most:,} tokens that it may take"
    return ModelFailure(what=what, hint=_OTHER, theirs=True, **spent)


def formless(who: str, spent: Mapping[str, Any]) -> ModelFailure:
    """The failure of an answer in which there is not one JSON object."""
    what = f"{who} gave no answer of the form that was asked for"
    return ModelFailure(what=what, hint=_OTHER, misfit=True, theirs=True, **spent)


def send(post: Callable[[], Any], left: Callable[[], float]) -> bytes:
    """The body of the response that ``post`` opens, after a few tries; ``left`` gives the seconds that remain."""
    for number in range(1, _TRIES + 1):
        try:
            with post() as response:
                return _body(response, left)
        except Exception as error:
            pause = _pause_after(error, number)
            if number == _TRIES or pause is None or pause >= left():
                raise
            clock.pause(pause)
    raise RequestTimedOut


def _pause_after(error: Exception, number: int) -> float | None:
    """The seconds to wait before the next try; None where the same would come of it."""
    status = int(getattr(error, "status_code", 0))
    if not status:
        broke = type(error).__name__ == "APIConnectionError" and not _is_unreachable(error)
        return _PAUSE * 2 ** (number - 1) if broke else None
    if status not in _PASSES and status < _BROKEN:
        return None
    headers = getattr(error, "response").headers  # noqa: B009 - of an SDK that is not imported here
    try:
        if "retry-after-ms" in headers:
            return float(headers["retry-after-ms"]) / 1000
        return float(headers.get("retry-after", _PAUSE * 2 ** (number - 1)))
    except ValueError:  # a date: nobody waits so long
        return None


def _body(response: Any, left: Callable[[], float]) -> bytes:
    """The whole body of a streamed response, which may come a byte at a time."""
    parts, size = [], 0
    for part in response.iter_bytes():
        parts.append(part)
        size += len(part)
        if size > _LARGEST_REPLY:
            raise ReplyTooLarge
        if left() <= 0:
            raise RequestTimedOut
    return b"".join(parts)


def parse_body(body: bytes) -> Any:
    """What the JSON of a body holds, None where it is none."""
    try:
        return json.loads(body)
    except (ValueError, RecursionError):
        return None


def count_usage(usage: object) -> dict[str, int]:
    """The numbers among what a server says of the tokens."""
    return {name: value for name, value in usage.items() if type(value) is int} if isinstance(usage, dict) else {}


def _server_words(error: Any) -> str:
    """The server's words in an error, of which servers have several forms."""
    body = error.body
    inner = body.get("error", body) if isinstance(body, dict) else body
    said = inner.get("message") if isinstance(inner, dict) else inner
    return said if isinstance(said, str) else ""


def clean_words(words: str, key: str) -> str:
    """What a server said, short, on one line and without keys."""
    hidden = words.replace(key, "[redacted:key]") if key else words
    whole = to_one_line(redact(hidden[: 20 * _MOST_WORDS])) if hidden else ""
    return whole if len(whole) <= _MOST_WORDS else f"{whole[:_MOST_WORDS]}…"


def _is_unreachable(error: BaseException) -> bool:
    """Whether the server could not be reached: name, route, proxy or certificate."""
    names, cause = set[str](), error.__cause__ or error.__context__
    names.add(type(error).__name__)
    for _ in range(10):
        if cause is not None:
            names.add(type(cause).__name__)
            cause = cause.__cause__ or cause.__context__
    return bool(names & {"ConnectError", "ConnectTimeout", "ProxyError", "UnsupportedProtocol", "InvalidURL"})


def ask_beside(
    ask: Callable[[ModelRequest], ModelReply],
    requests: Sequence[ModelRequest],
    seconds: float,
    late: Callable[[int], ModelFailure],
    many: int = 0,
) -> Iterator[ModelReply]:
    """The replies in order of the requests, ``many`` at a time, or all at once for 0.

    Each has a thread of its own: one that cannot be stopped at its time is left, and Ctrl-C waits for none.
    """
    for at in range(0, len(requests), many or len(requests) or 1):
        yield from _together(ask, requests[at : at + (many or len(requests))], seconds, late)


def _together(
    ask: Callable[[ModelRequest], ModelReply],
    requests: Sequence[ModelRequest],
    seconds: float,
    late: Callable[[int], ModelFailure],
) -> Iterator[ModelReply]:
    found: list[ModelReply | None] = [None] * len(requests)

    def work(place: int) -> None:
        found[place] = ask(requests[place])

    threads = [threading.Thread(target=work, args=(place,), daemon=True) for place in range(len(requests))]
    for thread in threads:
        thread.start()
    left = clock.countdown(seconds + _GRACE)
    for place, thread in enumerate(threads):
        while thread.is_alive() and (rest := left()) > 0:
            thread.join(min(rest, LOOK_UP))
        yield found[place] or late(requests[place].tokens)
