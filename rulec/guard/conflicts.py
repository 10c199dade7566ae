"""Two rules on one command, of which one asks for what the other forbids: the one that goes before the other holds.

That is so only where the loser forbids the very thing that the winner prescribes, and the command is that thing: a rule
against ``pnpm add`` does not contradict one that asks for ``pnpm``.
"""

from __future__ import annotations

from rulec.domain.compiled_rule import CommandCheck
from rulec.domain.enforcement import is_shown
from rulec.guard import command_check, decision, precedence, scopes
from rulec.guard.decision import prescribed_commands, words_asked_by
from rulec.shell import action_events
from rulec.shell.command_matching import matches
from rulec.shell.parsing.parser import parse_shell

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from rulec.domain.compiled_rule import CompiledRule, EventFinding
    from rulec.shell.action_events import Event
    from rulec.shell.parsing.call import Call


# A check of these can be heeded by one who runs the command that another rule asks for.
NARROWER = (
    "also", "arguments", "code", "each", "files", "flags", "inside", "new_branch", "outside", "pushes", "says", "under",
)  # fmt: skip


def settle_conflicts(
    found: list[EventFinding], rules: list[CompiledRule], event: Event, find: Callable[[set[str]], list[CompiledRule]]
) -> list[EventFinding]:
    """The findings; one that loses to another rule says so. ``find`` gives the rules that some words lead to."""
    owns = {rule.facts.slug: rule for rule in rules if isinstance(rule.check, CommandCheck)}
    if not any(finding.slug in owns for finding in found):
        return found
    calls = action_events.parsed_command(event).calls
    rivals = [rule for rule in find(words_asked_by(calls)) if is_shown(rule.facts.enforcement)]
    return [_settled(finding, owns.get(finding.slug), rivals, event) for finding in found] if rivals else found


def _settled(finding: EventFinding, own: CompiledRule | None, rivals: list[CompiledRule], event: Event) -> EventFinding:
    if own is None or finding.fault:
        return finding
    calls = action_events.parsed_command(event).calls
    meant = [call for call in calls if action_events.command_line(call.argv) == finding.text]
    for rival in rivals:
        why = precedence.explain_precedence(rival.facts, own.facts)
        if why and meant and all(_opposed(own, rival, call, event) for call in meant):
            return finding.but(overruled_by=f"{rival.facts.slug} goes before it: {why}")
    return finding


def _opposed(own: CompiledRule, rival: CompiledRule, call: Call, event: Event) -> bool:
    """Whether the rival asks for this very command where it runs, and the rule forbids just that."""
    held = decision.rule_for(rival, event)
    if held is None or not scopes.holds_folder(held.facts.scope, event, call):
        return False
    if not (isinstance(rival.check, CommandCheck) and isinstance(own.check, CommandCheck)):
        return False
    asked = [one for one in prescribed_commands(rival.check) if matches(one, call)]
    return any(forbids_exactly(own.check, one) for one in asked)


def forbids_exactly(check: CommandCheck, command: str) -> bool:
    """Whether a check forbids this very command, and not for an option that it lacks or a path that it names."""
    if any(getattr(check, key) for key in NARROWER):
        return False
    calls = parse_shell(command).calls
    return bool(calls) and command_check.pattern_naming(check, calls[0]) is not None
