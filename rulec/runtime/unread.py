"""Commands too long or too deep to be read whole: near the gate, what could not be read is not let through."""

import re

from rulec.runtime import events

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

NEAR = re.compile(r"(?<!\w)(?:git|rulec|pre-commit|prek)(?!\w)|\.rules\b|hookspath", re.IGNORECASE)
CURE = "run it as shorter commands, one after the other"


def decide(event: "dict[str, Any]", slug: str) -> "list[dict[str, Any]]":
    """A finding where the whole text speaks of git or of the rulebook."""
    text = re.sub(r"[\"'\\]", "", str(event.get("command") or ""))
    if not NEAR.search(text):
        return []
    why = events.parsed(event).unsure
    return [{**events.finding_of(slug, text=f"not certain ({why}): {text[:80]} …"), "cure": CURE}]
