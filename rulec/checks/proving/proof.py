"""The proof that a check must pass before it may act: parse, schema, examples, replay, innocents."""

from dataclasses import dataclass
from typing import Literal

from rulec.domain.evidence import Evidence
from rulec.domain.rule import Example

StageName = Literal["parse", "schema", "examples", "replay", "innocents"]
ExampleVerdict = Literal["caught", "passed", "broke"]
_CURES: dict[StageName, str] = {
    "parse": "mend the template or what the rule gives it",
    "schema": "mend the rule's parameters or examples",
    "examples": "mend the check, or the example where that is wrong",
    "replay": "make the check narrower, or wider where it missed",
    "innocents": "make the check narrower, or say with an invalid example that this is meant, too",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class StageFailure:
    """One thing that a stage failed on, as data: the very example or action, what was to come of it and what came."""

    what: str  # in a sentence
    example: Example | None = None
    expected: ExampleVerdict | None = None
    got: ExampleVerdict | None = None
    check: str = ""  # the check that is to blame, as "kind template", "" where they are all of them
    why: str = ""  # how the example was made, or what broke


@dataclass(frozen=True, slots=True, kw_only=True)
class ProofStage:
    """One stage and what it saw."""

    name: StageName
    passed: bool
    detail: str = ""
    left: int = 0  # offences that no machine of the rule saw, and that its judge is to see
    more: tuple[str, ...] = ()  # what else it failed on, for whoever mends the check
    failures: tuple[StageFailure, ...] = ()  # the same as data, for programs


@dataclass(frozen=True, slots=True, kw_only=True)
class ExampleVariant:
    """A variant of an example: of the same verdict, or innocent although it looks like an offence."""

    name: str  # how it was made
    example: Example
    invalid: bool  # whether it is to be caught
    firm: bool = False  # innocent by construction: a check that catches it is not proved
    open: bool = False  # whether a rule means it, too, only a person can say


@dataclass(frozen=True, slots=True, kw_only=True)
class VariantOutcome:
    """How proved checks decide variants of their examples: what a person should know, and no part of the proof."""

    caught: int = 0
    invalid: int = 0  # variants that were to be caught
    passed: int = 0
    valid: int = 0  # variants that were to pass
    missed: tuple[ExampleVariant, ...] = ()  # decided otherwise
    wider: tuple[ExampleVariant, ...] = ()  # of what only a person can say whether it is meant, what is caught


@dataclass(frozen=True, slots=True, kw_only=True)
class Proof:
    """The result for one rule's checks, pinned to revision and artifact digests."""

    slug: str
    revision: int
    digest: str  # see proof_digest; "" where it has nothing but judges, and so nothing was proved
    stages: tuple[ProofStage, ...]
    caught: int = 0
    passed_valid: int = 0
    replayed: int = -1
    edges: VariantOutcome | None = None  # None: nobody looked
    doubled: tuple[str, ...] = ()  # checks that catch nothing that no other catches, each in a sentence
    unexplained: tuple[str, ...] = ()  # literals of the statement that neither a check holds nor not_checked lists

    @property
    def holds(self) -> bool:
        """Whether every stage passed."""
        return bool(self.stages) and all(stage.passed for stage in self.stages)

    @property
    def cure(self) -> str:
        """What mends the stage that failed, or ""."""
        return next((_CURES[stage.name] for stage in self.stages if not stage.passed), "")

    @property
    def failure(self) -> str:
        """The first stage that failed and on what, or ""."""
        return next((f"{s.name}: {s.detail}" for s in self.stages if not s.passed), "")

    @property
    def failed(self) -> tuple[StageFailure, ...]:
        """What the first stage that failed failed on, as data."""
        return next((s.failures for s in self.stages if not s.passed), ())

    @property
    def failures(self) -> str:
        """That stage and all that is named of what it failed on, or ""."""
        return next((f"{s.name}: {'; '.join((s.detail, *s.more))}" for s in self.stages if not s.passed), "")

    def as_evidence(self) -> Evidence:
        """The proof as an observation."""
        return Evidence(
            slug=self.slug, kind="proved", revision=self.revision, digest=self.digest, replayed=self.replayed
        )
