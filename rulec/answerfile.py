"""What a model writes of a rule, as plain JSON -> examples, a check and words, each held to its form and size."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any

from rulec import examplefile
from rulec.errors import RulecError
from rulec.known.unseen import spelled
from rulec.model.artifact import one_line
from rulec.model.rule import RAW, SOURCES, Check, Example
from rulec.redact import redact, stand_in
from rulec.yamltext import Node

MOST = 8  # examples of one side
LARGEST = 20_000  # characters of one example, or of a check
_STEPS = 30  # of a session
_VALUES = 200  # that one example may hold
_DEEPEST = 8  # a session holds steps, a step of a tool its arguments, and these may be nested

# Parts of a schema: any model is held to it, and whatever fits is read with the same distrust.
EXAMPLES: Mapping[str, Any] = {"type": "array", "maxItems": 100, "items": {"type": "object"}}
CHECK: Mapping[str, Any] = {
    "type": ["object", "null"],
    "properties": {
        "kind": {"enum": ["judge", "semgrep", "shell"]},
        "rule": {"type": "string"},
        "script": {"type": "string"},
    },
    "required": ["kind"],
}


def words(value: Any, most: int) -> str:
    """One line without secrets and signs that nobody sees, "" where it is longer than that or no text."""
    if not isinstance(value, str) or len(value) > 4 * most:
        return ""
    line = "".join(sign for sign in one_line(redact(value)) if sign.isascii() or spelled(sign) == sign)
    return line if len(line) <= most else ""


def examples(
    value: Any, source: str = "", most: int = MOST, where: str = "examples", put: Callable[[str], str] = stand_in
) -> Iterator[Example | str]:
    """The examples in the form of rule files, each once and no more than ``most``; a line instead of each that is none.

    ``put`` sets look-alikes in the place of secrets. Whatever they say of their source themselves, they are of
    ``source`` where one is given, or of the weaker one.
    """
    seen: set[Example] = set()
    items = value if isinstance(value, Sequence) and not isinstance(value, str) else ()
    for number, item in enumerate(islice(items, most)):
        try:
            found = _example(item, f"{where}[{number}]", put)
        except RulecError as error:
            yield one_line("; ".join(filter(None, (error.message, error.hint))))[:300]
            continue
        if found not in seen:
            seen.add(found)
            yield replace(found, source=_weaker(source, found.source))


def _weaker(given: str, claimed: str) -> str:
    """Nobody makes an example of theirs more than it is; who says that it is less is believed."""
    return max(filter(None, (given, claimed)), key=SOURCES.index, default="")


def _example(item: Any, where: str, put: Callable[[str], str]) -> Example:
    bounded(item)
    if not isinstance(item, Mapping):
        raise RulecError(f"{where} is no mapping", hint="write the action by its kind, such as {command: npm ci}")
    node = Node(lookalike(item, put), "example", path=where)
    for name in ("files",) if node.has("files") else ():
        if not all(isinstance(text, str) for text in node.mapping(name).data.values()):
            raise node.error(name, "must map paths to texts", "quote them")
    found = examplefile.example(node)
    if not any(step.text.strip() or step.path.strip() or step.files for step in (found, *found.steps)):
        raise node.error("", "is empty", "write the action as it was done")
    if len(found.steps) > _STEPS:
        raise node.error("session", f"has more than {_STEPS} steps", "the last ones are enough")
    return found


def bounded(item: Any) -> None:
    """Refuse what is too large or too deep before anybody walks through it."""
    waiting, values, size = [(item, 0)], 0, 0
    while waiting:
        one, depth = waiting.pop()
        values, size = values + 1, size + (len(one) if isinstance(one, str) else 0)
        if values > _VALUES or size > LARGEST or depth > _DEEPEST:
            raise RulecError("an example is too large", hint="write the shortest one that shows it")
        if isinstance(one, Mapping):
            waiting += [(part, depth + 1) for pair in islice(one.items(), _VALUES) for part in pair]
        elif isinstance(one, list | tuple):
            waiting += [(part, depth + 1) for part in islice(one, _VALUES)]


def lookalike(item: Any, put: Callable[[str], str] = stand_in) -> Any:
    """An example's data with look-alikes for secrets, so that what is proved is what may be written."""
    if isinstance(item, str):
        return put(item).replace("\0", "")
    if isinstance(item, Mapping):
        return {lookalike(key, put): lookalike(part, put) for key, part in item.items()}
    return [lookalike(part, put) for part in item] if isinstance(item, list | tuple) else item


def check(value: Any) -> Check | str:
    """The check in a model's own words; a line instead of one that is none, "" where it says that it offers none."""
    if value is None:
        return ""
    kind = value.get("kind") if isinstance(value, Mapping) else None
    if kind == "judge":
        return Check(kind="judge", template="judge", parameters={"of": "diff"})
    if kind not in ("semgrep", "shell"):
        return "its check is of no known kind"
    name = RAW[f"raw-{kind}"]
    text = value.get(name)
    if not isinstance(text, str) or not text.strip():
        return f"its {kind} check has no text in its member {name!r}"
    if len(text) > LARGEST:
        return f"its {kind} check has more than {LARGEST:,} characters"
    if redact(text) != text:
        return f"its {kind} check holds what may be a key or an address"
    return Check(kind=kind, template=f"raw-{kind}", parameters={name: text})
