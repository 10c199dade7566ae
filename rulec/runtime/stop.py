"""The end of a turn: what stands changed in the work tree, however it got there."""

import json
import os

from . import answers, guard, ledger, tokens, tree

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .agents import Agent, Asked
    from .index import Index
    from .layers import Layered
    from .world import World

MOST_BLOCKS = 3  # in one turn


def answer(agent: "Agent", asked: "Asked", index: "Index | Layered", world: "World") -> "dict[str, Any]":
    """Block the end of the turn for what must not stay, a few times; then tell the person."""
    found, facts = _found(agent, index, world)
    for finding, fact in _of_session(agent, asked, index, world):
        found.append(finding)
        facts[finding["slug"]] = fact
    judged = [(finding, answers.outcome(finding, facts[finding["slug"]])) for finding in found]
    blocking = [answers.reason(f, facts[f["slug"]]) for f, outcome in judged if outcome == "block"]
    if found:
        answers.note(agent, asked, judged, facts, world.root)
    path = ledger.place(world.root, "stop.json")
    if not blocking:
        _store(path, "", 0)
        return {}
    turn, count = _stored(path)
    here = asked.turn or asked.session
    if turn != here or not (asked.stopped or asked.turn):
        count = 0
    if count >= MOST_BLOCKS or (asked.stopped and not path):
        text = "rulec lets the turn end after 3 reminders; still there, and the commit will be stopped:\n"
        told: "dict[str, Any]" = agent.say(text + answers.joined(blocking))
        return told
    _store(path, here, count + 1)
    blocked: "dict[str, Any]" = agent.block(answers.joined(blocking))
    return blocked


def _found(agent: "Agent", index: "Index | Layered", world: "World") -> "tuple[list[dict[str, Any]], dict[str, Any]]":
    found: "list[dict[str, Any]]" = []
    facts: "dict[str, Any]" = {}
    changed = tree.changes(world.root)
    old = tree.contents(world.root, [path for path, kind in changed if kind != "delete"]) if changed else {}
    for path, kind in changed:
        now = world.read(path) if kind != "delete" else None
        event: "dict[str, Any]" = {
            "kind": kind,
            "path": path,
            "also": world.also(path),
            "agent": agent.name,
            "environment": "local",
            "left": True,
        }
        event.update(exists=path in old, old=old.get(path, ""), new=now or "", content=now)
        rules = [
            rule for rule in index.find(tokens.asked(event))[0] if rule["check"]["on"] in ("path", "text", "dependency")
        ]
        facts.update({rule["facts"]["slug"]: rule["facts"] for rule in rules})
        found += guard.decide(rules, event)
    return found, facts


def _of_session(
    agent: "Agent", asked: "Asked", index: "Index | Layered", world: "World"
) -> "list[tuple[dict[str, Any], dict[str, Any]]]":
    """What the rules on the end of a turn lack, each with its rule's facts; a sub-agent's end is no end of a turn."""
    event: "dict[str, Any]" = {"kind": "stop", "agent": agent.name, "root": world.root, "world": world}
    event["environment"] = "local"
    rules = [rule for rule in index.find(tokens.asked(event))[0] if rule["check"]["on"] == "session"]
    if not rules or asked.subagent:
        return []
    from . import history  # noqa: PLC0415 (only where a rule asks what came before)

    facts = {rule["facts"]["slug"]: rule["facts"] for rule in rules}
    return [(finding, facts[finding["slug"]]) for finding in history.decide(rules, event, asked, world)]


def _stored(path: str) -> "tuple[str, int]":
    try:
        with open(path, encoding="utf-8") as file:
            data = json.load(file)
        return str(data["turn"]), int(data["count"])
    except (OSError, ValueError, KeyError, TypeError):
        return "", 0


def _store(path: str, turn: str, count: int) -> None:
    if not path or (count == 0 and not os.path.exists(path)):
        return
    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | getattr(os, "O_NOFOLLOW", 0), 0o600)
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            json.dump({"turn": turn, "count": count}, file)
    except OSError:
        return
