"""Two rules on one command, of which one asks for what the other forbids: the one that goes before the other holds.

That is so only where the loser forbids the very thing that the winner prescribes, and the command is that thing: a rule
against ``pnpm add`` does not contradict one that asks for ``pnpm``.
"""

from __future__ import annotations

from rulec.domain import precedence
from rulec.domain.enforcement import is_shown
from rulec.guard import command_check, decision, scopes
from rulec.guard.decision import prescribed_commands, words_asked_by
from rulec.shell import action_events
from rulec.shell.command_matching import matches
from rulec.shell.parsing.parser import parse_shell

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from rulec.shell.parsing.call import Call


# A check of these can be heeded by one who runs the command that another rule asks for.
NARROWER = (
    "also", "arguments", "code", "each", "files", "flags", "inside", "new_branch", "outside", "pushes", "says", "under",
)  # fmt: skip


def settle_conflicts(
    found: list[dict[str, Any]], rules: list[dict[str, Any]], event: dict[str, Any], every: Any
) -> list[dict[str, Any]]:
    """The findings; one that loses to another rule says so in ``lost``. ``every`` finds rules by their words."""
    owns = {rule["facts"]["slug"]: rule for rule in rules if rule["check"]["on"] == "command"}
    calls = action_events.parsed_command(event).calls
    if not any(finding["slug"] in owns for finding in found):
        return found
    rivals = [rule for rule in every.find(words_asked_by(calls))[0] if is_shown(rule["facts"].get("enforcement"))]
    return [_settled(finding, owns.get(finding["slug"]), rivals, event) for finding in found] if rivals else found


def _settled(
    finding: dict[str, Any], own: dict[str, Any] | None, rivals: list[dict[str, Any]], event: dict[str, Any]
) -> dict[str, Any]:
    if own is None or finding["fault"]:
        return finding
    meant = [
        call
        for call in action_events.parsed_command(event).calls
        if action_events.command_line(call.argv) == finding["text"]
    ]
    for rival in rivals:
        why = precedence.explain_precedence(rival["facts"], own["facts"])
        if why and meant and all(_opposed(own, rival, call, event) for call in meant):
            return {**finding, "lost": f"{rival['facts']['slug']} goes before it: {why}"}
    return finding


def _opposed(own: dict[str, Any], rival: dict[str, Any], call: Call, event: dict[str, Any]) -> bool:
    """Whether the rival asks for this very command where it runs, and the rule forbids just that."""
    held = decision.rule_for(rival, event)
    if held is None or not scopes.holds_folder(held["facts"].get("scope", {}), event, call):
        return False
    return any(matches(one, call) and forbids_exactly(own["check"], one) for one in prescribed_commands(rival["check"]))


def forbids_exactly(check: dict[str, Any], command: str) -> bool:
    """Whether a check forbids this very command, and not for an option that it lacks or a path that it names."""
    if any(check.get(key) for key in NARROWER):
        return False
    calls = parse_shell(command).calls
    return bool(calls) and command_check.pattern_naming(check, calls[0]) is not None
