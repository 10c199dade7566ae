"""The message that a person just typed -> what the agent should know with it: the rules it touches, and makes."""

import os
import re

from rulec.agents.protocol.agent_spec import TURN_END, HookResponse
from rulec.checkout import ledger
from rulec.checkout.rules_layout import WORDS, personal_rulebook_path
from rulec.checkout.worktree import plan_file
from rulec.hook.session import message_detection, session_state
from rulec.transcripts import recent_history
from rulec.transcripts.human_text import typed_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rulec.agents.protocol.agent_spec import AgentSpec, HookRequest


LONGEST = 4_000  # characters of a message; a longer one is a document or a paste
UNTOLD = "wish"  # in the session's notes: a message was found to be one when the turn was over
CORRECTING = "CORRECT["  # how a person names the rule that they correct again
LAUNCHER = "sh .rules/hook git"
_SLASH = re.compile(r"/[\w:-]+(?:\s|$)")  # a command of the agent's program, not a path
LINE = (
    "rulec: a recent message of the person may be a lasting preference. If so, once you have put it right, propose it:"
    ' pipe {"statement": "Use …, never …", "when": "…", "quote": "their words", "offence": {"command": "…"},'
    ' "fix": {"command": "…"}} into `%s propose` (of an edit: {"edit": "PATH", "old": "…", "new": "…"}). They decide.'
)


FOR_PERSON = (
    "rulec: what you wrote may be a lasting preference; your next message asks the agent to propose a rule of it, and"
    " `rulec add` makes one"
)


def answer_prompt(agent: "AgentSpec", asked: "HookRequest", root: str) -> HookResponse:
    """What the agent should have in mind with the message: rules that it touches, and that it may be one itself."""
    text = typed_text(asked.words)
    told = [_of_plan(agent, asked, root)]
    if _worth(text) and not session_state.is_our_reason(text):
        told += [_of_earlier(asked, root), _touched(agent, asked, root, text)]
        _ask_detector(asked, root, text)
    known: HookResponse = agent.tell(asked, "\n".join(filter(None, told))) if any(told) else HookResponse()
    return known


def _of_plan(agent: "AgentSpec", asked: "HookRequest", root: str) -> str:
    """The rules of the step that comes, where the session has a plan."""
    begins = bool(agent.plan_prompt) and str(asked.given or "").startswith(agent.plan_prompt)
    if not (begins or recent_history.shows_plan(asked) or os.path.exists(plan_file(root, asked.main_session))):
        return ""
    try:
        from rulec.hook.session import plan_reminders  # noqa: PLC0415 (few sessions have a plan)

        return plan_reminders.words_at_prompt(agent, asked, root)
    except Exception:  # noqa: BLE001 - a plan must not keep the agent from the rest
        return ""


def _touched(agent: "AgentSpec", asked: "HookRequest", root: str, text: str) -> str:
    """The rules that the message touches."""
    if not any(os.path.isdir(os.path.join(top, WORDS)) for top in (root, personal_rulebook_path())):
        return ""
    if CORRECTING in text:
        from rulec.hook.session import turn_learning  # noqa: PLC0415 (hardly a message names a rule so)

        turn_learning.learn_from_words(root, asked.session, text)
    from rulec.hook.session import session_reminders  # noqa: PLC0415 (nothing of it is needed where no rule holds)

    return session_reminders.remind_at_prompt(agent, asked, root, text)


def _ask_detector(asked: "HookRequest", root: str, text: str) -> None:
    """Have the installed detector look at the message, in the background; no person asks a sub-agent."""
    by_person = not asked.subagent and asked.session != ledger.DOCTOR_SESSION
    if by_person:
        message_detection.add_message(root, asked, text)


def _of_earlier(asked: "HookRequest", root: str) -> str:
    """A line where an earlier message was found to be one, and the agent was not told."""
    if asked.subagent:
        return ""
    known = session_state.forget_note(root, asked, UNTOLD)
    return LINE % _verb() if message_detection.is_lasting(root, asked.session) or known else ""


def tell_late(agent: "AgentSpec", asked: "HookRequest", root: str) -> HookResponse:
    """What was found out about the last message since: for the agent; at the end of a turn, for the person."""
    if asked.moment != TURN_END:
        return (
            agent.tell(asked, LINE % _verb()) if message_detection.is_lasting(root, asked.session) else HookResponse()
        )
    if not message_detection.is_lasting_at_end(root, asked.session):
        return HookResponse()
    session_state.first_time(root, asked, UNTOLD)
    return agent.say(asked, FOR_PERSON)


def _worth(text: str) -> bool:
    """Whether the message may be a person's words, by cheap signs."""
    return 0 < len(text) <= LONGEST and not _SLASH.match(text) and any(map(str.isalpha, text))


def _verb() -> str:
    """How the agent's shell starts rulec."""
    return (
        "rulec" if any(os.access(os.path.join(place, "rulec"), os.X_OK) for place in os.get_exec_path()) else LAUNCHER
    )
