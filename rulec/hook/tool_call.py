"""What rules have against an action that an agent is about to do, the tool it calls and the message it commits."""

from __future__ import annotations

import os

from rulec.agents.protocol import agent_spec
from rulec.agents.protocol.agent_spec import HookRequest
from rulec.checkout.rules_layout import GATE_SLUG, PAGES
from rulec.checkout.worktree import Worktree, has_commit_checks, shared_state_directory
from rulec.domain.enforcement import refuses
from rulec.protect import gate_protection
from rulec.shell import action_events
from rulec.shell.command_matching import option_folders
from rulec.shell.parsing.call import WHY_UNREAD

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from rulec.hook.compiled_rules import CompiledRules

    Event = dict[str, Any]


UNREAD = {"slug": "too-long", "statement": "A command is checked only as far as it can be read.", "enforcement": "warn"}


def judge_tool(
    agent: str, asked: HookRequest, compiled: CompiledRules, facts: dict[str, Any], broken: dict[str, str]
) -> list[Event]:
    """What rules have against the tool itself, whatever it does: its name and arguments are one more action."""
    event: Event = {
        "kind": "tool",
        "tool": asked.tool,
        "args": agent_spec.as_mapping(agent_spec.decode_arguments(asked.given)),
    }
    world = Worktree(compiled.root)
    event.update(root=world.root, world=world, cwd=world.relative(os.path.abspath(asked.cwd or world.root)))
    event["agent"], event["environment"] = agent, "local"
    rules, faults = compiled.for_event(event)
    facts.update((rule["facts"]["slug"], rule["facts"]) for rule in [*rules, *faults])
    broken.update((fault["facts"]["slug"], fault["fault"]) for fault in faults)
    found = _judged(rules, event, asked)
    if found:
        from rulec.hook import excepted_findings  # noqa: PLC0415 (only where something was found)

        excepted_findings.mark_excepted(found, world, event)
    return found


def judge_address(asked: HookRequest, root: str, facts: dict[str, Any]) -> list[Event]:
    """The finding on a call that does nothing to this disk but names the page of ``rulec ui``, such as a browser's."""
    if not asked.given or not os.path.isdir(os.path.join(shared_state_directory(root), PAGES)):
        return []
    from rulec.checkout import open_pages  # noqa: PLC0415 (hardly ever does a page run)

    if not open_pages.names_page(root, str(asked.given)):
        return []
    facts[GATE_SLUG] = gate_protection.GATE_RULE["facts"]
    finding = action_events.finding_of(GATE_SLUG, text=asked.tool, program=asked.tool)
    return [{**finding, "cure": action_events.ASK_PERSON}]


def judge_action(
    event: Event,
    asked: HookRequest,
    compiled: CompiledRules,
    facts: dict[str, Any],
    broken: dict[str, str],
) -> list[Event]:
    """What rules have against an action that is about to be done; their facts, and those that broke, are added."""
    rules, faults = compiled.for_event(event)
    own = gate_protection.detect_tampering(event)
    if "commit" in event.get("command", ""):
        from rulec.hook.session import unfinished_turns  # noqa: PLC0415 (only a commit waits for what a turn was let end without)

        unfinished_turns.recheck_debts(asked, compiled, event["world"])
    told = _of_message(event) if "git" in event.get("command", "") else []
    if own and not compiled.present and not has_commit_checks(compiled.root):
        # no gate to disarm yet, but the first rule is not the agent's to accept either
        own = [finding for finding in own if finding["cure"] == action_events.ASK_PERSON]
    facts.update((rule["facts"]["slug"], rule["facts"]) for rule in [*rules, gate_protection.GATE_RULE, *faults])
    found = _judged(rules, event, asked)
    if event["kind"] == "command":
        add_findings(found, facts, _of_other_trees(event, asked, compiled))
        found += [*_of_scripts(event, asked, compiled, facts), *_of_changed_files(event, asked, compiled, facts)]
    if found and event["kind"] == "command":
        from rulec.guard import conflicts  # noqa: PLC0415 (only where something was found)

        found = conflicts.settle_conflicts(found, rules, event, compiled)
    facts.update((known["slug"], known) for _, known in told)
    if not (found or own) and event["kind"] == "command" and action_events.parsed_command(event).unsure in WHY_UNREAD:
        found = [action_events.unread_finding(UNREAD["slug"], event)]  # it may break a rule that its words do not name
        facts[UNREAD["slug"]] = UNREAD
    broken.update((fault["facts"]["slug"], fault["fault"]) for fault in faults)
    return found + own + [finding for finding, _ in told]


def add_findings(found: list[Event], facts: dict[str, Any], more: list[tuple[Event, Event]]) -> None:
    """Add what the rules of other trees found too; where two trees have a rule of one name the stricter one holds."""
    seen = {(one["slug"], one["path"], one["text"]) for one in found}
    for finding, known in more:
        held = facts.get(finding["slug"])
        if held is None or (refuses(known.get("enforcement")) and not refuses(held.get("enforcement"))):
            facts[finding["slug"]] = known
        if (finding["slug"], finding["path"], finding["text"]) not in seen:
            found.append(finding)


def _of_other_trees(event: Event, asked: HookRequest, compiled: CompiledRules) -> list[tuple[Event, Event]]:
    """What the rules of other trees have against the commands that run in them; it costs nothing if none is entered."""
    calls = action_events.parsed_command(event).calls
    if not event["cwd"] and not any(call.cwd or any(option_folders(call)) for call in calls):
        return []
    from rulec.hook import other_trees  # noqa: PLC0415 (most commands run in the tree whose rules judge)

    return other_trees.judge_where_commands_run(event, compiled.root, lambda rules, seen: _judged(rules, seen, asked))


def _of_changed_files(event: Event, asked: HookRequest, compiled: CompiledRules, facts: dict[str, Any]) -> list[Event]:
    """What rules have against the files that an agent's commit or push takes along."""
    text = event["command"]
    if "git" not in text or not ("commit" in text or "push" in text):
        return []
    from rulec.hook.session import changed_files  # noqa: PLC0415 (only what leaves the work tree is looked at)

    found = list(changed_files.judge_leaving(event, asked, compiled))
    facts.update((known["slug"], known) for _, known in found)
    return [finding for finding, _ in found]


def _of_scripts(event: Event, asked: HookRequest, compiled: CompiledRules, facts: dict[str, Any]) -> list[Event]:
    """What rules have against the scripts and recipes that the command runs."""
    from rulec.shell import run_files  # noqa: PLC0415 (what only writes a file runs none)

    if not any(map(run_files.runs_files, action_events.parsed_command(event).calls)):
        return []
    from rulec.hook import script_rules  # noqa: PLC0415 (few commands run a file)

    def judge(inner: Event) -> list[Event]:
        rules = compiled.for_event(inner)[0]
        facts.update((rule["facts"]["slug"], rule["facts"]) for rule in rules)
        found = _judged(rules, inner, asked)
        add_findings(found, facts, _of_other_trees(inner, asked, compiled))
        return found

    return script_rules.judge_scripts(event, asked, judge)


def _of_message(event: Event) -> list[tuple[Event, Event]]:
    """What the rules on commit messages have against those that a command gives itself."""
    text = event["command"]
    if not ("commit" in text or "merge" in text) or not any(sign in text for sign in ("-m", "-F", "am", "--")):
        return []
    from rulec.hook import shell_checks  # noqa: PLC0415 (only a commit has a message)

    found: list[tuple[Event, Event]] = shell_checks.judge_messages(event, event["world"])
    return found


def _past(asked: HookRequest, world: Worktree) -> list[Event]:
    """What the session did before, for the rules that ask where a file comes from."""
    from rulec.transcripts import recent_history  # noqa: PLC0415 (only where a rule on paths would have a finding)

    seen = recent_history.recent_history(asked, world)
    return seen.events if seen else []


def _judged(rules: list[dict[str, Any]], event: Event, asked: HookRequest) -> list[Event]:
    if not rules:
        return []
    from rulec.guard import decision  # noqa: PLC0415 (most actions meet no rule, and pay for none)

    if asked.transcript:
        event["past"] = lambda: _past(asked, event["world"])
    found: list[Event] = decision.decide([rule for rule in rules if rule["check"]["on"] != "session"], event)
    of_session = [rule for rule in rules if rule["check"]["on"] == "session"]
    if of_session:
        from rulec.hook.session import session_rules  # noqa: PLC0415 (only where a rule asks what came before)

        found += session_rules.decide_with_history(of_session, event, asked, event["world"])
    return found


MOST_APPLIED = 100_000_000  # signs that the edits of one call may go over; the agent's program waits for us


def event_of(action: dict[str, Any], world: Worktree, cwd: str) -> dict[str, Any]:
    """The agent's action as an event: paths from the root, the file's old and new content where it can be known."""
    event = dict(action)
    event["root"], event["cwd"], event["world"] = world.root, world.relative(os.path.abspath(cwd)), world
    if action["kind"] == "command" or "path" not in action:
        return event
    path = action["path"]
    if not path:
        event["kind"] = "other"
        return event
    named = world.relative(os.path.normpath(os.path.join(cwd, os.path.expanduser(path))))
    event.update(world.place_of(named))
    world = event["world"]
    event["exists"] = world.exists(event["path"])
    before = world.read(event["path"])
    event["disk"] = before
    if action.get("from"):  # the file moves here
        before = world.read(world.relative(os.path.normpath(os.path.join(cwd, action["from"]))))
        event["content"] = before
    if action["kind"] == "write":
        event["old"] = before or ""
    elif action.get("edits"):
        _apply_edits(event, action["edits"], before)
    if action.get("from") and event["content"] is not None:
        event.update(kind="write", old=before, new=event["content"])
    return event


def _apply_edits(event: dict[str, Any], edits: list[tuple[str, str, bool]], before: str | None) -> None:
    """What the file will hold; None where the edit does not fit what is on the disk."""
    event["old"] = "\n".join(old for old, _, _ in edits)
    event["new"] = "\n".join(new for _, new, _ in edits)
    text = before if before is not None else "" if edits[0][0] == "" else None
    if text is not None and "\r\n" in text:  # agents speak of such files in LF, and write CRLF back
        text, edits = _lf(text), [(_lf(old), _lf(new), everywhere) for old, new, everywhere in edits]
    left = MOST_APPLIED
    for old, new, everywhere in edits:
        left -= len(text or "")
        if text is None or left < 0 or old not in text:
            text = None
            break
        text = text.replace(old, new) if everywhere else text.replace(old, new, 1)
    event["content"] = text


def _lf(text: str) -> str:
    return text.replace("\r\n", "\n")
