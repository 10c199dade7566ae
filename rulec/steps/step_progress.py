"""Edits of files -> the steps of a session's plan that they belong to, and begin."""

import json
import os
import time

from rulec.checkout import private_files
from rulec.checkout.worktree import plan_file
from rulec.steps import plan_store

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from rulec.steps.step import Plan


WRITING = ".writing"  # behind the name of a plan's file: files that a command is about to write
LARGEST = 1_000_000  # bytes of those
MOMENT = 120.0  # seconds between an agent's record of an edit and the hook's question about it
LONGEST_WAIT = 3_600.0  # seconds that a command may take until it writes its file
MOST_WAITING = 200  # files
_OURS = (".git/", ".rules/compiled/", ".rules/.cache/")  # nobody's work


def edited_paths(events: "Iterable[dict[str, Any]]") -> "list[str]":
    """The repository's files that actions write or delete."""
    found = [str(event["path"]) for event in events if event["kind"] in ("write", "edit", "delete") and event["path"]]
    return [path for path in dict.fromkeys(found) if _counts(path)]


def note_edits(plan: "Plan", root: str, paths: "Iterable[str]", at: float) -> None:
    """Note that the files were edited now, each for its step."""
    for path in paths:
        plan_store.record_edit(plan, path, lambda: _head(root), at)


def is_noted(plan: "Plan", path: str, at: float) -> bool:
    """Whether an edit of the file a moment ago is noted already."""
    return any(step.edits.get(path, 0.0) > at - MOMENT for step in plan.steps)


def _head(root: str) -> str:
    from rulec.checkout.head import head_commit  # noqa: PLC0415 (only where a step begins)

    return head_commit(root)


def note_command(root: str, session: str, paths: "Iterable[str]", at: float) -> None:
    """Note that a command that is about to run surely writes the files, if it runs at all."""
    lines = [json.dumps([path, at, file_stamp(root, path)]) for path in paths if _counts(path)]
    try:
        private_files.append_lines(plan_file(root, session) + WRITING, lines)
    except OSError:
        return


def settle_commands(plan: "Plan", root: str, at: float) -> None:
    """Note the edits of the files that commands have written since."""
    place = plan_file(root, plan.session) + WRITING
    if not os.path.exists(place):
        return
    known = _waiting(place)
    done = [path for path, (_, stamp) in known.items() if file_stamp(root, path) != stamp]
    note_edits(plan, root, done, at)
    left = [[path, *one] for path, one in known.items() if path not in done and one[0] > at - LONGEST_WAIT]
    try:
        os.unlink(place)
        if left:
            private_files.append_lines(place, map(json.dumps, left[-MOST_WAITING:]))
    except OSError:
        return


def settled_plan(root: str, session: str) -> "Plan | None":
    """The session's plan, with the files that commands have written since; None where it has none."""
    if is_settled(root, session):
        return plan_store.load_plan(root, session)
    return touch_plan(root, session)


def touch_plan(root: str, session: str) -> "Plan | None":
    """The same, and note that the session was heard of now."""

    def change(plan: "Plan") -> "Plan | None":
        settle_commands(plan, root, time.time())
        return plan if plan.steps else None

    return plan_store.update_plan(root, session, change) if plan_store.has_plan(root, session) else None


def is_settled(root: str, session: str) -> bool:
    """Whether no command is known that may have written files since."""
    return not os.path.exists(plan_file(root, session) + WRITING)


def _waiting(place: str) -> "dict[str, list[Any]]":
    """The files that commands were about to write: when, and what they were like before."""
    found: "dict[str, list[Any]]" = {}
    for line in (private_files.read_file(place, LARGEST) or b"").splitlines():
        try:
            path, at, stamp = json.loads(line)
        except (ValueError, TypeError, RecursionError):
            continue
        if isinstance(path, str) and isinstance(at, (int, float)):
            found.setdefault(path, [at, stamp])
    return found


def file_stamp(root: str, path: str) -> int:
    """A number that changes when the file is written; 0 where there is none."""
    try:
        seen = os.lstat(os.path.join(root, path))
    except (OSError, ValueError):
        return 0
    return seen.st_mtime_ns ^ seen.st_size ^ seen.st_ino


def _counts(path: str) -> bool:
    return not os.path.isabs(path) and not path.startswith((*_OURS, "../", "~"))
