"""Makes the plan of what is compiled from rules and evidence, once rules, archive and evidence are consistent."""

from collections.abc import Iterator, Mapping
from dataclasses import asdict, replace
from itertools import chain
from typing import Any

from rulec.domain.artifact import CompilePlan, PlannedCheck, RuleFacts
from rulec.domain.enforcement import level_to_note
from rulec.domain.evidence import VOICED, Evidence
from rulec.domain.rule import Rule
from rulec.errors import RulecError
from rulec.guard.precedence import sort_key, specificity
from rulec.rulebook import file_paths
from rulec.rulebook.confidence import Confidence, newest_time
from rulec.rulebook.rulebook import Rulebook

CI_BACKEND = "anthropic"  # the backend that CI can ask: the others need a person's own machine


def make_plan(book: Rulebook) -> CompilePlan:
    """The plan: every check of every rule, in order of precedence, with what the evidence says about each rule."""
    # as of each rule's own evidence: neither the day of the compile nor another rule changes an artifact
    sure = {rule.slug: book.sure(rule) for rule in book.rules}
    held = (
        rule
        for rule in book.rules
        if (rule.enforcement != "auto" or sure[rule.slug].active) and not book.why_unheld(rule)
    )
    steps = (_steps(book.as_held(rule), book.observed(rule.slug), sure[rule.slug]) for rule in book.rules)
    proofs = {r.slug: frozenset(e.digest for e in book.observed(r.slug) if e.kind == "proved") for r in book.rules}
    rules = sorted(held, key=lambda rule: _plan_order(rule, book.observed(rule.slug), sure[rule.slug]))
    return CompilePlan(
        steps=tuple(chain(*steps)),
        rules=tuple(rules),
        install=book.config.install,
        budget=book.config.budget,
        owners=book.config.owners,
        proofs=proofs,
        asks=_asks_models(book),
        suites=tuple((one.name, one.folder, one.setup) for one in book.config.tests),
    )


def _asks_models(book: Rulebook) -> bool:
    models = book.config.models
    judged = any(check.kind == "judge" for rule in book.rules for check in rule.checks)
    return judged and models.backend == CI_BACKEND and "ci" in models.judges


def _plan_order(rule: Rule, evidence: tuple[Evidence, ...], sure: Confidence) -> tuple[Any, ...]:
    """The order of precedence: rules that mattered later come first, by evidence alone, so that no clock changes it."""
    return sort_key(
        narrow=specificity(asdict(rule.scope)),
        severity=rule.severity,
        at=newest_time(evidence),
        confidence=sure.mean,
        slug=rule.slug,
        layer=rule.layer.partition(" ")[0],
    )


def _steps(rule: Rule, evidence: tuple[Evidence, ...], sure: Confidence) -> Iterator[PlannedCheck]:
    facts = rule_facts(rule, evidence)
    seen: dict[str, int] = {}
    for check in rule.checks:
        seen[check.kind] = seen.get(check.kind, 0) + 1
        number = seen[check.kind]
        yield PlannedCheck(
            facts=facts,
            rule=rule,
            kind=check.kind,
            template=check.template,
            parameters=check.parameters,
            line=check.line,
            # A slug holds no dot, so slug.2 can be no other rule's name.
            name=rule.slug if number == 1 else f"{rule.slug}.{number}",
            active=sure.active,
        )


def rule_facts(rule: Rule, evidence: tuple[Evidence, ...]) -> RuleFacts:
    said = sorted((e for e in evidence if e.quote and e.kind in VOICED), key=lambda e: (e.at, e.quote))
    first = next((e for e in said if e.kind == "correction"), said[0] if said else None)
    return RuleFacts(
        slug=rule.slug,
        revision=rule.revision,
        statement=rule.statement,
        do=rule.do,
        quote=" ".join(first.quote.split()) if first else "",
        said=", ".join(filter(None, (first.at[:10], f"to {first.agent}" if first.agent else ""))) if first else "",
        severity=rule.severity,
        on_error=rule.on_error,
        on_unsure=rule.on_unsure,
        level=level_to_note(rule.level, rule.severity, rule.enforcement),
        scope=rule.scope,
        layer=rule.layer,
        formerly=rule.formerly,
        exceptions=tuple(replace(one, valid=()) for one in rule.exceptions),
    )


_EDIT = "fix that file, or git restore it"


def require_consistent(book: Rulebook, archive: Mapping[str, Rule]) -> None:
    """RulecError at the first rule that supersedes an active one, or is archived with no successor or retirement."""
    own = {rule.slug: rule for rule in book.rules if rule.layer == "team"}
    for rule in own.values():
        for other in rule.supersedes:
            if other in own:
                what = f"supersedes {other}, which is in force"
                raise RulecError(what, where=rule.source, hint=f"retire {other}, or take that line out")
    for rule in own.values():
        _require_parent(rule, book, archive)
    require_former_names(book)
    standing = frozenset(rule.slug for rule in book.rules)
    for rule in archive.values():
        if bool(rule.superseded_by) == bool(rule.retired):
            what = "has both superseded_by and retired" if rule.retired else "has neither superseded_by nor retired"
            raise RulecError(f"is in the archive and {what}", where=rule.source, hint=_EDIT)
        _follow(rule, standing, archive)


def require_former_names(book: Rulebook) -> None:
    """RulecError at a rule that says it formerly had a name that never led to it: it would take its exceptions."""
    for rule in (rule for rule in book.rules if rule.layer == "team"):
        for name in rule.formerly:
            if name not in book.former_names(rule):
                there = book.rule(name)
                why = "which is in force" if there else "which was not merged into it: the archive does not lead here"
                what = f"says it was formerly {name}, {why}"
                raise RulecError(what, where=rule.source, hint=f"take {name} out of formerly")


def _require_parent(rule: Rule, book: Rulebook, archive: Mapping[str, Rule]) -> None:
    """RulecError where a rule refines one that never was, or in the end itself."""
    if rule.refines and book.named(rule.refines) is None and rule.refines not in archive:
        raise RulecError(
            f"refines {rule.refines}, which is no rule here", where=rule.source, hint="name a rule in force"
        )
    seen, at = [rule.slug], rule
    while at.refines and (parent := book.named(at.refines)):
        if parent.slug in seen:
            told = " -> ".join([*seen, parent.slug])
            raise RulecError(f"refines itself: {told}", where=rule.source, hint="take one of these lines out")
        seen.append(parent.slug)
        at = parent


def _follow(rule: Rule, standing: frozenset[str], archive: Mapping[str, Rule]) -> None:
    """RulecError where the chain of successors ends nowhere or returns to its start."""
    seen, at = [rule.slug], rule
    while at.superseded_by:
        name = at.superseded_by
        if name in seen:
            raise RulecError(f"supersedes itself: {' -> '.join([*seen, name])}", where=rule.source, hint=_EDIT)
        if name in standing:
            return
        if name not in archive:
            raise RulecError(f"was superseded by {name}, which is not a rule here", where=at.source, hint=_EDIT)
        seen.append(name)
        at = archive[name]


def orphaned_evidence(book: Rulebook) -> list[str]:
    """The evidence folders whose rule is neither in force nor archived."""
    known = {rule.slug for rule in book.rules} | book.archived
    return [file_paths.evidence_folder(slug) for slug in book.evidence if slug not in known]
