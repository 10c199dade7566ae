"""What a command has to say and the exit code that goes with it."""

from dataclasses import dataclass, field
from typing import Any

CLEAN, FINDINGS, REFUSED, BUG = 0, 1, 2, 3


@dataclass(frozen=True, slots=True)
class Outcome:
    """Text for people, data for machines, and 0 clean or 1 findings; refusals are RulecErrors."""

    text: str = ""
    code: int = CLEAN
    data: Any = field(default=None)
