"""What a rule with ``proved_by`` asks of the recorded runs."""

from __future__ import annotations

import os

from rulec.checkout import tree_digest
from rulec.hook.session import changed_files
from rulec.plans import run_records
from rulec.shell import action_events
from rulec.shell.git import folders

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from rulec.checkout.worktree import Worktree
    from rulec.guard.session.acts import Act


class RecordedRuns:
    """The runs of one repository's work trees, for one event."""

    def __init__(self, event: dict[str, Any], world: Worktree) -> None:
        self.event, self.world = event, world

    def why_unproved(self, suite: str, act: Act) -> str:
        """What lacks for a recorded run that covers what is there and what the command commits; "" where nothing."""
        root = self.root_of(act)
        why = run_records.why_unproved(root, suite)
        if why or self.event["kind"] != "command":
            return why
        added = [self._within(root, path) for path in changed_files.added_paths(self.event)]
        half = [path for path in tree_digest.half_staged(root) if not changed_files.is_below(added, path)]
        return f"what is staged of {min(half)} is not what was run: stage it anew" if half else ""

    def failing_test(self, suite: str, act: Act) -> str:
        """The first test that failed in the suite's last run; "" where none is known."""
        return run_records.failing_test(self.root_of(act), suite)

    def root_of(self, act: Act) -> str:
        """The work tree of this repository that a command works in; the session's own where that is not known."""
        call = act.call
        folder = folders.git_folder(call) if act.kind == "run" and call.program == "git" else call.cwd
        if act.kind != "run" or call.adrift or not folder:
            return self.world.root
        place = self.world.absolute(action_events.relative_path(self.event, folder))
        return self.world.other_root(os.path.join(place, ".")) or self.world.root

    def _within(self, root: str, path: str) -> str:
        """A path as the other work tree of the same repository has it."""
        whole = self.world.absolute(path) if path else ""
        return whole[len(root.rstrip("/")) + 1 :] or "." if whole and f"{whole}/".startswith(f"{root}/") else path
