"""What the agent said and did before a person's message, as far as the end of its transcript shows it."""

from rulec.agents.protocol.agent_spec import PROMPT, HookRequest, as_text
from rulec.checkout.worktree import Worktree
from rulec.transcripts import recent_history
from rulec.transcripts.human_text import is_interrupt, typed_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


TAIL = 200_000  # bytes of the transcript: what the agent just did stands at its end
MOST_ACTIONS = 12
LONGEST_ACTION = 200


def with_context(root: str, row: "dict[str, Any]") -> "dict[str, Any]":
    """The message of a row as the detector reads it: what stood before it, and whether the agent was stopped."""
    text, size = as_text(row.get("text")), row.get("size")
    asked, stopped = HookRequest(PROMPT), False
    asked.transcript, asked.records = as_text(row.get("transcript")), as_text(row.get("records"))
    data = recent_history.last_bytes(asked.transcript, TAIL, size if isinstance(size, int) else None) or b""
    told = recent_history.history_reader(asked, Worktree(root), inside=False)
    for record in recent_history.history_records(
        data.partition(b"\n")[2] if len(data) == TAIL else data, asked.records
    ):
        if record.get("type") in ("user", "assistant") and typed_text(_text(record)) != text:
            stopped = record["type"] == "user" and is_interrupt(_text(record))
        told.take(record)
    events, words = told.events(), told.words
    if events and events[-1]["kind"] == "says" and events[-1]["text"] == text:  # the record has the message already
        events.pop()
        words = events.pop()["text"] if events and events[-1]["kind"] == "stop" else ""
    spoke = max((at for at, event in enumerate(events) if event["kind"] == "says"), default=-1)
    done = [_told(event) for event in events[spoke + 1 :] if event["kind"] not in ("stop", "gap", "reply")]
    before = {"prev_text": words, "prev_tools": "\n".join(done[-MOST_ACTIONS:]), "interrupted": stopped}
    return {"text": text, "kind": "typed", **before}


def _text(record: "dict[str, Any]") -> str:
    """The first text of a record."""
    message = record.get("message")
    content = message.get("content") if isinstance(message, dict) else ""
    if isinstance(content, list):
        content = content[0].get("text") if content and isinstance(content[0], dict) else ""
    return content if isinstance(content, str) else ""


def _told(event: "dict[str, Any]") -> str:
    return f"{event.get('tool', '')} {event.get('command') or event.get('path') or ''}"[:LONGEST_ACTION]
