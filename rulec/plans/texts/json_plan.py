"""Plans as JSON: the lists that agents' own tools are called with, and files that list steps."""

from __future__ import annotations

import json
import re

from rulec.plans.plan import ACTIVE, DONE, DROPPED, LONGEST, PENDING, PlanItem
from rulec.plans.texts.step_names import is_rule_line, paths_named, without_rules, words_like_rules

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any


DEEPEST = 12  # levels of lists within lists that are read
MOST = 5_000  # items that are read
RULES = "rules"  # the key under which a step's rules are written
LISTS = (
    "todos",
    "plan",
    "todoList",
    "todo_list",
    "tasks",
    "steps",
    "phases",
    "items",
    "substeps",
    "subtasks",
    "children",
)
TEXTS = ("step", "content", "subject", "title", "task", "text", "name", "summary", "description")  # the first counts
KEYS = ("id", "taskId", "key")
_DETAILS = ("description", "details", "notes", "files", "paths")
_STATUSES = {
    PENDING: "pending todo open notstarted new planned queued blocked deferred false",
    ACTIVE: "inprogress active doing started running current wip review",
    DONE: "completed complete done resolved closed finished true",
    DROPPED: "cancelled canceled deleted dropped skipped removed abandoned wontdo",
}
_STATUS_OF = {word: status for status, words in _STATUSES.items() for word in words.split()}


def read_json_plan(text: str) -> list[PlanItem]:
    """The steps of a JSON text; [] where it is no JSON, or holds none."""
    try:
        return items_of(json.loads(text))
    except (ValueError, RecursionError):
        return []


def items_of(value: Any) -> list[PlanItem]:
    """The steps of a list, or of an object that holds one."""
    found: list[PlanItem] = []
    for listed in _lists_in(value):
        _collect(listed, found)
    return found


def _lists_in(value: Any) -> Iterator[list[Any]]:
    if isinstance(value, list):
        yield value
    elif isinstance(value, dict):
        yield from [value[name] for name in LISTS if isinstance(value.get(name), list)][:1]


def _collect(listed: list[Any], found: list[PlanItem], parent: int = -1, depth: int = 0) -> None:
    for one in listed:
        if len(found) >= MOST or not text_of(one):
            continue
        found.append(_item(one, parent))
        if isinstance(one, dict) and depth < DEEPEST:
            above = len(found) - 1
            for below in _lists_in(one):
                _collect(below, found, above, depth + 1)


def _item(one: Any, parent: int) -> PlanItem:
    if not isinstance(one, dict):
        one = {"text": one}
    item = PlanItem(text_of(one), parent, status_of(one), key_of(one))
    told = [one.get(name) for name in _DETAILS]
    details = [
        text for value in told for text in (value if isinstance(value, list) else [value]) if isinstance(text, str)
    ]
    item.paths = list(dict.fromkeys(path for text in details for path in paths_named(text)))
    raw = next((one[name] for name in TEXTS if isinstance(one.get(name), str)), "")
    rules = one.get(RULES)
    lines = [line for line in raw.split("\n") if is_rule_line(line)]
    lines += [line for line in rules if isinstance(line, str)] if isinstance(rules, list) else []
    item.named = words_like_rules("\n".join([item.text, *lines]))
    return item


def text_of(one: Any) -> str:
    """The text of a step in one line, without lines of rules; "" where it has none."""
    texts = [one] if isinstance(one, str) else [one.get(name) for name in TEXTS] if isinstance(one, dict) else []
    bare = (" ".join(without_rules(text).split()) for text in texts if isinstance(text, str))
    return next(filter(None, bare), "")[:LONGEST]


def key_of(one: dict[str, Any]) -> str:
    """The name that the agent's program gave a step; "" for none."""
    named = next((one[name] for name in KEYS if name in one), "")
    return str(named) if isinstance(named, (str, int)) and not isinstance(named, bool) else ""


def status_of(one: dict[str, Any]) -> str:
    """A step's status in our words, of an object with ``status``, ``state``, ``done`` or ``completed``."""
    for name in ("status", "state", "done", "completed"):
        told = one.get(name)
        if isinstance(told, (str, bool)):
            return _STATUS_OF.get(re.sub(r"[\W_]", "", str(told).lower()), PENDING)
    return PENDING


def write_json_plan(text: str, additions: dict[int, list[str]]) -> str:
    """The text with the lines of rules at its steps, by their index: as a list of their own, or in a mere text."""
    data = json.loads(text)
    numbers = iter(range(MOST))
    for listed in _lists_in(data):
        _write(listed, additions, numbers)
    return json.dumps(data, indent=2, ensure_ascii=False) + "\n"


def _write(listed: list[Any], additions: dict[int, list[str]], numbers: Iterator[int], depth: int = 0) -> None:
    for at, one in enumerate(listed):
        number = next(numbers, None) if text_of(one) else None
        if number is None:
            continue
        lines = additions.get(number, [])
        if isinstance(one, dict):
            one.pop(RULES, None)
            for below in _lists_in(one) if depth < DEEPEST else ():
                _write(below, additions, numbers, depth + 1)
            one.update({RULES: lines} if lines else {})
        else:
            listed[at] = "\n".join([without_rules(one), *(f"- {line}" for line in lines)])
