"""A plan and its steps: what an agent says it will do, and what is known of each step since."""

from __future__ import annotations

from rulec.domain import enforcement

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any


PENDING, ACTIVE, DONE = "pending", "active", "done"
DROPPED = "dropped"  # of an entry of an agent's list; such a step leaves the plan
LEVELS = enforcement.LEVELS
REMIND, STRICT, TESTABLE = LEVELS
LONGEST = 400  # characters of a step's text
MOST_STEPS = 500  # of one plan; a longer list is cut


class PlanItem:
    """One step as its reader found it: text, the item above it, status, the agent's name for it, paths, rules."""

    __slots__ = ("key", "named", "parent", "paths", "status", "text")

    def __init__(self, text: str, parent: int = -1, status: str = PENDING, key: str = "") -> None:
        self.text, self.parent, self.status = text, parent, status
        self.key = key  # such as the id of a task in the agent's own list; "" where it has none
        self.paths: list[str] = []  # files that its details name, besides those in its text
        self.named: list[str] = []  # words at it that may be names of rules


class Step:
    """One step of a plan."""

    __slots__ = (
        "by", "edits", "id", "key", "named", "parent", "paths", "rules", "source", "started", "status", "text",
    )  # fmt: skip

    def __init__(self, id: str, text: str, parent: str = "", status: str = PENDING, key: str = "") -> None:  # noqa: A002 (its name in the file)
        self.id, self.text, self.parent, self.status, self.key = id, text, parent, status, key
        self.source = ""  # the list of the agent that it stands on
        self.paths: list[str] = []  # paths and globs that it names
        self.named: list[str] = []  # words at it that may be names of rules
        self.started = 0.0  # seconds since 1970; 0: not begun
        self.by = ""  # what began it: status, edit
        self.edits: dict[str, float] = {}  # path -> when it was last edited in this step
        self.rules: list[list[str]] = []  # [slug, level]


_STEP_NAMES = frozenset(Step.__slots__)


class Plan:
    """The steps of one session."""

    __slots__ = ("agent", "notes", "opened", "records", "seen", "session", "source", "steps", "transcript")

    def __init__(self, session: str, agent: str = "", source: str = "") -> None:
        self.session, self.agent, self.source = session, agent, source
        self.transcript = self.records = ""  # where the agent records the session, and in whose form
        self.opened = self.seen = 0.0  # seconds since 1970
        self.steps: list[Step] = []
        self.notes: dict[str, Any] = {}  # small facts, such as the steps of which the agent was told

    def step(self, name: str) -> Step | None:
        """The step of that id."""
        return next((step for step in self.steps if step.id == name), None)

    def current(self) -> Step | None:
        """The step that is worked on: of those that are active the one that began last."""
        active = [step for step in self.steps if step.status == ACTIVE]
        return max(active, key=lambda step: step.started) if active else None

    def with_those_above(self, step: Step) -> Iterator[Step]:
        """The step and those that it is a part of."""
        above: Step | None = step
        for _ in range(len(self.steps)):
            if above is None:
                return
            yield above
            above = self.step(above.parent) if above.parent else None


def names_rule(plan: Plan, step: Step, slug: str) -> bool:
    """Whether the plan itself names the rule at the step or at one above it."""
    return any(slug in one.named for one in plan.with_those_above(step))


def plan_to_json(plan: Plan) -> dict[str, Any]:
    """The plan as it is stored."""
    parts: dict[str, Any] = {name: getattr(plan, name) for name in Plan.__slots__ if name != "steps"}
    steps = [{name: value for name in Step.__slots__ if (value := getattr(step, name))} for step in plan.steps]
    return {"schema": 1, **parts, "steps": steps}


def plan_from_json(data: dict[str, Any]) -> Plan | None:
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
    return plan


def _step_from_json(data: dict[str, Any]) -> Step | None:
    step = Step("", "")
    for name, value in data.items():
        if name in _STEP_NAMES and _fits(value, getattr(step, name)):
            setattr(step, name, value)
    rules: list[Any] = [*step.rules]
    pairs = [one for one in rules if isinstance(one, list) and len(one) == len(("slug", "level"))]
    step.rules = [[str(slug), level] for slug, level in pairs if level in LEVELS]
    step.paths, step.named = _texts(step.paths), _texts(step.named)
    edits: dict[str, object] = {**step.edits}
    step.edits = {path: at for path, at in edits.items() if isinstance(at, (int, float))}
    return step if step.id and step.text and step.status in (PENDING, ACTIVE, DONE) else None


def _fits(value: object, usual: object) -> bool:
    """Whether a value has the kind of the usual one; whole numbers are times, too."""
    return isinstance(value, type(usual)) or (isinstance(usual, float) and type(value) is int)


def _texts(listed: Sequence[object]) -> list[str]:
    return [one for one in listed if isinstance(one, str)]
