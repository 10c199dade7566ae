"""The one form in which anybody says a check: plain JSON or YAML data -> a rule that is still to be proved.

Readers, agents (`rulec try`, `rulec propose`), people (`rulec add --check`) and rule files all write it: `checks` that
name a template with its parameters, `scope`, `examples` with their `source`, and `not_checked`.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, cast, get_args

from rulec import answerfile, rulefile
from rulec.errors import RulecError
from rulec.model.artifact import one_line
from rulec.model.candidate import Draft
from rulec.model.rule import Check, CheckKind, Example, Scope
from rulec.redact import redact, restored, stand_in
from rulec.yamltext import Node

MOST_CHECKS = 6  # of one draft
MOST_UNCHECKED, LONGEST_UNCHECKED = 8, 200  # entries of not_checked, and characters of one

PUT = {"invalid": restored, "valid": stand_in}  # how look-alikes come into the examples of a side
LOOKALIKE = "a made-up look-alike stands in it for what may be a secret, an address or a home folder"
KEYS = ("checks", "scope", "examples", "not_checked")
EXAMPLES_SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "properties": {"invalid": answerfile.EXAMPLES, "valid": answerfile.EXAMPLES},
}
CHECKS_SCHEMA: Mapping[str, Any] = {
    "type": "array",
    "maxItems": MOST_CHECKS,
    "items": {
        "type": "object",
        "required": ["template"],
        "properties": {
            "template": {"type": "string"},
            "kind": {"enum": [*get_args(CheckKind)]},
            "with": {"type": "object"},
        },
    },
}
SCOPE_SCHEMA: Mapping[str, Any] = {"type": "object", "additionalProperties": {"type": "array"}}
NOT_CHECKED_SCHEMA: Mapping[str, Any] = {"type": "array", "items": {"type": "string"}}

Kinds = Callable[[str], Sequence[CheckKind]]  # the kinds of check that a template makes; RulecError where there is none


@dataclass(frozen=True, slots=True)
class Read:
    """A draft, and a line for each part of what was written that is none of this form."""

    draft: Draft
    unread: tuple[str, ...] = field(default=())
    changed: tuple[str, ...] = field(default=())  # a line for each example in which look-alikes stand for secrets


def read(
    value: Mapping[str, Any], source: str, kinds: Kinds, where: str = "draft", most: int = answerfile.MOST
) -> Read:
    """The draft that somebody wrote, as far as it has the form; its examples are of ``source``, ``most`` of each side.

    A check without a kind stands for one of every kind that its template makes.
    """
    unread: list[str] = []
    checks = _checks(value.get("checks"), kinds, where, unread)
    examples = value.get("examples")
    sides = examples if isinstance(examples, Mapping) else {}
    if examples and not (sides and set(sides) <= {"invalid", "valid"}):
        unread.append("its examples: write {invalid: [...], valid: [...]}")
    invalid, valid = (_examples(sides.get(side), source, unread, most, side) for side in ("invalid", "valid"))
    draft_scope = _scope(value.get("scope"), where, unread)
    draft = Draft(checks=checks, invalid=invalid, valid=valid, scope=draft_scope, not_checked=_not_checked(value))
    return Read(draft, tuple(unread), tuple(_changed(sides, most)))


def _scope(value: Any, where: str, unread: list[str]) -> Scope:
    if value and not isinstance(value, Mapping):
        globs = [str(one) for one in (value if isinstance(value, list | tuple) else [value])][:MOST_UNCHECKED]
        meant = one_line(json.dumps({"include": globs}, ensure_ascii=False))[:LONGEST_UNCHECKED]
        unread.append(f"its scope is no mapping: write {meant}, where the rule holds for these files alone")
        return Scope()
    try:
        return rulefile.scope(Node(dict(value or {}), where, path="scope"))
    except (RulecError, TypeError, ValueError) as error:
        unread.append(f"its scope: {one_line(str(error))[:LONGEST_UNCHECKED]}")
        return Scope()


def _changed(sides: Mapping[str, Any], most: int) -> Iterator[str]:
    for side, put in PUT.items():
        items = sides.get(side)
        for number, item in enumerate(items[:most] if isinstance(items, list | tuple) else ()):
            if isinstance(item, Mapping) and answerfile.lookalike(item, put) != item:
                yield f"{side}[{number}]: {LOOKALIKE}"


def _checks(value: Any, kinds: Kinds, where: str, unread: list[str]) -> tuple[Check, ...]:
    found: list[Check] = []
    if value and not isinstance(value, list | tuple):
        unread.append("its checks: write a list of {template: NAME, with: {...}}")
    elif value and len(value) > MOST_CHECKS:
        unread.append(f"{len(value) - MOST_CHECKS} checks: no more than {MOST_CHECKS} are read")
    for item in value[:MOST_CHECKS] if isinstance(value, list | tuple) else ():
        try:
            found += [check for check in _check(item, kinds, where) if check not in found]
        except RulecError as error:
            unread.append(f"a check: {one_line(str(error))[:LONGEST_UNCHECKED]}")
    return tuple(found)


def _check(item: Any, kinds: Kinds, where: str) -> Iterator[Check]:
    if not isinstance(item, Mapping):
        raise RulecError("is no mapping", where=where, hint="write {template: NAME, with: {...}}")
    answerfile.bounded(item)
    node = Node(dict(item), where)
    node.known(("kind", "template", "with"))
    name = node.text("template", required=True)
    possible = kinds(name)
    with_ = node.mapping("with").plain()
    if redact(repr(with_)) != repr(with_):
        raise RulecError(f"{name} holds what may be a key or an address", where=where)
    if node.has("kind"):
        kind = cast("CheckKind", node.choice("kind", tuple(possible), required=True))
        yield Check(kind=kind, template=name, parameters=with_)
        return
    for one in possible:
        yield Check(kind=one, template=name, parameters=with_, implied=len(possible) > 1)


def _examples(value: Any, source: str, unread: list[str], most: int, side: str) -> tuple[Example, ...]:
    found: list[Example] = []
    if value and not isinstance(value, list | tuple):
        unread.append("its examples: each side is a list")
    elif value and len(value) > most:
        unread.append(f"{len(value) - most} examples: no more than {most} of one side are read")
    for one in answerfile.examples(value, source, most, f"examples.{side}", PUT[side]):
        if isinstance(one, str):
            unread.append(one)
        else:
            found.append(one)
    return tuple(found)


def _not_checked(value: Mapping[str, Any]) -> tuple[str, ...]:
    items = value.get("not_checked")
    texts = items if isinstance(items, list | tuple) else [items]
    told = (answerfile.words(text, LONGEST_UNCHECKED) for text in texts[:MOST_UNCHECKED])
    return tuple(dict.fromkeys(filter(None, told)))
