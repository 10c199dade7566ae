"""An agent's question -> its answer: read, look up, decide, say; within the time that an agent waits for a hook."""

from __future__ import annotations

import contextlib
import json
import os
import sys
import time

from rulec.agents.protocol import agent_spec
from rulec.agents.protocol.agent_spec import (
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
from rulec.checkout.rules_layout import CALLED, LAUNCHER, LAUNCHER_COPY
from rulec.checkout.worktree import (
    find_root,
    judging_root,
    shared_state_directory,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


SECONDS = 2.0  # of CPU, so that a busy machine does not count; agents wait for ten
GATE_WORDS = ("git", ".rules", "rulec", "pre-commit", "pre_commit")  # what a command says that is near the gate
GATE_PLACES = (".git", ".rules")  # what a path says that is; besides, the words of each agent


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
    from rulec.agents.protocol import agent_tables  # noqa: PLC0415 (nearly all is decided in time)

    for action in actions:
        signs = GATE_WORDS if action.kind == "command" else (*GATE_PLACES, *agent_tables.WORDS)
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
    start_timer()
    try:
        asked = agent.read(data)
        if asked.moment != BEFORE_TOOL:
            stop_timer()
    except Exception as error:  # noqa: BLE001 - whatever breaks is said to the person
        stop_timer()
        return _broken(agent, HookRequest(""), f"{type(error).__name__}: {error}", strict=False)
    except TimeUp:
        return _late(agent, HookRequest(""), strict=False)
    if asked.moment in (PROMPT, SESSION_START):
        return _answer_words(agent, asked, _Sent(raw, here, registration))
    try:
        return _answer_gate(agent, asked, _Sent(raw, here, registration), broken)
    finally:
        stop_timer()


class _Sent:
    """What the agent sent, the folder that it was sent in, and the registration by which the hook was started."""

    def __init__(self, raw: bytes, here: str, registration: str) -> None:
        self.raw, self.here, self.registration = raw, here, registration


def _answer_words(agent: AgentSpec, asked: HookRequest, sent: _Sent) -> HookResponse:
    """The answer to a message or a session's start: no gate, so that nothing keeps a person from their agent."""
    try:
        own, root = _find_root(agent, asked, sent)
        if not root:
            return HookResponse()
        return _once(agent, asked, root, _odd_place(own), _said(agent, asked, root, own))
    except Exception:  # noqa: BLE001 - as above
        return HookResponse()


def _answer_gate(agent: AgentSpec, asked: HookRequest, sent: _Sent, broken: str) -> HookResponse:
    """The answer to a tool call or a turn's end; what breaks is told, or stops where a rule asks for it."""
    # In no handler: where a module of the gate is broken the process fails, and the launcher denies.
    from rulec.hook import tool_call  # noqa: PLC0415 (a message and a session's start pay for none of it)

    strict = False
    try:
        own, root = _find_root(agent, asked, sent)
        if not root:
            return HookResponse()
        index, lacking = tool_call.open_rules(root, asked, own)
        broken = broken or agent_spec.why_unreadable(asked) or tool_call.why_gone(index)
        strict = index.strict
        if broken:
            return _broken(agent, asked, broken, strict=strict)
        answer = tool_call.answer_call(agent, asked, index)
        return _once(agent, asked, root, lacking or _odd_place(own), answer)
    except Exception as error:  # noqa: BLE001 - as said above
        return _broken(agent, asked, f"{type(error).__name__}: {error}", strict=strict)
    except TimeUp:
        return _late(agent, asked, strict=strict)


def _find_root(agent: AgentSpec, asked: HookRequest, sent: _Sent) -> tuple[str, str]:
    """The agent's own work tree and the one that judges, "" where there is none or the other registration answers."""
    own = find_root(sent.here, [os.environ.get(agent.project, ""), asked.cwd, *asked.folders])
    root = judging_root(own, asked.cwd)
    if not root or answers_elsewhere(root, sent.raw, sent.registration):
        return own, ""
    note_call(root, agent.name)
    return own, root


def _late(agent: AgentSpec, asked: HookRequest, *, strict: bool) -> HookResponse:
    """What was not decided in time is denied where it names the gate; elsewhere it is a check that broke."""
    what = f"it was not decided within {SECONDS:.0f} seconds"
    if asked.moment != BEFORE_TOOL or not names_the_gate(asked.actions):
        return _broken(agent, asked, what, strict=strict)
    denied: HookResponse = agent.deny(asked, f"rulec: this action was not checked: {what}; do it in smaller steps")
    return denied


OF_ANOTHER = "rulec: git refuses {}, which belongs to another user, so that no end of a turn is judged; run {}"
FOREIGN = (
    f"rulec: {LAUNCHER} of this checkout is not the one that `rulec init` put into the git directory: it does not run,"
    " that one does (a person takes over a new one with `rulec init`)"
)


def _odd_place(own: str) -> str:
    """What the person should know of the work tree itself."""
    return _foreign_launcher(own) or _refused_by_git(own)


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


def _once(agent: AgentSpec, asked: HookRequest, root: str, words: str, answer: HookResponse) -> HookResponse:
    """The answer, with what the person should know once in each session."""
    if not words:
        return answer
    from rulec.checkout.ledger import DOCTOR_SESSION  # noqa: PLC0415 (hardly ever is there something to say)
    from rulec.hook import session_state  # noqa: PLC0415 (as above)

    by_agent = asked.session != DOCTOR_SESSION  # doctor says it itself
    told = by_agent and session_state.first_time(root, asked, words[:40])
    return answer.plus(agent.say(asked, words)) if told else answer


def _data(raw: bytes) -> tuple[dict[str, Any], str]:
    try:
        data = json.loads((raw[3:] if raw.startswith(BOM) else raw).decode("utf-8", "replace"))
    except (ValueError, RecursionError) as broken:
        return {}, f"what the agent sent is no JSON ({broken})"
    return (data, "") if isinstance(data, dict) else ({}, "what the agent sent is no JSON object")


def _broken(agent: AgentSpec, asked: HookRequest, what: str, *, strict: bool) -> HookResponse:
    """The answer where a check breaks: a message for the person, or a stop; a turn is never blocked for ever."""
    text = " ".join(f"rulec: this action was not checked: {what}".split())[:1000]
    again = asked.moment == TURN_END and asked.stopped is not False
    if not strict or again:
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
