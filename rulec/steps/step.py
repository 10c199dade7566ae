"""A plan and its steps: what an agent says it will do, and what is known of each step since."""

from rulec.domain import enforcement

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any


PENDING, ACTIVE, DONE, DROPPED = "pending", "active", "done", "dropped"
STATUSES = (PENDING, ACTIVE, DONE, DROPPED)
LEVELS = enforcement.LEVELS
REMIND, STRICT, TESTABLE = LEVELS
LONGEST = 400  # characters of a step's text
MOST_STEPS = 500  # of one plan; a longer list is cut


class PlanItem:
    """One step as its reader found it: text, the item above it, status, its line, and a name that the agent gave it."""

    __slots__ = ("key", "line", "named", "parent", "paths", "status", "text")

    def __init__(self, text: str, parent: int = -1, status: str = PENDING, line: int = 0, key: str = "") -> None:
        self.text, self.parent, self.status, self.line = text, parent, status, line
        self.key = key  # such as the id of a task in the agent's own list; "" where it has none
        self.paths: "list[str]" = []  # files that its details name, besides those in its text
        self.named: "list[str]" = []  # rules that the plan itself names at it


class Step:
    """One step of a plan."""

    __slots__ = (
        "base", "by", "edits", "id", "key", "known", "named", "origin", "parent", "paths", "rules", "started", "status",
        "text",
    )  # fmt: skip

    def __init__(self, id: str, text: str, parent: str = "", status: str = PENDING, key: str = "") -> None:  # noqa: A002 (its name in the file)
        self.id, self.text, self.parent, self.status, self.key = id, text, parent, status, key
        self.origin = ""  # the text that it got its id by, where a word of that was changed since
        self.paths: "list[str]" = []  # paths and globs that the text names
        self.named: "list[str]" = []  # rules that the plan itself names at it, as far as words can be such
        self.known = 0.0  # seconds since 1970: when the plan had it first
        self.started = 0.0  # seconds since 1970; 0: not begun
        self.by = ""  # what began it: status, edit
        self.base = ""  # the commit that was checked out then
        self.edits: "dict[str, float]" = {}  # path -> when it was last edited in this step
        self.rules: "list[list[str]]" = []  # [slug, level]


_STEP_NAMES = frozenset(Step.__slots__)


class Plan:
    """The steps of one session."""

    __slots__ = (
        "agent", "always", "notes", "opened", "outside", "records", "seen", "session", "source", "steps", "transcript",
    )  # fmt: skip

    def __init__(self, session: str, agent: str = "", source: str = "") -> None:
        self.session, self.agent, self.source = session, agent, source
        self.transcript = self.records = ""  # where the agent records the session, and in whose form
        self.opened = self.seen = 0.0  # seconds since 1970
        self.steps: "list[Step]" = []
        self.always: "list[list[str]]" = []  # rules of every step: [slug, level]
        self.outside: "dict[str, list[Any]]" = {}  # path edited outside of the step's paths -> [time, step]
        self.notes: "dict[str, Any]" = {}  # small facts, such as which plan text was denied once

    def step(self, name: str) -> "Step | None":
        """The step of that id."""
        return next((step for step in self.steps if step.id == name), None)

    def current(self) -> "Step | None":
        """The step that is worked on: of those that are active the one that began last."""
        active = [step for step in self.steps if step.status == ACTIVE]
        return max(active, key=lambda step: step.started) if active else None


def names_rule(plan: Plan, step: Step, slug: str) -> bool:
    """Whether the plan itself names the rule at the step or at one above it."""
    above: "Step | None" = step
    for _ in range(len(plan.steps)):
        if above is None:
            break
        if slug in above.named:
            return True
        above = plan.step(above.parent) if above.parent else None
    return False


def is_started(step: Step) -> bool:
    """Whether work on the step began: by its status, or by an edit."""
    return step.started > 0 and step.status != DROPPED


def plan_to_json(plan: Plan) -> "dict[str, Any]":
    """The plan as it is stored."""
    parts: "dict[str, Any]" = {name: getattr(plan, name) for name in Plan.__slots__ if name != "steps"}
    return {"schema": 1, **parts, "steps": [_step_to_json(step) for step in plan.steps]}


def _step_to_json(step: Step) -> "dict[str, Any]":
    return {name: value for name in Step.__slots__ if (value := getattr(step, name))}


def plan_from_json(data: "dict[str, Any]") -> "Plan | None":
    """The plan in what was stored; None where it is none of ours. Odd parts are left out."""
    session = data.get("session")
    if data.get("schema") != 1 or not isinstance(session, str):
        return None
    plan = Plan(session)
    for name in Plan.__slots__:
        value = data.get(name)
        if name != "steps" and _fits(value, getattr(plan, name)):
            setattr(plan, name, value)
    listed = data.get("steps")
    found = [_step_from_json(one) for one in listed if isinstance(one, dict)] if isinstance(listed, list) else []
    plan.steps = [step for step in found if step is not None][:MOST_STEPS]
    plan.always = _pairs(plan.always)
    return plan


def _step_from_json(data: "dict[str, Any]") -> "Step | None":
    step = Step("", "")
    for name, value in data.items():
        if name in _STEP_NAMES and _fits(value, getattr(step, name)):
            setattr(step, name, value)
    step.rules = _pairs(step.rules) if step.rules else []
    step.paths, step.named = _texts(step.paths), _texts(step.named)
    if step.edits:
        edits: "dict[str, object]" = {**step.edits}
        step.edits = {path: at for path, at in edits.items() if isinstance(at, (int, float))}
    return step if step.id and step.text and step.status in STATUSES else None


def _fits(value: object, usual: object) -> bool:
    """Whether a value has the kind of the usual one; whole numbers are times, too."""
    return isinstance(value, type(usual)) or (isinstance(usual, float) and type(value) is int)


def _texts(listed: "Sequence[object]") -> "list[str]":
    return [one for one in listed if isinstance(one, str)]


def _pairs(listed: "Sequence[object]") -> "list[list[str]]":
    pairs = [one for one in listed if isinstance(one, list) and len(one) == len(("slug", "level"))]
    return [[str(slug), level] for slug, level in pairs if level in LEVELS]
