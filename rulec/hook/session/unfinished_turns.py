"""What a turn was let end without: the commit of that work waits until it comes, or until a person clears it."""

from __future__ import annotations

import os
import time

from rulec.checkout import ledger, private_files
from rulec.checkout.worktree import shared_state_directory
from rulec.domain.compiled_rule import ReplyCheck, SessionCheck
from rulec.shell.action_events import Event

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from rulec.agents.protocol.agent_spec import HookRequest
    from rulec.checkout.worktree import Worktree
    from rulec.domain.compiled_rule import CompiledRule, EventFinding, GuardCheck
    from rulec.hook.compiled_rules import CompiledRules
    from rulec.hook.pending_files import PendingChange


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
    from rulec.hook.session import session_rules  # noqa: PLC0415 (only where something is open)
    from rulec.transcripts import recent_history  # noqa: PLC0415 (only where something is open)

    if not recent_history.recent_history(asked, world) or session_rules.decide_with_history(left, event, asked, world):
        return
    if not _stands_by_hand(slugs - {rule.facts.slug for rule in left}, asked, compiled, world):
        clear_debts(world.root, asked)


def _stands_by_hand(slugs: set[str], asked: HookRequest, compiled: CompiledRules, world: Worktree) -> bool:
    """Whether a file that only its generator may write is still as the session's own hand left it."""
    if not slugs:
        return False
    from rulec.hook.pending_files import PendingChange  # noqa: PLC0415 (only where something is open)
    from rulec.hook.session import changed_files, charging, session_state  # noqa: PLC0415 (as above)

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
