"""All rules at one time, with their evidence and the team's settings."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from rulec.model.evidence import Evidence
from rulec.model.rule import Rule


@dataclass(frozen=True, slots=True, kw_only=True)
class Config:
    """``.rules/config.yaml``."""

    emitters: tuple[str, ...] = ()
    profile: str = "default"
    install: str = ""  # what CI gives to pip to have rulec; "" means this version from PyPI


@dataclass(frozen=True, slots=True, kw_only=True)
class Rulebook:
    """The active rules by slug; of the archive only the names, whose files most commands never read."""

    rules: tuple[Rule, ...] = ()
    archived: frozenset[str] = frozenset()  # slugs that are taken, although nothing is in force under them
    evidence: Mapping[str, tuple[Evidence, ...]] = field(default_factory=dict)  # by slug
    config: Config = field(default_factory=Config)

    def rule(self, slug: str) -> Rule | None:
        """The rule of that name."""
        return next((rule for rule in self.rules if rule.slug == slug), None)

    def observed(self, slug: str) -> tuple[Evidence, ...]:
        """A rule's evidence."""
        return self.evidence.get(slug, ())
