"""The four-stage proof that a check must pass before it may act (TRACE C.1)."""

from dataclasses import dataclass
from typing import Literal

StageName = Literal["parse", "schema", "examples", "replay"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage:
    """One stage and what it saw."""

    name: StageName
    passed: bool
    detail: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Proof:
    """The result for one rule's checks, pinned to revision and artifact digests."""

    slug: str
    revision: int
    digest: str  # of all its artifacts, joined by "+"
    stages: tuple[Stage, ...]
    caught: int = 0
    passed_valid: int = 0
    replayed: int = -1

    @property
    def holds(self) -> bool:
        """Whether every stage passed."""
        return bool(self.stages) and all(stage.passed for stage in self.stages)

    @property
    def failure(self) -> str:
        """The first stage that failed and on what, or ""."""
        return next((f"{s.name}: {s.detail}" for s in self.stages if not s.passed), "")
