"""A draft narrowed to where the person said that the wish holds."""

import re
from collections.abc import Sequence
from dataclasses import replace

from rulec.language import Clause, Where, where
from rulec.model.candidate import Draft
from rulec.model.rule import Example, Scope
from rulec.model.transcript import Action
from rulec.runtime import globs

_OF_FILES = (
    "forbid-import",
    "forbid-call",
    "forbid-literal",
    "prefer-import",
    "prefer-call",
    "forbid-text",
    "require-text",
    "forbid-shape",
    "max-returns",
    "max-function-lines",
    "max-file-lines",
)


# They are of files as well; of a place that is no path they know only that it is not everywhere.
_OF_CODE = (
    "bare-except",
    "broad-except",
    "swallowed-error",
    "forbid-annotation",
    "name-pattern",
    "require-docstring",
    "require-annotation",
    "require-decorator",
    "forbid-comment",
)
_PART = re.compile(
    r"(?:in|inside|within|outside(?: of)?|except(?: in)?) (?:(?:the|our) |tests?\b|specs?\b|scripts?\b)", re.IGNORECASE
)
_OF_MODULES = ("forbid-import", "prefer-import", "forbid-dependency")  # what a module is for is all that it is for


def situated(clause: Clause, before: Sequence[Action], draft: Draft) -> Draft | None:
    """The draft narrowed to where the person said that the wish holds; None where no path shows that place."""
    if all(check.template in _OF_CODE for check in draft.checks):
        named = any(term.kind == "path" and term.text in clause.when for term in clause.terms)
        return _of_code(draft, where(clause)) if named or _PART.match(clause.when) else draft
    said = draft.scope != Scope()  # the fit has read the place itself
    whole = clause.when.startswith("for ") and all(check.template in _OF_MODULES for check in draft.checks)
    if said or whole or not all(check.template in _OF_FILES for check in draft.checks):
        return draft
    folders = {part.lower(): part for action in before for part in action.path.split("/")[:-1]}
    place = _at_hand(draft) if before and _THERE.match(clause.when) else where(clause, folders.keys())
    if place is None:
        return None
    if homes := tuple(glob for glob in _homes(clause) if not _shown_in(glob, draft)):
        place = place._replace(exclude=(*place.exclude, *homes))
    if place == Where():
        return draft

    def spelled(glob: str) -> str:
        return f"{folders.get(glob[:-1], glob[:-1])}/" if glob.endswith("/") else glob

    there = Where(*(tuple(map(spelled, globs)) for globs in place))
    inside = _within(draft, there.include, made=not before) if there.include else draft
    return _without(inside, there.exclude) if there.exclude else inside


def _of_code(draft: Draft, place: Where | None) -> Draft | None:
    if place is None or place == Where():
        return None if place is None else draft
    inside = _within(draft, place.include, made=True) if place.include else draft
    return _without(inside, place.exclude) if place.exclude else inside


_THERE = re.compile(r"(?:in|inside|into) (?:there|that (?:file|folder|module|package))\b", re.IGNORECASE)


def _at_hand(draft: Draft) -> Where:
    """The folder of the offence, which "in there" points at."""
    folder = draft.invalid[0].path.rpartition("/")[0] if draft.invalid else ""
    return Where(include=(f"{folder}/",)) if folder else Where()


def _homes(clause: Clause) -> tuple[str, ...]:
    """Files of what is to be used instead: "useThing, not the bare call" does not hold in useThing.ts itself."""
    wanted = " ".join(clause.preferred)
    named = [term for term in clause.terms if term.text in wanted]
    paths = (f"**/{term.text.lstrip('./')}" for term in named if term.kind == "path" and "." in term.text[1:])
    symbols = (term.text.removesuffix("()") for term in named if term.kind in ("symbol", "code"))
    return (*paths, *(f"{name}.*" for name in symbols if name.isidentifier()))


def _shown_in(glob: str, draft: Draft) -> bool:
    return any(globs.match((glob,), example.path) for example in draft.invalid if example.path)


def _without(draft: Draft, exclude: tuple[str, ...]) -> Draft | None:
    """The draft everywhere but in a place, with an example that the same thing passes there."""
    invalid = draft.invalid[:1]
    if not invalid or any(globs.match(exclude, example.path) for example in draft.invalid):
        return None
    folder = next((glob for glob in exclude if glob.endswith("/")), "")
    there = replace(invalid[0], path=f"{folder}{invalid[0].path.rpartition('/')[2]}")
    scope = replace(draft.scope, exclude=(*draft.scope.exclude, *exclude))
    return replace(draft, scope=scope, valid=(*draft.valid, *((there,) if folder else ())))


def _within(draft: Draft, include: tuple[str, ...], *, made: bool) -> Draft:
    """The draft in its place, with an example that the same thing elsewhere passes.

    What really happened stays where it happened; samples that we made ourselves are moved to the place.
    """

    def moved(example: Example) -> Example:
        if not made or not example.path or globs.match(include, example.path):
            return example
        name = example.path.rpartition("/")[2]
        root = include[0].removesuffix("**")
        return replace(example, path=f"{root}{name}" if root.endswith("/") else root)

    invalid = tuple(map(moved, draft.invalid))
    name = invalid[0].path.rpartition("/")[2] if invalid else ""
    other = f"elsewhere/other-{name}" if globs.match(include, f"elsewhere/{name}") else f"elsewhere/{name}"
    elsewhere = (replace(invalid[0], path=other),) if name else ()
    scope = replace(draft.scope, include=include)
    return replace(draft, scope=scope, invalid=invalid, valid=(*draft.valid, *elsewhere))
