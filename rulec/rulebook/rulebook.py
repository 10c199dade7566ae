"""All rules at one time, with their evidence and the team's settings; and a rule by its name."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from rulec.domain.evidence import Evidence
from rulec.domain.files import globs
from rulec.domain.rule import Exemption, Rule, Scope
from rulec.errors import RulecError
from rulec.rulebook import file_paths
from rulec.rulebook.confidence import Confidence, fold_confidence, newest_time
from rulec.rulebook.config import Config
from rulec.rulebook.suppression_file import Suppression


@dataclass(frozen=True, slots=True, kw_only=True)
class Rulebook:
    """The active rules by slug; of the archive only the names, whose files most commands never read."""

    rules: tuple[Rule, ...] = ()
    archived: frozenset[str] = frozenset()  # slugs that are taken, although nothing is in force under them
    evidence: Mapping[str, tuple[Evidence, ...]] = field(default_factory=dict)  # by slug
    config: Config = field(default_factory=Config)
    suppressions: tuple[Suppression, ...] = ()
    overruled: tuple[str, ...] = ()  # a sentence for each rule of a lower layer that is not in force

    def rule(self, slug: str) -> Rule | None:
        """The rule of that name."""
        return next((rule for rule in self.rules if rule.slug == slug), None)

    def observed(self, slug: str) -> tuple[Evidence, ...]:
        """A rule's evidence."""
        return self.evidence.get(slug, ())

    @property
    def at(self) -> str:
        """The rulebook's own time, which is the same on every machine: that of the team's newest evidence."""
        # what another team says of its rules, and when, may not make ours old
        theirs = {rule.slug for rule in self.rules if rule.layer.startswith("extends ")}
        return newest_time(item for slug, items in self.evidence.items() if slug not in theirs for item in items)

    def sure(self, rule: Rule, *, at: str | None = None, mattered: str = "") -> Confidence:
        """How sure a rule is by the team's profile, as of ``at``: by default the rulebook's own time."""
        weighed = [item for item in self.observed(rule.slug) if not is_answered_by_exception(rule, item)]
        when = self.at if at is None else at  # no time is one, too: that of a rulebook whose evidence has none
        return fold_confidence(weighed, self.config.profile, category=rule.category, at=when, mattered=mattered)


def is_answered_by_exception(rule: Rule, item: Evidence) -> bool:
    """Whether an exception leaves alone what the counterexample is about: it says nothing against the rest then."""
    return item.kind == "counterexample" and any(_spares(one, item) for one in rule.exceptions if one.bounded)


def _spares(one: Exemption, item: Evidence) -> bool:
    scope = one.scope
    there = bool(item.path) and globs.match(scope.include, item.path) and not globs.match(scope.exclude, item.path)
    so = any(f"{item.accepted} ".startswith(f"{form} ") for form in one.commands)
    placed = there or (scope.include, scope.exclude) == (Scope().include, ())
    agreed = not scope.agents or item.agent in scope.agents
    return placed and agreed and (so or not one.commands) and not scope.environments


def require_team_rule(book: Rulebook, slug: str) -> Rule:
    """The team's rule of that name that is in force, or a refusal that says what it is instead."""
    rule = book.rule(slug)
    if rule is None and slug in book.archived:
        hint = f"rulec rollback {slug} brings it back"
        raise RulecError(f"{slug} is in the archive, no rule in force", where=file_paths.archive_path(slug), hint=hint)
    rule = require_rule(book, slug)
    if rule.layer != "team":
        hint = "change it there; a rule of your own with this name goes before it"
        raise RulecError(f"{slug} is not of this rulebook but {rule.layer}", where=rule.source, hint=hint)
    return rule


def require_rule(book: Rulebook, slug: str) -> Rule:
    """The rule of that name, or a refusal that names its neighbours."""
    rule = book.rule(slug)
    if rule is None:
        names = ", ".join(r.slug for r in book.rules[:10])
        hint = f"the rules are {names}" if names else "there are none yet; rulec add writes one"
        raise RulecError(f"no rule {slug!r}", where=file_paths.RULES, hint=hint)
    return rule
