"""Colours that style sheets spell out, where no check of code looks."""

import re
from collections.abc import Iterator, Sequence

from rulec.fits._pair import added, draft_from_pair
from rulec.model.candidate import Draft
from rulec.model.rule import Check, CheckKind, Example
from rulec.model.transcript import Action
from rulec.runtime import globs

SAID = re.compile(r"\b(?:s?css|less|sass|stylesheets?|styles)\b", re.IGNORECASE)
_FILES = ["*.css", "*.scss", "*.sass", "*.less"]
_FREE = ["*theme*", "*tokens*", "*variables*", "*palette*", "*colors*", "*colours*"]
# A declaration; what gives a colour its name (--x: or $x:) and an address with a # are none.
_PATTERN = r"^(?![ \t]*(?:--|\$|@|//|/?\*))[^:/\n]*:[^;{(/\n]*(?:#[0-9a-fA-F]{3,8}\b|\b(?:rgb|hsl)a?\(\s*\d)"
_SAMPLE = ".card {{\n  color: {};\n}}\n"


def _checks(free: list[str]) -> tuple[Check, ...]:
    kinds: tuple[CheckKind, ...] = ("semgrep", "guard")
    given = {"patterns": [_PATTERN], "globs": _FILES, "except": free}
    return tuple(Check(kind=kind, template="forbid-text", parameters=given) for kind in kinds)


def stated() -> Draft:
    """A draft made from words alone."""
    return Draft(
        checks=_checks(_FREE),
        invalid=(Example(kind="file", path="src/card.css", text=_SAMPLE.format("#1a2b3c")),),
        valid=(
            Example(kind="file", path="src/card.css", text=_SAMPLE.format("var(--accent)")),
            Example(kind="file", path="src/root.css", text=".dark {\n  --accent: #1a2b3c;\n}\n"),
        ),
        because="the statement names colours",
    )


def from_pair(before: Sequence[Action], after: Sequence[Action]) -> Iterator[Draft]:
    """A draft where a style sheet was what was refused."""

    def caught(action: Action) -> bool:
        text = added(action) if globs.match(_FILES, action.path) else ""
        return any(re.search(_PATTERN, line) for line in text.splitlines())

    offence = next((action.path for action in before if caught(action)), "")
    free = [glob for glob in _FREE if not globs.match([glob], offence)]
    because = "a colour was written out before the person spoke and not afterwards"
    yield from draft_from_pair(_checks(free), caught, before, after, kinds=("write", "edit"), because=because)
