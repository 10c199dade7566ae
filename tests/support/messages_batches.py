"""The Batches API of the local server: made, looked at a few times, ended, read line by line."""

import json
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tests.support.messages_replies import complaint

_BEGUN, _OVER = "2026-11-22T10:00:00Z", "2026-11-23T10:00:00Z"


@dataclass
class Batches:
    """All batches of one server."""

    polls: int = 1  # looks at a batch before it has ended
    lost: bool = False  # results are no longer to be had
    broken: int = 0  # looks that fail before the next one succeeds
    seen: threading.Event = field(default_factory=threading.Event)  # somebody has looked at one
    lines: dict[str, list[Mapping[str, Any]]] = field(default_factory=dict)
    looks: dict[str, int] = field(default_factory=dict)
    cancelled: set[str] = field(default_factory=set)

    def create(self, lines: Sequence[Mapping[str, Any]], url: str) -> Mapping[str, Any]:
        """A new batch whose results are known already and kept until it has ended."""
        name = f"msgbatch_{len(self.lines) + 1:04}"
        self.lines[name] = list(lines)
        self.looks[name] = 0
        return self._batch(name, url)

    def get(self, path: str, url: str) -> tuple[int, bytes]:
        """A batch, or its results in no order that the asker chose."""
        parts = path.strip("/").split("/")
        if parts[:3] != ["v1", "messages", "batches"] or len(parts) < 4 or parts[3] not in self.lines:
            return 404, json.dumps(complaint("not_found_error", f"nothing at {path}")).encode()
        name = parts[3]
        if parts[4:] == ["results"]:
            return self._results(name)
        if self.broken:
            self.broken -= 1
            return 500, json.dumps(complaint("api_error", "Internal server error")).encode()
        self.looks[name] += 1
        self.seen.set()
        return 200, json.dumps(self._batch(name, url)).encode()

    def cancel(self, path: str, url: str) -> tuple[int, bytes]:
        """A batch whose requests are not answered any more."""
        name = path.strip("/").split("/")[3]
        if name not in self.lines:
            return 404, json.dumps(complaint("not_found_error", f"nothing at {path}")).encode()
        self.cancelled.add(name)
        self.lines[name] = [{**line, "result": {"type": "canceled"}} for line in self.lines[name]]
        return 200, json.dumps(self._batch(name, url)).encode()

    def _results(self, name: str) -> tuple[int, bytes]:
        if self.lost or self.looks[name] <= self.polls:
            return 404, json.dumps(complaint("not_found_error", "no results")).encode()
        return 200, "".join(json.dumps(line) + "\n" for line in reversed(self.lines[name])).encode()

    def _batch(self, name: str, url: str) -> dict[str, Any]:
        ended = self.looks[name] > self.polls
        busy = "canceling" if name in self.cancelled else "in_progress"
        kinds = [line["result"]["type"] for line in self.lines[name]]
        names = ("succeeded", "errored", "canceled", "expired")
        return {
            "id": name,
            "type": "message_batch",
            "processing_status": "ended" if ended else busy,
            "request_counts": {
                "processing": 0 if ended else len(kinds),
                **{kind: kinds.count(kind) if ended else 0 for kind in names},
            },
            "created_at": _BEGUN,
            "expires_at": _OVER,
            "ended_at": _BEGUN if ended else None,
            "archived_at": None,
            "cancel_initiated_at": _BEGUN if name in self.cancelled else None,
            "results_url": f"{url}/v1/messages/batches/{name}/results" if ended else None,
        }
