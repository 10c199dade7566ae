"""The end of a turn: what stands changed in the work tree, however it got there, and what the work still lacks."""

from rulec.runtime import answers, fixed, guard, heeded, judge_after, shell_checks, tokens, turns, waived
from rulec.runtime.agents import Answer
from rulec.runtime.pending import Pending

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from rulec.runtime.agents import Agent, Asked
    from rulec.runtime.index import Index
    from rulec.runtime.layers import Layered
    from rulec.runtime.world import World

    Seen = Iterator[tuple[dict[str, Any], dict[str, Any]]]  # findings, each with its rule's facts

MOST_BLOCKS = 3  # in one turn
WAIVED = "rulec lets the turn end after 3 reminders; still there, and the commit will be stopped:\n"
LEFT = "rulec lets the turn end after 3 reminders; still there:\n"
OF_FILES = ("path", "text", "dependency")
OF_PAST = ("session", "reply")  # what looks back on the turn or the session


def answer(agent: "Agent", asked: "Asked", index: "Index | Layered", world: "World") -> Answer:
    """Block the end of the turn for what must not stay, a few times; then tell the person."""
    pending = Pending(world, agent.name, turns.begun(world.root, asked))
    judged_by, left = judge_after.found(pending) if not asked.subagent else ([], False)
    found, facts = _collected(iter([*_seen(asked, index, pending), *judged_by]))
    if found:
        heeded.mark(found, world)
    judged = [(finding, answers.outcome(finding, facts[finding["slug"]])) for finding in found]
    blocking, faults = _reasons(judged, facts, "block"), _reasons(judged, facts, "fault")
    told: Answer = agent.say(asked, answers.joined(faults)) if faults else Answer()
    if left and turns.first(world.root, asked, "left"):
        told = told.plus(agent.say(asked, judge_after.LEFT))
    if not blocking:
        if not asked.subagent:
            waived.again(asked, index, world)
        turns.ended(world.root, asked)
    elif turns.blocks(world.root, asked) >= MOST_BLOCKS or not _counted(world.root, asked):
        told = told.plus(agent.say(asked, _let_end(agent, asked, index, world, (judged, facts))))
        judged = [(finding, "waived" if outcome == "block" else outcome) for finding, outcome in judged]
    else:
        told = told.plus(agent.deny(asked, answers.joined(blocking)))
    if judged:
        answers.note(agent, asked, judged, facts, world.root)
    fixed.ended(world.root, agent.name, asked.session, found)
    return told


def _let_end(
    agent: "Agent", asked: "Asked", index: "Index | Layered", world: "World", seen: "tuple[Any, dict[str, Any]]"
) -> str:
    """What the person is told of what still blocks; the commit waits for what it cannot see, if that can be noted."""
    found = [finding for finding, outcome in seen[0] if outcome == "block"]
    awaited, held = waived.awaited(index, found), waived.of_files(index, found)
    pending = Pending(world, agent.name, turns.begun(world.root, asked)) if awaited else None
    if pending and waived.note(world.root, asked, awaited, pending):
        held += awaited
    stopped, left = ([(one, "block") for one in found if (one in held) is wanted] for wanted in (True, False))
    told = [(words, _reasons(some, seen[1], "block")) for words, some in ((WAIVED, stopped), (LEFT, left))]
    return "\n\n".join(words + answers.joined(reasons) for words, reasons in told if reasons)


def _collected(seen: "Seen") -> "tuple[list[dict[str, Any]], dict[str, Any]]":
    """Each finding once, also where two checks of one rule have the same against a file, and the rules' facts."""
    found: "list[dict[str, Any]]" = []
    facts: "dict[str, Any]" = {}
    places: "set[tuple[str, str]]" = set()
    for finding, fact in seen:
        place = finding["slug"], finding["path"]
        again = finding in found or (finding["path"] and not finding["line"] and place in places)
        places.add(place)
        facts.setdefault(finding["slug"], fact)
        found += [] if again else [finding]
    return found, facts


def _reasons(judged: "list[tuple[dict[str, Any], str]]", facts: "dict[str, Any]", wanted: str) -> "list[str]":
    return [answers.reason(finding, facts[finding["slug"]]) for finding, outcome in judged if outcome == wanted]


def _counted(root: str, asked: "Asked") -> bool:
    """Whether the turn may be held: where that cannot be noted, only an agent that says so itself is held, and once."""
    return turns.blocked(root, asked) or asked.stopped is False


def _seen(asked: "Asked", index: "Index | Layered", pending: Pending) -> "Seen":
    world = pending.world
    for file in pending.recent():
        rules = [rule for rule in index.find(tokens.asked(file))[0] if rule["check"]["on"] in OF_FILES]
        yield from _paired(guard.decide(rules, file), rules)
    event: "dict[str, Any]" = {"kind": "stop", "agent": pending.agent, "root": world.root, "world": world}
    event["environment"] = "local"
    rules, faults = index.find(tokens.asked(event))
    for fault in faults:
        yield answers.fault(fault), fault["facts"]
    yield from _of_change(pending, [rule for rule in rules if rule["check"]["on"] == "change"])
    yield from shell_checks.found(pending)
    if not asked.subagent:  # a sub-agent's end is no end of a turn
        yield from _of_session(event, asked, [rule for rule in rules if rule["check"]["on"] in OF_PAST], world)


def _of_change(pending: Pending, rules: "list[dict[str, Any]]") -> "Seen":
    """What one change has to bring along, where all of it would be committed now."""
    event = pending.whole() if rules and pending.recent() else None
    if event:
        found = [one for one in guard.decide(rules, event) if one["fault"] or pending.changed(one["path"])]
        yield from _paired(found, rules)


def _of_session(event: "dict[str, Any]", asked: "Asked", rules: "list[dict[str, Any]]", world: "World") -> "Seen":
    """What the rules on the end of a turn lack."""
    if rules:
        from rulec.runtime import history  # noqa: PLC0415 (only where a rule asks what came before)

        yield from _paired(history.decide(rules, event, asked, world), rules)


def _paired(found: "list[dict[str, Any]]", rules: "list[dict[str, Any]]") -> "Seen":
    facts = {rule["facts"]["slug"]: rule["facts"] for rule in rules}
    return iter([(finding, facts[finding["slug"]]) for finding in found])
