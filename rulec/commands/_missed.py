"""An offence that no check catches -> why none could see it, where that is plain."""

import ast
from collections.abc import Iterator
from pathlib import Path

from rulec.commands._build import library
from rulec.model.rule import Example, Rule

# what a template is about -> kinds of example in which it finds nothing, whatever they hold
_BLIND = {
    "command": ("file", "edit", "message", "reply", "read"),
    "reply": ("command", "file", "edit", "message", "commit", "tool", "delete", "rename", "read"),
    "message": ("file", "edit", "reply", "tool", "delete", "rename", "read"),
    "file": ("reply", "message"),
    "line": ("reply",),
}


def because(rule: Rule, example: Example, top: Path) -> str:
    """Why no check of the rule sees the example, "" where nothing but the checks themselves could tell."""
    shelf = library(top)
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
