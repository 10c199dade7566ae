"""A check whose kind nobody named stands for one of every kind of its template: here those go that see nothing."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from rulec.commands import _build
from rulec.commands._observe import observe_each
from rulec.errors import RulecError
from rulec.model.change import Change
from rulec.model.finding import Fault, Finding
from rulec.model.rule import Check, Rule
from rulec.model.rulebook import Rulebook
from rulec.stages.verify import change_of


def settled(book: Rulebook, rule: Rule, top: Path) -> Rule:
    """The rule without those implied checks that catch none of its invalid examples, where a sibling catches some."""
    if not any(check.implied for check in rule.checks):
        return rule
    changes = [change_of(example) for example in rule.invalid]
    useful = [not check.implied or _catches(book, rule, check, changes, top) for check in rule.checks]
    kept = [
        check
        for number, check in enumerate(rule.checks)
        if useful[number] or not any(_sibling(check, rule.checks[other]) for other, good in enumerate(useful) if good)
    ]
    return replace(rule, checks=tuple(replace(check, implied=False) for check in kept))


def _sibling(one: Check, other: Check) -> bool:
    return other.implied and (one.template, one.parameters) == (other.template, other.parameters)


def _catches(book: Rulebook, rule: Rule, check: Check, changes: Sequence[Change], top: Path) -> bool:
    try:
        artifacts = _build.of_rule(book, replace(rule, checks=(check,)), top)
    except RulecError:  # its parameters say nothing to this kind
        return False
    return any(map(found_in, observe_each(artifacts, changes)))


def found_in(seen: Sequence[Finding | Fault]) -> bool:
    """Whether anything was found, and not merely broke."""
    return any(isinstance(item, Finding) for item in seen)
