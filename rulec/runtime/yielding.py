"""Two rules on one command, of which one asks for what the other forbids: the one that goes before the other holds.

That is so only where the loser forbids the very thing that the winner prescribes, and the command is that thing: a rule
against ``pnpm add`` does not contradict one that asks for ``pnpm``.
"""

from rulec.runtime import events, guard, narrow, places, precedence
from rulec.runtime.match import keys, matches, programs
from rulec.runtime.shell import parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from rulec.runtime.call import Call

# A check of these can be heeded by one who runs the command that another rule asks for.
NARROWER = (
    "also", "arguments", "code", "each", "files", "flags", "inside", "new_branch", "outside", "pushes", "says", "under",
)  # fmt: skip
ASKED = "i"  # before the name of a program: the rules that ask for it


def prescribed(check: "dict[str, Any]") -> "list[str]":
    """The commands that a check says to run instead."""
    wanted = [check.get("instead", ""), *check.get("rewrite", {}).values(), *check.get("under", ())]
    return [one for one in wanted if one and one.split()[:1] and keys(one)]


def settled(
    found: "list[dict[str, Any]]", rules: "list[dict[str, Any]]", event: "dict[str, Any]", index: "Any"
) -> "list[dict[str, Any]]":
    """The findings; one that loses to another rule says so in ``lost``."""
    owns = {rule["facts"]["slug"]: rule for rule in rules if rule["check"]["on"] == "command"}
    calls = events.parsed(event).calls
    if not any(finding["slug"] in owns for finding in found):
        return found
    asked = sorted({ASKED + name for call in calls for name in programs(call)})
    rivals = [rule for rule in index.find(asked)[0] if rule["facts"].get("enforcement") in ("warn", "block")]
    return [_settled(finding, owns.get(finding["slug"]), rivals, event) for finding in found] if rivals else found


def _settled(
    finding: "dict[str, Any]", own: "dict[str, Any] | None", rivals: "list[dict[str, Any]]", event: "dict[str, Any]"
) -> "dict[str, Any]":
    if own is None or finding["fault"]:
        return finding
    meant = [call for call in events.parsed(event).calls if events.shown(call.argv) == finding["text"]]
    for rival in rivals:
        why = precedence.because(rival["facts"], own["facts"])
        if why and meant and all(_opposed(own, rival, call, event) for call in meant):
            return {**finding, "lost": f"{rival['facts']['slug']} goes before it: {why}"}
    return finding


def _opposed(own: "dict[str, Any]", rival: "dict[str, Any]", call: "Call", event: "dict[str, Any]") -> bool:
    """Whether the rival asks for this very command where it runs, and the rule forbids just that."""
    held = guard.holding(rival, event)
    if held is None or not places.in_folders(held["facts"].get("scope", {}), event, call):
        return False
    return any(matches(one, call) and forbids(own["check"], one) for one in prescribed(rival["check"]))


def forbids(check: "dict[str, Any]", command: str) -> bool:
    """Whether a check forbids the command just as it stands there, and not for what it lacks or is about."""
    if any(check.get(key) for key in NARROWER):
        return False
    calls = parse(command).calls
    return bool(calls) and narrow.named(check, calls[0]) is not None
