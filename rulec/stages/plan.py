"""Rules and evidence -> plan: what is to be compiled, and how firmly it may act."""

from collections.abc import Iterator

from rulec.model.evidence import Evidence, confidence
from rulec.model.plan import Facts, Plan, Step
from rulec.model.rule import Rule
from rulec.model.rulebook import Rulebook

_RANK = {"must": 0, "should": 1, "style": 2}


def plan(book: Rulebook) -> Plan:
    """Every check of every rule; of the rules those that a person pinned or that evidence bears, by severity."""
    held = (r for r in book.rules if r.enforcement != "auto" or confidence(book.observed(r.slug)).active)
    rules = sorted(held, key=lambda rule: (_RANK[rule.severity], rule.slug))
    steps = tuple(step for rule in book.rules for step in _steps(rule, book.observed(rule.slug)))
    proofs = {r.slug: frozenset(e.digest for e in book.observed(r.slug) if e.kind == "proved") for r in book.rules}
    return Plan(steps=steps, rules=tuple(rules), install=book.config.install, proofs=proofs)


def _steps(rule: Rule, evidence: tuple[Evidence, ...]) -> Iterator[Step]:
    facts = _facts(rule, evidence)
    seen: dict[str, int] = {}
    for check in rule.checks:
        seen[check.kind] = seen.get(check.kind, 0) + 1
        number = seen[check.kind]
        yield Step(
            facts=facts,
            rule=rule,
            kind=check.kind,
            template=check.template,
            parameters=check.parameters,
            line=check.line,
            # A slug holds no dot, so slug.2 can be no other rule's name.
            name=rule.slug if number == 1 else f"{rule.slug}.{number}",
            pinned=rule.enforcement,
            active=confidence(evidence).active,
        )


def _facts(rule: Rule, evidence: tuple[Evidence, ...]) -> Facts:
    said = sorted((e for e in evidence if e.quote), key=lambda e: (e.at, e.quote))
    first = next((e for e in said if e.kind == "correction"), said[0] if said else None)
    return Facts(
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
    )
