"""Many requests as one batch: half the price, within a day; an interrupted run reads the batch that it began."""

import json
import re
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from rulec.domain.prompt import ModelFailure, ModelReply, ModelRequest
from rulec.errors import RulecError
from rulec.infra import clock, state
from rulec.llm.clients import anthropic_errors
from rulec.llm.clients.anthropic_messages import AnthropicClient, message_params, read_message

BATCHES_FOLDER = "batches"
_MOST_BATCHES = 100  # of them


class PendingBatches:
    """The unfinished batches of one account's address and model; ``folder`` is the backend's, "" to keep nothing."""

    def __init__(self, folder: str, of: Sequence[str]) -> None:
        self._top = Path(folder).parent.parent if folder else None  # TOP/.rulec/anthropic
        self._of = state.digest_of_values(of)
        self._all: dict[str, list[str]] = {}
        if self._top is not None:
            try:
                self._all = dict(self._kept(self._top))
            except (RulecError, OSError):  # no folder of git's, or no leave to read there
                self._top = None

    def _kept(self, top: Path) -> Iterator[tuple[str, list[str]]]:
        for name in state.state_names(top, BATCHES_FOLDER):
            kept = state.read_state(top, f"{BATCHES_FOLDER}/{name}")
            keys = kept.get("keys") if isinstance(kept, dict) and kept.get("of") == self._of else None
            if isinstance(keys, list) and all(isinstance(key, str) for key in keys):
                yield name, keys

    def holding(self, keys: Iterable[str]) -> list[str]:
        """The batches that will answer some of the keys."""
        return sorted({name for key in keys if (name := self.holder(key))})

    def holder(self, key: str) -> str:
        """The batch that will answer a key, "" where none will."""
        return next((name for name, keys in self._all.items() if key in keys), "")

    def keys(self, name: str) -> list[str]:
        """All keys that a batch will answer."""
        return list(self._all[name])

    def add(self, name: str, keys: Sequence[str]) -> None:
        """Note a batch as soon as it is begun."""
        self._all[name] = list(keys)
        self._write(name)

    def forget(self, name: str, key: str = "") -> None:
        """Forget one of its keys, or the whole batch."""
        left = [other for other in self._all.get(name, ()) if other != key] if key else []
        self._all.pop(name, None)
        if left:
            self._all[name] = left
        self._write(name)

    def _write(self, name: str) -> None:
        if self._top is None or not name:
            return
        place = f"{BATCHES_FOLDER}/{name}"
        try:
            if name in self._all:
                state.write_state(self._top, place, {"of": self._of, "at": clock.now(), "keys": self._all[name]})
                state.prune_state(self._top, BATCHES_FOLDER, _MOST_BATCHES)
            else:
                state.remove_state(self._top, place)
        except (RulecError, OSError):  # a full disk: this run hears it all the same, and the next one pays again
            return


_DAY = 25 * 3600.0  # seconds; the API gives up after 24 hours
_FIRST, _LONGEST = 0.05, 60.0  # seconds between two looks at a batch
_MISSES = 5  # looks in a row that may fail: laptops sleep, networks go away
_GONE = 404  # it is another account's, or older than the API keeps them
_NAME = re.compile(r"[\w-]{1,100}")
_NO_BATCH = ModelFailure(what="the API answered with something that is no batch", over=True)
_LATER = "the batch goes on: run it again to hear it"

BatchResult = Mapping[str, Any] | ModelFailure


def ask_in_batches(line: AnthropicClient, requests: Sequence[ModelRequest]) -> Iterator[ModelReply]:
    """The reply to each request, in order, once all are there: from earlier batches, and a new one for the rest."""
    begun = PendingBatches(line.models.folder, [str(line.client.base_url), line.model])
    keys = [request.key for request in requests]
    for name in begun.holding(keys):
        if _look(line, name) is None:
            begun.forget(name)
    new = [request for request in requests if not begun.holder(request.key)]
    refused = _begin(line, new, begun) if new else None
    results: dict[str, BatchResult] = {}
    for name in begun.holding(keys):
        results |= _waited(line, name, begun.keys(name))
    for request in requests:
        key = request.key
        result = results.get(key) or refused or ModelFailure(what="the batch cannot be kept in mind", over=True)
        if not isinstance(
            result, ModelFailure
        ):  # it is heard now, well or badly: asked again, it goes into a new batch
            begun.forget(begun.holder(key), key)
        yield result if isinstance(result, ModelFailure) else _read_result(line, request, result)


def _begin(line: AnthropicClient, requests: Sequence[ModelRequest], begun: PendingBatches) -> ModelFailure | None:
    """Send requests as a batch; why that failed, or None."""
    line.begin()
    asked: Any = [{"custom_id": request.key, "params": message_params(request, line.model)} for request in requests]
    try:
        name: Any = line.client.messages.batches.create(requests=asked).id
    except Exception as error:  # noqa: BLE001 - the SDK lets through what its parsers and the network raise
        return _trouble(line, error)
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        return _NO_BATCH
    begun.add(name, [request.key for request in requests])
    return None


def _trouble(line: AnthropicClient, error: Exception) -> ModelFailure:
    unread = isinstance(error, json.JSONDecodeError | AttributeError)
    return _NO_BATCH if unread else anthropic_errors.explain_error(error, line.models, line.key)


def _look(line: AnthropicClient, name: str) -> bool | ModelFailure | None:
    """Whether a batch has ended; None where the API does not know it."""
    line.begin()
    try:
        return bool(line.client.messages.batches.retrieve(name).processing_status == "ended")
    except Exception as error:  # noqa: BLE001 - see above
        return None if anthropic_errors.http_status(error) == _GONE else _trouble(line, error)


def _waited(line: AnthropicClient, name: str, keys: Sequence[str]) -> dict[str, BatchResult]:
    """The results of a batch for each key, once it has ended."""
    left, pause, misses = clock.countdown(_DAY), _FIRST, 0
    while (seen := _look(line, name)) is not True:
        misses = 0 if seen is False else misses + 1
        if misses >= _MISSES or left() <= 0:
            over = seen or ModelFailure(what="the batch has not ended within its day")
            return dict.fromkeys(keys, replace(over, hint=_LATER, over=True))
        time.sleep(pause)
        pause = min(2 * pause, _LONGEST)
    found = _results(line, name)
    if isinstance(found, ModelFailure):
        return dict.fromkeys(keys, found)
    return {key: found.get(key, {"type": "missing"}) for key in keys}


def _results(line: AnthropicClient, name: str) -> dict[str, Mapping[str, Any]] | ModelFailure:
    """All results by key, fetched from the known address and not from the one that the batch names."""
    import httpx2  # noqa: PLC0415 - the SDK's own way to HTTP

    line.begin()
    try:
        response = line.client.get(f"/v1/messages/batches/{name}/results", cast_to=httpx2.Response)
        lines = response.text.splitlines()
    except Exception as error:  # noqa: BLE001 - see above
        if anthropic_errors.http_status(error) == _GONE:
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


def _read_result(line: AnthropicClient, request: ModelRequest, result: Mapping[str, Any]) -> ModelReply:
    if result.get("type") == "succeeded":
        return read_message(result.get("message"), request, line.model, batch=True)
    return anthropic_errors.explain_batch_result(result, line.key)
