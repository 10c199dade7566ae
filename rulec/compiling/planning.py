"""Rules and evidence into a plan: what is to be compiled, and how firmly it may act."""

from collections.abc import Iterator
from dataclasses import asdict, replace
from itertools import chain
from typing import Any

from rulec.domain.compile_plan import CompilePlan, PlannedCheck, RuleFacts
from rulec.domain.evidence import Evidence, JudgeBar, JudgeMeasure
from rulec.domain.precedence import sort_key, specificity
from rulec.domain.rule import Rule
from rulec.rulebook.confidence import Confidence, newest_time
from rulec.rulebook.rulebook import Rulebook

CI_BACKEND = "anthropic"  # the backend that CI can ask: the others need a person's own machine


def make_plan(book: Rulebook) -> CompilePlan:
    """Every check of every rule; of the rules those that a person pinned or that evidence bears, by precedence."""
    now = book.at
    sure = {rule.slug: book.sure(rule, at=now) for rule in book.rules}
    held = (rule for rule in book.rules if rule.enforcement != "auto" or sure[rule.slug].active)
    steps = (_steps(rule, book.observed(rule.slug), active=sure[rule.slug].active) for rule in book.rules)
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
        measures={rule.slug: _measures_that_hold(book.observed(rule.slug), book.config.bar) for rule in book.rules},
    )


def _asks_models(book: Rulebook) -> bool:
    models = book.config.models
    judged = any(check.kind == "judge" for rule in book.rules for check in rule.checks)
    return judged and models.backend == CI_BACKEND and "ci" in models.judges


def _measures_that_hold(evidence: tuple[Evidence, ...], bar: JudgeBar) -> tuple[tuple[str, JudgeMeasure], ...]:
    """Those that reach the bar, with what they are pinned to, in an order of their own."""
    found = [(e.digest, e.measured) for e in evidence if e.kind == "proved" and e.measured]
    return tuple(sorted(((digest, one) for digest, one in found if one.reaches(bar)), key=str))


def _plan_order(rule: Rule, evidence: tuple[Evidence, ...], sure: Confidence) -> tuple[Any, ...]:
    """The later a rule mattered the fresher it is, whatever the time: so no clock moves what is compiled."""
    return sort_key(
        narrow=specificity(asdict(rule.scope)),
        severity=rule.severity,
        at=newest_time(evidence),
        confidence=sure.mean,
        slug=rule.slug,
        layer=rule.layer.partition(" ")[0],
    )


def _steps(rule: Rule, evidence: tuple[Evidence, ...], *, active: bool) -> Iterator[PlannedCheck]:
    facts = _facts(rule, evidence)
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
            active=active,
        )


def _facts(rule: Rule, evidence: tuple[Evidence, ...]) -> RuleFacts:
    said = sorted((e for e in evidence if e.quote and e.kind != "counterexample"), key=lambda e: (e.at, e.quote))
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
        scope=rule.scope,
        layer=rule.layer,
        exceptions=tuple(replace(one, valid=()) for one in rule.exceptions),
    )
