"""An agent's question -> its answer: read, look up, decide, say; within the time that an agent waits for a hook."""

from __future__ import annotations

import contextlib
import json
import os
import sys
import time

from rulec.agents.protocol import agent_spec, agent_tables
from rulec.agents.protocol.agent_spec import (
    AFTER_TOOL,
    BEFORE_TOOL,
    PROMPT,
    SESSION_START,
    TURN_END,
    AgentSpec,
    HookRequest,
    HookResponse,
    ToolAction,
)
from rulec.checkout import private_files
from rulec.checkout.rules_layout import CALLED, LAUNCHER, LAUNCHER_COPY, RECORD
from rulec.checkout.worktree import (
    Worktree,
    find_root,
    has_linked_trees,
    is_same_repository,
    judging_root,
    personal_rulebook,
    plan_file,
    shared_state_directory,
)
from rulec.hook.compiled_rules import FIRST_TREE, CompiledRules, TreeRules, rules_of_tree
from rulec.hook.tool_call import (
    event_of,
    judge_action,
    judge_address,
    judge_edit,
    judge_tool,
    judge_where_files_lie,
    with_findings,
)
from rulec.shell import action_events

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from rulec.domain.compiled_rule import EventFinding
    from rulec.shell.action_events import Event


SECONDS = 2.0  # of CPU, so that a busy machine does not count; agents wait for ten
GATE_WORDS = ("git", ".rules", "rulec", "pre-commit", "pre_commit")  # what a command says that is near the gate

GATE_PLACES = (".git", ".rules", *agent_tables.WORDS)


class TimeUp(BaseException):
    """The time is up; no subclass of Exception, so that no check catches it."""


def start_timer() -> None:
    """Count from now on, where this system and this thread can."""
    try:
        signal = __import__("_signal")  # the public module makes names that cost more than this
        signal.signal(signal.SIGPROF, _time_is_up)
        signal.setitimer(signal.ITIMER_PROF, SECONDS)
    except (ImportError, AttributeError, ValueError, OSError):
        return


def stop_timer() -> None:
    """Count no more."""
    try:
        signal = __import__("_signal")
        signal.setitimer(signal.ITIMER_PROF, 0)
    except (ImportError, AttributeError, ValueError, OSError):
        return


def _time_is_up(_number: int, _frame: object) -> None:
    raise TimeUp


def names_the_gate(actions: list[ToolAction]) -> bool:
    """Whether what could not be checked in time names the gate."""
    for action in actions:
        signs = GATE_WORDS if action.kind == "command" else GATE_PLACES
        texts = [(text or "").lower() for text in (action.command, action.path, action.moved_from)]
        if any(sign in text for text in texts for sign in signs):
            return True
    return False


def note_call(root: str, agent: str) -> None:
    """Leave an empty file that says when the agent called its hook last: the commit and doctor ask for it."""
    path = f"{shared_state_directory(root)}/{CALLED}{agent}"
    try:
        os.utime(path)
    except FileNotFoundError:
        with contextlib.suppress(OSError):
            os.close(os.open(path, os.O_WRONLY | os.O_CREAT, 0o600))
    except OSError:
        return


PLUGIN, SETTINGS = "plugin", "settings"
CLAIMS = "hook-claims.json"  # in the folder of local state; there since the plugin ran in this clone
CLAIM_SECONDS = 60.0  # that the other one's claim counts: agents start both at once, on a busy machine one of them late
MOST_CLAIMS = 200  # claims that are kept


def registration_of(arguments: list[str]) -> str:
    """Which of the two runs, by the words that the launcher was given."""
    return PLUGIN if PLUGIN in arguments[1:] else SETTINGS


def answers_elsewhere(root: str, sent: bytes, registration: str) -> bool:
    """Whether the hook that is registered in the other place judges this very call."""
    path = os.path.join(shared_state_directory(root), CLAIMS)
    if registration == SETTINGS and not os.path.exists(path):
        return False
    from hashlib import sha256  # noqa: PLC0415 (few clones have both)

    call, now = sha256(sent).hexdigest(), time.time()
    others: list[bool] = []

    def claim(known: dict[str, Any]) -> dict[str, Any]:
        by, when = _claim(known.get(call))
        others.append(by not in ("", registration) and 0 <= now - when < CLAIM_SECONDS)
        # an empty file would be deleted, and with it what says that the plugin is here
        known = {"": [PLUGIN, now], **known}
        return private_files.with_entry(known, call, None if others[0] else [registration, now], MOST_CLAIMS)

    return private_files.update_json(path, claim) and others == [True]


def _claim(entry: object) -> tuple[str, float]:
    """Who claimed a call, and when; "" where nobody did."""
    if isinstance(entry, list) and len(entry) == 2 and isinstance(entry[1], int | float):
        return str(entry[0]), float(entry[1])
    return "", 0.0


LARGEST_INPUT = 64_000_000
BOM = b"\xef\xbb\xbf"


def run(arguments: list[str]) -> int:
    """Answer the request on standard input; returns the exit code for the agent."""
    raw = sys.stdin.buffer.read(LARGEST_INPUT)
    registration = registration_of(arguments)
    answer = respond(arguments[0] if arguments else "claude-code", raw, os.getcwd(), registration)
    if answer.out:
        sys.stdout.write(json.dumps(answer.out) + "\n")
        sys.stdout.flush()
    if answer.error:
        sys.stderr.write(answer.error + "\n")
    return answer.code


def respond(name: str, raw: bytes, here: str, registration: str = SETTINGS) -> HookResponse:
    """The answer to an agent's JSON; what cannot be understood is said aloud, and stops where a rule asks for it."""
    data, broken = _data(raw)
    agent = agent_spec.find_agent(agent_spec.asking_agent(name, data))
    if agent is None:
        return HookResponse(error=f"rulec: no agent {name!r} is known; run `rulec compile`")
    index, asked, odd = CompiledRules(""), HookRequest(""), ""
    start_timer()
    try:
        asked = agent.read(data)
        if asked.moment != BEFORE_TOOL:
            stop_timer()
        own = find_root(here, [os.environ.get(agent.project, ""), asked.cwd, *asked.folders])
        index = CompiledRules(judging_root(own, asked.cwd))
        if not index.root:
            return HookResponse()
        if answers_elsewhere(index.root, raw, registration):
            return HookResponse()
        note_call(index.root, agent.name)
        odd = _foreign_launcher(own) or _refused_by_git(own)
        if asked.moment in (PROMPT, SESSION_START):
            return _once(agent, asked, index.root, odd, _said(agent, asked, index.root, own))
        index, lacking = _open_rules(index.root, asked, own)
        odd = lacking or odd
        broken = broken or agent_spec.why_unreadable(asked) or _gone(index)
        if broken:
            return _broken(agent, index, asked, broken)
        return _once(agent, asked, index.root, odd, _answer(agent, asked, _with_personal(index)))
    except Exception as error:  # noqa: BLE001 - whatever breaks is said to the person, or stops where a rule asks for it
        if asked.moment in (PROMPT, SESSION_START):
            return HookResponse()  # no gate: whatever breaks here must not keep a person from their agent
        return _broken(agent, index, asked, f"{type(error).__name__}: {error}")
    except TimeUp:
        return _late(agent, index, asked)
    finally:
        stop_timer()


def _late(agent: AgentSpec, index: CompiledRules, asked: HookRequest) -> HookResponse:
    """What was not decided in time is denied where it names the gate; elsewhere it is a check that broke."""
    what = f"it was not decided within {SECONDS:.0f} seconds"
    if asked.moment != BEFORE_TOOL or not names_the_gate(asked.actions):
        return _broken(agent, index, asked, what)
    denied: HookResponse = agent.deny(asked, f"rulec: this action was not checked: {what}; do it in smaller steps")
    return denied


NO_RULES = "rulec: this checkout has no rules, so nothing is checked here"
OF_OTHERS = "rulec: no rules are checked out here: those of {} judge"
OF_ANOTHER = "rulec: git refuses {}, which belongs to another user, so that no end of a turn is judged; run {}"
FOREIGN = (
    f"rulec: {LAUNCHER} of this checkout is not the one that `rulec init` put into the git directory: it does not run,"
    " that one does (a person takes over a new one with `rulec init`)"
)


def _foreign_launcher(root: str) -> str:
    """What to say where the work tree's launcher is not the one that runs."""
    own = private_files.read_file(os.path.join(shared_state_directory(root), LAUNCHER_COPY))
    there = private_files.read_file(os.path.join(root, LAUNCHER)) if own else None
    return FOREIGN if own and there is not None and there.replace(b"\r\n", b"\n") != own else ""


def _refused_by_git(root: str) -> str:
    """What to say where the work tree is another user's, in which git does nothing until a person trusts it."""
    if not root or os.lstat(root).st_uid == getattr(os, "geteuid", lambda: os.lstat(root).st_uid)():
        return ""
    from rulec.checkout import git_call  # noqa: PLC0415 (nearly always the person's own folder)

    cure = git_call.cure_of_refusal(git_call.refusal_by_owner(root), root)
    return OF_ANOTHER.format(root, cure) if cure else ""


def _open_rules(root: str, asked: HookRequest, own: str) -> tuple[CompiledRules, str]:
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
    from rulec.hook import session_state  # noqa: PLC0415 (as above)

    known = session_state.first_tree(root, asked)
    return known if known and is_same_repository(root, known) else own


def _once(agent: AgentSpec, asked: HookRequest, root: str, words: str, answer: HookResponse) -> HookResponse:
    """The answer, with what the person should know once in each session."""
    if not words:
        return answer
    from rulec.checkout.ledger import DOCTOR_SESSION  # noqa: PLC0415 (hardly ever is there something to say)
    from rulec.hook import session_state  # noqa: PLC0415 (as above)

    by_agent = asked.session != DOCTOR_SESSION  # doctor says it itself
    told = by_agent and session_state.first_time(root, asked, words[:40])
    return answer.plus(agent.say(asked, words)) if told else answer


def _gone(index: CompiledRules) -> str:
    """What to say where git knows guards that are not on the disk."""
    if index.present:
        return ""
    from rulec.checkout import installation  # noqa: PLC0415 (nearly everywhere there are guards)

    index.strict = installation.any_rule_blocks_when_broken(index.root)
    return installation.describe_missing_guards(index.root)


def _with_personal(index: CompiledRules) -> CompiledRules:
    home = personal_rulebook(index.root)
    if not home:
        return index
    from rulec.hook import compiled_rules  # noqa: PLC0415 (most people have no rules of their own)

    return compiled_rules.LayeredRules(index, home)


def _data(raw: bytes) -> tuple[dict[str, Any], str]:
    try:
        data = json.loads((raw[3:] if raw.startswith(BOM) else raw).decode("utf-8", "replace"))
    except (ValueError, RecursionError) as broken:
        return {}, f"what the agent sent is no JSON ({broken})"
    return (data, "") if isinstance(data, dict) else ({}, "what the agent sent is no JSON object")


def _broken(agent: AgentSpec, index: CompiledRules, asked: HookRequest, what: str) -> HookResponse:
    """The answer where a check breaks: a message for the person, or a stop; a turn is never blocked for ever."""
    text = " ".join(f"rulec: this action was not checked: {what}".split())[:1000]
    again = asked.moment == TURN_END and asked.stopped is not False
    if not index.strict or again:
        told: HookResponse = agent.say(asked, text)
        return told
    stopped: HookResponse = agent.deny(asked, text) if asked.moment == BEFORE_TOOL else agent.fail(text)
    return stopped.plus(HookResponse(error="" if stopped.error else text))


def _said(agent: AgentSpec, asked: HookRequest, root: str, own: str) -> HookResponse:
    """The rules that the agent gets with a person's message, or at the start of a session."""
    from rulec.hook import session_state  # noqa: PLC0415 (a tool call pays for none of it)
    from rulec.hook.session import last_session  # noqa: PLC0415 (as above)

    starts = asked.moment == SESSION_START
    if (session_state.open_session if starts else session_state.begin_turn)(root, asked, own):
        from rulec.hook.session import charging  # noqa: PLC0415 (it asks git, once in a session)

        charging.note_standing(root, asked)
    if starts:
        last_session.look_back(root, asked)
    told = last_session.tell(agent, asked, root)
    if starts and SESSION_START not in agent.hears:
        return told
    from rulec.hook.session import session_reminders  # noqa: PLC0415 (a tool call pays for none of it)

    remind = session_reminders.remind_at_start if starts else session_reminders.answer_prompt
    return remind(agent, asked, root).plus(told)


def _answer(agent: AgentSpec, asked: HookRequest, index: CompiledRules) -> HookResponse:
    world = Worktree(index.root)
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
