"""What was done and said in the session of a plan, as its agent's program recorded it."""

from rulec.agents.protocol.agent_spec import PROMPT, HookRequest
from rulec.checkout.worktree import Worktree
from rulec.transcripts.recent_history import FIRST, history_reader, history_records, last_bytes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from rulec.steps.step import Plan


LARGEST = 64_000_000  # bytes of a transcript's end: a commit may look further back than a tool call


def events_of_plan(root: str, plan: "Plan") -> "list[dict[str, Any]] | None":
    """The events of the session, the oldest first; None where its transcript cannot be read."""
    data = last_bytes(plan.transcript, LARGEST) if plan.transcript else None
    if data is None:
        return None
    asked = HookRequest(PROMPT)
    asked.session, asked.transcript, asked.records = plan.session, plan.transcript, plan.records
    told = history_reader(asked, Worktree(root), inside=False)
    cut = len(data) == LARGEST
    for record in history_records(data.partition(b"\n")[2] if cut else data, asked.records):
        told.take(record)
    return [*([FIRST] if cut else []), *told.events()]
