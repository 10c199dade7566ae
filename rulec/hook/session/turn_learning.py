"""The end of a turn -> what it showed of the rules that the agent was told or broke, for the person's weights.

A tool call pays for none of it. Nothing here is a gate: whatever breaks is left out, and the turn ends as it would.
"""

from __future__ import annotations

import json
import os

from rulec.checkout import ledger
from rulec.checkout.rules_layout import GUARD, WORDS
from rulec.checkout.worktree import open_regular
from rulec.domain.compiled_rule import (
    EVERYWHERE,
    CommandCheck,
    CompiledRule,
    DependencyCheck,
    PathCheck,
    TextCheck,
    read_rule,
)
from rulec.domain.files import globs
from rulec.guard import scopes
from rulec.hook import session_state
from rulec.hook.session import session_reminders
from rulec.reminders import rule_records
from rulec.shell.action_events import parsed_command
from rulec.shell.command_matching import matches
from rulec.transcripts import recent_history
from rulec.weights import learning, person_bonus, weight_store
from rulec.weights.formulas import TurnFacts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rulec.agents.protocol.agent_spec import AgentSpec, HookRequest
    from rulec.checkout.worktree import Worktree
    from rulec.hook.pending_files import PendingChange
    from rulec.shell.parsing.call import Call


LONGEST_TURN = 1_000_000  # bytes of the record's end in which the turn's commands are looked for
LARGEST = 100_000  # bytes of one artifact
MOST_CHECKS = 60  # of rules that were told

OF_FILES = (PathCheck, TextCheck, DependencyCheck)


def learn_from_turn(agent: AgentSpec, asked: HookRequest, world: Worktree, pending: PendingChange) -> None:
    """Note which told rules were kept where that counts, and change the person's weights by what the turn showed."""
    root = world.root
    if not asked.session or asked.session == ledger.DOCTOR_SESSION or not os.path.isdir(os.path.join(root, WORDS)):
        return
    if person_bonus.is_off(root):
        return
    began = weight_store.turn_of(root, asked.session)[0] or session_state.session_start_time(root, asked)
    told = session_reminders.told_in_session(root, asked.session)
    broken, blocked = ledger.found_in_session(root, asked.session, began)
    kept = _kept(asked, world, pending, began, told - broken - blocked)
    ledger.note_kept(root, agent.name, asked.session, kept)
    facts = {
        slug: TurnFacts(told=slug in told, broken=slug in broken, kept=slug in kept, blocked=slug in blocked)
        for slug in {*broken, *blocked, *kept}
    }
    learning.learn(root, asked.session, rule_records.gather_rules(root), facts)


def _kept(asked: HookRequest, world: Worktree, pending: PendingChange, began: float, slugs: set[str]) -> dict[str, int]:
    """Of rules in which nothing was found, how often the turn did what their checks look at."""
    rules = list(_rules_of(world.root, slugs))
    calls = _calls_of(asked, world) if any(isinstance(rule.check, CommandCheck) for rule in rules) else []
    paths = _changed_since(world, pending, began) if any(isinstance(rule.check, OF_FILES) for rule in rules) else []
    found: dict[str, int] = {}
    for rule in rules:
        if isinstance(rule.check, CommandCheck):
            check = rule.check
            times = sum(_speaks_of(check, call) for call in calls)
        else:
            times = sum(_looks_at(rule, path) for path in paths)
        if times:
            found[rule.facts.slug] = found.get(rule.facts.slug, 0) + times
    return found


def _rules_of(root: str, slugs: set[str]) -> list[CompiledRule]:
    """Some rules with their compiled checks on commands and files."""
    found = []
    for slug in sorted(slugs):
        try:
            path = os.path.join(root, GUARD, f"{slug}.json")
            with open(path, encoding="utf-8", opener=open_regular) as file:
                rule = read_rule(json.loads(file.read(LARGEST)))
        except (OSError, ValueError, RecursionError):
            continue
        if isinstance(rule.check, (CommandCheck, *OF_FILES)) and rule.facts.slug == slug:
            found.append(rule)
    return found[:MOST_CHECKS]


def _calls_of(asked: HookRequest, world: Worktree) -> list[Call]:
    """The calls of the commands that ran since a person spoke last."""
    data = recent_history.last_bytes(asked.transcript, LONGEST_TURN)
    if data is None:
        return []
    told = recent_history.history_reader(asked, world, inside=False)
    whole = data.partition(b"\n")[2] if len(data) == LONGEST_TURN else data
    for record in recent_history.history_records(whole, asked.records):
        told.take(record)
    events = told.events()
    spoke = max((at for at, event in enumerate(events) if event.kind == "says"), default=-1)
    ran = [event for event in events[spoke + 1 :] if event.kind == "command" and not event.pending]
    return [call for event in ran if event.ok is not False for call in parsed_command(event).calls]


def _speaks_of(check: CommandCheck, call: Call) -> bool:
    """Whether the call is one that the check looks at: what it names up to the first flag, or what it wants instead."""
    named = [_without_flags(pattern) for pattern in check.patterns]
    return any(matches(pattern, call) for pattern in [*named, check.instead] if pattern)


def _without_flags(pattern: str) -> str:
    words = pattern.split()
    first = next((at for at, word in enumerate(words) if word.startswith("-")), len(words))
    return " ".join(words[:first])


def _changed_since(world: Worktree, pending: PendingChange, began: float) -> list[str]:
    """The files that changed in the turn and are there."""
    found = []
    for file in pending.recent():
        try:
            if os.stat(world.absolute(file.path)).st_mtime >= began:
                found.append(file.path)
        except (OSError, ValueError):
            continue
    return found


def _looks_at(rule: CompiledRule, path: str) -> bool:
    """Whether the check looks at the file and not at every one: what every edit keeps shows nothing."""
    scope = rule.facts.scope
    own = rule.check.globs if isinstance(rule.check, (PathCheck, TextCheck)) else ()
    narrow = "**" not in (scope.include or EVERYWHERE) or (bool(own) and "**" not in own)
    return narrow and scopes.holds_path(scope, path) and (not own or globs.match(own, path))
