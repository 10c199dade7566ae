"""Which kinds a check without a named kind stands for, and why no kind of a template sees an example."""

import ast
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from rulec.compiling import artifacts
from rulec.compiling.artifacts import template_library
from rulec.domain.rule import Check, Example, Rule
from rulec.errors import RulecError
from rulec.rulebook.rulebook import Rulebook


def drop_unbuildable_checks(book: Rulebook, rule: Rule, top: Path) -> Rule:
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
        return bool(artifacts.compile_rule(book, replace(rule, checks=(check,)), top))
    except RulecError:
        return False


# what a template is about -> kinds of example in which it finds nothing, whatever they hold
_BLIND = {
    "command": ("file", "edit", "message", "reply", "read"),
    "reply": ("command", "file", "edit", "message", "commit", "tool", "delete", "rename", "read"),
    "message": ("file", "edit", "reply", "tool", "delete", "rename", "read"),
    "file": ("reply", "message"),
    "line": ("reply",),
}


def why_unseen(rule: Rule, example: Example, top: Path) -> str:
    """Why no check of the rule sees the example, "" where nothing but the checks themselves could tell."""
    shelf = template_library(top)
    units = {shelf.template(check.template).unit for check in rule.checks}
    if units and all(example.kind in _BLIND.get(unit, ()) for unit in units):
        return f"a check of one {' or '.join(sorted(units))} never sees an example {{{example.kind}: …}}"
    return next(_unparsed(example), "")


def _unparsed(example: Example) -> Iterator[str]:
    """Semgrep finds nothing in code that does not parse; of Python's own it can be told without it."""
    files = example.files if example.kind == "commit" else ((example.path, example.text),) * (example.kind == "file")
    for path, text in files:
        try:
            if path.endswith((".py", ".pyi")):
                ast.parse(text)
        except (SyntaxError, ValueError, RecursionError) as error:
            line = getattr(error, "lineno", None)
            yield f"the code of {path} does not parse{f' (line {line})' if line else ''}, so nothing is found in it"
