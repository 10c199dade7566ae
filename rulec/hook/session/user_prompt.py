"""The message that a person just typed -> what it allows, and the rules that the agent should have in mind with it."""

from __future__ import annotations

import os
import re

from rulec.agents.protocol.agent_spec import PROMPT, HookResponse
from rulec.checkout.rules_layout import WORDS, personal_rulebook_path
from rulec.checkout.worktree import plan_file
from rulec.hook import permission
from rulec.hook.session import session_state
from rulec.transcripts import recent_history
from rulec.transcripts.human_text import typed_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rulec.agents.protocol.agent_spec import AgentSpec, HookRequest


LONGEST = 4_000  # characters of a message; a longer one is a document or a paste
CORRECTING = "CORRECT["  # how a person names the rule that they correct again
ALLOWED = "rulec: the person allows what was asked about last for the rule {}, once: do that very action again."
_SLASH = re.compile(r"/[\w:-]+(?:\s|$)")  # a command of the agent's program, not a path


def answer_prompt(agent: AgentSpec, asked: HookRequest, root: str) -> HookResponse:
    """What the agent should have in mind with the message: the rules of the plan's next step, and those it touches."""
    slug = permission.allow_by_message(root, asked)
    if PROMPT not in agent.hears:
        return HookResponse()
    text = typed_text(asked.words)
    told = [ALLOWED.format(slug) if slug else "", _of_plan(agent, asked, root)]
    if _worth(text) and not session_state.is_our_reason(text):
        told.append(_touched(agent, asked, root, text))
    known: HookResponse = agent.tell(asked, "\n".join(filter(None, told))) if any(told) else HookResponse()
    return known


def _of_plan(agent: AgentSpec, asked: HookRequest, root: str) -> str:
    """The rules of the step that comes, where the session has a plan."""
    begins = bool(agent.plan_prompt) and str(asked.given or "").startswith(agent.plan_prompt)
    if not (begins or recent_history.shows_plan(asked) or os.path.exists(plan_file(root, asked.main_session))):
        return ""
    try:
        from rulec.hook.session import plan_reminders  # noqa: PLC0415 (few sessions have a plan)

        return plan_reminders.words_at_prompt(agent, asked, root)
    except Exception:  # noqa: BLE001 - a plan must not keep the agent from the rest
        return ""


def _touched(agent: AgentSpec, asked: HookRequest, root: str, text: str) -> str:
    """The rules that the message touches."""
    if not any(os.path.isdir(os.path.join(top, WORDS)) for top in (root, personal_rulebook_path())):
        return ""
    if CORRECTING in text:
        from rulec.hook.session import turn_learning  # noqa: PLC0415 (hardly a message names a rule so)

        turn_learning.learn_from_words(root, asked.session, text)
    from rulec.hook.session import session_reminders  # noqa: PLC0415 (nothing of it is needed where no rule holds)

    return session_reminders.remind_at_prompt(agent, asked, root, text)


def _worth(text: str) -> bool:
    """Whether the message may be a person's words, by cheap signs."""
    return 0 < len(text) <= LONGEST and not _SLASH.match(text) and any(map(str.isalpha, text))
