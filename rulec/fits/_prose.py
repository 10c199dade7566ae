"""A wish about words: which template says it, and what it looks like when it is not kept."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from rulec.fits._pair import LONGEST, MOST_INNOCENT, added, example_of, offences
from rulec.language import Clause
from rulec.model.candidate import Draft
from rulec.model.rule import Check, CheckKind, Example, Scope
from rulec.model.transcript import Action
from rulec.runtime.effects import effects
from rulec.runtime.parts import part_of
from rulec.runtime.shell import parse

_INSIDE = r"(?:in|under|inside|within|below|into|for)\s+(?:the |our |any |all )?[`'\"@]?(?:\./)?"


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """A check with its parameters, and one file that it must catch and one that it must pass."""

    template: str
    given: Mapping[str, Any]
    bad: Example
    good: Example
    rough: str = ""  # what the offence's new lines show, nearly as the template sees it
    parts: tuple[str, ...] = ("docs",)  # of documentation and comments, where it shows
    kinds: tuple[CheckKind, ...] = ("guard",)
    also: tuple[Check, ...] = ()
    more: tuple[Example, ...] = ()  # what the other checks must catch


def markdown(text: str) -> Example:
    """A file of documentation."""
    return Example(kind="file", path="docs/sample.md", text=text)


def code(text: str) -> Example:
    """A file of code."""
    return Example(kind="file", path="src/sample.py", text=text)


def drafts(clause: Clause, wish: Wish, before: Sequence[Action], after: Sequence[Action]) -> Iterator[Draft]:
    """The wish as a draft, where the actions do not speak against it: something before it showed what it forbids."""
    scope, moved = _place(clause, wish)
    invalid: tuple[Example, ...] = (moved, *wish.more)
    valid = [] if moved.path != wish.bad.path else [wish.good]
    if before:
        guilty = [action for action in offences(before) if _shows(wish, scope, action)]
        if not guilty:
            return
        told = next((example for action in guilty if (example := example_of(action))), None)
        invalid = (told or moved, *wish.more)
        fixed = [example for action in after if action.kind in ("write", "edit") and (example := example_of(action))]
        valid = [*fixed[:MOST_INNOCENT], *valid]
    checks = tuple(Check(kind=kind, template=wish.template, parameters=wish.given) for kind in wish.kinds)
    yield Draft(
        checks=(*checks, *wish.also),
        invalid=tuple(dict.fromkeys(invalid)),
        valid=tuple(dict.fromkeys(valid)),
        scope=scope,
        because="the words name it, and it was written before the person spoke" if before else "the words name it",
    )


def _shows(wish: Wish, scope: Scope, action: Action) -> bool:
    """Whether the action writes what the wish forbids."""
    folders = [glob.removesuffix("**") for glob in scope.include if glob != "**"]
    return any(
        part_of(path) in wish.parts
        and (not folders or any(path.startswith(folder) for folder in folders))
        and re.search(wish.rough, text, re.MULTILINE | re.IGNORECASE)
        for path, text in written(action)
    )


def written(action: Action) -> list[tuple[str, str]]:
    """Paths and the new lines that an action puts there, as far as it shows them."""
    if action.kind == "command":
        return list(_by_command(action.command)) if len(action.command) <= LONGEST else []
    text = added(action)
    return [(action.path, text)] if text else []


@lru_cache(maxsize=256)
def _by_command(command: str) -> tuple[tuple[str, str], ...]:
    return tuple((effect.path, effect.content) for effect in effects(parse(command)) if effect.content)


def _place(clause: Clause, wish: Wish) -> tuple[Scope, Example]:
    """Where the person said that it holds, as a scope and the bad example in it."""
    for term in clause.terms:
        text = term.text.removeprefix("@").removeprefix("./")
        if term.kind == "path" and re.search(_INSIDE + re.escape(text), clause.text, re.IGNORECASE):
            name = wish.bad.path.rpartition("/")[2]
            if text.endswith("/") and text[0] not in "/~.":
                return Scope(include=(f"{text}**",)), Example(kind="file", path=f"{text}{name}", text=wish.bad.text)
            if part_of(text) in wish.parts and text[0] not in "/~*":
                return Scope(include=(text,)), Example(kind="file", path=text, text=wish.bad.text)
    return Scope(), wish.bad
