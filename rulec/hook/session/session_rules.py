"""Rules on what the session did before, judged on the agent's transcript."""

from __future__ import annotations

import itertools
import os
import time

from rulec.checkout import ledger, pending_change, private_files, tree_digest
from rulec.checkout.worktree import shared_state_directory
from rulec.domain.compiled_rule import ReplyCheck, SessionCheck
from rulec.guard import acts, decision
from rulec.guard.acts import seconds_of
from rulec.hook import session_state
from rulec.hook.session import changed_files, charging
from rulec.plans.proofs import suite_records
from rulec.shell import action_events
from rulec.shell.action_events import FILE_KINDS, Event
from rulec.shell.git import folders
from rulec.shell.programs import facts_of, is_shell
from rulec.transcripts import recent_history

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from rulec.agents.protocol.agent_spec import HookRequest
    from rulec.checkout.worktree import Worktree
    from rulec.domain.compiled_rule import CompiledRule, EventFinding, GuardCheck
    from rulec.hook.compiled_rules import CompiledRules
    from rulec.hook.pending_files import PendingChange
    from rulec.shell.action_events import Act
    from rulec.shell.parsing.call import Call, CarriedText


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
    known = event.but(history=seen.events if seen else None)
    known.scripts = lambda one, call: _scripts_run(one, call, seen.events if seen else [])
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

    history = with_changes(seen.events, world, session_state.session_start_time(world.root, asked))
    return decision.decide(rules, known.but(history=history)) if history is not seen.events else found


def _scripts_run(event: Event, call: Call, events: list[Event]) -> list[CarriedText]:
    """The scripts of a shell and the recipes that a command of the session runs."""
    from rulec.shell import run_files  # noqa: PLC0415 (few rules ask what ran before)

    if not run_files.runs_files(call):
        return []
    over = time.time() if event.at is None else seconds_of(event.at)

    def read(path: str) -> str | None:  # only what did not change since the command was over
        changed, text = recent_history.last_written(event.here.absolute(path)), event.here.read(path)
        return text if 0 < changed <= over + charging.CLOCKS or _wrote_before(event, path, text, events) else None

    found = run_files.texts_of_scripts(event.but(reader=read, scripts_read=None, typed=False), call)
    how = facts_of(call.program).get("from_files", "")
    scripts = [one for one in found if is_shell(one.program) and one.text.strip()]
    for one in scripts if how in run_files.RECIPES else ():
        one.text = "set -e\n" + one.text  # a recipe ends with the first line that fails
    return scripts


def _wrote_before(event: Event, path: str, text: str | None, events: list[Event]) -> bool:
    """Whether the session wrote this text there before the command; clocks need not agree where its record says so."""
    place = event.here.absolute(path)
    before = itertools.takewhile(lambda one: one is not event, events)
    return text is not None and any(
        one.kind == "write" and one.content == text and event.here.absolute(one.path) == place for one in before
    )


def _size(path: str) -> int:
    try:
        return os.stat(path).st_size
    except (OSError, ValueError):
        return 0


def with_changes(events: list[Event], world: Worktree, begun: float) -> list[Event]:
    """The session's events and, each at its time, the changes of files that differ from HEAD.

    A deleted file has no time. Where the record or the session's beginning has none, nothing is added.
    """
    times = charging.times_of(events)
    if not begun or not times:
        return events
    found = [(at, float(number), event) for number, (at, event) in enumerate(zip(times, events, strict=False))]
    for path, kind in pending_change.changed_paths(world.root):
        changed = charging.changed_at(world.absolute(path)) if kind != "delete" else 0.0
        number = _call_at(events, changed)
        if changed <= begun or (number is None and changed - pending_change.SLACK <= begun):
            continue
        at = changed - pending_change.SLACK if number is None else times[number]
        edit = Event(kind="edit", path=path, root=world.root, world=world)
        edit.unsure = number is None and charging.has_spans(events)
        found.append((at, -1.0 if number is None else number - 0.5, edit))
        over = next((event for event, other in zip(events, times, strict=False) if other >= at), None)
        if over:
            _confirm(over, path)
    return [event for _, _, event in sorted(found, key=lambda one: one[:2])]


def _call_at(events: list[Event], changed: float) -> int | None:
    """Which call that may write was under way at that time; None where none was."""
    under_way = charging.events_at(events, changed) or []
    writing = [one for one in under_way if one.kind in FILE_KINDS or charging.may_have_written(one)]
    return next((number for number, event in enumerate(events) if any(event is one for one in writing)), None)


def _confirm(event: Event, path: str) -> None:
    """An edit that the command's text shows only perhaps did happen, where a file there changed while it ran."""
    for act in acts.acts_of(event) if event.kind == "command" else ():
        if act.kind == "edit" and not act.sure and f"{path}/".startswith(act.path.rstrip("/") + "/"):
            act.path, act.sure = path, True


STATE = "waived.json"  # in the git folder
MOST = 30  # sessions
MOST_PATHS = 2_000
OLDEST = 14 * 86_400  # seconds
LARGEST = 4_000_000
OF_GIT = ("git ", "rulec ")  # what comes after a commit, or is one, cannot be waited for


def debts_of_commit(compiled: CompiledRules, found: list[EventFinding]) -> list[EventFinding]:
    """The findings of rules on the end of a turn for which a commit can wait."""
    checks = {rule.facts.slug: rule.check for rule in _rules(compiled)}
    awaited = [one for one in found if one.slug in checks and not _of_git(checks[one.slug])]
    return awaited + [one for one in found if one.by_hand]


def left_to_commit(compiled: CompiledRules, found: list[EventFinding]) -> list[EventFinding]:
    """The findings that the commit gate sees for itself."""
    slugs = {rule.facts.slug for rule in _rules(compiled, (SessionCheck, ReplyCheck))}
    return [one for one in found if one.slug not in slugs and not one.by_hand]


def note_debts(root: str, asked: HookRequest, found: list[EventFinding], pending: PendingChange) -> bool:
    """Keep in mind what is lacking, and of which files; whether that could be done."""
    paths = [file.path for file in pending.recent()][:MOST_PATHS]
    lacks = [{"slug": one.slug, "text": one.text, "cure": one.cure} for one in found]
    entry = {"at": time.time(), "root": os.path.realpath(root), "paths": paths, "lacks": lacks}
    return bool(paths) and _put_entry(root, asked, entry)


def clear_debts(root: str, asked: HookRequest) -> None:
    """The session's turn ended with all that it needs."""
    if _key(root, asked) in _entries(root):
        _put_entry(root, asked, None)


def recheck_debts(asked: HookRequest, compiled: CompiledRules, world: Worktree) -> None:
    """Before a commit: what the session was let end without may have come by now."""
    entry = _entries(world.root).get(_key(world.root, asked))
    if not entry:
        return
    event = Event(kind="stop", root=world.root, world=world, environment="local")
    slugs = {str(one.get("slug")) for one in entry["lacks"]}
    rules = [rule for rule in _rules(compiled) if rule.facts.slug in slugs]
    left = [rule.but(check=rule.check.but(before_claims=())) for rule in rules]
    from rulec.transcripts import recent_history  # noqa: PLC0415 (only where something is open)

    if not recent_history.recent_history(asked, world) or decide_with_history(left, event, asked, world):
        return
    if not _stands_by_hand(slugs - {rule.facts.slug for rule in left}, asked, compiled, world):
        clear_debts(world.root, asked)


def _stands_by_hand(slugs: set[str], asked: HookRequest, compiled: CompiledRules, world: Worktree) -> bool:
    """Whether a file that only its generator may write is still as the session's own hand left it."""
    if not slugs:
        return False
    from rulec.hook import session_state  # noqa: PLC0415 (as above)
    from rulec.hook.pending_files import PendingChange  # noqa: PLC0415 (only where something is open)
    from rulec.hook.session import changed_files, charging  # noqa: PLC0415 (as above)

    pending = PendingChange(world, "", session_state.session_start_time(world.root, asked))
    found = changed_files.judge_files(pending.recent(), asked, compiled, charging.OwnWork(asked, pending))
    return any(one.by_hand and one.slug in slugs for one in found)


def _rules(compiled: CompiledRules, kinds: tuple[type[GuardCheck], ...] = (SessionCheck,)) -> list[CompiledRule]:
    return [rule for rule in compiled.for_event(Event(kind="stop"))[0] if isinstance(rule.check, kinds)]


def _of_git(check: GuardCheck) -> bool:
    return isinstance(check, SessionCheck) and any(f"{one} ".startswith(OF_GIT) for one in check.first_commands)


def _key(root: str, asked: HookRequest) -> str:
    return ledger.short_digest(f"{os.path.realpath(root)}\n{asked.session}")


def _state_file(root: str) -> str:
    return os.path.join(shared_state_directory(root), STATE)


def _entries(root: str) -> dict[str, dict[str, Any]]:
    return _current(private_files.read_json(_state_file(root), LARGEST))


def _current(known: dict[str, Any]) -> dict[str, dict[str, Any]]:
    late = time.time() - OLDEST
    return {key: one for key, one in known.items() if _is_valid(one) and one["at"] > late}


def _is_valid(entry: object) -> bool:
    if not isinstance(entry, dict) or not isinstance(entry.get("at"), (int, float)):
        return False
    lacks = entry.get("lacks")
    return isinstance(lacks, list) and all(isinstance(one, dict) for one in lacks)


def _put_entry(root: str, asked: HookRequest, entry: dict[str, Any] | None) -> bool:
    """Keep the last ones; nothing is left where nothing is open, so that commits look no further."""
    key = _key(root, asked)
    return private_files.update_json(
        _state_file(root), lambda known: private_files.with_entry(_current(known), key, entry, MOST)
    )
