"""A check whose kind nobody named stands for one of every kind of its template: those go that cannot be built.

Those that can and catch nothing go where the rule is proved: see ``_prove.pruned``.
"""

from dataclasses import replace
from pathlib import Path

from rulec.commands import _build
from rulec.errors import RulecError
from rulec.model.rule import Check, Rule
from rulec.model.rulebook import Rulebook


def settled(book: Rulebook, rule: Rule, top: Path) -> Rule:
    """The rule without implied checks to whose kind its parameters say nothing, where a sibling of one can be built."""
    implied = [check for check in rule.checks if check.implied]
    built = [check for check in implied if _builds(book, rule, check, top)]
    gone = [
        id(check)
        for check in implied
        if not any(check is other for other in built) and any(_siblings(check, other) for other in built)
    ]
    return replace(rule, checks=tuple(check for check in rule.checks if id(check) not in gone)) if gone else rule


def _siblings(one: Check, other: Check) -> bool:
    return (one.template, one.parameters) == (other.template, other.parameters)


def _builds(book: Rulebook, rule: Rule, check: Check, top: Path) -> bool:
    try:
        return bool(_build.of_rule(book, replace(rule, checks=(check,)), top))
    except RulecError:
        return False
