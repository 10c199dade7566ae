"""All rules at one time, with their evidence and the team's settings; and a rule by its name."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from rulec.domain.evidence import Evidence
from rulec.domain.files import globs
from rulec.domain.rule import Example, Exemption, Rule, Scope
from rulec.errors import RulecError
from rulec.rulebook import evidence_file, file_paths
from rulec.rulebook.confidence import Confidence, fold_confidence
from rulec.rulebook.config import Config
from rulec.rulebook.dated_exceptions import DatedException


@dataclass(frozen=True, slots=True, kw_only=True)
class Rulebook:
    """The active rules by slug; of the archive only the names, whose files most commands never read."""

    rules: tuple[Rule, ...] = ()
    archived: frozenset[str] = frozenset()  # slugs that are taken, although nothing is in force under them
    heirs: Mapping[str, str] = field(default_factory=dict)  # what superseded those that rules say they formerly were
    evidence: Mapping[str, tuple[Evidence, ...]] = field(default_factory=dict)  # by slug
    config: Config = field(default_factory=Config)
    dated_exceptions: tuple[DatedException, ...] = ()
    overruled: tuple[str, ...] = ()  # a sentence for each rule of a lower layer that is not in force

    def rule(self, slug: str) -> Rule | None:
        """The rule of that name."""
        return next((rule for rule in self.rules if rule.slug == slug), None)

    def named(self, slug: str) -> Rule | None:
        """The rule of that name, or the one into which the rule of that name was merged."""
        return self.rule(slug) or next((rule for rule in self.rules if slug in rule.formerly), None)

    def former_names(self, rule: Rule) -> tuple[str, ...]:
        """The names of rules that were merged into this one: none in force, and the archive leads from each to it.

        Exceptions of these names are exceptions of the rule, so what it says of itself is not enough.
        """
        return tuple(name for name in rule.formerly if self.rule(name) is None and self._leads_to(name, rule.slug))

    def _leads_to(self, name: str, slug: str) -> bool:
        seen: list[str] = []
        while name != slug and name in self.heirs and name not in seen:
            seen.append(name)
            name = self.heirs[name]
        return name == slug and bool(seen)

    def why_unheld(self, rule: Rule) -> str:
        """Why a refinement does not hold for now, as a clause: the rule that it refines does not; "" where it holds."""
        seen: list[str] = []
        while rule.refines and rule.slug not in seen:
            seen.append(rule.slug)
            parent = self.named(rule.refines)
            if parent is None:
                return f"only audits: it refines {rule.refines}, which is not in force"
            if parent.enforcement == "auto" and not self.sure(parent).active:
                return f"only audits: it refines {parent.slug}, which its evidence does not carry"
            rule = parent
        return ""

    def as_held(self, rule: Rule) -> Rule:
        """The rule as it holds: a refinement of a rule that does not hold only audits, however it is pinned.

        Of the names that it says it formerly had it keeps those that count.
        """
        known = self.former_names(rule)
        named = rule if known == rule.formerly else replace(rule, formerly=known)
        return replace(named, enforcement="audit") if self.why_unheld(rule) else named

    def refinements(self, slug: str) -> tuple[Rule, ...]:
        """The rules that make the named one more precise."""
        own = self.rule(slug)
        return tuple(rule for rule in self.rules if own and rule.refines and self.named(rule.refines) is own)

    def observed(self, slug: str) -> tuple[Evidence, ...]:
        """A rule's evidence."""
        return self.evidence.get(slug, ())

    def sure(self, rule: Rule, *, at: str = "", mattered: str = "") -> Confidence:
        """How sure a rule is, and how fresh as of ``at``: by default the newest of its own evidence.

        No other rule's evidence counts.
        """
        observed = self.observed(rule.slug)
        met = met_by_revisions(observed)
        split: dict[bool, list[Evidence]] = {True: [], False: []}
        for item in observed:
            revised = bool(met) and item.kind in _ANSWERABLE and evidence_file.evidence_id(item) in met
            answered = is_answered_by_exception(rule, item) or revised
            split[answered].append(item)
        return fold_confidence(split[False], at=at, mattered=mattered, answered=split[True])


_ANSWERABLE = ("counterexample", "note")  # a revision does right by them; what speaks for the rule goes on to do so


def met_by_revisions(observed: Iterable[Evidence]) -> frozenset[str]:
    """The ids of what revisions of a rule did right by: a counterexample among them says nothing against the rest."""
    revised = [item for item in observed if item.kind == "revised"]
    return frozenset(name for item in revised for name in item.answers if name not in item.unmet)


def is_answered_by_exception(rule: Rule, item: Evidence) -> bool:
    """Whether an exception leaves alone what the counterexample is about: it says nothing against the rest then."""
    return item.kind == "counterexample" and any(_spares(one, item) for one in rule.exceptions if one.bounded)


def _spares(one: Exemption, item: Evidence) -> bool:
    scope = one.scope
    if (item.example or Example(kind="command", text=item.accepted)) in one.valid:
        return True
    there = bool(item.path) and globs.match(scope.include, item.path) and not globs.match(scope.exclude, item.path)
    so = any(f"{item.accepted} ".startswith(f"{form} ") for form in one.commands)
    placed = there or (scope.include, scope.exclude) == (Scope().include, ())
    agreed = not scope.agents or item.agent in scope.agents
    given = not one.arguments or any(globs.match(one.arguments, word) for word in item.accepted.split())
    return placed and agreed and given and (so or not one.commands) and not scope.environments


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
