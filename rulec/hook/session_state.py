"""What is remembered of a session, in one file each; of it how often its turn's end was blocked, and when it began."""

from __future__ import annotations

import contextlib
import os
import time

from rulec.checkout import private_files
from rulec.checkout.worktree import file_name_of, shared_state_directory

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from rulec.agents.protocol.agent_spec import HookRequest


FOLDER = "sessions"  # in the git folder that all work trees share: a file for each of the last sessions
MOST = 30  # sessions, and sub-agents of one
LONGEST = 200  # characters of a session's or turn's name
OWN = "agents"  # the part of it that is kept here, by sub-agents; "" is the session's own agent
OUR_PREFIXES = (
    "rulec rule ",
    "rulec: ",
)  # how our reasons begin, which some agents' programs send on as a person's message


def is_our_reason(words: str) -> bool:
    """Whether a message is a refusal by rulec, sent on by the agent's program."""
    return words.startswith(OUR_PREFIXES)


def open_session(root: str, asked: HookRequest, tree: str = "") -> bool:
    """Note that a session begins, and in which work tree; whether it did not begin before."""
    begins = not session_start_time(root, asked)
    noted = {"begun": time.time(), "tree": tree or root, "transcript": asked.transcript}
    _note(root, asked, lambda known: {**noted, **known})
    return begins


def first_tree(root: str, asked: HookRequest) -> str:
    """The work tree in which the session began; "" where that is unknown."""
    known = _entry(load(root, asked.main_session).get(OWN), "") or _own(root, asked)
    tree = known.get("tree")
    return tree if isinstance(tree, str) else ""


def transcript_before(root: str, asked: HookRequest) -> str:
    """The transcript of the session that was noted last before this one; "" where none is known."""
    for path in reversed(_files(os.path.dirname(_state_file(root, asked.session)))):
        transcript = _entry(private_files.read_json(path).get(OWN), "").get("transcript")
        if isinstance(transcript, str) and transcript not in ("", asked.transcript):
            return transcript
    return ""


def begin_turn(root: str, asked: HookRequest, tree: str = "") -> bool:
    """A person spoke: a new turn. The first one that is heard begins the session where nothing else told of that."""
    begins = not session_start_time(root, asked) and open_session(root, asked, tree)
    if not is_our_reason(asked.words.lstrip()) and count_blocks(root, asked):
        _note(root, asked, lambda known: {**known, "turn": "", "count": 0})
    return begins


def session_start_time(root: str, asked: HookRequest) -> float:
    """When the session began; 0 where that is unknown."""
    at = _own(root, asked).get("begun")
    return at if isinstance(at, float) else 0.0


def count_blocks(root: str, asked: HookRequest) -> int:
    """How often the end of this turn was blocked already."""
    known = _own(root, asked)
    count = known.get("count")
    anew = asked.turn != known.get("turn", "") if asked.turn else asked.stopped is False
    return count if isinstance(count, int) and not anew else 0


def add_block(root: str, asked: HookRequest) -> bool:
    """Count one more block; False where that cannot be noted: then a turn must not be blocked again."""
    count = count_blocks(root, asked) + 1
    return _note(root, asked, lambda known: {**known, "turn": asked.turn[:LONGEST], "count": count})


def first_time(root: str, asked: HookRequest, what: str) -> bool:
    """Whether this is the first time in the session, and note it."""
    if has_note(root, asked, what):
        return False
    _note(root, asked, lambda known: {**known, what: True})
    return True


def has_note(root: str, asked: HookRequest, what: str) -> bool:
    """Whether it was noted in the session."""
    return bool(_own(root, asked).get(what))


def add_notes(root: str, asked: HookRequest, what: tuple[str, ...]) -> bool:
    """Note it in the session; whether that could be done."""
    return _note(root, asked, lambda known: {**known, **dict.fromkeys(what, True)})


def forget_note(root: str, asked: HookRequest, what: str) -> bool:
    """Whether it was noted in the session, and note it no more."""
    noted = has_note(root, asked, what)
    if noted:
        _note(root, asked, lambda known: {name: value for name, value in known.items() if name != what})
    return noted


def reset_blocks(root: str, asked: HookRequest) -> None:
    """Nothing is left to block for."""
    if _own(root, asked).get("count"):
        _note(root, asked, lambda known: {**known, "turn": "", "count": 0})


def load(root: str, session: str) -> dict[str, Any]:
    """What is known of a session, part by part."""
    return private_files.read_json(_state_file(root, session))


def update(root: str, session: str, part: str, change: Callable[[Any], object]) -> bool:
    """Change one part of what is known of a session; an empty one is left out. Whether that could be done."""
    path = _state_file(root, session)
    if not os.path.exists(path):
        _forget_oldest(os.path.dirname(path))

    def change_part(known: dict[str, Any]) -> dict[str, Any]:
        return private_files.with_entry(known, part, change(known.get(part)), len(known) + 1)

    return private_files.update_json(path, change_part)


def _state_file(root: str, session: str) -> str:
    return os.path.join(shared_state_directory(root), FOLDER, f"{file_name_of(session)}.json")


def _files(folder: str) -> list[str]:
    """The files of sessions, the one that was written last as the last."""
    try:
        known = sorted((one for one in os.scandir(folder) if one.is_file()), key=lambda one: one.stat().st_mtime_ns)
    except OSError:
        return []
    return [one.path for one in known]


def _forget_oldest(folder: str) -> None:
    """Make room for one more session."""
    known = _files(folder)
    for path in known[: max(0, len(known) - MOST + 1)]:
        with contextlib.suppress(OSError):
            os.unlink(path)


def _own(root: str, asked: HookRequest) -> dict[str, Any]:
    """What is known of the agent, which may be a sub-agent."""
    return _entry(load(root, asked.session).get(OWN), asked.subagent[:LONGEST])


def _entry(known: object, key: str) -> dict[str, Any]:
    entry = known.get(key) if isinstance(known, dict) else None
    return entry if isinstance(entry, dict) else {}


def _note(root: str, asked: HookRequest, change: Callable[[dict[str, Any]], dict[str, Any]]) -> bool:
    """Change what is known of the agent; whether that could be done."""
    key = asked.subagent[:LONGEST]

    def change_own(known: object) -> dict[str, Any]:
        whole = known if isinstance(known, dict) else {}
        return private_files.with_entry(whole, key, change(_entry(whole, key)), MOST)

    return update(root, asked.session, OWN, change_own)
