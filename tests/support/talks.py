"""Prompts of no real step, and a backend that replays answers."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rulec.commands._ask import Talk
from rulec.commands._progress import unwatched
from rulec.host.templates import library
from rulec.model.exchange import Block, Models, Prompt, Request

SCHEMA = {
    "type": "object",
    "properties": {"wishes": {"type": "array", "items": {"type": "string"}}},
    "required": ["wishes"],
    "additionalProperties": False,
}


def prompt(text: str, *, step: str = "mine", most: int = 100) -> Prompt:
    """A question about one text."""
    data = (Block(name="turn 1", text=text),)
    return Prompt(step=step, version=1, instructions="List the wishes.", data=data, schema=SCHEMA, most=most)


def request(text: str, *, step: str = "mine") -> Request:
    """As a backend gets it."""
    asked = prompt(text, step=step)
    return Request(key=asked.key, step=step, system=asked.instructions, text=text, schema=SCHEMA, most=100)


def record(top: Path, entries: Sequence[dict[str, Any]]) -> None:
    """The answers that the backend ``recorded`` gives in a repository."""
    folder = top / ".rulec" / "recorded"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "answers.json").write_text(json.dumps(entries))


def talk(top: Path | None, told: list[str] | None = None, backend: str = "recorded", **settings: Any) -> Talk:
    """A run that talks to it."""
    say = (told if told is not None else []).append
    return Talk(top, Models(backend=backend, **settings), library().render, say, unwatched)
