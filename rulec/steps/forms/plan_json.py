"""Plans as JSON: the todo list and the tasks of Claude Code, the plan of Codex, and any list of steps."""

import json
import re

from rulec.steps.rule_lines import ALWAYS, checked_lines, is_rule_line, without_rules
from rulec.steps.step import ACTIVE, DONE, DROPPED, LONGEST, PENDING, PlanItem
from rulec.steps.step_paths import paths_named

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


TODO_LIST, TASKS, CODEX, JSON = "todo", "tasks", "codex", "json"
JSON_FORMS = (TODO_LIST, TASKS, CODEX, JSON)
DEEPEST = 12  # levels of lists within lists that are read
MOST = 5_000  # items that are read
_TEXTS = (
    "step",
    "content",
    "subject",
    "title",
    "task",
    "text",
    "name",
    "summary",
    "description",
)  # the first one counts
_LISTS = ("todos", "plan", "tasks", "steps", "phases", "items", "substeps", "subtasks", "children", "todo_list")
_KEYS = ("id", "key")
_INPUTS = ("tool_input", "input")  # where a call has what it is called with
_DETAILS = ("description", "details", "notes", "files", "paths")
_STATUSES = {
    PENDING: "pending todo open notstarted new planned queued blocked deferred false",
    ACTIVE: "inprogress active doing started running current wip review",
    DONE: "completed complete done resolved closed finished true",
    DROPPED: "cancelled canceled deleted dropped skipped removed abandoned wontdo",
}
_STATUS_OF = {word: status for status, words in _STATUSES.items() for word in words.split()}
_LISTED = re.compile(
    r"#(\d{1,6}) \[(pending|in_progress|completed|deleted)\] (.+?)"
    r"(?: \((?:owner: )?[^()]*\))?(?: \[blocked by [^\]]*\])?\r?"
)


class JsonItem(PlanItem):
    """A step of JSON, with the place of its text: the number of the document, and the keys that lead there."""

    __slots__ = ("place",)

    def __init__(self, text: str, parent: int, status: str, key: str) -> None:
        super().__init__(" ".join(text.split())[:LONGEST], parent, status, 0, key)
        self.place: "tuple[Any, ...]" = ()


def read_json(text: str) -> "tuple[str, list[JsonItem]]":
    """The form of the text, and its steps; ("", []) where it is no JSON, or holds none."""
    documents = _documents(text)
    if documents is None:
        return "", []
    values = [value for _, value in documents]
    reader = _Reader()
    if len(values) == 1:
        reader.root(values[0], (0,))
    else:
        for number, value in enumerate(values):
            reader.one(value, (number,), -1)
    return (reader.form(values) if reader.found else ""), reader.found


def write_json(text: str, additions: "dict[int, list[str]]", always: "list[str]") -> str:
    """The text with lines of rules in the texts of its steps, by their index; all else is left byte for byte.

    The rules of all steps stand in Codex's explanation where there is one, else in front in the first step's text.
    """
    from rulec.steps.forms.json_places import string_places  # noqa: PLC0415 (only what writes needs it)

    _, items = read_json(text)
    documents = _documents(text) or []
    wanted: "dict[tuple[Any, ...], list[str]]" = {
        item.place: checked_lines(additions.get(index) or []) for index, item in enumerate(items)
    }
    if always and items:
        first = _explanation(documents) or items[0].place
        block = [ALWAYS, *(f"- {line}" for line in checked_lines(always))]
        wanted[first] = [*wanted.get(first, []), *block]
    elif _explanation(documents):
        wanted.setdefault(_explanation(documents), [])
    places = string_places(text, [start for start, _ in documents])
    pieces, last = [], 0
    for place in sorted((place for place in wanted if place in places), key=lambda place: places[place]):
        start, end = places[place]
        told = json.loads(text[start:end])
        lines = [line if line == ALWAYS or line.startswith("- ") else f"- {line}" for line in wanted[place]]
        new = "\n".join([without_rules(told), *lines])
        if new != told:
            pieces += [text[last:start], json.dumps(new, ensure_ascii=text.isascii())]
            last = end
    return "".join([*pieces, text[last:]])


def _explanation(documents: "list[tuple[int, Any]]") -> "tuple[Any, ...]":
    """The place of the explanation that goes with Codex's plan; empty where there is none."""
    value = documents[0][1] if len(documents) == 1 else None
    return (0, "explanation") if isinstance(value, dict) and isinstance(value.get("explanation"), str) else ()


def _documents(text: str) -> "list[tuple[int, Any]] | None":
    """The JSON values of a text, one or one a line, each with where it begins; None where it is none."""
    start = len(text) - len(text.lstrip("\ufeff \t\r\n"))
    if text[start : start + 1] not in ("{", "["):
        return None
    try:
        return [(start, json.loads(text[start:]))]
    except (ValueError, RecursionError):
        pass
    found: "list[tuple[int, Any]]" = []
    at = 0
    for line in text.split("\n"):
        if line.strip("\ufeff \t\r"):
            lead = len(line) - len(line.lstrip("\ufeff \t\r"))
            try:
                value = json.loads(line[lead:])
            except (ValueError, RecursionError):
                return None
            if not isinstance(value, dict):
                return None
            found.append((at + lead, value))
        at += len(line) + 1
    return found


class _Reader:
    def __init__(self) -> None:
        self.found: "list[JsonItem]" = []
        self.keys: "dict[str, int]" = {}  # the id that the agent gave -> index

    def root(self, value: "Any", place: "tuple[Any, ...]", depth: int = 0) -> None:
        """Read a whole document: a list of steps, an object that holds one, or one task."""
        if isinstance(value, list):
            for number, one in enumerate(value):
                self.one(one, (*place, number), -1)
            return
        if not isinstance(value, dict) or depth > 3:
            return
        name = next((name for name in _LISTS if isinstance(value.get(name), list)), "")
        if name:
            self.root(value[name], (*place, name))
            return
        if isinstance(value.get("subject"), str) or any(isinstance(value.get(one), dict) for one in _INPUTS):
            self.one(value, place, -1)
            return
        for key, inner in value.items():
            if isinstance(inner, dict) and not self.found:
                self.root(inner, (*place, key), depth + 1)

    def one(self, value: "Any", place: "tuple[Any, ...]", parent: int, depth: int = 0) -> None:
        """Read one step, or a call that makes or changes one, and what is below it."""
        if depth > DEEPEST or len(self.found) >= MOST:
            return
        call = next((name for name in _INPUTS if isinstance(value, dict) and isinstance(value.get(name), dict)), "")
        if call:
            self.one(value[call], (*place, call), parent, depth + 1)
        elif isinstance(value, str) and without_rules(value).strip():
            self._add(value, parent, PENDING, "", place)
        elif isinstance(value, dict) and "taskId" in value:
            index = self.keys.get(str(value["taskId"]))
            if index is not None:
                self._update(value, index)
        elif isinstance(value, dict):
            self._object(value, place, parent, depth)

    def _object(self, value: "dict[str, Any]", place: "tuple[Any, ...]", parent: int, depth: int) -> None:
        texts = ((name, value.get(name)) for name in _TEXTS)
        name = next((name for name, text in texts if isinstance(text, str) and without_rules(text).strip()), "")
        if not name:
            return
        key = next((str(value[key]) for key in _KEYS if isinstance(value.get(key), (str, int))), "")
        index = self._add(value[name], parent, status_of(value), key, (*place, name))
        for detail in _DETAILS:
            if detail != name:
                self._details(index, value.get(detail))
        if isinstance(value.get("description"), str) and name == "subject":
            self.found[index].place = (*place, "description")  # the subject is a title of one line
        for below in _LISTS:
            if isinstance(value.get(below), list):
                for number, one in enumerate(value[below]):
                    self.one(one, (*place, below, number), index, depth + 1)

    def _add(self, text: str, parent: int, status: str, key: str, place: "tuple[Any, ...]") -> int:
        told = without_rules(text).strip()
        item = JsonItem(told, parent, status, key)
        item.place, item.paths = place, paths_named(told)
        self.found.append(item)
        # Tasks that are created get their numbers in order.
        self.keys[key or str(len(self.found))] = len(self.found) - 1
        return len(self.found) - 1

    def _update(self, value: "dict[str, Any]", index: int) -> None:
        """A change of a task that was made before in the same text."""
        if "status" in value:
            self.found[index].status = status_of(value)
        if isinstance(value.get("subject"), str):
            self.found[index].text = " ".join(without_rules(value["subject"]).split())[:LONGEST]

    def _details(self, index: int, value: "Any") -> None:
        told = [value] if isinstance(value, str) else value if isinstance(value, list) else []
        known = self.found[index].paths
        for one in told:
            if isinstance(one, str):
                known.extend(path for path in paths_named(without_rules(one)) if path not in known)

    def form(self, values: "list[Any]") -> str:
        """Whose list it is, by the names of its fields."""
        last = {item.place[-1] for item in self.found}
        top = values[0] if len(values) == 1 and isinstance(values[0], dict) else {}
        if last == {"step"} and isinstance(top.get("plan"), list):
            return CODEX
        if last == {"content"} and ("todos" in top or isinstance(values[0], list)):
            return TODO_LIST
        subjects = {"subject", "description"}
        return TASKS if last <= subjects and '"subject"' in json.dumps(values[:1])[:100_000] else JSON


def status_of(value: "dict[str, Any]") -> str:
    """A step's status in our words, of an object with ``status``, ``state``, ``done`` or ``completed``."""
    for name in ("status", "state", "done", "completed"):
        told = value.get(name)
        if isinstance(told, (str, bool)):
            return _STATUS_OF.get(re.sub(r"[\W_]", "", str(told).lower()), PENDING)
    return PENDING


def read_listed(text: str) -> "list[PlanItem]":
    """The steps of what TaskList answers: lines like "#2 [pending] Add the loader [blocked by #1]", and no others."""
    found: "list[PlanItem]" = []
    for number, line in enumerate(text.split("\n"), start=1):
        told = line.strip()
        if not told or is_rule_line(told) or told == ALWAYS:
            continue
        listed = _LISTED.fullmatch(told) if len(line) < 4 * LONGEST else None
        if not listed:
            return []
        item = PlanItem(listed[3].strip()[:LONGEST], -1, _STATUS_OF[listed[2].replace("_", "")], number, listed[1])
        item.paths = paths_named(item.text)
        found.append(item)
    return found
