"""Plans on the disk: one file a session in the git directory, never committed; and which edits belong to which step."""

from __future__ import annotations

import os
import time

from rulec.checkout import private_files
from rulec.checkout.worktree import PLANS, plan_file, state_directory
from rulec.domain.files import globs
from rulec.plans.plan import ACTIVE, PENDING, Plan, Step, plan_from_json, plan_to_json
from rulec.shell.action_events import FILE_KINDS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from rulec.shell.action_events import Event


TOLD = "told"  # among a plan's notes: the steps of which the agent got the rules
LARGEST = 2_000_000  # bytes of one plan's file
OLDEST = 14 * 86_400  # seconds; a plan that was not touched for longer is no longer open
MOST_EDITS = 500  # paths that one step remembers
OURS = (".git/", ".rules/compiled/", ".rules/.cache/")  # nobody's work


def has_plan(root: str, session: str) -> bool:
    """Whether the session has a plan: one look at the disk."""
    return os.path.exists(plan_file(root, session))


def load_plan(root: str, session: str) -> Plan | None:
    """The plan of a session; None where it has none, or the file is damaged."""
    return plan_from_json(private_files.read_json(plan_file(root, session), LARGEST))


def update_plan(root: str, session: str, change: Callable[[Plan], Plan | None]) -> Plan | None:
    """Change a session's plan, an empty one where there is none, while no other process does; None deletes it.

    Returns the plan as it is stored, None where there is none or it could not be written.
    """
    left: list[Plan] = []

    def changed(known: dict[str, object]) -> dict[str, object]:
        plan = change(plan_from_json(known) or Plan(session))
        left[:] = [] if plan is None else [plan]
        if plan is None:
            return {}
        plan.seen = time.time()
        plan.opened = plan.opened or plan.seen
        return plan_to_json(plan)

    done = private_files.update_json(plan_file(root, session), changed)
    return left[0] if done and left else None


def touch_plan(root: str, session: str) -> Plan | None:
    """The session's plan, noted as heard of now; None where it has none."""
    if not has_plan(root, session):
        return None
    return update_plan(root, session, lambda plan: plan if plan.steps else None)


def open_plans(root: str) -> list[Plan]:
    """The plans of this work tree that were touched lately, the last one first."""
    folder = os.path.join(state_directory(root), PLANS)
    try:
        names = [name for name in os.listdir(folder) if name.endswith(".json")]
    except OSError:
        return []
    found = [plan_from_json(private_files.read_json(os.path.join(folder, name), LARGEST)) for name in names]
    late = time.time() - OLDEST
    kept = [plan for plan in found if plan is not None and plan.steps and plan.seen >= late]
    return sorted(kept, key=lambda plan: -plan.seen)


def begin_step(step: Step, by: str, at: float) -> None:
    """Note that work on a step begins, unless it began before."""
    if not step.started:
        step.started, step.by = at, by
    if step.status == PENDING:
        step.status = ACTIVE


def edited_paths(events: Iterable[Event]) -> list[str]:
    """The repository's files that actions write or delete."""
    found = [event.path for event in events if event.kind in FILE_KINDS and event.path]
    return [
        path for path in dict.fromkeys(found) if not os.path.isabs(path) and not path.startswith((*OURS, "../", "~"))
    ]


def record_edit(plan: Plan, path: str, at: float) -> Step | None:
    """Note the edit of a file for the step that it belongs to, and begin that; None where no step is there for it."""
    owner = owner_of(plan, path)
    if owner is None:
        return None
    begin_step(owner, "edit", at)
    owner.edits.pop(path, None)
    owner.edits[path] = at
    while len(owner.edits) > MOST_EDITS:
        del owner.edits[next(iter(owner.edits))]
    return owner


def owner_of(plan: Plan, path: str) -> Step | None:
    """The step that an edit of the file belongs to now.

    That is the current step where it names the path, else the first open step that names it, else the current one.
    """
    current = plan.current()
    naming = [step for step in plan.steps if step.status in (PENDING, ACTIVE) and names_path(step, path)]
    return current if current in naming or not naming else naming[0]


def names_path(step: Step, path: str) -> bool:
    """Whether the step's text names the path, its folder, or a glob that it matches."""
    return any(  # "app/[id]/page.tsx" is a path, although it could be a glob
        named == path or path.startswith(f"{named.rstrip('/')}/") or globs.match([named], path) for named in step.paths
    )
