"""What the session before this one left to learn: rulec counts it in the background, and the person is told once.

The hook only starts that count, at a session's start; what it found is said as soon as it is there, at this start or
with the person's next message.
"""

from __future__ import annotations

import os

from rulec.agents.protocol.agent_spec import HookResponse
from rulec.checkout import private_files
from rulec.checkout.ledger import DOCTOR_SESSION
from rulec.checkout.rules_layout import BELOW_MODEL, LAST_SESSION
from rulec.checkout.worktree import state_directory
from rulec.hook import session_state

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rulec.agents.protocol.agent_spec import AgentSpec, HookRequest


def look_back(root: str, asked: HookRequest) -> None:
    """Have the session before this one read, where that was not done since it grew."""
    if os.environ.get(BELOW_MODEL) or asked.session == DOCTOR_SESSION or asked.subagent:
        return
    path = session_state.transcript_before(root, asked)
    known = private_files.read_json(_file(root))
    try:
        seen = [path, os.stat(path).st_size]
    except OSError:
        return
    if known.get("of") != seen and private_files.update_json(_file(root), lambda _: {"of": seen}):
        from rulec.checkout.installation import start_rulec  # noqa: PLC0415 (once in a session)

        start_rulec(root, ["hook", "learn", path])


def tell(agent: AgentSpec, asked: HookRequest, root: str) -> HookResponse:
    """What the person was not told yet of it."""
    if asked.session == DOCTOR_SESSION or not os.path.exists(_file(root)):
        return HookResponse()
    words = private_files.read_json(_file(root)).get("words")
    if not isinstance(words, str) or not words:
        return HookResponse()
    private_files.update_json(_file(root), lambda known: {**known, "words": ""})
    told: HookResponse = agent.say(asked, words)
    return told


def _file(root: str) -> str:
    return os.path.join(state_directory(root), LAST_SESSION)
