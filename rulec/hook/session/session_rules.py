"""Rules on what the session did before, judged on the agent's transcript."""

from __future__ import annotations

import os
import time

from rulec.checkout import tree_digest
from rulec.domain.compiled_rule import SessionCheck
from rulec.guard import decision
from rulec.guard.session.acts import seconds_of
from rulec.hook.session import changed_files, charging, session_state
from rulec.plans.proofs import suite_records
from rulec.shell import action_events
from rulec.shell.git import folders
from rulec.shell.programs import facts_of, is_shell
from rulec.transcripts import recent_history

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rulec.agents.protocol.agent_spec import HookRequest
    from rulec.checkout.worktree import Worktree
    from rulec.domain.compiled_rule import CompiledRule, EventFinding
    from rulec.shell.action_events import Act, Event
    from rulec.shell.parsing.call import Call


class RecordedRuns:
    """The runs of one repository's work trees, for one event."""

    def __init__(self, event: Event, world: Worktree) -> None:
        self.event, self.world = event, world

    def why_unproved(self, suite: str, act: Act) -> str:
        """What lacks for a recorded run that covers what is there and what the command commits; "" where nothing."""
        root = self.root_of(act)
        why = suite_records.why_unproved(root, suite)
        if why or self.event.kind != "command":
            return why
        added = [self._within(root, path) for path in changed_files.added_paths(self.event)]
        half = [path for path in tree_digest.half_staged(root) if not changed_files.is_below(added, path)]
        return f"what is staged of {min(half)} is not what was run: stage it anew" if half else ""

    def failing_test(self, suite: str, act: Act) -> str:
        """The first test that failed in the suite's last run; "" where none is known."""
        return suite_records.failing_test(self.root_of(act), suite)

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


UNREAD = "the transcript that the agent names cannot be read, so that nobody knows what came before"
UNKNOWN = "the agent names no transcript of its own, so that nobody knows what came before"
LAG = 0.15  # seconds: agents write their record with a delay, so that one looks again before one objects


def decide_with_history(
    rules: list[CompiledRule], event: Event, asked: HookRequest, world: Worktree
) -> list[EventFinding]:
    """Findings of the rules on the event; of those that look at its past, with it."""
    found = decision.decide([rule for rule in rules if _of_session(rule).asks], event)
    rules = [rule for rule in rules if not _of_session(rule).asks]
    return found + _looking_back(rules, event, asked, world) if rules else found


def _of_session(rule: CompiledRule) -> SessionCheck:
    """The check where it is one on a session; of another, one that says nothing."""
    return rule.check if isinstance(rule.check, SessionCheck) else SessionCheck()


def _looking_back(rules: list[CompiledRule], event: Event, asked: HookRequest, world: Worktree) -> list[EventFinding]:
    size = _size(asked.transcript)
    found = _decided(rules, event, asked, world)
    if any((not finding.unsure or finding.held) and not finding.fault for finding in found):
        time.sleep(LAG)
        if _size(asked.transcript) != size:
            return _decided(rules, event, asked, world)
    return found


def _decided(rules: list[CompiledRule], event: Event, asked: HookRequest, world: Worktree) -> list[EventFinding]:
    seen = recent_history.recent_history(asked, world)
    known = event.but(history=seen.events if seen else None, scripts=_script_texts)
    if any(_of_session(rule).proved_by for rule in rules):
        known.runs = RecordedRuns(event, world)
    if not seen:
        lost = bool(asked.transcript) and not os.path.isfile(asked.transcript)
        known.unread, known.held = (UNREAD if lost else UNKNOWN), lost
    if event.kind == "stop":
        known.text = asked.words or (seen.words if seen else "")
    found = decision.decide(rules, known)
    judged = any(_of_session(rule).since for rule in rules)
    if any(not one.unsure for one in found) or not (
        seen and judged and (event.kind == "stop" or "commit" in event.command)
    ):
        return found
    from rulec.hook.session import git_changes  # noqa: PLC0415 (it asks git, and few rules ask what changed since)

    history = git_changes.with_changes(seen.events, world, session_state.session_start_time(world.root, asked))
    return decision.decide(rules, known.but(history=history)) if history is not seen.events else found


def _script_texts(event: Event, call: Call) -> list[tuple[str, str]]:
    """The texts of the scripts of a shell and the recipes that a command of the session runs, each with its folder."""
    from rulec.shell import run_files  # noqa: PLC0415 (few rules ask what ran before)

    if not run_files.runs_files(call):
        return []
    over = time.time() if event.at is None else seconds_of(event.at)

    def read(path: str) -> str | None:  # only what did not change since the command was over
        changed = recent_history.last_written(event.here.absolute(path))
        return event.here.read(path) if 0 < changed <= over + charging.CLOCKS else None

    found = run_files.texts_of_scripts(event.but(reader=read, scripts_read=None, typed=False), call)
    how = facts_of(call.program).get("from_files", "")
    begins = "set -e\n" if how in run_files.RECIPES else ""  # a recipe ends with the first line that fails
    return [(begins + one.text, one.cwd) for one in found if is_shell(one.program) and one.text.strip()]


def _size(path: str) -> int:
    try:
        return os.stat(path).st_size
    except (OSError, ValueError):
        return 0
