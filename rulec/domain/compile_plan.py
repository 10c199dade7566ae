"""What will be enforced where: every check of every rule, with all that its artifact has to say."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from rulec.domain.enforcement import Enforcement, OnError, OnUnsure, Severity
from rulec.domain.evidence import JudgeMeasure
from rulec.domain.rule import CheckKind, Exemption, Rule, Scope


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleFacts:
    """What every artifact says about its rule, so that a gate needs no rule file."""

    slug: str
    revision: int
    statement: str
    do: str = ""
    quote: str = ""
    said: str = ""  # when and to which agent: "2026-11-20, to claude-code"
    severity: Severity = "should"
    enforcement: Enforcement = "audit"
    on_error: OnError = "warn"
    on_unsure: OnUnsure = "warn"
    scope: Scope = field(default_factory=Scope)
    exceptions: tuple[Exemption, ...] = ()  # without their examples
    layer: str = "team"
    measured: str = ""  # of a judge: the model with which it holds its bar; with any other it warns at most


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedCheck:
    """One check to be compiled into one artifact."""

    facts: RuleFacts
    rule: Rule
    kind: CheckKind
    template: str
    parameters: Mapping[str, Any]
    line: int = 0  # where the check stands in its rule's file
    name: str  # stem of the artifact: the slug, then slug.2, slug.3
    active: bool = False  # enough evidence speaks for the rule

    @property
    def place(self) -> str:
        """The place of its check for messages: ``file:line``, or the rule's name without a file."""
        return (
            f"{self.rule.source}:{self.line}" if self.rule.source and self.line else self.rule.source or self.rule.slug
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class CompilePlan:
    """Every step, and the rules that hold, in order of precedence, for those who put them into words."""

    steps: tuple[PlannedCheck, ...] = ()
    rules: tuple[Rule, ...] = ()
    install: str = ""  # see Config
    budget: int = 1500  # see Config
    owners: tuple[str, ...] = ()  # see Config
    proofs: Mapping[str, frozenset[str]] = field(default_factory=dict)  # slug -> what was proved, see proof_digest
    asks: bool = False  # CI asks a model: there are judges, and the settings name a backend that a key is enough for
    measures: Mapping[str, tuple[tuple[str, JudgeMeasure], ...]] = field(
        default_factory=dict
    )  # slug -> see judge_digest
