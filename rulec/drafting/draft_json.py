"""The one JSON form of a draft: what a question shows of a wish and its checks, and what an answer holds."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Any, get_args

from rulec.domain.candidate import Candidate, Draft, ReaderOpinion
from rulec.domain.rule import EXAMPLE_SOURCES, Check, CheckKind, Example, Scope
from rulec.domain.text import excerpts
from rulec.domain.text.excerpts import action_line, both_ends, differing_lines, shorten_logs
from rulec.domain.text.one_line import to_one_line
from rulec.domain.text.redaction import redact, replace_redacted, replace_secrets
from rulec.domain.transcript import Action
from rulec.drafting.session_examples import example_of
from rulec.errors import RulecError
from rulec.rulebook import example_file, rule_file
from rulec.rulebook.yaml_text import YamlNode

MOST_EXAMPLES = 8  # examples of one side
LARGEST_PART = 20_000  # characters of one example, or of a check
_STEPS = 30  # of a session
_VALUES = 200  # that one example may hold
_DEEPEST = 8  # a session holds steps, a step of a tool its arguments, and these may be nested

# Parts of a schema: any model is held to it, and whatever fits is read with the same distrust.
SIDE_SCHEMA: Mapping[str, Any] = {"type": "array", "maxItems": 100, "items": {"type": "object"}}


def read_examples_by_model(
    value: Any,
    source: str = "",
    most: int = MOST_EXAMPLES,
    where: str = "examples",
    put: Callable[[str], str] = replace_secrets,
) -> Iterator[Example | str]:
    """The examples in the form of rule files, each once and no more than ``most``; a line instead of each that is none.

    ``put`` sets look-alikes in the place of secrets. Whatever they say of their source themselves, they are of
    ``source`` where one is given, or of the weaker one.
    """
    seen: set[Example] = set()
    items = value if isinstance(value, Sequence) and not isinstance(value, str) else ()
    for number, item in enumerate(islice(items, most)):
        try:
            found = _read_one(item, f"{where}[{number}]", put)
        except RulecError as error:
            yield to_one_line("; ".join(filter(None, (error.message, error.hint))))[:300]
            continue
        if found not in seen:
            seen.add(found)
            yield replace(found, source=_weaker_source(source, found.source))


def _weaker_source(given: str, claimed: str) -> str:
    """The source of an example: an author may claim a weaker one than is known, never a stronger one."""
    return max(filter(None, (given, claimed)), key=EXAMPLE_SOURCES.index, default="")


def _read_one(item: Any, where: str, put: Callable[[str], str]) -> Example:
    refuse_oversized(item)
    if not isinstance(item, Mapping):
        raise RulecError(f"{where} is no mapping", hint="write the action by its kind, such as {command: npm ci}")
    node = YamlNode(without_secrets(item, put), "example", path=where)
    for name in ("files",) if node.has("files") else ():
        if not all(isinstance(text, str) for text in node.mapping(name).data.values()):
            raise node.error(name, "must map paths to texts", "quote them")
    found = example_file.read_example(node)
    if not any(step.text.strip() or step.path.strip() or step.files for step in (found, *found.steps)):
        raise node.error("", "is empty", "write the action as it was done")
    if len(found.steps) > _STEPS:
        raise node.error("session", f"has more than {_STEPS} steps", "the last ones are enough")
    return found


def refuse_oversized(item: Any, what: str = "an example", hint: str = "write the shortest one that shows it") -> None:
    """Refuse data that is too large or too deep, before it is walked through."""
    waiting, values, size = [(item, 0)], 0, 0
    while waiting:
        one, depth = waiting.pop()
        values, size = values + 1, size + (len(one) if isinstance(one, str) else 0)
        if values > _VALUES or size > LARGEST_PART or depth > _DEEPEST:
            raise RulecError(f"{what} is too large", hint=hint)
        if isinstance(one, Mapping):
            waiting += [(part, depth + 1) for pair in islice(one.items(), _VALUES) for part in pair]
        elif isinstance(one, list | tuple):
            waiting += [(part, depth + 1) for part in islice(one, _VALUES)]


def without_secrets(item: Any, put: Callable[[str], str] = replace_secrets) -> Any:
    """An example's data with look-alikes for secrets, so that what is proved is what may be written."""
    if isinstance(item, str):
        return put(item).replace("\0", "")
    if isinstance(item, Mapping):
        return {without_secrets(key, put): without_secrets(part, put) for key, part in item.items()}
    return [without_secrets(part, put) for part in item] if isinstance(item, list | tuple) else item


def example_forms() -> str:
    """How an example is written, for whoever writes one."""
    forms, steps = example_file.example_keys(), example_file.step_keys()
    keys = "; ".join(", ".join(keys) for keys in forms.values())
    more, no_step = (
        ", ".join(one for one in some if one not in other) for some, other in ((steps, forms), (forms, steps))
    )
    return f"""\
EXAMPLES: whole actions, as mappings with these keys: {keys}.
session: a list of steps, of which the last is judged: each is one of these without {no_step}, or {more}; a command may
say failed: true. says: the person's words; stop, reply: the agent's last words of a turn.
Code in an example must parse. A valid one looks as much like an offence as it can."""


MOST_CHECKS = 6  # of one draft
MOST_UNCHECKED, LONGEST_UNCHECKED = 8, 200  # entries of not_checked, and characters of one

REPLACE_SECRETS = {
    "invalid": replace_redacted,
    "valid": replace_secrets,
}  # how look-alikes come into the examples of a side
STANDIN_NOTE = "a made-up look-alike stands in it for what may be a secret, an address or a home folder"
DRAFT_KEYS = ("checks", "scope", "examples", "not_checked")
EXAMPLES_SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "properties": {"invalid": SIDE_SCHEMA, "valid": SIDE_SCHEMA},
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

KindOf = Callable[[str], CheckKind]  # the kind of check that a template makes; RulecError where there is none


@dataclass(frozen=True, slots=True)
class DraftReading:
    """A draft, and a line for each part of what was written that is none of this form."""

    draft: Draft
    unread: tuple[str, ...] = field(default=())
    changed: tuple[str, ...] = field(default=())  # a line for each example in which look-alikes stand for secrets


def read_draft(
    value: Mapping[str, Any], source: str, kind_of: KindOf, where: str = "draft", most: int = MOST_EXAMPLES
) -> DraftReading:
    """The draft that somebody wrote, as far as it has the form; its examples are of ``source``, ``most`` of each side.

    A check without a kind stands for one of every kind that its template makes.
    """
    unread: list[str] = []
    checks = _checks(value.get("checks"), kind_of, where, unread)
    examples = value.get("examples")
    sides = examples if isinstance(examples, Mapping) else {}
    if examples and not (sides and set(sides) <= {"invalid", "valid"}):
        unread.append("its examples: write {invalid: [...], valid: [...]}")
    invalid, valid = (_examples(sides.get(side), source, unread, most, side) for side in ("invalid", "valid"))
    draft_scope = _scope(value.get("scope"), where, unread)
    draft = Draft(checks=checks, invalid=invalid, valid=valid, scope=draft_scope, not_checked=_not_checked(value))
    return DraftReading(draft, tuple(unread), tuple(_secrets_replaced(sides, most)))


def _scope(value: Any, where: str, unread: list[str]) -> Scope:
    if value and not isinstance(value, Mapping):
        globs = [str(one) for one in (value if isinstance(value, list | tuple) else [value])][:MOST_UNCHECKED]
        meant = to_one_line(json.dumps({"include": globs}, ensure_ascii=False))[:LONGEST_UNCHECKED]
        unread.append(f"its scope is no mapping: write {meant}, where the rule holds for these files alone")
        return Scope()
    try:
        return rule_file.scope_from_node(YamlNode(dict(value or {}), where, path="scope"))
    except (RulecError, TypeError, ValueError) as error:
        unread.append(f"its scope: {to_one_line(str(error))[:LONGEST_UNCHECKED]}")
        return Scope()


def _secrets_replaced(sides: Mapping[str, Any], most: int) -> Iterator[str]:
    for side, put in REPLACE_SECRETS.items():
        items = sides.get(side)
        for number, item in enumerate(items[:most] if isinstance(items, list | tuple) else ()):
            if isinstance(item, Mapping) and without_secrets(item, put) != item:
                yield f"{side}[{number}]: {STANDIN_NOTE}"


def _checks(value: Any, kind_of: KindOf, where: str, unread: list[str]) -> tuple[Check, ...]:
    found: list[Check] = []
    if value and not isinstance(value, list | tuple):
        unread.append("its checks: write a list of {template: NAME, with: {...}}")
    elif value and len(value) > MOST_CHECKS:
        unread.append(f"{len(value) - MOST_CHECKS} checks: no more than {MOST_CHECKS} are read")
    for item in value[:MOST_CHECKS] if isinstance(value, list | tuple) else ():
        try:
            check = _check(item, kind_of, where)
            found += [check] * (check not in found)
        except RulecError as error:
            unread.append(f"a check: {to_one_line(str(error))[:LONGEST_UNCHECKED]}")
    return tuple(found)


def _check(item: Any, kind_of: KindOf, where: str) -> Check:
    if not isinstance(item, Mapping):
        raise RulecError("is no mapping", where=where, hint="write {template: NAME, with: {...}}")
    refuse_oversized(item, "a check", "give a rule of your own as text, in one string")
    node = YamlNode(dict(item), where)
    node.known(("kind", "template", "with"))
    name = node.text("template", required=True)
    with_ = node.mapping("with").plain()
    kind = kind_of(name)
    if redact(repr(with_)) != repr(with_):
        raise RulecError(f"{name} holds what may be a key or an address", where=where)
    if node.has("kind"):
        node.choice("kind", (kind,), required=True)
    return Check(kind=kind, template=name, parameters=with_)


def _examples(value: Any, source: str, unread: list[str], most: int, side: str) -> tuple[Example, ...]:
    found: list[Example] = []
    if value and not isinstance(value, list | tuple):
        unread.append("its examples: each side is a list")
    elif value and len(value) > most:
        unread.append(f"{len(value) - most} examples: no more than {most} of one side are read")
    for one in read_examples_by_model(value, source, most, f"examples.{side}", REPLACE_SECRETS[side]):
        if isinstance(one, str):
            unread.append(one)
        else:
            found.append(one)
    return tuple(found)


def _not_checked(value: Mapping[str, Any]) -> tuple[str, ...]:
    items = value.get("not_checked")
    texts = items if isinstance(items, list | tuple) else [items]
    told = (excerpts.line_by_model(text, LONGEST_UNCHECKED) for text in texts[:MOST_UNCHECKED])
    return tuple(dict.fromkeys(filter(None, told)))


LONGEST_TEXT = 4_000  # characters of one text of an action
_TURN = 3_000  # characters of what the person typed
_BEFORE, _AFTER = 16, 12  # actions around a wish


def wish_data(candidate: Candidate) -> dict[str, Any]:
    """A wish and its place in the session."""
    rule, said, offered = candidate.rule, candidate.correction, candidate.offered or ReaderOpinion()
    told: dict[str, Any] = {
        "statement": rule.statement, "when": rule.when, "do": rule.do, "quote": said.quote if said else "",
        "said again": [again.correction.quote for again in candidate.repeats if again.correction],
    }  # fmt: skip
    if said:
        turn = shorten_logs(said.turn.text, _TURN)
        told["the whole turn"] = turn if turn.strip() != said.quote.strip() else ""
        told["before"] = list(_action_lines(said.before, "b", last=_BEFORE))
        told["after"] = list(_action_lines(said.after, "f", first=_AFTER))
        told["offence"] = _action_data(offered.offence, said.before, "b")
        told["fix"] = _action_data(offered.fix, said.after, "f")
    return {key: redact_all(value) for key, value in told.items() if value}


def _action_lines(actions: Sequence[Action], letter: str, *, first: int = 0, last: int = 0) -> Iterator[str]:
    """A line for each action that is near, with its id."""
    for place, action in enumerate(actions, 1):
        if place <= first or place > len(actions) - last:
            yield f"{letter}{place} {action_line(action)}"


def _action_data(action: Action | None, among: Sequence[Action], letter: str) -> dict[str, Any]:
    if action is None:
        return {}
    found = example_of(action)
    if action.kind == "edit":
        old, new = differing_lines(action.old, action.new)
        told: dict[str, Any] = {
            "edit": action.path, "old": both_ends(old, LONGEST_TEXT), "new": both_ends(new, LONGEST_TEXT),
        }  # fmt: skip
    elif found:
        told = {key: both_ends(value, LONGEST_TEXT) for key, value in plain_example(found).items()}
    else:
        command = both_ends(action.command, LONGEST_TEXT)
        told = {"tool": action.tool or action.kind, "path": action.path, "command": command}
    refused = {"refused by the person": True} if action.rejected else {}
    name = {"id": f"{letter}{among.index(action) + 1}"} if action in among else {}
    return {**name, **{key: value for key, value in told.items() if value}, **refused}


def plain_example(example: Example) -> dict[str, Any]:
    """An example in the form of rule files, without where it comes from."""
    return {key: value for key, value in example_file.example_data(example).items() if key != "source"}


def check_data(check: Check) -> dict[str, Any]:
    """A check as its author wrote it."""
    return {"template": check.template, "with": dict(check.parameters)}


def redact_all(value: Any) -> Any:
    """The value without secrets in any text of it."""
    if isinstance(value, str):
        return redact(value)
    if isinstance(value, Mapping):
        return {key: redact_all(part) for key, part in value.items()}
    return [redact_all(part) for part in value] if isinstance(value, list | tuple) else value


def as_json(value: Any) -> str:
    """The text of one block."""
    return json.dumps(value, ensure_ascii=False, indent=1)


def schema_by_wish(properties: Mapping[str, Any]) -> Mapping[str, Any]:
    """The form of an answer that has an entry with these properties for each wish, by its number."""
    entry = {"type": "object", "required": ["wish"], "properties": {"wish": {"type": "integer"}, **properties}}
    return {
        "type": "object",
        "required": ["wishes"],
        "properties": {"wishes": {"type": "array", "maxItems": 100, "items": entry}},
    }


def entries_by_wish(data: Mapping[str, Any], many: int) -> Iterator[list[Mapping[str, Any]]]:
    """The entries of such an answer for each of so many wishes: more or fewer than one say nothing for certain."""
    for number in range(1, many + 1):
        yield [item for item in data["wishes"] if item["wish"] == number]
