"""Plan -> artifacts: one compiled check for each step."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from itertools import groupby

from rulec.model.artifact import COMPILED, Artifact, digest, proof_digest
from rulec.model.plan import Plan, Step
from rulec.model.rule import Enforcement, Rule
from rulec.ports import Checker

Body = Callable[[Step], str]  # a step's template, rendered


def assemble(plan: Plan, body: Body, checkers: Mapping[str, Checker]) -> Iterator[Artifact]:
    """Each step's artifact; it may act as its rule says only where these very checks are proved."""
    for rule, steps in groupby(plan.steps, key=lambda step: step.rule):
        yield from _of_rule(rule, list(steps), plan.proofs.get(rule.slug, frozenset()), body, checkers)


def _of_rule(
    rule: Rule, steps: list[Step], proofs: frozenset[str], body: Body, checkers: Mapping[str, Checker]
) -> Iterator[Artifact]:
    bodies = [body(step) for step in steps]
    digests = [digest(step.kind, text, rule.scope, rule.exceptions) for step, text in zip(steps, bodies, strict=True)]
    proved = proof_digest(rule, digests) in proofs
    for step, text, mark in zip(steps, bodies, digests, strict=True):
        checker = checkers[step.kind]
        facts = replace(step.facts, enforcement=_enforcement(step, proved=proved))
        yield Artifact(
            path=f"{COMPILED}/{step.kind}/{step.name}{checker.suffix}",
            text=checker.build(replace(step, facts=facts), text),
            executable=checker.suffix == ".sh",
            slug=step.facts.slug,
            digest=mark,
        )


def _enforcement(step: Step, *, proved: bool) -> Enforcement:
    """What happens on a finding: nothing may act unproved; then what a person pinned, else what the evidence bears."""
    if not proved:
        return "audit"
    if step.pinned != "auto":
        return step.pinned
    return "block" if step.active else "audit"
