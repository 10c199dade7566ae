"""An agent's question -> its answer: read, look up, decide, say."""

import json
import os
import sys

from . import events, self, tokens
from .agents import AGENTS, ASK, DONE, PROMPT, START, STOP, Agent, Asked
from .index import Index, personal
from .world import World, complete, find_root

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .layers import Layered

LARGEST_INPUT = 64_000_000
BOM = b"\xef\xbb\xbf"


class Answer:
    """Exit code, what goes to the agent as JSON, and what goes to standard error."""

    __slots__ = ("code", "error", "out")

    def __init__(self, out: "dict[str, Any] | None" = None, code: int = 0, error: str = "") -> None:
        self.out, self.code, self.error = out or {}, code, error


def run(arguments: "list[str]", here: str) -> int:
    """Answer what stands on standard input; the exit code is for the agent."""
    raw = sys.stdin.buffer.read(LARGEST_INPUT)
    answer = respond(arguments[0] if arguments else "claude-code", raw, here)
    if answer.out:
        sys.stdout.write(json.dumps(answer.out) + "\n")
        sys.stdout.flush()
    if answer.error:
        sys.stderr.write(answer.error + "\n")
    return answer.code


def respond(name: str, raw: bytes, here: str) -> Answer:
    """The answer to an agent's JSON; what cannot be understood is said aloud, and stops where a rule asks for it."""
    agent = AGENTS.get(name)
    if agent is None:
        return Answer({"systemMessage": f"rulec: no agent {name!r} is known; run `rulec compile`"})
    index = Index("")
    asked: "Asked | None" = None
    try:
        data, broken = _data(raw)
        asked = agent.read(data)
        roots = [os.environ.get(agent.project, ""), asked.cwd, here]
        index = Index(find_root(roots))
        if not index.root:
            return Answer()
        if asked.moment == PROMPT:
            from . import prompts  # noqa: PLC0415 (a tool call pays for none of it)

            return Answer(prompts.answer(agent, asked, index.root))
        if asked.moment == START:
            from . import reminders  # noqa: PLC0415 (as above)

            return Answer(reminders.at_start(agent, asked, index.root))
        index.open()
        if broken:
            return _broken(agent, index, asked, broken)
        return _answer(agent, asked, _with_personal(index))
    except Exception as error:  # noqa: BLE001 - whatever breaks is said to the person, or stops where a rule asks for it
        if asked and asked.moment in (PROMPT, START):
            return Answer()  # no gate: whatever breaks here must not keep a person from their agent
        return _broken(agent, index, None, f"{type(error).__name__}: {error}")


def _with_personal(index: Index) -> "Index | Layered":
    home = personal(index.root)
    if not home:
        return index
    from . import layers  # noqa: PLC0415 (most people have no rules of their own)

    return layers.Layered(index, home)


def _data(raw: bytes) -> "tuple[dict[str, Any], str]":
    try:
        data = json.loads((raw[3:] if raw.startswith(BOM) else raw).decode("utf-8", "replace"))
    except (ValueError, RecursionError) as broken:
        return {}, f"what the agent sent is no JSON ({broken})"
    return (data, "") if isinstance(data, dict) else ({}, "what the agent sent is no JSON object")


def _broken(agent: Agent, index: Index, asked: "Asked | None", what: str) -> Answer:
    text = " ".join(f"rulec: this action was not checked: {what}".split())[:1000]
    if index.strict:
        out = agent.deny(text) if asked and asked.moment == ASK else {}
        return Answer(out, 0 if out else 2, text)
    return Answer(agent.say(text))


def _answer(agent: Agent, asked: Asked, index: "Index | Layered") -> Answer:
    world = World(index.root)
    if asked.moment == STOP:
        from . import stop  # noqa: PLC0415 - it needs subprocess, which costs more than all the rest

        return Answer(stop.answer(agent, asked, index, world))
    if asked.moment not in (ASK, DONE) or asked.action["kind"] == "other":
        return Answer()
    event = complete(asked.action, world, asked.cwd or index.root)
    event["agent"], event["environment"] = agent.name, "local"
    if asked.moment == DONE:
        event = _after(event, asked.result)
    rules, faults = index.find(tokens.asked(event))
    if asked.moment == DONE:
        rules, faults = [rule for rule in rules if rule["check"]["on"] == "text"], []
    own = self.decide(event) if asked.moment == ASK else []
    if not index.present:  # no gate to disarm yet, but the first rule is not the agent's to accept either
        own = [finding for finding in own if finding["cure"] == events.THEIRS]
    found = _judged(rules, event, asked, world)
    if found and event["kind"] == "command":
        from . import yielding  # noqa: PLC0415 (only where something was found)

        found = yielding.settled(found, rules, event, index)
    found += own
    if not found and not faults:
        return Answer()
    facts = {rule["facts"]["slug"]: rule["facts"] for rule in [*rules, self.RULE, *faults]}
    found += [events.finding_of(fault["facts"]["slug"], fault=fault["fault"]) for fault in faults]
    from . import answers  # noqa: PLC0415 (only where something was found)

    return Answer(answers.answer(agent, asked, found, facts, index.root))


def _judged(
    rules: "list[dict[str, Any]]", event: "dict[str, Any]", asked: Asked, world: World
) -> "list[dict[str, Any]]":
    if not rules:
        return []
    from . import guard  # noqa: PLC0415 (most actions meet no rule, and pay for none)

    found: "list[dict[str, Any]]" = guard.decide([rule for rule in rules if rule["check"]["on"] != "session"], event)
    of_session = [rule for rule in rules if rule["check"]["on"] == "session"]
    if of_session:
        from . import history  # noqa: PLC0415 (only where a rule asks what came before)

        found += history.decide(of_session, event, asked, world)
    return found


def _after(event: "dict[str, Any]", result: "dict[str, Any]") -> "dict[str, Any]":
    """The event of an edit that has happened: what it put there, as it stands on the disk now."""
    now = event.get("disk")
    if event["kind"] not in ("write", "edit") or now is None:
        return {**event, "kind": "other"}
    before = result.get("originalFile")
    if isinstance(before, str):
        return {**event, "old": before, "new": now, "content": now}
    if event["kind"] == "write":
        return {**event, "old": "", "new": now, "content": now}
    lines = set(now.splitlines())
    kept = "\n".join(line for line in event.get("new", "").splitlines() if line in lines)
    return {**event, "new": kept, "content": now}
