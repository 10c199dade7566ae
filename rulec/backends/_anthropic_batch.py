"""Many requests as one batch: half the price, within a day; a run that was stopped hears the batch that it began."""

import json
import re
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from rulec.backends import _anthropic_fault as fault
from rulec.backends._anthropic_begun import Begun
from rulec.backends._anthropic_call import Line, heard, params
from rulec.host import clock
from rulec.model.exchange import Heard, Request, Trouble

_DAY = 25 * 3600.0  # seconds; the API gives up after 24 hours
_FIRST, _LONGEST = 0.05, 60.0  # seconds between two looks at a batch
_MISSES = 5  # looks in a row that may fail: laptops sleep, networks go away
_GONE = 404  # it is another account's, or older than the API keeps them
_NAME = re.compile(r"[\w-]{1,100}")
_NO_BATCH = Trouble(what="the API answered with something that is no batch", over=True)
_LATER = "the batch goes on: run it again to hear it"

Result = Mapping[str, Any] | Trouble


def answers(line: Line, requests: Sequence[Request]) -> Iterator[Heard]:
    """What each is answered, in their order, once all are: by batches of earlier runs, and a new one for the rest."""
    begun = Begun(line.models.folder, [str(line.client.base_url), line.model])
    keys = [request.key for request in requests]
    for name in begun.holding(keys):
        if _look(line, name) is None:
            begun.forget(name)
    new = [request for request in requests if not begun.holder(request.key)]
    refused = _begin(line, new, begun) if new else None
    results: dict[str, Result] = {}
    for name in begun.holding(keys):
        results |= _waited(line, name, begun.keys(name))
    for request in requests:
        key = request.key
        result = results.get(key) or refused or Trouble(what="the batch cannot be kept in mind", over=True)
        if not isinstance(result, Trouble):  # it is heard now, well or badly: asked again, it goes into a new batch
            begun.forget(begun.holder(key), key)
        yield result if isinstance(result, Trouble) else _meaning(line, request, result)


def _begin(line: Line, requests: Sequence[Request], begun: Begun) -> Trouble | None:
    """Send them; why not, where they could not be sent."""
    line.begin()
    asked: Any = [{"custom_id": request.key, "params": params(request, line.model)} for request in requests]
    try:
        name: Any = line.client.messages.batches.create(requests=asked).id
    except Exception as error:  # noqa: BLE001 - the SDK lets through what its parsers and the network raise
        return _trouble(line, error)
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        return _NO_BATCH
    begun.add(name, [request.key for request in requests])
    return None


def _trouble(line: Line, error: Exception) -> Trouble:
    unread = isinstance(error, json.JSONDecodeError | AttributeError)
    return _NO_BATCH if unread else fault.trouble(error, line.models, line.key)


def _look(line: Line, name: str) -> bool | Trouble | None:
    """Whether a batch has ended; None where the API knows none of that name."""
    line.begin()
    try:
        return bool(line.client.messages.batches.retrieve(name).processing_status == "ended")
    except Exception as error:  # noqa: BLE001 - see above
        return None if fault.status(error) == _GONE else _trouble(line, error)


def _waited(line: Line, name: str, keys: Sequence[str]) -> dict[str, Result]:
    """What the batch holds for each of the keys, when it has ended."""
    left, pause, misses = clock.countdown(_DAY), _FIRST, 0
    while (seen := _look(line, name)) is not True:
        misses = 0 if seen is False else misses + 1
        if misses >= _MISSES or left() <= 0:
            over = seen or Trouble(what="the batch has not ended within its day")
            return dict.fromkeys(keys, replace(over, hint=_LATER, over=True))
        time.sleep(pause)
        pause = min(2 * pause, _LONGEST)
    found = _results(line, name)
    if isinstance(found, Trouble):
        return dict.fromkeys(keys, found)
    return {key: found.get(key, {"type": "missing"}) for key in keys}


def _results(line: Line, name: str) -> dict[str, Mapping[str, Any]] | Trouble:
    """All results by the key of their request; asked of the address we know, not of the one that the batch names."""
    import httpx2  # noqa: PLC0415 - the SDK's own way to HTTP

    line.begin()
    try:
        response = line.client.get(f"/v1/messages/batches/{name}/results", cast_to=httpx2.Response)
        lines = response.text.splitlines()
    except Exception as error:  # noqa: BLE001 - see above
        if fault.status(error) == _GONE:
            return {}
        return replace(_trouble(line, error), hint=_LATER, over=True)
    return {str(one["custom_id"]): one["result"] for one in map(_read, lines) if one}


def _read(text: str) -> Mapping[str, Any] | None:
    try:
        one = json.loads(text)
    except (ValueError, RecursionError):
        return None
    fine = isinstance(one, dict) and isinstance(one.get("custom_id"), str) and isinstance(one.get("result"), dict)
    return one if fine else None


def _meaning(line: Line, request: Request, result: Mapping[str, Any]) -> Heard:
    if result.get("type") == "succeeded":
        return heard(result.get("message"), request, line.model, batch=True)
    return fault.of_result(result, line.key)
