"""Who speaks under a name that stands over, or before, the words of a written chat."""

from typing import Literal

Speaker = Literal["user", "agent", "unknown"]

_PERSON = frozenset(("user", "human", "you", "me"))
_AGENT = frozenset(
    ("agent", "assistant", "ai", "bot", "model", "cursor", "claude", "chatgpt", "copilot", "codex", "gemini", "")
)


def speaker_of(name: str) -> Speaker:
    """Whether the name is a person's or an agent's; that of most people, and of a new product, says neither."""
    name = name.strip().casefold()
    return "user" if name in _PERSON else "agent" if name in _AGENT else "unknown"


def opposite(speaker: Speaker) -> Speaker:
    """Who the other one of two is."""
    return "user" if speaker == "agent" else "agent" if speaker == "user" else "unknown"
