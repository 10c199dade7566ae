"""Plan -> artifacts: one compiled check for each step."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from itertools import groupby

from rulec.literals import unheeded
from rulec.model import enforcement
from rulec.model.artifact import COMPILED, Artifact, digest, judge_digest, proof_digest
from rulec.model.plan import Plan, Step
from rulec.ports import Checker

Body = Callable[[Step], str]  # a step's template, rendered


def assemble(plan: Plan, body: Body, checkers: Mapping[str, Checker], wording: int = 0) -> Iterator[Artifact]:
    """Each step's artifact; it may act as its rule says only where these very checks are proved.

    A judge cannot be proved: it is measured with one model and the ``wording`` of the question, 0 for any.
    """
    for rule, steps in groupby(plan.steps, key=lambda step: step.rule):
        known = plan.measures.get(rule.slug, ())
        models = {pinned: one.model for pinned, one in known if wording in (0, one.wording)}
        yield from _of_rule(list(steps), plan.proofs.get(rule.slug, frozenset()), models, body, checkers)


def _of_rule(
    steps: list[Step], proofs: frozenset[str], models: Mapping[str, str], body: Body, checkers: Mapping[str, Checker]
) -> Iterator[Artifact]:
    rule = steps[0].rule
    bodies = [body(step) for step in steps]
    digests = [digest(step.kind, text, rule.scope, rule.exceptions) for step, text in zip(steps, bodies, strict=True)]
    judges = [mark for step, mark in zip(steps, digests, strict=True) if step.kind == "judge"]
    machines = [mark for step, mark in zip(steps, digests, strict=True) if step.kind != "judge"]
    proved, model = proof_digest(rule, machines) in proofs, models.get(judge_digest(rule, judges), "")
    wide = bool(unheeded(rule))
    for step, text, mark in zip(steps, bodies, digests, strict=True):
        checker = checkers[step.kind]
        of_model = step.kind == "judge"
        if of_model:
            firm = enforcement.of_judge(rule, active=step.active, measured=bool(model))
        else:
            firm = enforcement.of_machine(rule, active=step.active, proved=proved, wide=wide)
        facts = replace(step.facts, enforcement=firm, measured=model if of_model else "")
        yield Artifact(
            path=f"{COMPILED}/{step.kind}/{step.name}{checker.suffix}",
            text=checker.build(replace(step, facts=facts), text),
            executable=checker.suffix == ".sh",
            slug=step.facts.slug,
            digest=mark,
        )
