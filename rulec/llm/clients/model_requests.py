"""What clients of models share: requests side by side, what can go wrong, the JSON object in an answer."""

import json
import os
import re
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from rulec.domain.prompt import ModelFailure, ModelReply, ModelRequest
from rulec.domain.text.one_line import to_one_line
from rulec.domain.text.redaction import redact
from rulec.infra import clock

LOOK_UP = 0.5  # seconds between looks at signals: one that comes just before a wait does not wake it
_LARGEST_REPLY = 4_000_000  # bytes
_MOST_WORDS = 200  # characters of what a server says


class RequestTimedOut(Exception):  # noqa: N818 - it says what happened
    """The time limit of a request has passed."""


class ReplyTooLarge(Exception):  # noqa: N818 - it says what happened
    """A reply is longer than any that was asked for."""


def read_reply(response: Any, left: Callable[[], float]) -> bytes:
    """The whole body of a streamed response; RequestTimedOut or ReplyTooLarge where it comes too slowly or is too long.

    ``left`` gives the seconds that remain: a body may come a byte at a time.
    """
    parts, size = [], 0
    for part in response.iter_bytes():
        parts.append(part)
        size += len(part)
        if size > _LARGEST_REPLY:
            raise ReplyTooLarge
        if left() <= 0:
            raise RequestTimedOut
    return b"".join(parts)


def clean_server_words(words: object, key: str) -> str:
    """What a server said, short, on one line and without keys; "" where it is no text."""
    text = words if isinstance(words, str) else ""
    hidden = text.replace(key, "[redacted:key]") if key else text
    whole = to_one_line(redact(hidden[: 20 * _MOST_WORDS])) if hidden else ""
    return whole if len(whole) <= _MOST_WORDS else f"{whole[:_MOST_WORDS]}…"


def read_key(variable: str) -> str:
    """The key in an environment variable, "" where there is none."""
    return os.environ.get(variable, "").strip()


def key_problem(variable: str) -> str:
    """Why what is in the variable cannot be a key, "" where it can, or is empty."""
    key = read_key(variable)
    fine = key.isascii() and key.isprintable() and " " not in key
    return "" if fine else f"{variable} holds characters that no key has: see how it is set"


def is_unreachable(error: BaseException) -> bool:
    """Whether the server could not be reached: name, route, proxy or certificate."""
    names = {type(cause).__name__ for cause in _causes(error)}
    return bool(names & {"ConnectError", "ConnectTimeout", "ProxyError", "UnsupportedProtocol", "InvalidURL"})


def _causes(error: BaseException) -> Iterator[BaseException]:
    cause: BaseException | None = error
    for _ in range(10):
        if cause is None:
            return
        yield cause
        cause = cause.__cause__ or cause.__context__


_GRACE = 1.0  # seconds past its time after which a request is left to itself


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


_FENCED = re.compile(r"^[ \t]{0,3}```[a-zA-Z]{0,10}[ \t]*\n(.*?)\n[ \t]{0,3}```[ \t]*$", re.MULTILINE | re.DOTALL)
_TRIES = 20  # braces in prose before an object; every one of them may cost the whole text


def find_json_object(text: str) -> Mapping[str, Any] | None:
    """The object, alone, in a code fence or among words; None where there is none, or more than one that differ.

    Of several nothing is taken: one of them may be a stranger's, which the model only repeats.
    """
    whole = _read(text.strip())
    if whole is not None:
        return whole
    fenced = [value for block in _FENCED.findall(text) if (value := _read(block.strip())) is not None]
    return _only(fenced or _among(text))


def _read(text: str) -> Mapping[str, Any] | None:
    try:
        value = json.loads(text, parse_constant=_refuse)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _among(text: str) -> list[Mapping[str, Any]]:
    decoder, objects, at = json.JSONDecoder(parse_constant=_refuse), list[Mapping[str, Any]](), text.find("{")
    for _ in range(_TRIES):
        if at < 0:
            break
        try:
            value, end = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            end = at + 1
        else:
            objects.append(value)
        at = text.find("{", end)
    return objects


def _only(objects: list[Mapping[str, Any]]) -> Mapping[str, Any] | None:
    first = objects[0] if objects else None
    return first if all(other == first for other in objects) else None


def _refuse(word: str) -> None:
    raise ValueError(f"{word} is no JSON")
