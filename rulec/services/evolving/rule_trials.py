"""Many forms of one rule on many actions at once: what the checks of each decide."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from rulec.checks.proving.example_changes import change_of, change_of_exception
from rulec.compiling.artifacts import compile_trial
from rulec.domain.artifact import Artifact, is_judge_check
from rulec.domain.finding import Fault
from rulec.domain.rule import Example, Rule
from rulec.errors import RulecError
from rulec.gates.findings import rule_proof
from rulec.rulebook.rulebook import Rulebook

Decided = list[bool | None]  # for each action: caught, passed, or None where a check broke


def decide_examples(top: Path, book: Rulebook, rules: Sequence[Rule], examples: Sequence[Example]) -> list[Decided]:
    """What the machine checks of each rule make of each action; all None of a rule whose checks cannot be built.

    The checks of all of them run together, so that this costs few processes.
    """
    compiled: list[Artifact] = []
    built: set[str] = set()
    names = [f"{rule.slug}-trial-{number}" for number, rule in enumerate(rules)]
    for name, rule in zip(names, rules, strict=True):
        try:
            made = compile_trial(book, replace(rule, slug=name, enforcement="block"), top)
        except RulecError:
            continue
        compiled += [artifact for artifact in made if not is_judge_check(artifact)]
        built.add(name)
    everything = replace(rules[0], invalid=tuple(examples), valid=())
    tree = rule_proof.tree_for_examples(everything, top)
    bounded = {example: one for rule in rules for one in rule.exceptions for example in one.valid}
    changes = [
        change_of_exception(bounded[one], one, tree) if one in bounded else change_of(one, tree) for one in examples
    ]
    seen = rule_proof.new_findings(compiled, changes) if compiled else [[] for _ in changes]
    decided = []
    for name in names:
        own = [[item for item in found if item.slug == name] for found in seen]
        decided.append([_verdict(some) if name in built else None for some in own])
    return decided


def _verdict(found: Sequence[object]) -> bool | None:
    return None if any(isinstance(item, Fault) for item in found) else bool(found)
