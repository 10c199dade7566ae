"""What the hook saw of a session's work: which files its calls wrote, and what stood there before it began."""

from __future__ import annotations

import os

from rulec.checkout import private_files
from rulec.checkout.pending_change import merge_heads, texts_at_head
from rulec.checkout.worktree import Worktree, resolved, shared_state_directory
from rulec.guard.content import forbidden_text
from rulec.hook.pending_files import PendingChange
from rulec.shell import action_events
from rulec.shell.action_events import FILE_KINDS, Event

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from rulec.agents.protocol.agent_spec import HookRequest


WROTE, STOOD = "wrote.json", "stood.json"  # in the git folder that all work trees share
MOST = 30  # sessions
MOST_PATHS = 300  # that a session's calls wrote
MOST_LINES = 2_000  # that stood in changed files when a session began
LONGEST = 200  # characters of a session's name


def note_written(root: str, asked: HookRequest, events: list[Event]) -> None:
    """Note the files that a call writes by name: the evidence where the agent keeps no record of its calls."""
    paths = [path for event in events for path in _written_by(event)]
    key = asked.main_session[:LONGEST]
    known = written_paths(root, asked)
    if not paths or known.issuperset(paths):
        return

    def add(all_of: dict[str, Any]) -> dict[str, Any]:
        kept = [path for path in _texts(all_of.get(key)) if path not in paths]
        return private_files.with_entry(all_of, key, [*kept, *dict.fromkeys(paths)][-MOST_PATHS:], MOST)

    private_files.update_json(os.path.join(shared_state_directory(root), WROTE), add)


def written_paths(root: str, asked: HookRequest) -> frozenset[str]:
    """The absolute paths that calls of the session were seen to write."""
    known = private_files.read_json(os.path.join(shared_state_directory(root), WROTE))
    return frozenset(_texts(known.get(asked.main_session[:LONGEST])))


def _texts(value: object) -> list[str]:
    return [one for one in value if isinstance(one, str)] if isinstance(value, list) else []


def _written_by(event: Event) -> list[str]:
    world = event.here
    if event.kind in FILE_KINDS:
        named = [event.path]
    elif event.kind == "command":
        effects = [one for one in action_events.touched_paths(event) if not (one.undoes or one.source or one.elsewhere)]
        named = [action_events.relative_path(event, one.path) for one in effects]
    else:
        return []
    whole = [world.absolute(path) for path in named if path]
    return [os.path.join(resolved(os.path.dirname(path)), os.path.basename(path)) for path in whole]


def note_standing(root: str, asked: HookRequest) -> None:
    """Note the lines by which files differ from HEAD as a session begins: they are no work of its own."""
    left, stood = MOST_LINES, dict[str, list[int]]()
    for file in PendingChange(Worktree(root), "", 0.0).files:
        lines = [forbidden_text.line_digest(text) for _, text in forbidden_text.added_lines(file)]
        left -= len(lines)
        if lines and left >= 0:
            stood[file.path] = lines
    if stood:
        key = asked.session[:LONGEST]
        private_files.update_json(
            os.path.join(shared_state_directory(root), STOOD),
            lambda known: private_files.with_entry(known, key, {"root": os.path.realpath(root), "lines": stood}, MOST),
        )


def mark_standing(pending: PendingChange, asked: HookRequest) -> None:
    """Give each changed file the lines that are somebody else's, as ``stood``: ``added_lines`` leaves them out.

    They stood there when the session began, or the other side of a merge that is under way has them.
    """
    root = pending.world.root
    known = private_files.read_json(os.path.join(shared_state_directory(root), STOOD))
    entry = known.get(asked.session[:LONGEST], known.get(asked.main_session[:LONGEST], {}))
    lines = entry.get("lines") if isinstance(entry, dict) and entry.get("root") == os.path.realpath(root) else None
    stood = lines if isinstance(lines, dict) else {}
    merged = [texts_at_head(root, [file.path for file in pending.files], head) for head in merge_heads(root)]
    for file in pending.files:
        theirs = [Event(kind="edit", old=file.old, new=texts.get(file.path, "")) for texts in merged]
        brought = [forbidden_text.line_digest(text) for one in theirs for _, text in forbidden_text.added_lines(one)]
        file.stood = (*(stood.get(file.path) or ()), *brought)
