"""What the Messages API may answer, well or badly, as values that a test writes into its script."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

MODEL = "claude-sonnet-5-5"
SOON = {"retry-after-ms": "1"}  # ask again, at once


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """One answer of the server: a message, an error, or bytes that are neither."""

    content: tuple[Mapping[str, Any], ...] = ()
    stop: str = "end_turn"
    status: int = 200
    error: tuple[str, str] = ("", "")  # the type and the message of an error's body
    headers: Mapping[str, str] = field(default_factory=dict)
    raw: bytes | None = None  # this body, whatever the rest says
    model: str = ""  # "" is the one that was asked
    sent: int | None = None  # tokens, None is counted from what came
    received: int | None = None
    drip: float = 0  # seconds between two pieces of the body
    early: bool = False  # and of the headers
    hang: bool = False  # nothing is sent until the server stops
    reset: bool = False  # the connection is reset before a word is said


def tool(data: Any, name: str = "", **more: Any) -> Reply:
    """A tool use with the answer as its input; without a name it is the tool that the request offers."""
    return Reply(content=({"type": "tool_use", "name": name, "input": data},), stop="tool_use", **more)


def said(text: str, **more: Any) -> Reply:
    """Text alone."""
    return Reply(content=({"type": "text", "text": text},), **more)


def thought(data: Any, **more: Any) -> Reply:
    """A tool use after a block of thought and some text, as models answer that are not made to use the tool."""
    blocks = [{"type": "thinking", "thinking": "", "signature": "c2lnbmVk"}, {"type": "text", "text": "Here it is."}]
    return Reply(
        content=(*blocks, {"type": "tool_use", "name": "", "input": data}),
        stop="tool_use",
        **more,
    )


def refused() -> Reply:
    """The model does not answer."""
    return Reply(content=({"type": "text", "text": "I can't help with that."},), stop="refusal")


def cut(data: Any = None) -> Reply:
    """The answer ended at its limit: what there is of it is a part."""
    content = () if data is None else ({"type": "tool_use", "name": "", "input": data},)
    return Reply(content=content, stop="max_tokens")


def malformed(body: bytes = b'{"id": "msg_1", "type": "message", "content": [{"type": "tool_u') -> Reply:
    """A body that is no JSON."""
    return Reply(raw=body)


def failed(status: int, kind: str, message: str, **headers: str) -> Reply:
    """An error as the API words it; headers as keywords: ``retry_after="3600"``."""
    named = {name.replace("_", "-"): value for name, value in (headers or SOON).items()}
    return Reply(status=status, error=(kind, message), headers=named)


def limited(**headers: str) -> Reply:
    """Too many requests; ask again at once, unless the headers say otherwise."""
    return failed(429, "rate_limit_error", "Number of requests has exceeded your rate limit", **headers)


def broken() -> Reply:
    """An internal error."""
    return failed(500, "api_error", "Internal server error")


def overloaded() -> Reply:
    """The API is overloaded."""
    return failed(529, "overloaded_error", "Overloaded")


def slow(data: Any, pause: float = 0.05) -> Reply:
    """The right answer, a few bytes at a time."""
    return tool(data, drip=pause)


def message(reply: Reply, asked: Mapping[str, Any], number: int, usage: Mapping[str, int]) -> dict[str, Any]:
    """The reply as the message that the API gives."""
    offered = [tool["name"] for tool in asked.get("tools", ()) if "name" in tool]
    content = [dict(block) for block in reply.content]
    for place, block in enumerate(content):
        if block["type"] == "tool_use":
            block["id"] = f"toolu_{number:04}{place}"
            block["name"] = block["name"] or (offered[0] if offered else "answer")
    return {
        "id": f"msg_{number:04}",
        "type": "message",
        "role": "assistant",
        "model": reply.model or asked.get("model", MODEL),
        "content": content,
        "stop_reason": reply.stop,
        "stop_sequence": None,
        "usage": dict(usage),
    }


def complaint(kind: str, words: str) -> dict[str, Any]:
    """The body of an error."""
    return {"type": "error", "error": {"type": kind, "message": words}, "request_id": "req_1"}


def events(whole: Mapping[str, Any]) -> bytes:
    """The message as server-sent events."""
    parts: list[dict[str, Any]] = []
    start = {**whole, "content": [], "stop_reason": None, "usage": {**whole["usage"], "output_tokens": 1}}
    parts.append({"type": "message_start", "message": start})
    for index, block in enumerate(whole["content"]):
        empty, delta = _streamed(block)
        parts.append({"type": "content_block_start", "index": index, "content_block": empty})
        parts.append({"type": "content_block_delta", "index": index, "delta": delta})
        parts.append({"type": "content_block_stop", "index": index})
    end = {"stop_reason": whole["stop_reason"], "stop_sequence": None}
    parts.append({"type": "message_delta", "delta": end, "usage": whole["usage"]})
    parts.append({"type": "message_stop"})
    return "".join(f"event: {part['type']}\ndata: {json.dumps(part)}\n\n" for part in parts).encode()


def _streamed(block: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    if block["type"] == "tool_use":
        return {**block, "input": {}}, {"type": "input_json_delta", "partial_json": json.dumps(block["input"])}
    if block["type"] == "thinking":
        return {**block, "signature": ""}, {"type": "signature_delta", "signature": block["signature"]}
    return {**block, "text": ""}, {"type": "text_delta", "text": block["text"]}
