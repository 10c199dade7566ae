"""The agent's own record of its session -> what was done and said in it; of a long one, only the end."""

import json
import os
import time

from rulec.runtime import guard

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from rulec.runtime.agents import Asked
    from rulec.runtime.recall import Recall
    from rulec.runtime.recall_codex import Recall as CodexRecall
    from rulec.runtime.world import World

LARGEST = 4_000_000  # bytes of a transcript's end that are read
LONGEST_LINE = 2_000_000  # one that is longer holds a picture, or somebody's mischief
LAG = 0.15  # seconds: agents write their record with a delay, so that one looks again before one objects
FIRST = {"kind": "gap"}  # stands for what lies before the end that was read
_DECODER = json.JSONDecoder()


class Past:
    """The events of a session, oldest first, and the agent's words at its end."""

    __slots__ = ("events", "words")

    def __init__(self, events: "list[dict[str, Any]]", words: str) -> None:
        self.events, self.words = events, words


def decide(
    rules: "list[dict[str, Any]]", event: "dict[str, Any]", asked: "Asked", world: "World"
) -> "list[dict[str, Any]]":
    """Findings of the rules on the event with its past."""
    size = _size(asked.transcript)
    found = _decided(rules, event, asked, world)
    if any(not finding["unsure"] and not finding["fault"] for finding in found):
        time.sleep(LAG)
        if _size(asked.transcript) != size:
            return _decided(rules, event, asked, world)
    return found


def _decided(
    rules: "list[dict[str, Any]]", event: "dict[str, Any]", asked: "Asked", world: "World"
) -> "list[dict[str, Any]]":
    seen = past(asked, world)
    known = {**event, "history": seen.events if seen else None}
    if event["kind"] == "stop":
        known["text"] = asked.words or (seen.words if seen else "")
    return guard.decide(rules, known)


def past(asked: "Asked", world: "World") -> "Past | None":
    """What the session did before the action that is asked about; None where that cannot be seen."""
    paths = [asked.transcript, *([_of_subagent(asked)] if asked.subagent else [])]
    events: "list[dict[str, Any]]" = []
    words = ""
    for path in paths:
        data = end(path, LARGEST)
        if data is None:
            return None
        told = teller(asked, world, inside=bool(asked.subagent) and path == paths[-1])
        for record in records(data.partition(b"\n")[2] if len(data) == LARGEST else data, asked.records):
            told.take(record)
        events += [*([FIRST] if len(data) == LARGEST else []), *told.events()]
        words = told.words
    return Past(events, words)


def teller(asked: "Asked", world: "World", *, inside: bool) -> "Recall | CodexRecall":
    """Who reads the records of that agent."""
    if asked.records == "codex":
        from rulec.runtime import recall_codex  # noqa: PLC0415 (one agent keeps such records)

        return recall_codex.Recall(world, asked.use)
    from rulec.runtime import recall  # noqa: PLC0415 (as above)

    return recall.Recall(world, asked.use, inside=inside)


def _of_subagent(asked: "Asked") -> str:
    """Where the sub-agent that asks keeps its own record; "" where that cannot be told."""
    if asked.records or not asked.subagent.replace("-", "").replace("_", "").isalnum():
        return ""
    name, folder = f"agent-{asked.subagent}.jsonl", os.path.dirname(asked.transcript)
    own = os.path.join(asked.transcript.removesuffix(".jsonl"), "subagents", name)
    return own if os.path.exists(own) else os.path.join(folder, name)


def _size(path: str) -> int:
    try:
        return os.stat(path).st_size
    except (OSError, ValueError):
        return 0


def end(path: str, most: int) -> "bytes | None":
    """The last bytes of a plain file; ``most`` of them where there are more."""
    try:
        if not os.path.isfile(path):
            return None
        with open(path, "rb") as file:
            size = os.fstat(file.fileno()).st_size
            file.seek(max(0, size - most))
            return file.read(most)
    except (OSError, ValueError):
        return None


def records(data: bytes, kind: str = "") -> "Iterator[dict[str, Any]]":
    """The objects on the lines that may matter; what cannot be read is passed over, and the rest still counts."""
    if kind == "codex":
        from rulec.runtime.recall_codex import matters  # noqa: PLC0415 (as above)
    else:
        from rulec.runtime.recall import matters  # noqa: PLC0415 (as above)
    for line in data.split(b"\n"):
        if not matters(line) or len(line) > LONGEST_LINE:
            continue
        text, at = line.decode("utf-8", "replace").strip("\ufeff \t\r\0"), 0
        while at < len(text):
            try:
                found, at = _DECODER.raw_decode(text, at)
            except (ValueError, RecursionError):
                break
            if isinstance(found, dict):
                yield found
