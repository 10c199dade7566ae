"""One way in which a change leaves the gate weaker than it found it."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Weakening:
    """What exactly is weaker afterwards, and where that stands; ``line`` 0 means the whole file."""

    subject: str  # what it is about, the same however far it goes: "use-pnpm enforcement"
    text: str  # "use-pnpm: block -> warn"
    path: str
    line: int = 0
