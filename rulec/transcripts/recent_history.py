"""The agent's transcript of its session -> what was done and said in it; of a long one, only the end."""

from __future__ import annotations

import json
import os

from rulec.shell.action_events import Event

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from rulec.agents.protocol.agent_spec import HookRequest
    from rulec.checkout.worktree import Worktree
    from rulec.transcripts import claude_history, codex_history


LARGEST = 4_000_000  # bytes of a transcript's end that are read
LARGEST_EVIDENCE = 32_000_000  # the same where it is asked who changed a file
LONGEST_LINE = 2_000_000  # one that is longer holds a picture, or somebody's mischief
PLANNING = b'"update_plan"'  # the tool that changes Codex's plan
FIRST = Event(kind="gap")  # stands for what lies before the end that was read
_DECODER = json.JSONDecoder()


class RecentHistory:
    """The events of a session, oldest first, and the agent's words at its end."""

    __slots__ = ("events", "words")

    def __init__(self, events: list[Event], words: str) -> None:
        self.events, self.words = events, words


def recent_history(asked: HookRequest, world: Worktree) -> RecentHistory | None:
    """What the session did before the action that is asked about; None where that cannot be seen."""
    paths = [asked.transcript, *([_of_subagent(asked)] if asked.subagent else [])]
    events: list[Event] = []
    words = ""
    for path in paths:
        data = last_bytes(path, LARGEST)
        if data is None and path in ("", asked.transcript):
            return None
        if data is None:  # a sub-agent's record that is not where such records are kept
            events.append(FIRST)
            continue
        told = history_reader(asked, world, inside=bool(asked.subagent) and path == paths[-1])
        for record in history_records(data.partition(b"\n")[2] if len(data) == LARGEST else data, asked.records):
            told.take(record)
        events += [*([FIRST] if len(data) == LARGEST else []), *told.events()]
        words = told.words
    return RecentHistory(events, words)


def last_written(path: str) -> float:
    """When a file was written last, in seconds; 0 where there is none."""
    try:
        return os.stat(path).st_mtime
    except (OSError, ValueError):
        return 0


def session_calls(asked: HookRequest, world: Worktree) -> list[Event] | None:
    """What the session did, its sub-agents included; of a sub-agent its own. None where no record can be read."""
    data = last_bytes(asked.transcript, LARGEST_EVIDENCE)
    if data is None:
        return None
    if asked.records:
        return _events_in([data], asked, world, inside=False)
    own = [_of_subagent(asked)] if asked.subagent else _subagent_records(asked.transcript)
    texts = [text for path in own if (text := last_bytes(path, LARGEST_EVIDENCE)) is not None]
    inside = _events_in([data, *texts], asked, world, inside=True)
    if asked.subagent:
        return inside
    done = _events_in([data], asked, world, inside=False)
    from rulec.transcripts.claude_history import DELEGATES  # noqa: PLC0415 (as in history_reader)

    return [event for event in done if not (inside and event.tool in DELEGATES)] + inside


def _events_in(texts: list[bytes], asked: HookRequest, world: Worktree, *, inside: bool) -> list[Event]:
    found: list[Event] = []
    for data in texts:
        told = history_reader(asked, world, inside=inside)
        for record in history_records(data, asked.records):
            told.take(record)
        found += told.events()
    return found


def _subagent_records(transcript: str) -> list[str]:
    """The transcripts of the session's sub-agents."""
    folder = os.path.join(transcript.removesuffix(".jsonl"), "subagents")
    try:
        return [os.path.join(folder, name) for name in sorted(os.listdir(folder)) if name.endswith(".jsonl")]
    except OSError:
        return []


def shows_plan(asked: HookRequest) -> bool:
    """Whether the agent's record has calls that change its plan; only of Codex, whose hooks hear nothing of those."""
    return bool(asked.records) and PLANNING in (last_bytes(asked.transcript, LARGEST) or b"")


def history_reader(
    asked: HookRequest, world: Worktree, *, inside: bool
) -> claude_history.ClaudeHistory | codex_history.CodexHistory:
    """Who reads the records of that agent."""
    if asked.records == "codex":
        from rulec.transcripts import codex_history  # noqa: PLC0415 (one agent keeps such records)

        return codex_history.CodexHistory(world, asked.use)
    from rulec.transcripts import claude_history  # noqa: PLC0415 (as above)

    return claude_history.ClaudeHistory(world, asked.use, inside=inside)


def _of_subagent(asked: HookRequest) -> str:
    """The transcript of the sub-agent that asks; "" where it is unknown."""
    if asked.records or not asked.subagent.replace("-", "").replace("_", "").isalnum():
        return ""
    name, folder = f"agent-{asked.subagent}.jsonl", os.path.dirname(asked.transcript)
    own = os.path.join(asked.transcript.removesuffix(".jsonl"), "subagents", name)
    return own if os.path.exists(own) else os.path.join(folder, name)


def last_bytes(path: str, most: int) -> bytes | None:
    """The last bytes of a plain file; ``most`` of them where there are more."""
    try:
        if not os.path.isfile(path):
            return None
        with open(path, "rb") as file:
            size = os.fstat(file.fileno()).st_size
            file.seek(max(0, size - most))
            return file.read(min(size, most))
    except (OSError, ValueError):
        return None


def history_records(data: bytes, kind: str = "") -> Iterator[dict[str, Any]]:
    """The objects on the lines that may matter; what cannot be read is passed over, and the rest still counts."""
    if kind == "codex":
        from rulec.transcripts.codex_history import may_matter  # noqa: PLC0415 (as above)
    else:
        from rulec.transcripts.claude_history import may_matter  # noqa: PLC0415 (as above)
    for line in data.split(b"\n"):
        if not may_matter(line) or len(line) > LONGEST_LINE:
            continue
        text, at = line.decode("utf-8", "replace").strip("\ufeff \t\r\0"), 0
        while at < len(text):
            try:
                found, at = _DECODER.raw_decode(text, at)
            except (ValueError, RecursionError):
                break
            if isinstance(found, dict):
                yield found
