"""Plans on the disk: one file a session in the git directory, never committed; and which edits belong to which step."""

import os
import time

from rulec.checkout import private_files
from rulec.checkout.worktree import PLANS, plan_file, state_directory
from rulec.domain.files import globs
from rulec.steps.step import ACTIVE, PENDING, Plan, Step, plan_from_json, plan_to_json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable


SIGNS = "*?[{"  # of names that are patterns
TOLD = "told"  # among a plan's notes: the steps of which the agent got the rules
LARGEST = 2_000_000  # bytes of one plan's file
OLDEST = 14 * 86_400  # seconds; a plan that was not touched for longer is no longer open
LATER = ".edits"  # behind the name of a plan's file: the times of edits since it was stored
MOST_LATER = 50_000  # bytes of those
MOST_EDITS = 500  # paths that one step remembers


def has_plan(root: str, session: str) -> bool:
    """Whether the session has a plan: one look at the disk."""
    return os.path.exists(plan_file(root, session))


def load_plan(root: str, session: str) -> "Plan | None":
    """The plan of a session; None where it has none, or the file is damaged."""
    return _loaded(plan_file(root, session))


def _loaded(path: str) -> "Plan | None":
    plan = plan_from_json(private_files.read_json(path, LARGEST))
    if plan is not None:
        _add_later_edits(plan, path)
    return plan


def _add_later_edits(plan: Plan, path: str) -> None:
    """Add the times of the edits that were noted beside the plan since it was stored."""
    import json  # noqa: PLC0415 (a gate that only reads pieces loads none of it)

    for line in (private_files.read_file(path + LATER, LARGEST) or b"").splitlines():
        try:
            edited, at, name = json.loads(line)
        except (ValueError, TypeError, RecursionError):
            continue
        step = plan.step(name)
        if step is not None and edited in step.edits and isinstance(at, (int, float)):
            step.edits[edited] = max(step.edits[edited], at)
            plan.seen = max(plan.seen, at)
            if edited in plan.outside:
                plan.outside[edited] = [at, name]


def note_again(root: str, session: str, paths: "list[str]", at: float) -> "Plan | None":
    """Note only the time, where the edits of all these files are known already; None where more is to be noted.

    The plan that is returned lacks the times of its last edits.
    """
    import json  # noqa: PLC0415 (as above)

    plan = plan_from_json(private_files.read_json(plan_file(root, session), LARGEST))
    if plan is None:
        return None
    lines = []
    for path in paths:
        owner, outside = owner_of(plan, path)
        if owner is None:
            continue
        if not owner.started or path not in owner.edits or (outside and path not in plan.outside):
            return None
        lines.append(json.dumps([path, at, owner.id]))
    place = plan_file(root, session) + LATER
    try:
        if lines and os.path.exists(place) and os.path.getsize(place) > MOST_LATER:
            return None
        private_files.append_lines(place, lines)
    except OSError:
        return None
    return plan


def update_plan(root: str, session: str, change: "Callable[[Plan], Plan | None]") -> "Plan | None":
    """Change a session's plan, an empty one where there is none, while no other process does; None deletes it.

    Returns the plan as it is stored, None where there is none or it could not be written.
    """
    left: "list[Plan]" = []

    path = plan_file(root, session)

    def changed(known: "dict[str, object]") -> "dict[str, object]":
        plan = plan_from_json(known)
        if plan is not None:
            _add_later_edits(plan, path)
        plan = change(plan or Plan(session))
        left[:] = [] if plan is None else [plan]
        if plan is None:
            return {}
        plan.seen = time.time()
        plan.opened = plan.opened or plan.seen
        for step in plan.steps:
            step.known = step.known or plan.seen
        return plan_to_json(plan)

    done = private_files.update_json(path, changed)
    if done and os.path.exists(path + LATER):
        os.unlink(path + LATER)
    return left[0] if done and left else None


def open_plans(root: str) -> "list[Plan]":
    """The plans of this work tree that were touched lately, the last one first."""
    folder = os.path.join(state_directory(root), PLANS)
    try:
        names = [name for name in os.listdir(folder) if name.endswith(".json")]
    except OSError:
        return []
    found = [_loaded(os.path.join(folder, name)) for name in names]
    late = time.time() - OLDEST
    kept = [plan for plan in found if plan is not None and plan.steps and plan.seen >= late]
    return sorted(kept, key=lambda plan: -plan.seen)


def untold_step(plan: Plan) -> "Step | None":
    """The step that is worked on, where it has rules that the agent was not told yet."""
    step, told = plan.current(), plan.notes.get(TOLD)
    if step is None or (isinstance(told, list) and step.id in told):
        return None
    return step if step.rules or plan.always else None


def begin_step(step: Step, by: str, commit: "str | Callable[[], str]", at: float) -> None:
    """Note that work on a step begins, unless it began before; ``commit`` is what is checked out, or says that."""
    if not step.started:
        step.started, step.by, step.base = at, by, commit if isinstance(commit, str) else commit()
    if step.status == PENDING:
        step.status = ACTIVE


def record_edit(plan: Plan, path: str, commit: "str | Callable[[], str]", at: float) -> "Step | None":
    """Note the edit of a file for the step that it belongs to, and begin that; None where no step is there for it."""
    owner, outside = owner_of(plan, path)
    if owner is None:
        return None
    if outside:
        plan.outside[path] = [at, owner.id]
    begin_step(owner, "edit", commit, at)
    owner.edits.pop(path, None)
    owner.edits[path] = at
    while len(owner.edits) > MOST_EDITS:
        del owner.edits[next(iter(owner.edits))]
    return owner


def owner_of(plan: Plan, path: str) -> "tuple[Step | None, bool]":
    """The step that an edit of the file belongs to now, and whether it is outside of that step's paths.

    That is the current step where it names the path or nothing, else the first open step that names it, else the
    current one: then the edit is outside of its paths.
    """
    current = plan.current()
    naming = [step for step in plan.steps if step.status in (PENDING, ACTIVE) and names_path(step, path)]
    if current is not None and (current in naming or (not current.paths and not naming)):
        return current, False
    return (naming[0], False) if naming else (current, True)


def names_path(step: Step, path: str) -> bool:
    """Whether the step's text names the path, its folder, or a glob that it matches."""
    return any(  # "app/[id]/page.tsx" is a path, although it could be a glob
        named == path or globs.match([named], path) or path.startswith(f"{named.rstrip('/')}/")
        for named in step.paths
        if _may_name(named, path)
    )


def _may_name(named: str, path: str) -> bool:
    """Whether the name may be one of the path, by a quick look: to make a pattern of each costs a call too much."""
    last = named.rstrip("/").rpartition("/")[2]
    return last in path or last == "." or any(sign in named for sign in SIGNS)
