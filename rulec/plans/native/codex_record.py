"""Codex's record of a session -> the changes of its plan since it was last read.

Codex runs no hook at ``update_plan``, so its calls are read from the rollout; edits between them are read along with
them, so that each belongs to the step that was current then.
"""

from __future__ import annotations

import json
import os

from rulec.agents.protocol.agent_spec import WHOLE_LIST, ToolAction, as_mapping, as_text
from rulec.guard.precedence import timestamp
from rulec.plans import plan_store
from rulec.plans.native.native_calls import PlanCall, apply_call
from rulec.transcripts import codex_records
from rulec.transcripts.recent_history import PLANNING

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rulec.checkout.worktree import Worktree
    from rulec.plans.plan import Plan


LARGEST = 8_000_000  # bytes that are read at once; of more, the end
LONGEST_LINE = 2_000_000
READ = "rollout"  # among the plan's notes: the path, and how far it was read
CHANGED = "Plan updated"  # how Codex answers a call that changed its plan
EDITS = ("write", "edit", "delete")
_MARKS = (PLANNING, b"apply_patch", b'_output"', b'"session_meta"', b'"turn_context"')


def read_rollout(plan: Plan, path: str, world: Worktree) -> bool:
    """Apply the calls that the record has got since it was last read; whether any changed the plan."""
    known = plan.notes.get(READ)
    start = known[1] if isinstance(known, list) and known[:1] == [path] and isinstance(known[-1], int) else 0
    data, begin = _tail(path, start)
    reader = _Reader(plan, world)
    done = begin
    for line in data.split(b"\n")[:-1]:  # what stands behind the last line's end is not whole yet
        reader.take(line, done)
        done += len(line) + 1
    plan.notes[READ] = [path, min([done, *reader.waiting()])]
    return reader.changed


def _tail(path: str, start: int) -> tuple[bytes, int]:
    """What stands behind the first bytes of the record, of much of it the end, and where that begins."""
    try:
        if not os.path.isfile(path):
            return b"", start
        with open(path, "rb") as file:
            size = os.fstat(file.fileno()).st_size
            start = start if start <= size else 0  # another file of that name
            begin = max(start, size - LARGEST)
            file.seek(begin)
            data = file.read(LARGEST)
    except (OSError, ValueError):
        return b"", start
    cut = data.find(b"\n") + 1 if begin > start else 0
    return data[cut:], begin + cut


class _Reader:
    """Takes the record's lines one by one; a call counts once its result is there."""

    def __init__(self, plan: Plan, world: Worktree) -> None:
        self.plan, self.world = plan, world
        self.changed = False
        self.cwd = ""
        self.open: dict[str, tuple[codex_records.CodexCall, float, int]] = {}

    def waiting(self) -> list[int]:
        """Where the calls stand that have no result yet."""
        return [at for _, _, at in self.open.values()]

    def take(self, line: bytes, at: int) -> None:
        """Take the line that stands there, whatever it holds."""
        if len(line) > LONGEST_LINE or not any(mark in line for mark in _MARKS):
            return
        try:
            record = as_mapping(json.loads(line.decode("utf-8", "replace")))
        except (ValueError, RecursionError):
            return
        item = as_mapping(record.get("payload"))
        kind = as_text(item.get("type"))
        if record.get("type") in ("session_meta", "turn_context"):
            self.cwd = as_text(item.get("cwd")) or self.cwd
        elif record.get("type") == "response_item" and kind.endswith("_output"):
            self._end(as_text(item.get("call_id")) or as_text(item.get("id")), item.get("output"))
        elif record.get("type") == "response_item" and kind.endswith("_call"):
            call = codex_records.CodexCall(item)
            if call.tool == "update_plan" or any(one.kind in EDITS for one in call.done or ()):
                self.open[call.id] = (call, timestamp(as_text(record.get("timestamp"))), at)

    def _end(self, name: str, output: object) -> None:
        call, at, _ = self.open.pop(name, (None, 0.0, 0))
        if call is None:
            return
        text, ok, _ = codex_records.call_outcome(output)
        if call.tool == "update_plan":
            if text.strip().startswith(CHANGED):
                asked = PlanCall(WHOLE_LIST, call.given, at)
                asked.source = "codex"
                self.changed = apply_call(self.plan, asked) or self.changed
        elif ok and self.plan.steps:
            for done in call.done or ():
                self._edit(done, at)

    def _edit(self, done: ToolAction, at: float) -> None:
        if done.kind not in EDITS or not done.path:
            return
        folder = os.path.join(self.cwd or self.world.root, done.cwd)
        path = self.world.relative(os.path.normpath(os.path.join(folder, done.path)))
        if not os.path.isabs(path):
            plan_store.record_edit(self.plan, path, at)
            self.changed = True
