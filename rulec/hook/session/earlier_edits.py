"""What a session edited before it had a plan: the plan's steps are held to it, in whatever order the agent worked."""

import os
import time

from rulec.checkout import pending_change
from rulec.hook.session import session_state
from rulec.shell.action_events import surely_written
from rulec.steps import plan_store, step_progress
from rulec.steps.proofs.claimed_files import CLOCKS, changed_time, seconds_of
from rulec.steps.step import ACTIVE, DONE, DROPPED
from rulec.transcripts.recent_history import recent_history

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rulec.agents.protocol.agent_spec import HookRequest
    from rulec.checkout.worktree import Worktree
    from rulec.steps.step import Plan, Step


ORDER = (DONE, ACTIVE)  # the statuses of steps that may have brought an edit which no step names


def note_earlier_edits(plan: "Plan", asked: "HookRequest", world: "Worktree", commit: str) -> bool:
    """Note the edits since the session began, each for its step; those that are committed by now are nobody's.

    Whether that is done for good: as long as no step began, edits that none names are left for the one that will.
    """
    found = {path: at for path, at in _edits(asked, world).items() if not any(path in one.edits for one in plan.steps)}
    changed = {path for path, _ in pending_change.changed_paths(world.root)} if found else set()
    for path, at in found.items():
        step = _step_of(plan, path) if path in changed else None
        if step is not None:
            step.started = min(step.started or at, at)
            step.by, step.base = step.by or "edit", step.base or commit
            step.edits[path] = at
    return any(step.status in ORDER for step in plan.steps)


def _edits(asked: "HookRequest", world: "Worktree") -> "dict[str, float]":
    """The files that the session's tools and commands wrote since it began, and when each was written last."""
    begun = session_state.session_start_time(world.root, asked)
    seen = recent_history(asked, world) if begun else None
    found: "dict[str, float]" = {}
    for event in seen.events if seen else ():
        paths = surely_written(event) if event["kind"] == "command" else step_progress.edited_paths([event])
        for path in paths:
            at = seconds_of(event.get("at") or event.get("began")) or changed_time(os.path.join(world.root, path))
            if begun - CLOCKS <= at <= time.time():
                found[path] = max(at, found.get(path, 0.0))
    return found


def _step_of(plan: "Plan", path: str) -> "Step | None":
    """The first step that names the file, else the first one that is done, else the first one that is worked on."""
    naming = [step for step in plan.steps if step.status != DROPPED and plan_store.names_path(step, path)]
    others = [step for status in ORDER for step in plan.steps if step.status == status]
    return next(iter([*naming, *others]), None)
