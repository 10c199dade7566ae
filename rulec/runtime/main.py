"""An agent's question -> its answer: read, look up, decide, say."""

import json
import os
import sys

from rulec.runtime import agents, budget, events, self, tokens
from rulec.runtime.agents import ASK, DONE, PROMPT, START, STOP, Agent, Answer, Asked
from rulec.runtime.index import Index, beside, personal
from rulec.runtime.world import World, complete, find_root

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from rulec.runtime.layers import Layered

    Event = dict[str, Any]

LARGEST_INPUT = 64_000_000
BOM = b"\xef\xbb\xbf"


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
    data, broken = _data(raw)
    agent = agents.find(agents.spoken(name, data))
    if agent is None:
        return Answer(error=f"rulec: no agent {name!r} is known; run `rulec compile`")
    index, asked = Index(""), Asked("")
    budget.begin()
    try:
        asked = agent.read(data)
        if asked.moment != ASK:
            budget.stop()
        index = Index(find_root(here, [os.environ.get(agent.project, ""), asked.cwd, *asked.folders]))
        if not index.root:
            return Answer()
        if asked.moment in (PROMPT, START):
            return _said(agent, asked, index.root)
        index.open()
        broken = broken or agents.unread(asked) or _gone(index)
        if broken:
            return _broken(agent, index, asked, broken)
        return _answer(agent, asked, _with_personal(index))
    except Exception as error:  # noqa: BLE001 - whatever breaks is said to the person, or stops where a rule asks for it
        if asked.moment in (PROMPT, START):
            return Answer()  # no gate: whatever breaks here must not keep a person from their agent
        return _broken(agent, index, asked, f"{type(error).__name__}: {error}")
    except budget.Spent:
        return _late(agent, index, asked)
    finally:
        budget.stop()
        index.close()


def _late(agent: Agent, index: Index, asked: Asked) -> Answer:
    """What was not decided in time is denied where it names the gate; elsewhere it is a check that broke."""
    what = f"it was not decided within {budget.SECONDS:.0f} seconds"
    if asked.moment != ASK or not budget.near(asked.actions):
        return _broken(agent, index, asked, what)
    denied: Answer = agent.deny(asked, f"rulec: this action was not checked: {what}; do it in smaller steps")
    return denied


def _gone(index: Index) -> str:
    """What to say where git knows guards that are not on the disk."""
    if index.present:
        return ""
    from rulec.runtime import missing  # noqa: PLC0415 (nearly everywhere there are guards)

    index.strict = missing.strict(index.root)
    return missing.told(index.root)


def _with_personal(index: Index) -> "Index | Layered":
    home = personal(index.root)
    if not home:
        return index
    from rulec.runtime import layers  # noqa: PLC0415 (most people have no rules of their own)

    return layers.Layered(index, home)


def _data(raw: bytes) -> "tuple[dict[str, Any], str]":
    try:
        data = json.loads((raw[3:] if raw.startswith(BOM) else raw).decode("utf-8", "replace"))
    except (ValueError, RecursionError) as broken:
        return {}, f"what the agent sent is no JSON ({broken})"
    return (data, "") if isinstance(data, dict) else ({}, "what the agent sent is no JSON object")


def _broken(agent: Agent, index: Index, asked: Asked, what: str) -> Answer:
    """What a check that breaks does: it tells the person, or stops the agent, but never holds a turn for ever."""
    text = " ".join(f"rulec: this action was not checked: {what}".split())[:1000]
    again = asked.moment == STOP and asked.stopped is not False
    if not index.strict or again:
        told: Answer = agent.say(asked, text)
        return told
    stopped: Answer = agent.deny(asked, text) if asked.moment == ASK else agent.fail(text)
    return stopped.plus(Answer(error="" if stopped.error else text))


def _said(agent: Agent, asked: Asked, root: str) -> Answer:
    """What the agent is told with a person's message, or when a session begins."""
    from rulec.runtime import turns  # noqa: PLC0415 (a tool call pays for none of it)

    if asked.moment == START:
        turns.opens(root, asked)
        if START not in agent.hears:
            return Answer()
        from rulec.runtime import reminders  # noqa: PLC0415 (as above)

        return reminders.at_start(agent, asked, root)
    turns.begins(root, asked)
    if PROMPT not in agent.hears:
        return Answer()
    from rulec.runtime import prompts  # noqa: PLC0415 (as above)

    return prompts.answer(agent, asked, root)


def _answer(agent: Agent, asked: Asked, index: "Index | Layered") -> Answer:
    world = World(index.root)
    if asked.moment == STOP:
        from rulec.runtime import stop  # noqa: PLC0415 - it needs subprocess, which costs more than all the rest

        return stop.answer(agent, asked, index, world)
    if asked.moment not in (ASK, DONE):
        return Answer()
    found: "list[Event]" = []
    facts: "dict[str, Any]" = {}
    broken: "dict[str, str]" = {}
    for action in asked.actions:
        event = complete(action, world, os.path.join(asked.cwd or index.root, action.get("cwd", "")))
        event["agent"], event["environment"] = agent.name, "local"
        if asked.moment == ASK:
            seen = _before(event, asked, index, facts, broken)
        else:
            from rulec.runtime import edited  # noqa: PLC0415 (nothing of it is needed before a tool runs)

            seen = edited.found(event, asked, index, facts)
        if seen:
            from rulec.runtime import heeded  # noqa: PLC0415 (only where something was found)

            heeded.mark(seen, world, event if asked.moment == ASK else None)
            found += seen
    if asked.moment == ASK and asked.tool and index.tools:
        found += _of_tool(agent.name, asked, index, facts, broken)
    if not found and not broken:
        return Answer()
    found += [events.finding_of(slug, fault=fault) for slug, fault in broken.items()]
    from rulec.runtime import answers  # noqa: PLC0415 (only where something was found)

    return answers.answer(agent, asked, found, facts, index.root)


def _of_tool(
    agent: str, asked: Asked, index: "Index | Layered", facts: "dict[str, Any]", broken: "dict[str, str]"
) -> "list[Event]":
    """What rules have against the tool itself, whatever it does: its name and arguments are one more action."""
    event: "Event" = {"kind": "tool", "tool": asked.tool, "args": agents.mapping(agents.opened(asked.given))}
    world = World(index.root)
    event.update(root=world.root, world=world, cwd=world.relative(os.path.abspath(asked.cwd or world.root)))
    event["agent"], event["environment"] = agent, "local"
    rules, faults = index.find(tokens.asked(event))
    facts.update((rule["facts"]["slug"], rule["facts"]) for rule in [*rules, *faults])
    broken.update((fault["facts"]["slug"], fault["fault"]) for fault in faults)
    found = _judged(rules, event, asked)
    if found:
        from rulec.runtime import heeded  # noqa: PLC0415 (only where something was found)

        heeded.mark(found, world, event)
    return found


def _before(
    event: "Event", asked: Asked, index: "Index | Layered", facts: "dict[str, Any]", broken: "dict[str, str]"
) -> "list[Event]":
    """What rules have against an action that is about to be done; their facts, and those that broke, are added."""
    rules, faults = index.find(tokens.asked(event))
    own = self.decide(event)
    if "commit" in event.get("command", ""):
        from rulec.runtime import waived  # noqa: PLC0415 (only a commit waits for what a turn was let end without)

        waived.again(asked, index, event["world"])
    told = _of_message(event) if "git" in event.get("command", "") else []
    if own and not index.present and not beside(index.root):
        # no gate to disarm yet, but the first rule is not the agent's to accept either
        own = [finding for finding in own if finding["cure"] == events.THEIRS]
    found = _judged(rules, event, asked)
    if found and event["kind"] == "command":
        from rulec.runtime import yielding  # noqa: PLC0415 (only where something was found)

        found = yielding.settled(found, rules, event, index)
    facts.update((rule["facts"]["slug"], rule["facts"]) for rule in [*rules, self.RULE, *faults])
    facts.update((known["slug"], known) for _, known in told)
    broken.update((fault["facts"]["slug"], fault["fault"]) for fault in faults)
    return found + own + [finding for finding, _ in told]


def _of_message(event: "Event") -> "list[tuple[Event, Event]]":
    """What the rules on commit messages have against those that a command gives itself."""
    text = event["command"]
    if not ("commit" in text or "merge" in text) or not any(sign in text for sign in ("-m", "-F", "am", "--")):
        return []
    from rulec.runtime import messages  # noqa: PLC0415 (only a commit has a message)

    found: "list[tuple[Event, Event]]" = messages.found(event, event["world"])
    return found


def _past(asked: Asked, world: World) -> "list[Event]":
    """What the session did before, for the rules that ask where a file comes from."""
    from rulec.runtime import history  # noqa: PLC0415 (only where a rule on paths would have a finding)

    seen = history.past(asked, world)
    return seen.events if seen else []


def _judged(rules: "list[dict[str, Any]]", event: "Event", asked: Asked) -> "list[Event]":
    if not rules:
        return []
    from rulec.runtime import guard  # noqa: PLC0415 (most actions meet no rule, and pay for none)

    if asked.transcript:
        event["past"] = lambda: _past(asked, event["world"])
    found: "list[Event]" = guard.decide([rule for rule in rules if rule["check"]["on"] != "session"], event)
    of_session = [rule for rule in rules if rule["check"]["on"] == "session"]
    if of_session:
        from rulec.runtime import history  # noqa: PLC0415 (only where a rule asks what came before)

        found += history.decide(of_session, event, asked, event["world"])
    return found
