"""Drafts for several things that one sentence forbids -> one draft of them all: only one draft becomes the rule."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from rulec.language import Clause
from rulec.model.candidate import Draft
from rulec.model.rule import Check

_LISTS = ("patterns", "functions", "modules", "from", "names", "types")  # what a check takes several of


def bundled(clause: Clause, drafts: Sequence[Draft]) -> Iterator[Draft]:
    """The drafts, before them the one that says "neither this nor that" where each of them says half of it."""
    own: dict[str, Draft] = {}
    for draft in drafts:
        about = [thing for thing in clause.forbidden if draft.invalid and _is_about(clause, thing, draft)]
        if len(about) == 1:
            own.setdefault(about[0], draft)
    whole = list(own.values())
    if len(whole) > 1 and len(whole) == len(clause.forbidden) and all(one.scope == whole[0].scope for one in whole):
        yield _joined(whole) if all(_alike(whole[0], one) for one in whole[1:]) else _side_by_side(whole)
    yield from drafts


def same(drafts: Sequence[Draft]) -> bool:
    """Whether all of them catch one and the same: "never call x by itself, always y x"."""
    sights = [([check.template for check in draft.checks], draft.invalid[:1]) for draft in drafts]
    return all(one == sights[0] for one in sights)


def breadth(draft: Draft) -> tuple[int, int]:
    """The less is listed, the narrower; of equals, the one that says what to do instead is the lesser."""
    listed = [(name, value) for check in draft.checks for name, value in check.parameters.items() if name != "instead"]
    return len(repr(listed)), -len(repr(draft.checks))


def _is_about(clause: Clause, thing: str, draft: Draft) -> bool:
    shown = draft.invalid[0].text.lower()
    names = [thing.strip("`'\" ").removesuffix("()"), *(term.text for term in clause.terms if term.text in thing)]
    return any(name.lower() in shown for name in names)


def _alike(one: Draft, two: Draft) -> bool:
    """Whether the two differ only in what they are about."""
    return [_frame(check) for check in one.checks] == [_frame(check) for check in two.checks]


def _frame(check: Check) -> tuple[Any, ...]:
    rest = {name: value for name, value in check.parameters.items() if name not in _LISTS}
    listed = sorted(name for name in check.parameters if name in _LISTS)
    return check.kind, check.template, rest, listed, bool(listed)


def _joined(drafts: Sequence[Draft]) -> Draft:
    first = drafts[0]
    checks = []
    for at, check in enumerate(first.checks):
        several = [draft.checks[at].parameters for draft in drafts]
        lists = {name: [one for given in several for one in given[name]] for name in check.parameters if name in _LISTS}
        checks.append(replace(check, parameters={**check.parameters, **lists}))
    return replace(_side_by_side(drafts), checks=tuple(checks))


def _side_by_side(drafts: Sequence[Draft]) -> Draft:
    """Checks of their own for each, in one draft."""
    checks = tuple(check for draft in drafts for check in draft.checks)
    invalid = tuple(dict.fromkeys(example for draft in drafts for example in draft.invalid))
    valid = tuple(dict.fromkeys(example for draft in drafts for example in draft.valid))
    return replace(drafts[0], checks=checks, invalid=invalid, valid=valid)
