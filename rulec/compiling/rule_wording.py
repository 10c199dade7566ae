"""The few rules worth saying now, as lines, and why each other one is left out."""

from dataclasses import dataclass
from typing import Literal

DropReason = Literal["path", "agent", "environment", "project", "dormant", "task", "layer", "said", "rules", "tokens"]


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleLine:
    """One rule as an agent reads it; what to do instead stands on a line below."""

    slug: str
    revision: int
    severity: str
    layer: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DroppedRule:
    """A rule that is not said: what kind of reason, and the reason in words."""

    slug: str
    kind: DropReason
    because: str


@dataclass(frozen=True, slots=True, kw_only=True)
class WordedRules:
    """MUST before SHOULD before STYLE, in each the order of precedence; the dropped ones by name."""

    lines: tuple[RuleLine, ...] = ()
    dropped: tuple[DroppedRule, ...] = ()
    text: str = ""  # with its first and last line, "" where no rule is said
    tokens: int = 0  # of the text, see runtime.lengths
