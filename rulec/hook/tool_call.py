"""A tool call -> what rules have against it, what it does and the message it commits, and the answer."""

from __future__ import annotations

import os

from rulec.agents.protocol import agent_spec
from rulec.agents.protocol.agent_spec import AFTER_TOOL, BEFORE_TOOL, TURN_END, HookRequest, HookResponse, ToolAction
from rulec.checkout.rules_layout import PAGES, RECORD
from rulec.checkout.worktree import (
    Worktree,
    has_commit_checks,
    has_linked_trees,
    is_same_repository,
    personal_rulebook,
    plan_file,
    resolved,
    shared_state_directory,
)
from rulec.domain.compiled_rule import (
    CompiledRule,
    DependencyCheck,
    EventFinding,
    Facts,
    PathCheck,
    SessionCheck,
    TextCheck,
)
from rulec.domain.enforcement import refuses
from rulec.guard import decision
from rulec.hook.compiled_rules import FIRST_TREE, CompiledRules, LayeredRules, TreeRules, rules_of_tree
from rulec.protect import gate_protection
from rulec.shell import action_events
from rulec.shell.action_events import FILE_KINDS, Event
from rulec.shell.command_matching import option_folders
from rulec.shell.parsing.call import WHY_UNREAD

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from rulec.agents.protocol.agent_spec import AgentSpec
    from rulec.domain.compiled_rule import GuardCheck


UNREAD = Facts(slug="too-long", statement="A command is checked only as far as it can be read.", enforcement="warn")
NO_RULES = "rulec: this checkout has no rules, so nothing is checked here"
OF_OTHERS = "rulec: no rules are checked out here: those of {} judge"


def open_rules(root: str, asked: HookRequest, own: str) -> tuple[CompiledRules, str]:
    """The rules that judge, and what to say where the work tree has none on its disk."""
    rules = rules_of_tree(root)
    whose = [rules.whose] if rules.whose else []
    first, judging = _first_tree(asked, root, own), rules
    if first != root:
        judging = TreeRules(rules, first)
        whose += [FIRST_TREE] if judging.first.present else []
    if not rules.base:
        return judging, ""
    known = os.path.exists(os.path.join(shared_state_directory(root), RECORD))  # else nobody wants rules here
    return judging, OF_OTHERS.format(" and of ".join(whose)) if whose else NO_RULES * known


def _first_tree(asked: HookRequest, root: str, own: str) -> str:
    """The work tree in which the session began, where the repository has more than one; else the one that judges."""
    if not has_linked_trees(root):
        return root
    from rulec.hook import session_state  # noqa: PLC0415 (most repositories have one work tree)

    known = session_state.first_tree(root, asked)
    return known if known and is_same_repository(root, known) else own


def why_gone(index: CompiledRules) -> str:
    """What to say where git knows guards that are not on the disk."""
    if index.present:
        return ""
    from rulec.checkout import installation  # noqa: PLC0415 (nearly everywhere there are guards)

    index.strict = installation.any_rule_blocks_when_broken(index.root)
    return installation.describe_missing_guards(index.root)


def _with_personal(index: CompiledRules) -> CompiledRules:
    home = personal_rulebook(index.root)
    return LayeredRules(index, home) if home else index


def answer_call(agent: AgentSpec, asked: HookRequest, team: CompiledRules) -> HookResponse:
    """The answer to a tool call or the end of a turn, by the rules of the team and the person's own."""
    index, world = _with_personal(team), Worktree(team.root)
    if asked.moment == TURN_END:
        from rulec.hook.session import turn_end  # noqa: PLC0415 - it needs subprocess, which costs more than all the rest

        return turn_end.answer_turn_end(agent, asked, index, world)
    if asked.moment not in (BEFORE_TOOL, AFTER_TOOL):
        return HookResponse()
    found: list[EventFinding] = []
    events: list[Event] = []
    for action in asked.actions:
        event = event_of(action, world, os.path.join(asked.cwd or index.root, action.cwd))
        event.agent, event.environment = agent.name, "local"
        events.append(event)
        found += [one for one in _of_action(action, event, asked, index) if not (one.fault and one in found)]
    if asked.moment == BEFORE_TOOL and asked.tool and index.tools:
        found += judge_tool(agent.name, asked, index)
    if not asked.transcript and (asked.moment == AFTER_TOOL or not found):
        _note_written(index.root, asked, events)
    if asked.moment == BEFORE_TOOL and not asked.actions:
        found += judge_address(asked, index.root)
    if not found:
        return _with_plan(agent, asked, world, events, HookResponse())
    from rulec.hook import outcomes  # noqa: PLC0415 (only where something was found)

    return _with_plan(agent, asked, world, events, outcomes.answer_findings(agent, asked, found, index.root))


def _of_action(action: ToolAction, event: Event, asked: HookRequest, index: CompiledRules) -> list[EventFinding]:
    """Findings on one action of a call, by the rules that judge the call and those of the trees that it writes in."""
    before = asked.moment == BEFORE_TOOL
    found = judge_action(event, asked, index) if before else judge_edit(event, asked, index)
    if found:
        from rulec.hook import outcomes  # noqa: PLC0415 (only where something was found)

        outcomes.mark_excepted(found, event.here, event if before else None)
    if not action_events.writes_files(event):
        return found
    after = None if before else asked.result
    return with_findings(found, judge_where_files_lie(action, event, index.root, after))


def _note_written(root: str, asked: HookRequest, events: list[Event]) -> None:
    """Note what a call writes, as evidence for the end of the turn: of an agent that keeps no record."""
    if any(map(action_events.writes_files, events)):
        from rulec.hook.session import charging  # noqa: PLC0415 (agents with a record of their own need no other)

        charging.note_written(root, asked, events)


def _with_plan(
    agent: AgentSpec, asked: HookRequest, world: Worktree, events: list[Event], answer: HookResponse
) -> HookResponse:
    """The answer, with what the call means for the session's plan; without one, that costs a look at the disk."""
    known = asked.tool in agent.plan_tools or (asked.records and "commit" in asked.action.command)
    writing = asked.moment == AFTER_TOOL or any(map(action_events.may_write, events))
    if not known and not (writing and events and os.path.exists(plan_file(world.root, asked.main_session))):
        return answer
    try:
        from rulec.hook.session import plan_calls  # noqa: PLC0415 (only where the session has a plan)

        quiet = bool(answer.out or answer.error)
        return answer.plus(plan_calls.follow_call(agent, asked, world, events, quiet=quiet))
    except Exception:  # noqa: BLE001 - no gate: whatever breaks here must not change what the gate says
        return answer


def judge_tool(agent: str, asked: HookRequest, compiled: CompiledRules) -> list[EventFinding]:
    """What rules have against the tool itself, whatever it does: its name and arguments are one more action."""
    world = Worktree(compiled.root)
    event = Event(
        kind="tool",
        tool=asked.tool,
        args=agent_spec.as_mapping(agent_spec.decode_arguments(asked.given)),
        root=world.root,
        world=world,
        cwd=world.relative(os.path.abspath(asked.cwd or world.root)),
        agent=agent,
        environment="local",
    )
    rules, faults = compiled.for_event(event)
    found = _judged(rules, event, asked)
    if found:
        from rulec.hook import outcomes  # noqa: PLC0415 (only where something was found)

        outcomes.mark_excepted(found, world, event)
    return found + faults


def judge_address(asked: HookRequest, root: str) -> list[EventFinding]:
    """The finding on a call that does nothing to this disk but names the page of ``rulec ui``, such as a browser's."""
    if not asked.given or not os.path.isdir(os.path.join(shared_state_directory(root), PAGES)):
        return []
    from rulec.checkout import open_pages  # noqa: PLC0415 (hardly ever does a page run)

    if not open_pages.names_page(root, str(asked.given)):
        return []
    gate, cure = gate_protection.GATE_FACTS, action_events.ASK_PERSON
    return [EventFinding(facts=gate, text=asked.tool, program=asked.tool, cure=cure)]


def judge_action(event: Event, asked: HookRequest, compiled: CompiledRules) -> list[EventFinding]:
    """What rules have against an action that is about to be done, and what is wrong with their artifacts."""
    rules, faults = compiled.for_event(event)
    own = gate_protection.detect_tampering(event)
    if "commit" in event.command:
        from rulec.hook.session import session_rules  # noqa: PLC0415 (only a commit waits for what a turn was let end without)

        session_rules.recheck_debts(asked, compiled, event.here)
    told = _of_message(event) if "git" in event.command else []
    if own and not compiled.present and not has_commit_checks(compiled.root):
        # no gate to disarm yet, but the first rule is not the agent's to accept either
        own = [finding for finding in own if finding.cure == action_events.ASK_PERSON]
    found = _judged(rules, event, asked)
    if event.kind == "command":
        found = _of_command(event, asked, compiled, (rules, found))
    if not (found or own) and event.kind == "command" and action_events.parsed_command(event).unsure in WHY_UNREAD:
        found = [action_events.unread_finding(UNREAD, event)]  # it may break a rule that its words do not name
    return [*found, *own, *told, *faults]


def _of_command(
    event: Event,
    asked: HookRequest,
    compiled: CompiledRules,
    judged: tuple[list[CompiledRule], list[EventFinding]],
) -> list[EventFinding]:
    """The findings on a command, those on what it enters, runs and takes along among them; conflicts are settled."""
    rules, found = judged
    found = with_findings(found, _of_other_trees(event, asked, compiled))
    found = [*found, *_of_scripts(event, asked, compiled), *_of_changed_files(event, asked, compiled)]
    if not found:
        return []
    return decision.settle_conflicts(found, rules, event, lambda words: compiled.find(words)[0])


def with_findings(found: list[EventFinding], more: Iterable[EventFinding]) -> list[EventFinding]:
    """Also what the rules of other trees found; where two trees have a rule of one name the stricter one holds."""
    kept = list(found)
    for one in more:
        names = one.slug, one.path, one.text
        same = next((at for at, known in enumerate(kept) if (known.slug, known.path, known.text) == names), None)
        if same is None:
            kept.append(one)
        elif refuses(one.facts.enforcement) and not refuses(kept[same].facts.enforcement):
            kept[same] = one
    return kept


def _of_other_trees(event: Event, asked: HookRequest, compiled: CompiledRules) -> list[EventFinding]:
    """What the rules of other trees have against the commands that run in them; it costs nothing if none is entered."""
    calls = action_events.parsed_command(event).calls
    if not event.cwd and not any(call.cwd or any(option_folders(call)) for call in calls):
        return []
    from rulec.hook import other_trees  # noqa: PLC0415 (most commands run in the tree whose rules judge)

    return other_trees.judge_where_commands_run(event, compiled.root, lambda rules, seen: _judged(rules, seen, asked))


def _of_changed_files(event: Event, asked: HookRequest, compiled: CompiledRules) -> list[EventFinding]:
    """What rules have against the files that an agent's commit or push takes along."""
    text = event.command
    if "git" not in text or not ("commit" in text or "push" in text):
        return []
    from rulec.hook.session import changed_files  # noqa: PLC0415 (only what leaves the work tree is looked at)

    return list(changed_files.judge_leaving(event, asked, compiled))


def _of_scripts(event: Event, asked: HookRequest, compiled: CompiledRules) -> list[EventFinding]:
    """What rules have against the scripts and recipes that the command runs."""
    from rulec.shell import run_files  # noqa: PLC0415 (what only writes a file runs none)

    if not any(map(run_files.runs_files, action_events.parsed_command(event).calls)):
        return []
    from rulec.hook import script_rules  # noqa: PLC0415 (few commands run a file)

    def judge(inner: Event) -> list[EventFinding]:
        found = _judged(compiled.for_event(inner)[0], inner, asked)
        return with_findings(found, _of_other_trees(inner, asked, compiled))

    return script_rules.judge_scripts(event, asked, judge)


def _of_message(event: Event) -> list[EventFinding]:
    """What the rules on commit messages have against those that a command gives itself."""
    text = event.command
    if not ("commit" in text or "merge" in text) or not any(sign in text for sign in ("-m", "-F", "am", "--")):
        return []
    from rulec.hook import message_checks  # noqa: PLC0415 (only a commit has a message)

    return message_checks.judge_messages(event, event.here)


def _past(asked: HookRequest, world: Worktree) -> Sequence[Event]:
    """What the session did before, for the rules that ask where a file comes from."""
    from rulec.transcripts import recent_history  # noqa: PLC0415 (only where a rule on paths would have a finding)

    seen = recent_history.recent_history(asked, world)
    return seen.events if seen else []


def _judged(rules: list[CompiledRule], event: Event, asked: HookRequest) -> list[EventFinding]:
    if not rules:
        return []
    if asked.transcript:
        event.past = lambda: _past(asked, event.here)
    found = decision.decide([rule for rule in rules if not isinstance(rule.check, SessionCheck)], event)
    of_session = [rule for rule in rules if isinstance(rule.check, SessionCheck)]
    if of_session:
        from rulec.hook.session import session_rules  # noqa: PLC0415 (only where a rule asks what came before)

        found += session_rules.decide_with_history(of_session, event, asked, event.here)
    return found


MOST_APPLIED = 100_000_000  # signs that the edits of one call may go over; the agent's program waits for us


def event_of(action: ToolAction, world: Worktree, cwd: str) -> Event:
    """The agent's action as an event: paths from the root, the file's old and new content where it can be known."""
    event = Event(
        kind=action.kind,
        command=action.command,
        new=action.new,
        content=action.content,
        root=world.root,
        world=world,
        cwd=world.relative(os.path.abspath(cwd)),
    )
    if action.kind == "command":
        return event
    if not action.path:
        event.kind = agent_spec.NO_ACTION
        return event
    event.at_place(world.place_of(world.relative(os.path.normpath(os.path.join(cwd, os.path.expanduser(action.path))))))
    world = event.here
    event.exists = world.exists(event.path)
    before = event.disk = world.read(event.path)
    if action.moved_from:  # the file moves here
        before = world.read(world.relative(os.path.normpath(os.path.join(cwd, action.moved_from))))
        event.content = before
    if action.kind == "write":
        event.old = before or ""
    elif action.edits:
        _apply_edits(event, action.edits, before)
    if action.moved_from and event.content is not None:
        event.kind, event.old, event.new = "write", before, event.content
    return event


def _apply_edits(event: Event, edits: Sequence[tuple[str, str, bool]], before: str | None) -> None:
    """What the file will hold; None where the edit does not fit what is on the disk."""
    event.old = "\n".join(old for old, _, _ in edits)
    event.new = "\n".join(new for _, new, _ in edits)
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
    event.content = text


def _lf(text: str) -> str:
    return text.replace("\r\n", "\n")


def judge_edit(event: Event, asked: HookRequest, compiled: CompiledRules) -> list[EventFinding]:
    """Findings on the text that an edit left behind."""
    now = event_after(event, asked.result)
    if now.kind not in ("write", "edit"):
        return []
    rules = [rule for rule in compiled.for_event(now)[0] if isinstance(rule.check, TextCheck)]
    seen = decision.decide(rules, now)
    if any(refuses(finding.facts.enforcement) for finding in seen) or os.path.isabs(now.path):
        return seen
    from rulec.hook import commit_checks  # noqa: PLC0415 (nothing of it is needed before a tool runs)

    return seen + commit_checks.judge_as_commit([now], now.here, commit_checks.SECONDS_AFTER_EDIT)


def event_after(event: Event, result: Mapping[str, object]) -> Event:
    """The event of an edit that has happened."""
    now = event.disk
    if event.kind not in ("write", "edit") or now is None:
        return event.but(kind="other")
    before = result.get("originalFile")
    if isinstance(before, str):
        return event.but(old=before, new=now, content=now)
    if event.kind == "write":
        return event.but(old="", new=now, content=now)
    lines = set(now.splitlines())
    kept = "\n".join(line for line in (event.new or "").splitlines() if line in lines)
    return event.but(new=kept, content=now)


OF_FILES: tuple[type[GuardCheck], ...] = (PathCheck, TextCheck, DependencyCheck)


def judge_where_files_lie(
    action: ToolAction, event: Event, root: str, after: Mapping[str, object] | None = None
) -> list[EventFinding]:
    """What rules on files have against the action in trees other than the root's; ``after`` is what an edit gave."""
    from rulec.hook import other_trees  # noqa: PLC0415 (only what writes a file may write it elsewhere)

    found: list[EventFinding] = []
    cwd = os.path.join(event.root, event.cwd)
    written = {other_trees.other_tree(Worktree(root), place): None for place in _folders_written(event)}
    for tree in [tree for tree in written if tree][: other_trees.MOST_TREES]:
        world = Worktree(tree)
        seen = event_of(action, world, cwd).but(agent=event.agent, environment=event.environment)
        if after is not None:
            seen = event_after(seen, after)
        rules = other_trees.own_rules(tree, root, seen, (TextCheck,) if after is not None else OF_FILES)
        found += other_trees.marked(decision.decide(rules, seen), world, seen if after is None else None)
    return found


def _folders_written(event: Event) -> list[str]:
    """The folders in which the action writes or deletes files."""
    if event.kind in FILE_KINDS:
        named = [event.path]
    elif event.kind == "command":
        effects = action_events.touched_paths(event)
        named = [action_events.relative_path(event, one.path) for one in effects]
    else:
        return []
    return list(dict.fromkeys(os.path.dirname(resolved(event.here.absolute(path))) for path in named if path))
