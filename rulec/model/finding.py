"""What a check saw, and what the gate made of it."""

from dataclasses import dataclass
from typing import Literal

from rulec.model.plan import Facts

Outcome = Literal["block", "warn", "audit", "suppressed", "old"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """A check saw something at a place; ``line`` 0 means the whole file, ``path`` "" the command or message."""

    slug: str
    path: str = ""
    line: int = 0
    last: int = 0  # its last line, where it spans several
    text: str = ""  # what stands there, one line
    cure: str = ""  # what to do instead, where the check can say it better than the rule


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """A check that broke: an error of the rule, never a pass."""

    slug: str
    what: str
    path: str = ""  # the one file that it broke on


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """A finding or fault and its outcome."""

    outcome: Outcome
    facts: Facts
    finding: Finding | None = None
    fault: Fault | None = None
    lost: str = ""  # to which rule, which asks for the very thing and goes before, and why it does
    because: str = ""  # it was suppressed, or is not although somebody meant to: who said so and until when
